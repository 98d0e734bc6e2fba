"""Every column of a results file edited by hand: each command ends, and says what is wrong."""

import json
import shutil
import signal
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from typer.main import get_command

from arena.cli.app import app
from arena.errors import ArenaError, StoreError
from arena.store import Store
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
    ("faults", "RUN"), ("show", "RUN", "2-1-0"), ("debug", "RUN", "2-1-0"),
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
SECONDS = 120


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of three entrants, one of which never starts."""
    cup = tournament(tmp_path_factory.mktemp("edited"), "anna", "bob", "broken", boards=1)
    run_all(cup, Table())
    return cup.out


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    """End a test in which a command runs on for ever."""

    def give_up(*_: object) -> None:
        raise AssertionError(f"not done after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


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


@pytest.mark.parametrize(("table", "column", "kind"), COLUMNS)
def test_no_value_of_a_single_row_is_a_traceback(
    edited: Path, table: str, column: str, kind: str
) -> None:
    order = next(known_column for known, known_column, _ in COLUMNS if known == table)
    last = f"{order} = (SELECT max({order}) FROM {table})"
    value = BAD[kind][1]
    if edit(edited, f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {last}", value):
        try_all(edited, f"{table}.{column} = {value!r} in one row")


NONSENSE: tuple[tuple[str, object], ...] = (
    ("game", "partnership"),
    ("rules.lead_spades", 1 << 62),
    ("rules", {}),
    ("match", 1 << 80),
    ("board", -1),
    ("sitting", 9),
    ("seats", []),
    ("seats.0.bot", "ghost"),
    ("result.winner", 1 << 40),
    ("result.winner", -1),
    ("result.scores", []),
    ("result.scores.0", 1 << 200),
    ("result.reason", "\x1b[2J"),
    ("hands", []),
    ("hands.0.number", 1 << 63),
    ("hands.0.first", 3),
    ("hands.0.deck", ["AS"] * 52),
    ("hands.0.deck", []),
    ("hands.0.moves", []),
    ("hands.0.moves.0.seat", 2),
    ("hands.0.moves.0.move", 1 << 70),
    ("hands.0.moves.0.move", ["AS", "AS"]),
    ("hands.0.moves.0.us", 1 << 70),
    ("hands.0.moves.0.substituted", True),
    ("hands.0.moves.9.drawn", ["AS"]),
    ("hands.0.moves.9.decision", "bid"),
    ("hands.0.tricks", []),
    ("hands.0.tricks", [1 << 70, 0]),
    ("hands.0.points", [0]),
    ("hands.0.scores", None),
    ("hands.0.bags", [-5, 1 << 29]),
    ("faults", [{"seat": 3, "kind": "crash", "decision": None, "hand": 1 << 40,
                 "expected": "", "said": "", "detail": ""}]),
    ("faults", [{"seat": 0, "kind": "crash", "decision": "play", "hand": 7,
                 "expected": "", "said": "", "detail": ""}]),
)  # fmt: skip
"""What is put at a place of a game's record, which is well-formed JSON still."""


@pytest.mark.parametrize(("place", "value"), NONSENSE)
def test_no_nonsense_in_a_record_is_a_traceback(edited: Path, place: str, value: object) -> None:
    change_record(edited, place, value)
    try_all(edited, f"{place} of a record is {value!r}")
    assert is_refused(edited)


def change_record(folder: Path, place: str, value: object) -> None:
    """Put a value at a place of the first game's record that both bots finished."""
    with closing(sqlite3.connect(folder / "arena.sqlite")) as database, database:
        where = "match = 2 AND board = 1 AND sitting = 0"
        (blob,) = database.execute(f"SELECT record FROM games WHERE {where}").fetchone()
        record = json.loads(zlib.decompress(blob))
        *way, last = (int(step) if step.isdecimal() else step for step in place.split("."))
        inner = record
        for step in way:
            inner = inner[step]
        inner[last] = value
        changed = zlib.compress(json.dumps(record).encode())
        database.execute(f"UPDATE games SET record = ? WHERE {where}", (changed,))


def is_refused(folder: Path) -> bool:
    """Tell whether `arena verify` finds anything wrong."""
    try:
        return bool(get_command(app).main(["verify", str(folder)], standalone_mode=False))
    except ArenaError:
        return True


@pytest.mark.parametrize(("table", "column"), [("games", "record"), ("logs", "log")])
def test_a_value_that_inflates_to_gigabytes_is_refused(
    edited: Path, table: str, column: str
) -> None:
    press = zlib.compressobj(1)
    megabyte = b" " * (1 << 20)
    bomb = b"".join([press.compress(megabyte) for _ in range(257)]) + press.flush()
    assert edit(edited, f"UPDATE {table} SET {column} = ? WHERE match = 2", bomb)
    with Store(edited) as store, pytest.raises(StoreError, match="holds over 256 MiB"):
        list(store.logs(2) if table == "logs" else store.games(2))
