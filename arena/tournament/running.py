"""Playing a tournament: specs out to an executor, records into the store, as progress values.

It knows how many matches are under way and how often one had to be played again; it prints
nothing, and never knows who plays a spec.
"""

import time
from collections import Counter
from collections.abc import Generator, Iterator

import msgspec
from msgspec.structs import replace

from arena.config import Tournament
from arena.errors import ArenaError
from arena.executors.executor import Executor, Failed
from arena.record import MatchRecord, MatchSpec
from arena.sandbox import open_sandbox
from arena.store import Counts, RunStore
from arena.tournament.course import Course
from arena.tournament.planning import to_spec

TICK = 1.0
"""Seconds after which it is told how far a run is, though no match has ended."""
REPLAYS = 3
"""How often a match is played again after host faults, before the run ends."""


class HostFailed(ArenaError):
    """A match that this machine could not play, however often it was tried; it can be resumed."""


class Progress(msgspec.Struct, frozen=True):
    """How far a run is; `counts` has what was played before this run, too.

    `games_under_way` are those played of matches that go on, which are kept when the match ends;
    `seconds` and the rate, which has them too, are this run's own. `last` is the match that was
    just stored; `replayed` says why a match will be played again. `withdrawn` are the entrants who
    are out by now, and what is `skipped` are those of their matches that will not be played.
    """

    counts: Counts
    matches_skipped: int
    games_skipped: int
    games_under_way: int
    seconds: float
    games_a_second: float
    last: MatchRecord | None = None
    replayed: str | None = None
    withdrawn: tuple[str, ...] = ()
    is_finished: bool = False

    @property
    def games_left(self) -> int:
        """Count the games that are still to be played."""
        played = self.counts.games_played + self.games_under_way
        return max(0, self.counts.games - self.games_skipped - played)

    @property
    def seconds_left(self) -> float | None:
        """Estimate how long it will take; None before there is anything to go by."""
        return self.games_left / self.games_a_second if self.games_a_second else None


def run(
    tournament: Tournament, store: RunStore, executor: Executor
) -> Generator[Progress, None, None]:
    """Play all that the schedule names and the store lacks, then publish the seed.

    The first value comes before anything is played, then one for each match and each second in
    which none ends, the last when the tournament is over. Closing the iterator, or any exception
    in it, lets no new match start, ends the bots and keeps every match that was played in full.
    The executor is closed at the end.

    Raises `SandboxError` where the sandbox cannot be used here, `HostFailed` when a match failed
    too often, `StoreError` when the store cannot be written.
    """
    running = _Run(tournament, store, executor)
    try:
        yield from running.play()
    finally:
        running.stop()


class _Run:
    """One run from its first match to its last, or until it is stopped."""

    def __init__(self, tournament: Tournament, store: RunStore, executor: Executor) -> None:
        self._tournament = tournament
        self._store = store
        self._executor = executor
        self._sandbox = open_sandbox(tournament.sandbox, tournament.limits).name
        self._seed = store.secret_seed
        self._course = Course(tournament, store)
        self._counts = store.counts()
        self._counted_to = self._course.planned_to
        self._games_before = self._counts.games_played
        self._skipped: list[int] = []
        self._counted_withdrawn = 0
        self._under_way: dict[int, MatchSpec] = {}
        self._failures: Counter[int] = Counter()
        self._unsaved: list[MatchRecord] = []
        self._started = time.monotonic()

    def play(self) -> Iterator[Progress]:
        """Play to the end."""
        yield self._progress()
        while self._submit():
            if not self._executor.wait(TICK):
                yield self._progress()
                continue
            outcome = self._executor.next_outcome()
            if isinstance(outcome, Failed):
                self._play_again(outcome.match, outcome.reason)
                yield self._progress(replayed=outcome.reason)
            else:
                yield self._take(outcome.record)
        self._store.finish()
        yield self._progress(is_finished=True)

    def stop(self) -> None:
        """End all bots and keep what was played."""
        self._unsaved += [finished.record for finished in self._executor.close()]
        for record in tuple(self._unsaved):
            if not self._store.is_played(record.match):
                self._keep(record)

    def _submit(self) -> bool:
        """Keep the executor fed; tell whether anything is being played."""
        while len(self._under_way) < self._executor.capacity:
            match = self._course.next_match()
            if match is None:
                break
            spec = to_spec(self._tournament, match, self._seed, self._sandbox)
            self._under_way[match.match] = spec
            self._executor.submit(spec)
        return bool(self._under_way)

    def _take(self, record: MatchRecord) -> Progress:
        """Store what came back; a record that is not the match's is a fault of the host, too."""
        problem = self._keep(record)
        if problem is not None:
            self._play_again(record.match, problem)
            return self._progress(replayed=problem)
        del self._under_way[record.match]
        self._counts = replace(
            self._counts,
            matches_played=self._counts.matches_played + 1,
            games_played=self._counts.games_played + len(record.games),
        )
        return self._progress(record)

    def _keep(self, record: MatchRecord) -> str | None:
        """Store a match, or say why the record cannot be that match's."""
        self._unsaved.append(record)  # so that `stop` keeps it if this is interrupted
        problem = None
        try:
            self._store.write(record)
        except ValueError as error:
            problem = str(error)
        self._unsaved.clear()
        return problem

    def _play_again(self, match: int, problem: str) -> None:
        """Submit a match once more, or give up. Raises `HostFailed`."""
        self._store.note_host_failure(match, problem)
        self._failures[match] += 1
        spec = self._under_way[match]
        if self._failures[match] > REPLAYS:
            names = " - ".join(dict.fromkeys(ref.bot for ref in spec.seats))
            raise HostFailed(
                f"match {match} ({names}) failed {REPLAYS + 1} times on this machine, which is no "
                f"bot's fault: {problem.strip()}\nwhat was played is kept; run again to go on"
            )
        self._executor.submit(spec)

    def _progress(
        self,
        last: MatchRecord | None = None,
        replayed: str | None = None,
        *,
        is_finished: bool = False,
    ) -> Progress:
        self._recount()
        seconds = time.monotonic() - self._started
        under_way = self._executor.games_under_way
        played = self._counts.games_played - self._games_before + under_way
        return Progress(
            counts=self._counts,
            matches_skipped=len(self._skipped),
            games_skipped=sum(self._skipped),
            games_under_way=under_way,
            seconds=seconds,
            games_a_second=played / seconds if seconds > 0 else 0.0,
            last=last,
            replayed=replayed,
            withdrawn=tuple(self._course.withdrawals.last),
            is_finished=is_finished,
        )

    def _recount(self) -> None:
        """Count again what changes seldom: the schedule, and what of it will not be played."""
        if self._course.planned_to != self._counted_to:
            self._counted_to = self._course.planned_to
            self._counts = self._store.counts()
        if len(self._course.withdrawals.last) != self._counted_withdrawn:
            self._counted_withdrawn = len(self._course.withdrawals.last)
            skipped = self._course.to_skip(self._under_way)
            self._skipped = [match.games for match in skipped]
