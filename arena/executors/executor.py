"""What every executor is to the rest of the arena: specs in, records out, in any order.

It knows that a match ends played or failed, and that failing is nobody's loss; it never knows
which processes or machines play.
"""

from collections.abc import Iterable
from typing import ClassVar, Protocol, TypeAlias, runtime_checkable

import msgspec

from arena.bots import Bot
from arena.record import MatchRecord, MatchSpec


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """A match that was played in full, with the seconds that it took."""

    record: MatchRecord
    seconds: float

    @property
    def match(self) -> int:
        """Give the match's number."""
        return self.record.match


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """A match that a host fault ended: nothing of it counts, and it may be submitted again."""

    match: int
    reason: str


class Advanced(msgspec.Struct, frozen=True, tag="advanced"):
    """A match that goes on, with the games that were played of it so far."""

    match: int
    games: int


Outcome: TypeAlias = Finished | Failed
"""How a submitted match ended."""


@runtime_checkable
class Remote(Protocol):
    """Options of an executor that plays elsewhere."""

    def unreachable(self) -> str | None:
        """Say within seconds that nobody answers there, and what to do; None where someone does."""
        ...


class Executor(Protocol):
    """Plays matches, several at a time; built by ``TheExecutor(options, bots)``.

    A submitted match has exactly one outcome, unless the executor is closed before. Nothing runs
    before the first match is submitted.
    """

    options_type: ClassVar[type[msgspec.Struct]]

    def __init__(self, options: msgspec.Struct, bots: Iterable[Bot]) -> None:
        """Make ready to play matches between these bots."""

    @property
    def jobs(self) -> int:
        """Tell how many matches are played at a time."""
        ...

    @property
    def capacity(self) -> int:
        """Tell how many matches to keep submitted, so that no worker waits for the next."""
        ...

    @property
    def games_under_way(self) -> int:
        """Count the games of matches that go on or were not asked for yet, as workers tell them."""
        ...

    def submit(self, spec: MatchSpec) -> None:
        """Hand in a match to be played as soon as a worker is free."""
        ...

    def wait(self, seconds: float) -> bool:
        """Wait for a match to end, at most so long; tell whether `next_outcome` has one."""
        ...

    def next_outcome(self) -> Outcome:
        """Wait for the next match to end, played or failed; at least one must be submitted."""
        ...

    def close(self) -> list[Finished]:
        """Stop at once, bots and all; give the matches that were played but not asked for yet."""
        ...
