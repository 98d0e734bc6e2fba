"""What a results folder holds besides records, as values.

It knows the shape of a run's particulars, of its plan and of what is found again; it never knows
how any of them is kept.
"""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from arena.record import BotRef, FaultPolicy, FaultRecord, GameRecord, Limits, SeatLog


class Meta(msgspec.Struct, frozen=True):
    """What a run is, fixed when it begins.

    `config` is the tournament as resolved, plain JSON, without its seed; `entrants` stand in the
    order of entry. `seed_sha256` is told before the first match; `is_secret`: the run drew its
    seed itself. `arena` is the version that began it and `created` the time, for people only.
    Rules: D1a.
    """

    name: str
    game: str
    config: dict[str, object]
    entrants: tuple[BotRef, ...]
    seed_sha256: str
    is_secret: bool
    arena: str
    created: str
    faults: FaultPolicy = FaultPolicy()


class GameKey(NamedTuple):
    """Where a game stands in the schedule."""

    match: int
    board: int
    sitting: int

    def __str__(self) -> str:
        """Name the game for a person."""
        return f"match {self.match}, board {self.board}, sitting {self.sitting}"


class PlannedMatch(msgspec.Struct, frozen=True):
    """A match of the schedule, played or not: `seats` names entrants by seat in sitting 0."""

    match: int
    round: int
    seats: tuple[str, ...]
    boards: tuple[int, ...]
    sittings: int

    @property
    def entrants(self) -> tuple[str, ...]:
        """Name those who play, each once, in order of seats."""
        return tuple(dict.fromkeys(self.seats))

    @property
    def games(self) -> int:
        """Count the games of the match."""
        return len(self.boards) * self.sittings

    def keys(self) -> Iterator[GameKey]:
        """Name the games of the match in schedule order."""
        for board in sorted(self.boards):
            for sitting in range(self.sittings):
                yield GameKey(self.match, board, sitting)

    def seated(self, sitting: int) -> tuple[str, ...]:
        """Name the entrants by seat in a sitting: each moves one seat on. Rules: D2."""
        turn = sitting % len(self.seats)
        return self.seats[-turn:] + self.seats[:-turn] if turn else self.seats


class PlayedMatch(msgspec.Struct, frozen=True):
    """A match that is stored, without its games: its plan, and the sandbox it ran in."""

    plan: PlannedMatch
    sandbox: str
    limits: Limits


class StoredGame(msgspec.Struct, frozen=True):
    """A game record with the digest that was taken when it was written."""

    game: GameRecord
    digest: str


class StoredFault(msgspec.Struct, frozen=True):
    """A fault with the game it happened in and the entrant whose bot it was."""

    match: int
    round: int
    board: int
    sitting: int
    entrant: str
    fault: FaultRecord


class HostFailure(msgspec.Struct, frozen=True):
    """A match that could not be played to its end, for a reason that is no bot's."""

    match: int
    reason: str


class StoredLog(msgspec.Struct, frozen=True):
    """What one process of a match wrote to standard error."""

    match: int
    log: SeatLog


class Counts(msgspec.Struct, frozen=True):
    """How much of the schedule, as far as it is known, is stored."""

    matches: int
    matches_played: int
    games: int
    games_played: int
