"""Every column of a results file edited by hand: each command ends, and says what is wrong."""

import shutil
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest
from typer.main import get_command

from arena.cli.app import app
from arena.errors import ArenaError
from arena.store.tables import SCHEMA
from tests.tournament.tables import Table, run_all, tournament

BAD: dict[str, tuple[object, ...]] = {
    "INTEGER": (None, -1, 1 << 40, (1 << 63) - 1),
    "REAL": (None, -1.0, 1e300),
    "TEXT": (None, "x", '["anna","ghost"]', str(1 << 70)),
    "BLOB": (None, b"\xff\x00", zlib.compress(b"{"), zlib.compress(b"[]")),
}
"""Values by the column's type that no arena writes into most; what SQLite refuses is no edit."""
COMMANDS = (
    ("leaderboard", "RUN"), ("report", "RUN"), ("export", "RUN"), ("verify", "RUN"),
    ("faults", "RUN"), ("show", "RUN", "1-1-0"), ("debug", "RUN", "1-1-0"),
)  # fmt: skip


def _columns() -> list[tuple[str, str, str]]:
    with closing(sqlite3.connect(":memory:")) as database:
        for statement in SCHEMA:
            database.execute(statement)
        tables = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        return [
            (table, row[1], row[2])
            for table in tables
            for row in database.execute(f"PRAGMA table_info({table})")
        ]


COLUMNS = _columns()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three entrants, one of which never starts."""
    cup = tournament(tmp_path_factory.mktemp("edited"), "anna", "bob", "broken", boards=1)
    run_all(cup, Table())
    return cup.out


@pytest.fixture
def edited(played: Path, tmp_path: Path) -> Path:
    """A copy to be edited."""
    return shutil.copytree(played, tmp_path / "edited")


def try_all(folder: Path, what: str) -> list[str]:
    """Run every command; give what each that failed says. Only an `ArenaError` may be raised."""
    said = []
    for command in COMMANDS:
        words = [str(folder) if word == "RUN" else word for word in command]
        try:
            get_command(app).main(words, prog_name="arena", standalone_mode=False)
        except ArenaError as error:
            said.append(str(error))
        except Exception as error:
            raise AssertionError(f"{words[0]} after {what}: {error!r}") from error
    return said


def edit(folder: Path, statement: str, *values: object) -> bool:
    """Change the file behind the arena's back; tell whether SQLite took it."""
    with closing(sqlite3.connect(folder / "arena.sqlite")) as database, database:
        try:
            return database.execute(statement, values).rowcount > 0
        except (sqlite3.IntegrityError, sqlite3.OperationalError):
            return False


@pytest.mark.parametrize(("table", "column", "kind"), COLUMNS)
def test_no_value_of_a_column_is_a_traceback(
    edited: Path, table: str, column: str, kind: str
) -> None:
    sound = (edited / "arena.sqlite").read_bytes()
    for value in BAD[kind]:
        (edited / "arena.sqlite").write_bytes(sound)
        if edit(edited, f"UPDATE OR IGNORE {table} SET {column} = ?", value):
            try_all(edited, f"{table}.{column} = {value!r}")


@pytest.mark.parametrize("table", sorted({table for table, *_ in COLUMNS}))
def test_no_missing_row_is_a_traceback(edited: Path, table: str) -> None:
    order = next(column for known, column, _ in COLUMNS if known == table)
    edit(edited, f"DELETE FROM {table} WHERE {order} = (SELECT min({order}) FROM {table})")
    try_all(edited, f"a row of {table} was deleted")
    edit(edited, f"DELETE FROM {table}")
    try_all(edited, f"all of {table} was deleted")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE matches SET boards = 'x'", "table matches"),
        ("UPDATE matches SET seats = '['", "table matches, seats"),
        ("UPDATE matches SET sittings = 1000000000000000", "sittings"),
        ("UPDATE run SET config = '{'", "table run"),
        ("UPDATE entrants SET entrant = 'ghost' WHERE entrant = 'anna'", "is no entrant"),
        ("UPDATE games SET match = 9223372036854775807 WHERE match = 1", "run arena verify"),
    ],
)
def test_a_damaged_value_is_named_with_its_table_and_remedy(
    edited: Path, statement: str, said: str
) -> None:
    assert edit(edited, statement)
    found = " ".join(try_all(edited, statement))
    assert said in found
    assert "put a copy back" in found or "run arena verify" in found
