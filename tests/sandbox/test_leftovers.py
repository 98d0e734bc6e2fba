"""Temporary folders of bots go when their maker does."""

import os
import tempfile
from pathlib import Path

import pytest

from arena.sandbox import leftovers


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for temporary folders that nobody else has."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    leftovers._sweep.cache_clear()
    return tmp_path


def test_a_folder_is_its_maker_s_alone_and_is_removed_with_all_in_it(nowhere: Path) -> None:
    folder = leftovers.new_folder()
    assert folder.parent == nowhere
    assert folder.stat().st_mode & 0o777 == 0o700
    (folder / "inner").mkdir()
    (folder / "inner" / "file").touch()
    leftovers.remove(folder)
    assert not folder.exists()
    leftovers.remove(folder)


def test_what_an_arena_that_was_killed_left_is_removed_by_the_next(nowhere: Path) -> None:
    own = f"arena-bot-{os.getpid()}-{leftovers._started(os.getpid())}-mine"
    names = ["arena-bot-4194304-123-gone", f"arena-bot-{os.getpid()}-1-reused", own, "arena-other"]
    for name in names:
        (nowhere / name).mkdir()
    new = leftovers.new_folder()
    assert {path.name for path in nowhere.iterdir()} == {own, "arena-other", new.name}


def test_a_folder_that_another_arena_removes_first_is_nobody_s_trouble(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = nowhere / "arena-bot-4194304-123-gone"
    left.mkdir()
    has_ended = leftovers.has_ended

    def ended_and_swept(name: str) -> bool:
        left.rmdir()
        return has_ended(name)

    monkeypatch.setattr(leftovers, "has_ended", ended_and_swept)
    new = leftovers.new_folder()
    assert list(nowhere.iterdir()) == [new]
