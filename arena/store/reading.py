"""Reading a results folder, also while a run writes to it.

It knows how every value is found again; it never changes a byte.
"""

import sqlite3
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias, TypeVar

import msgspec

from arena.protocol import FaultKind
from arena.record import (
    BotRef,
    Delay,
    FaultPolicy,
    FaultRecord,
    GameRecord,
    GivenBoard,
    Limits,
    MatchRecord,
    Result,
    SeatLog,
)
from arena.store.files import FILE, FORMAT, clear_errors, format_of, open_to_read
from arena.store.tables import (
    FaultRow,
    KeyRow,
    MatchRow,
    ResultRow,
    damaged,
    decoding,
    inflate,
    parse_boards,
    parse_names,
    read_row,
    unpress_game,
)
from arena.store.values import (
    Counts,
    GameKey,
    HostFailure,
    Meta,
    PlannedMatch,
    PlayedMatch,
    StoredFault,
    StoredGame,
    StoredLog,
)

PLANS = "SELECT match, round, seats, boards, sittings, games, sandbox, limits FROM matches"
"""Selects the schedule."""
Sides: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The entrants of each side."""
T = TypeVar("T")
_NO_MATCH = (1 << 63) - 1
"""A number beyond every match's."""
_PAGE = 500
"""Matches of the schedule that are held in memory at a time."""
_KEY = "match, board, sitting"


class Store:
    """One results folder as it stood when it was opened; open it again to see more.

    All iterators are lazy and in schedule order (match, board, sitting). Everything here raises
    `StoreError` for a folder that is foreign, newer, damaged or not there.
    """

    meta: Meta

    def __init__(self, folder: Path) -> None:
        """Open `folder` for reading; nothing in it is changed."""
        self.folder = folder
        self._path = folder / FILE
        self._connection = open_to_read(self._path)
        try:
            with clear_errors(self._path):
                self._connection.execute("BEGIN")  # the next read fixes what will be seen
            self.meta = self._read_meta()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Use the store as a context that closes it."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Let go of the file; closing twice is harmless."""
        self._connection.close()

    def _rows(self, query: str, *values: object) -> Iterator[sqlite3.Row]:
        with clear_errors(self._path):
            for row in self._connection.execute(query, values):  # noqa: UP028 - not its `close`
                yield row

    def _select(
        self, query: str, order: str, *conditions: tuple[str, str | int | None]
    ) -> Iterator[sqlite3.Row]:
        """Run a query in an order, under those conditions that have a value to compare with."""
        chosen = [condition for condition, value in conditions if value is not None]
        values = [value for _, value in conditions if value is not None]
        where = f" WHERE {' AND '.join(chosen)}" if chosen else ""
        return self._rows(f"{query}{where} ORDER BY {order}", *values)

    @property
    def _is_older(self) -> bool:
        """Tell whether the file lacks the tables of `ADDED`."""
        with clear_errors(self._path):
            return format_of(self._connection) < FORMAT

    def _row(self, query: str, *values: object) -> sqlite3.Row:
        """Give the only row of a query, which is there by construction."""
        for row in self._rows(query, *values):
            return row
        raise damaged(self._path, "run", "its row is missing")

    def _read_meta(self) -> Meta:
        entrants = tuple(
            BotRef(*row)
            for row in self._rows("SELECT entrant, version, digest FROM entrants ORDER BY number")
        )
        row = self._row("SELECT * FROM run")
        with decoding(self._path, "run"):
            return Meta(
                name=row["name"],
                game=row["game"],
                config=msgspec.json.decode(row["config"], type=dict[str, object]),
                entrants=entrants,
                faults=msgspec.json.decode(row["faults"], type=FaultPolicy),
                seed_sha256=row["seed_sha256"],
                is_secret=bool(row["is_secret"]),
                arena=row["arena"],
                created=row["created"],
            )

    def setting(self, key: str, type_: type[T]) -> T:
        """Give one key of the stored config. Raises `StoreError` where it is of no such shape."""
        with decoding(self._path, f"run, config.{key}"):
            return msgspec.convert(self.meta.config.get(key), type_)

    def to_plan(self, row: sqlite3.Row) -> PlannedMatch:
        """Read a row of `PLANS`."""
        match = read_row(self._path, "matches", row, MatchRow)
        seats = self._names(match.seats)
        with decoding(self._path, f"matches, match {match.match}"):
            boards = parse_boards(match.boards)
        plan = PlannedMatch(match.match, match.round, seats, boards, match.sittings)
        if plan.games != match.games:
            what = f"match {match.match}: games is {match.games}, and {plan.games} are planned"
            raise damaged(self._path, "matches", what)
        return plan

    def _names(self, text: str) -> tuple[str, ...]:
        """Read the entrants by seat of a match; every one is entered."""
        with decoding(self._path, "matches, seats"):
            seats = parse_names(text)
        if not 2 <= len(seats) <= 4:
            raise damaged(self._path, "matches", f"seats {text[:60]!r} are not two to four")
        for name in seats:
            self._entered(name, "matches")
        return seats

    def _entered(self, name: str, table: str) -> str:
        if name not in self._entrants:
            raise damaged(self._path, table, f"{name!r} is no entrant")
        return name

    @cached_property
    def _entrants(self) -> frozenset[str]:
        return frozenset(ref.bot for ref in self.meta.entrants)

    def _to_played(self, row: sqlite3.Row) -> PlayedMatch:
        """Read a row of `PLANS` whose match is stored."""
        return PlayedMatch(self.to_plan(row), row["sandbox"], self._limits(row["limits"]))

    def _limits(self, text: str | None) -> Limits:
        with decoding(self._path, "matches, limits"):
            return msgspec.json.decode(text or "", type=Limits)

    @property
    def is_finished(self) -> bool:
        """Tell whether the tournament is over; only then is its seed published."""
        (finished,) = self._row("SELECT finished FROM run")
        return bool(finished)

    @property
    def seed(self) -> str | None:
        """Give the seed once the run is finished; None while it lasts. Rules: D1a."""
        seed, finished = self._row("SELECT seed, finished FROM run")
        return str(seed) if finished else None

    def boards_to_play(self) -> frozenset[int]:
        """Name the boards that anyone has still to play: show no card of them. Rules: D1a.

        While matches may yet be planned on boards that were used before, that is every board.
        """
        finished, boards_return = self._row("SELECT finished, boards_return FROM run")
        if finished:
            return frozenset()
        every = "SELECT DISTINCT boards FROM matches"
        rows = self._rows(every if boards_return else f"{every} WHERE sandbox IS NULL")
        with decoding(self._path, "matches, boards"):
            return frozenset(board for (text,) in rows for board in parse_boards(text))

    def given(self) -> tuple[GivenBoard, ...]:
        """Give the decks that came from a file. Rules: D3."""
        (blob,) = self._row("SELECT given FROM run")
        with decoding(self._path, "run, given"):
            return msgspec.json.decode(inflate(blob), type=tuple[GivenBoard, ...])

    def counts(self) -> Counts:
        """Count matches and games, planned and played."""
        planned, games = self._row("SELECT count(*), coalesce(sum(games), 0) FROM matches")
        to_play, games_to_play = self._row(
            "SELECT count(*), coalesce(sum(games), 0) FROM matches WHERE sandbox IS NULL"
        )
        return Counts(planned, planned - to_play, games, games - games_to_play)

    def planned(self, after: int = 0) -> Iterator[PlannedMatch]:
        """List the schedule, played or not; what is planned meanwhile is seen."""
        return self._pages(f"{PLANS} WHERE match > ? ORDER BY match LIMIT {_PAGE}", after)

    def to_play(self, after: int = 0) -> Iterator[PlannedMatch]:
        """List what is not stored; what is planned or played meanwhile may be seen or not."""
        query = f"{PLANS} WHERE match > ? AND sandbox IS NULL ORDER BY match LIMIT {_PAGE}"
        return self._pages(query, after)

    def _pages(self, query: str, after: int) -> Iterator[PlannedMatch]:
        """Run a query page by page, so that none is under way when a match is written."""
        while page := list(map(self.to_plan, self._rows(query, after))):
            yield from page
            after = page[-1].match

    def last_planned(self) -> int:
        """Give the number of the schedule's last match; 0 before any is planned."""
        (last,) = self._row("SELECT coalesce(max(match), 0) FROM matches")
        return int(last)

    def first_to_play(self) -> int:
        """Give the number of the first match that is not stored, the next new one if all are."""
        query = "SELECT min(match) FROM matches WHERE sandbox IS NULL"
        (first,) = self._row(query)
        return self.last_planned() + 1 if first is None else int(first)

    def is_played(self, match: int) -> bool:
        """Tell whether a match is stored."""
        query = "SELECT 1 FROM matches WHERE match = ? AND sandbox IS NOT NULL"
        return any(True for _ in self._rows(query, match))

    def count_planned_of(self, entrant: str) -> int:
        """Count the matches of one entrant's schedule."""
        (count,) = self._row("SELECT count(*) FROM matches_of WHERE entrant = ?", entrant)
        return int(count)

    def played(self) -> Iterator[PlayedMatch]:
        """List the matches that are stored, without their games."""
        for row in self._rows(f"{PLANS} WHERE sandbox IS NOT NULL ORDER BY match"):
            yield self._to_played(row)

    def played_match(self, match: int) -> PlayedMatch | None:
        """Give a match without its games; None where it is not stored."""
        rows = self._rows(f"{PLANS} WHERE sandbox IS NOT NULL AND match = ?", match)
        return next(map(self._to_played, rows), None)

    def match(self, match: int) -> MatchRecord:
        """Give a match as it was written. Raises `KeyError` where it is not stored."""
        query = "SELECT round, sandbox, limits FROM matches WHERE match = ? AND sandbox IS NOT NULL"
        for round_number, sandbox, limits in self._rows(query, match):
            return MatchRecord(
                match=match,
                round=round_number,
                games=tuple(self.games(match)),
                logs=tuple(stored.log for stored in self.logs(match)),
                sandbox=sandbox,
                limits=self._limits(limits),
            )
        raise KeyError(match)

    def count_stored_games(self) -> int:
        """Count the records, of whatever match."""
        (count,) = self._row("SELECT count(*) FROM games")
        return int(count)

    def keys(self, match: int | None = None) -> Iterator[GameKey]:
        """List where the stored games stand, without reading them."""
        query = "SELECT match, board, sitting FROM games"
        for row in self._select(query, _KEY, ("match = ?", match)):
            yield GameKey(*read_row(self._path, "games", row, KeyRow))

    def stored_game(self, key: GameKey) -> StoredGame:
        """Give one game with its digest. Raises `KeyError` where it is not stored."""
        query = "SELECT record, digest FROM games WHERE match = ? AND board = ? AND sitting = ?"
        for blob, digest in self._rows(query, *key):
            return StoredGame(unpress_game(self._path, blob, key), digest)
        raise KeyError(str(key))

    def game(self, match: int, board: int, sitting: int) -> GameRecord:
        """Give one game. Raises `KeyError` where it is not stored."""
        key = GameKey(match, board, sitting)
        return self._in_place(self.stored_game(key).game, key)

    def _in_place(self, game: GameRecord, key: GameKey) -> GameRecord:
        """Hold that a record is of the place where it stands, and of entrants."""
        if (game.match, game.board, game.sitting) != key:
            raise damaged(self._path, "games", f"{key}: holds the record of another game")
        for ref in game.seats:
            self._entered(ref.bot, f"games, {key}")
        return game

    def games(self, match: int | None = None) -> Iterator[GameRecord]:
        """List the game records, of one match or of all."""
        query = "SELECT match, board, sitting, record FROM games"
        for *place, blob in self._select(query, _KEY, ("match = ?", match)):
            key = GameKey(*place)
            yield self._in_place(unpress_game(self._path, blob, key), key)

    def results(self, entrant: str | None = None, match: int | None = None) -> Iterator[Result]:
        """List outcomes for the ratings, of one entrant, one match or all; reads no record."""
        rows = self._select(
            # CROSS JOIN: SQLite keeps this order of loops, which is the order of the rows.
            "SELECT r.match, r.board, r.sitting, r.score, r.margin, r.faults, m.round, m.seats "
            "FROM results AS r CROSS JOIN matches AS m ON m.match = r.match",
            "r.match, r.board, r.sitting",
            ("r.match IN (SELECT match FROM matches_of WHERE entrant = ?)", entrant),
            ("r.match = ?", match),
        )
        sides: Sides = ((), ())
        known = ""
        for row in rows:
            number, board, sitting, score, margin, faults, round_number, seats = read_row(
                self._path, "results", row, ResultRow
            )
            if seats != known:  # the games of a match follow each other
                sides, known = _to_sides(self._names(seats)), seats
            seated = (sides[1], sides[0]) if sitting & 1 else sides
            kinds = self._fault_kinds(GameKey(number, board, sitting)) if faults else ()
            yield Result(number, round_number, board, sitting, seated, score, margin, kinds)

    def _fault_kinds(self, key: GameKey) -> tuple[tuple[str, FaultKind], ...]:
        query = (
            "SELECT entrant, kind FROM faults "
            "WHERE match = ? AND board = ? AND sitting = ? ORDER BY number"
        )
        with decoding(self._path, "faults, kind"):
            return tuple(
                (self._entered(entrant, "faults"), FaultKind(kind))
                for entrant, kind in self._rows(query, *key)
            )

    def faults(self, entrant: str | None = None, match: int | None = None) -> Iterator[StoredFault]:
        """List the faults, of one entrant, one match or all."""
        rows = self._select(
            "SELECT f.match, m.round, f.board, f.sitting, f.entrant, "
            "f.seat, f.kind, f.decision, f.hand, f.expected, f.said, f.detail "
            "FROM faults AS f CROSS JOIN matches AS m ON m.match = f.match",
            "f.match, f.board, f.sitting, f.number",
            ("f.entrant = ?", entrant),
            ("f.match = ?", match),
        )
        for row in rows:
            told = read_row(self._path, "faults", row, FaultRow)
            self._entered(told.entrant, "faults")
            fault = FaultRecord(
                told.seat,
                told.kind,
                told.decision,
                told.hand,
                told.expected,
                told.said,
                told.detail,
            )
            place = (told.match, told.round, told.board, told.sitting)
            yield StoredFault(*place, told.entrant, fault)

    def host_failures(self) -> Iterator[HostFailure]:
        """List the matches that the host failed at, in the order in which it did."""
        if self._is_older:
            return iter(())
        rows = self._rows("SELECT match, reason FROM host_faults ORDER BY number")
        return (HostFailure(match, reason) for match, reason in rows)

    def delays(self) -> Iterator[Delay]:
        """List what the machine's own delay was, each time that it was measured."""
        if self._is_older:
            return iter(())
        rows = self._rows("SELECT jobs, moves, p50, p99, most FROM delays ORDER BY number")
        return (Delay(*row) for row in rows)

    def at_fault(self, match: int) -> tuple[str, ...]:
        """Name the entrant of each fault in a match."""
        rows = self._rows("SELECT entrant FROM faults WHERE match = ?", match)
        return tuple(self._entered(entrant, "faults") for (entrant,) in rows)

    def count_faults(self, before: int = _NO_MATCH) -> dict[str, int]:
        """Count the faults of each entrant that has any, in the matches before one or in all."""
        query = "SELECT entrant, count(*) AS faults FROM faults WHERE match < ? GROUP BY entrant"
        rows = self._rows(query, before)
        return {self._entered(name, "faults"): faults for name, faults in rows}

    def damage(self) -> list[str]:
        """Ask SQLite what is wrong with the file itself; nothing where it is sound."""
        found = [str(line) for (line,) in self._rows("PRAGMA quick_check")]
        return [] if found == ["ok"] else found

    def logs(self, match: int | None = None) -> Iterator[StoredLog]:
        """List what processes wrote to standard error, of one match or of all."""
        query = "SELECT match, log FROM logs"
        for number, blob in self._select(query, "match, number", ("match = ?", match)):
            with decoding(self._path, f"logs, match {number}"):
                log = msgspec.json.decode(inflate(blob), type=SeatLog)
            yield StoredLog(number, log)


def _to_sides(seats: tuple[str, ...]) -> Sides:
    """Name the entrants of each side in sitting 0; every sitting changes the sides. Rules: D2."""
    return tuple(sorted(set(seats[0::2]))), tuple(sorted(set(seats[1::2])))
