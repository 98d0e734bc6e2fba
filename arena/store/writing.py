"""Writing a results folder: begun once, planned, filled match by match, finished.

It knows what makes a match whole and refuses any other; it never knows who played it or why.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import msgspec

from arena.errors import StoreError
from arena.record import (
    Delay,
    GameRecord,
    GivenBoard,
    MatchRecord,
    digest_game,
    to_result,
)
from arena.store.files import (
    FILE,
    FORMAT,
    FolderLock,
    clear_errors,
    has_run,
    make_folder,
    open_to_write,
)
from arena.store.reading import PLANS, Store
from arena.store.tables import ADDED, SCHEMA, deflate, press_game, spell_boards, spell_names
from arena.store.values import GameKey, Meta, PlannedMatch


def holds_run(folder: Path) -> bool:
    """Tell whether a run was begun in `folder`. Raises `StoreError` where the file is another's."""
    path = folder / FILE
    if not path.exists():
        return False
    with clear_errors(path):
        connection = open_to_write(path)
        try:
            return has_run(connection, path)
        finally:
            connection.close()


class RunStore(Store):
    """A results folder as its one writer holds it, from `begin` or `resume` until `close`.

    It sees its own writes at once, unlike a `Store`.
    """

    def __init__(self, folder: Path) -> None:
        """Take the folder's lock and open its file; for `begin` and `resume` to call."""
        self.folder = folder
        self._path = folder / FILE
        self._lock = FolderLock(folder)
        try:
            self._connection = open_to_write(self._path)
        except BaseException:
            self._lock.release()
            raise

    @classmethod
    def begin(cls, folder: Path, meta: Meta, seed: str, given: tuple[GivenBoard, ...] = ()) -> Self:
        """Make the folder and begin a run in it, its seed kept from all readers. Rules: D1a.

        Raises `StoreError` where a run was begun before, or another is at work.
        """
        make_folder(folder)
        store = cls(folder)
        try:
            store._refuse_second_run()
            store._use_wal()
            with store._transaction():
                store._insert_run(meta, seed, given)
            store.meta = meta
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def resume(cls, folder: Path) -> Self:
        """Open the run that was begun in `folder`. Raises `StoreError` where there is none."""
        if not holds_run(folder):
            raise StoreError(f"{folder}: no run has begun here")
        store = cls(folder)
        try:
            store.meta = store._read_meta()
            if not store.is_finished:
                store._use_wal()
        except BaseException:
            store.close()
            raise
        return store

    def upgrade(self) -> None:
        """Give a file of an older format the tables that it lacks, before it is written to."""
        if self._is_older:
            with self._transaction():
                for statement in ADDED:
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {FORMAT}")

    def close(self) -> None:
        """Close the file, then let the next run have the folder; closing twice is harmless."""
        try:
            super().close()
        finally:
            self._lock.release()

    def _refuse_second_run(self) -> None:
        with clear_errors(self._path):
            is_begun = has_run(self._connection, self._path)
        if is_begun:
            raise StoreError(f"{self.folder}: holds a run already")

    def _use_wal(self) -> None:
        """Keep a journal beside the file while the run lasts, where the file system can."""
        with clear_errors(self._path):
            self._connection.execute("PRAGMA journal_mode = WAL")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with clear_errors(self._path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _insert_run(self, meta: Meta, seed: str, given: tuple[GivenBoard, ...]) -> None:
        for statement in SCHEMA:
            self._connection.execute(statement)
        self._connection.execute(
            "INSERT INTO run (name, game, config, faults, seed, seed_sha256, is_secret, given, "
            "arena, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                meta.name,
                meta.game,
                msgspec.json.encode(meta.config).decode(),
                msgspec.json.encode(meta.faults).decode(),
                seed,
                meta.seed_sha256,
                meta.is_secret,
                deflate(msgspec.json.encode(given)),
                meta.arena,
                meta.created,
            ),
        )
        self._connection.executemany(
            "INSERT INTO entrants (entrant, version, digest) VALUES (?, ?, ?)",
            ((ref.bot, ref.version, ref.digest) for ref in meta.entrants),
        )

    @property
    def secret_seed(self) -> str:
        """Give the seed while it is a secret, for the run alone. Rules: D1a."""
        (seed,) = self._row("SELECT seed FROM run")
        return str(seed)

    def set_config(self, config: dict[str, object]) -> None:
        """Keep a config that differs from the one before in what no record depends on."""
        with self._transaction():
            text = msgspec.json.encode(config).decode()
            self._connection.execute("UPDATE run SET config = ?", (text,))
        self.meta = msgspec.structs.replace(self.meta, config=config)

    def plan(self, matches: Iterable[PlannedMatch], *, boards_return: bool) -> None:
        """Add matches to the schedule, all or none; those that stand there must be the same.

        `boards_return`: matches to be planned later may use the same boards again, so that no
        card of any board may be shown before the run is finished. Raises `StoreError` where a
        match is planned otherwise than before.
        """
        with self._transaction():
            for match in matches:
                self._plan_match(match)
            self._connection.execute("UPDATE run SET boards_return = ?", (boards_return,))

    def _plan_match(self, plan: PlannedMatch) -> None:
        added = self._connection.execute(
            "INSERT OR IGNORE INTO matches (match, round, seats, boards, sittings, games) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (
                plan.match,
                plan.round,
                spell_names(plan.seats),
                spell_boards(plan.boards),
                plan.sittings,
                plan.games,
            ),
        )
        if added.rowcount:
            self._connection.executemany(
                "INSERT INTO matches_of (entrant, match) VALUES (?, ?)",
                ((entrant, plan.match) for entrant in plan.entrants),
            )
        elif self._planned_match(plan.match) != plan:
            raise StoreError(f"{self.folder}: match {plan.match} was planned otherwise before")

    def write(self, record: MatchRecord) -> None:
        """Store a played match, whole or not at all; it outlasts a power cut once this returns.

        Raises `ValueError` for a record that is not the planned match in full, or is stored
        already: such a record is a mistake of the program, and never of a bot.
        """
        plan = self._planned_match(record.match)
        if plan is None:
            raise ValueError(f"match {record.match} is not planned")
        check_whole(record, plan)
        if not {ref for game in record.games for ref in game.seats} <= set(self.meta.entrants):
            raise ValueError(f"match {record.match} was played by bots that are not entered")
        with self._transaction():
            taken = self._connection.execute(
                "UPDATE matches SET sandbox = ?, limits = ? WHERE match = ? AND sandbox IS NULL",
                (record.sandbox, msgspec.json.encode(record.limits).decode(), record.match),
            )
            if not taken.rowcount:
                raise ValueError(f"match {record.match} is stored already")
            for game in record.games:
                self._insert_game(game, record.round)
            self._connection.executemany(
                "INSERT INTO logs VALUES (?, ?, ?)",
                (
                    (record.match, number, deflate(msgspec.json.encode(log)))
                    for number, log in enumerate(record.logs)
                ),
            )

    def note_host_failure(self, match: int, reason: str) -> None:
        """Keep why a match could not be played to its end; nothing that counts depends on it."""
        with self._transaction():
            self._connection.execute(
                "INSERT INTO host_faults (match, reason) VALUES (?, ?)", (match, reason)
            )

    def note_delay(self, delay: Delay) -> None:
        """Keep what the machine's own delay was; nothing that counts depends on it."""
        with self._transaction():
            self._connection.execute(
                "INSERT INTO delays (jobs, moves, p50, p99, most) VALUES (?, ?, ?, ?, ?)",
                msgspec.structs.astuple(delay),
            )

    def _planned_match(self, match: int) -> PlannedMatch | None:
        return next(map(self.to_plan, self._select(PLANS, "match", ("match = ?", match))), None)

    def _insert_game(self, game: GameRecord, round_number: int) -> None:
        key = (game.match, game.board, game.sitting)
        result = to_result(game, round_number)
        self._connection.execute(
            "INSERT INTO games VALUES (?, ?, ?, ?, ?)", (*key, digest_game(game), press_game(game))
        )
        self._connection.execute(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)",
            (*key, result.score, result.margin, len(game.faults)),
        )
        self._connection.executemany(
            "INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    *key,
                    number,
                    game.seats[fault.seat].bot,
                    fault.seat,
                    fault.kind.value,
                    fault.decision and fault.decision.value,
                    fault.hand,
                    fault.expected,
                    fault.said,
                    fault.detail,
                )
                for number, fault in enumerate(game.faults)
            ),
        )

    def finish(self) -> None:
        """Publish the seed: the tournament is over. Rules: D1a.

        The journal is folded into the file, so that a finished run is one file to copy; where a
        reader is at work it stays beside it, which harms nothing.
        """
        with self._transaction():
            self._connection.execute("UPDATE run SET finished = 1")
        with suppress(sqlite3.OperationalError):
            self._connection.execute("PRAGMA busy_timeout = 0")
            self._connection.execute("PRAGMA journal_mode = DELETE")


def check_whole(record: MatchRecord, plan: PlannedMatch) -> None:
    """Hold that a record is its planned match, every game once. Raises `ValueError` if not."""
    keys = [GameKey(game.match, game.board, game.sitting) for game in record.games]
    if sorted(keys) != list(plan.keys()) or record.round != plan.round:
        raise ValueError(f"match {plan.match} has other games than planned")
    for game in record.games:
        if tuple(ref.bot for ref in game.seats) != plan.seated(game.sitting):
            raise ValueError(f"match {plan.match} was played by others than planned")
