from pathlib import Path

import pytest

from arena.cli.locate import complete_run, find_run
from arena.errors import InputError


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("spring-cup", "autumn-cup"):
        folder = tmp_path / "results" / name
        folder.mkdir(parents=True)
        (folder / "arena.sqlite").touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "results"


def test_a_run_is_found_by_name_folder_and_database(results: Path) -> None:
    for word in (
        "spring-cup",
        "results/spring-cup",
        "results/spring-cup/",
        str(results / "spring-cup"),
    ):
        assert find_run(word).resolve() == results / "spring-cup"
    assert find_run("results/spring-cup/arena.sqlite") == Path("results/spring-cup")


def test_a_folder_here_goes_before_a_tournament_of_the_same_name(results: Path) -> None:
    here = results.parent / "spring-cup"
    here.mkdir()
    assert find_run("spring-cup") == Path("results/spring-cup")
    (here / "arena.sqlite").touch()
    assert find_run("spring-cup") == Path("spring-cup")


def test_an_unknown_name_is_answered_with_the_nearest(results: Path) -> None:
    with pytest.raises(InputError, match="did you mean 'spring-cup'"):
        find_run("sping-cup")
    for word in ("", "..", ".", "results", "/"):
        with pytest.raises(InputError, match="no results there"):
            find_run(word)


def test_where_nothing_was_played_the_first_step_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="arena run CONFIG"):
        find_run("demo")


def test_names_are_completed(results: Path) -> None:
    assert complete_run("s") == ["spring-cup"]
    assert complete_run("") == ["autumn-cup", "spring-cup"]
