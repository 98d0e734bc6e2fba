"""The table of floors in `arena/__init__.py`, the files and the import contract say the same."""

import re
from itertools import chain

import arena
from tests.house.project import Project

Contract = dict[str, object]


def table() -> dict[str, int | None]:
    """The floor of each room, from the top down; the line itself has none."""
    rows = re.findall(r"^(\d+|--) +(the line|\w+)  +\S", arena.__doc__ or "", re.MULTILINE)
    return {room: None if floor == "--" else int(floor) for floor, room in rows}


def rooms() -> list[str]:
    return [room for room in table() if room != "the line"]


def below_the_line() -> list[str]:
    names = list(table())
    return names[names.index("the line") + 1 :]


def contract(project: Project, kind: str, named: str = "") -> Contract:
    """The import contract of a kind whose name begins so."""
    contracts = project.settings["tool"]["importlinter"]["contracts"]
    (found,) = (
        one for one in contracts if one["type"] == kind and str(one["name"]).startswith(named)
    )
    return found


def layers(project: Project) -> list[list[str]]:
    found = contract(project, "layers")["layers"]
    assert isinstance(found, list)
    return [re.split(r" \| ", line) for line in found]


def test_the_table_names_exactly_the_rooms_that_are_there(project: Project) -> None:
    found = {
        path.name.removesuffix(".py")
        for path in (project.root / "arena").iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert set(rooms()) == found - {"__init__", "__main__"}


def test_floors_fall_from_row_to_row(project: Project) -> None:
    floors = [floor for floor in table().values() if floor is not None]
    assert floors == sorted(floors, reverse=True)
    assert set(floors) == set(range(1, floors[0] + 1))


def test_the_import_contract_has_the_rooms_in_the_table_s_order(project: Project) -> None:
    floors = table()
    assert sorted(chain(*layers(project))) == sorted(rooms())
    contracted = [[floors[room] for room in line] for line in layers(project)]
    assert all(len(set(line)) == 1 for line in contracted), "one line, one floor"
    order = [line[0] for line in contracted if line[0] is not None]
    assert order == sorted(order, reverse=True)


def test_the_rooms_below_the_line_are_those_kept_pure(project: Project) -> None:
    pure = contract(project, "forbidden", "Below the line")["source_modules"]
    assert pure == [f"arena.{room}" for room in below_the_line()]


def test_tests_below_the_line_use_no_mock_and_no_file(project: Project) -> None:
    forbidden = re.compile(r"\b(mock|monkeypatch|mocker|tmp_path|tmpdir|capsys|subprocess)\b")
    found = [
        (source.path, forbidden.findall(source.text))
        for source in project.tests
        if source.room in below_the_line() and forbidden.search(source.text)
    ]
    assert found == []
