"""The tables of a results file, and how values are spelt in their columns.

It knows each column and what it is for; it never opens a file.
"""

import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from arena.errors import StoreError
from arena.games.game import Decision
from arena.protocol import FaultKind
from arena.record import MOST, GameRecord, Number, Points, Seat, decode_game, encode_game
from arena.store.files import APPLICATION_ID, FORMAT
from arena.store.values import GameKey

_MOST_BOARDS = 1_000_000
"""Boards that a match has at most; a longer list is no arena's, and would fill the memory."""
_MOST_BYTES = 256 * 1024**2
"""Bytes of one value once it is inflated, far more than any arena writes: a log may be 64 MiB."""
T = TypeVar("T")


class MatchRow(NamedTuple):
    """A row of the schedule."""

    match: Annotated[int, Meta(ge=1, le=MOST)]
    round: Number
    seats: str
    boards: str
    sittings: Annotated[int, Meta(ge=1, le=4)]
    games: Annotated[int, Meta(ge=0, le=4 * MOST)]
    sandbox: str | None
    limits: str | None


class ResultRow(NamedTuple):
    """A row of the results, with its match's round and seats."""

    match: Number
    board: Number
    sitting: Seat
    score: Annotated[float, Meta(ge=0, le=1)] | None
    margin: Points | None
    faults: Number
    round: Number
    seats: str


class KeyRow(NamedTuple):
    """Where a game stands."""

    match: Number
    board: Number
    sitting: Seat


class FaultRow(NamedTuple):
    """A row of the faults, with its match's round."""

    match: Number
    round: Number
    board: Number
    sitting: Seat
    entrant: str
    seat: Seat
    kind: FaultKind
    decision: Decision | None
    hand: Number
    expected: str
    said: str
    detail: str


@contextmanager
def decoding(path: Path, table: str) -> Iterator[None]:
    """Turn a stored value that cannot be read into a `StoreError` that names its table."""
    try:
        yield
    except (msgspec.MsgspecError, ValueError, TypeError, OverflowError, zlib.error) as error:
        raise damaged(path, table, str(error)) from error


def damaged(path: Path, table: str, what: str) -> StoreError:
    """Say that a table holds what no arena wrote, and what to do."""
    return StoreError(
        f"{path}: damaged: table {table}: {what}; put a copy back, or begin anew with --fresh"
    )


def _named(error: msgspec.ValidationError, row: sqlite3.Row) -> str:
    """Name the column of a row, where msgspec gives its place."""
    said = str(error)
    for place, name in enumerate(row.keys()):
        said = said.replace(f"`$[{place}]`", name)
    return said


def read_row(path: Path, table: str, row: sqlite3.Row, type_: type[T]) -> T:
    """Read a row as a type of its columns in order. Raises `StoreError`, naming the column."""
    try:
        return msgspec.convert(tuple(row), type_)
    except msgspec.ValidationError as error:
        raise damaged(path, table, _named(error, row)) from error


ADDED = (
    # How much of the bots' clocks is the machine's own, as measured before play.
    """CREATE TABLE delays (
        number INTEGER PRIMARY KEY,
        jobs INTEGER NOT NULL,
        moves INTEGER NOT NULL,
        p50 INTEGER NOT NULL,
        p99 INTEGER NOT NULL,
        most INTEGER NOT NULL
    ) STRICT""",
    # What the host itself failed at, as it happened: nobody's loss.
    """CREATE TABLE host_faults (
        number INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES matches,
        reason TEXT NOT NULL
    ) STRICT""",
)
"""The tables that files of format 1 lack."""

SCHEMA = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {FORMAT}",
    # One row: what the run is. `boards_return`: matches yet to be planned may use these boards
    # again. `finished`: the seed is published.
    """CREATE TABLE run (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        name TEXT NOT NULL,
        game TEXT NOT NULL,
        config TEXT NOT NULL,
        faults TEXT NOT NULL,
        seed TEXT NOT NULL,
        seed_sha256 TEXT NOT NULL,
        is_secret INTEGER NOT NULL,
        given BLOB NOT NULL,
        arena TEXT NOT NULL,
        created TEXT NOT NULL,
        boards_return INTEGER NOT NULL DEFAULT 1,
        finished INTEGER NOT NULL DEFAULT 0
    ) STRICT""",
    """CREATE TABLE entrants (
        number INTEGER PRIMARY KEY,
        entrant TEXT NOT NULL UNIQUE,
        version TEXT NOT NULL,
        digest TEXT NOT NULL
    ) STRICT""",
    # The schedule. `seats` is a JSON list of entrants, `boards` reads "1-20,31"; `sandbox` and
    # `limits` are null until the match is played, which is what tells that it is.
    """CREATE TABLE matches (
        match INTEGER PRIMARY KEY,
        round INTEGER NOT NULL,
        seats TEXT NOT NULL,
        boards TEXT NOT NULL,
        sittings INTEGER NOT NULL,
        games INTEGER NOT NULL,
        sandbox TEXT,
        limits TEXT
    ) STRICT""",
    "CREATE INDEX matches_to_play ON matches (match) WHERE sandbox IS NULL",
    """CREATE TABLE matches_of (
        entrant TEXT NOT NULL,
        match INTEGER NOT NULL REFERENCES matches,
        PRIMARY KEY (entrant, match)
    ) STRICT, WITHOUT ROWID""",
    # The game records: JSON, deflated.
    """CREATE TABLE games (
        match INTEGER NOT NULL REFERENCES matches,
        board INTEGER NOT NULL,
        sitting INTEGER NOT NULL,
        digest TEXT NOT NULL,
        record BLOB NOT NULL,
        UNIQUE (match, board, sitting)
    ) STRICT""",
    # What the ratings read, and nothing else: `score` and `margin` are side 0's, `faults` a count.
    """CREATE TABLE results (
        match INTEGER NOT NULL REFERENCES matches,
        board INTEGER NOT NULL,
        sitting INTEGER NOT NULL,
        score REAL,
        margin INTEGER,
        faults INTEGER NOT NULL,
        PRIMARY KEY (match, board, sitting)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE faults (
        match INTEGER NOT NULL REFERENCES matches,
        board INTEGER NOT NULL,
        sitting INTEGER NOT NULL,
        number INTEGER NOT NULL,
        entrant TEXT NOT NULL,
        seat INTEGER NOT NULL,
        kind TEXT NOT NULL,
        decision TEXT,
        hand INTEGER NOT NULL,
        expected TEXT NOT NULL,
        said TEXT NOT NULL,
        detail TEXT NOT NULL,
        PRIMARY KEY (match, board, sitting, number)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX faults_of ON faults (entrant, match)",
    *ADDED,
    # Standard error of the bots' processes: a `SeatLog` as JSON, deflated.
    """CREATE TABLE logs (
        match INTEGER NOT NULL REFERENCES matches,
        number INTEGER NOT NULL,
        log BLOB NOT NULL,
        PRIMARY KEY (match, number)
    ) STRICT""",
)
"""What makes an empty file a results file, in one transaction."""

# Measured on records of 29 kB: level 3 takes 0.13 ms and leaves 14 %, level 6 0.32 ms for 12 %.
_LEVEL = 3


def deflate(text: bytes) -> bytes:
    """Press JSON into the column of a blob, without loss."""
    return zlib.compress(text, _LEVEL)


def inflate(blob: bytes) -> bytes:
    """Read what `deflate` wrote. Raises `ValueError` or `zlib.error` for what it never writes."""
    inflating = zlib.decompressobj()
    text = inflating.decompress(blob, _MOST_BYTES)
    if not inflating.eof:
        what = "is cut short" if len(text) < _MOST_BYTES else f"holds over {_MOST_BYTES >> 20} MiB"
        raise ValueError(f"a deflated value {what}")
    return text


def press_game(game: GameRecord) -> bytes:
    """Spell a record for its column."""
    return deflate(encode_game(game))


def unpress_game(path: Path, blob: bytes, key: GameKey) -> GameRecord:
    """Read a record from its column. Raises `StoreError` for a damaged one."""
    with decoding(path, f"games, {key}"):
        return decode_game(inflate(blob))


def spell_names(names: tuple[str, ...]) -> str:
    """Spell entrants by seat as a JSON list."""
    return json.dumps(names, ensure_ascii=False, separators=(",", ":"))


def parse_names(text: str) -> tuple[str, ...]:
    """Read what `spell_names` wrote."""
    return msgspec.json.decode(text, type=tuple[str, ...])


def spell_boards(boards: tuple[int, ...]) -> str:
    """Spell boards in their order, runs of neighbours as ``first-last``."""
    runs: list[list[int]] = []
    for board in boards:
        if runs and board == runs[-1][1] + 1:
            runs[-1][1] = board
        else:
            runs.append([board, board])
    return ",".join(f"{low}-{high}" if low < high else str(low) for low, high in runs)


def parse_boards(text: str) -> tuple[int, ...]:
    """Read what `spell_boards` wrote. Raises `ValueError` for what it never writes."""
    boards: list[int] = []
    for run in text.split(","):
        low, _, high = run.partition("-")
        first, last = int(low), int(high or low)
        if not 1 <= first <= last <= MOST or last - first + len(boards) >= _MOST_BOARDS:
            raise ValueError(f"{text[:40]!r} are no boards")
        boards.extend(range(first, last + 1))
    return tuple(boards)
