"""What a rating gives: a standing for each entrant, and the table they make together.

It knows the shape of both and what a reader may conclude from them; it never knows how a rating
was computed.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import ClassVar, Protocol

import msgspec

from arena.record import Result

INTRANSITIVE = 1.5
"""The dispersion above which one number a bot tells too little: read the crosstable."""

_SURE = 1.96
"""Deviations of the normal distribution above which chance goes in one case of forty."""


class Standing(msgspec.Struct, frozen=True):
    """One entrant's line in the table.

    `rank` is the place from 1, `rank_low` to `rank_high` the places that the results allow at
    95 %. `low` to `high` holds the rating at 95 %, `conservative` is mu - 3 sigma. `faults` are by
    kind. The points are None without a finished board, their error where it cannot be told.
    """

    bot: str
    rank: int
    rank_low: int
    rank_high: int
    mu: float
    sigma: float
    low: float
    high: float
    conservative: float
    games: int
    wins: int
    draws: int
    losses: int
    points_per_board: float | None
    points_se: float | None
    faults: dict[str, int]

    @property
    def score(self) -> float | None:
        """Give the share of points won, a draw being half of one; None without a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None


class Meeting(msgspec.Struct, frozen=True):
    """What one entrant did against one other; `points` is its mean margin on a board, if any."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float | None = None

    @property
    def score(self) -> float | None:
        """Give the share of points won, a draw being half of one; None without a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None


class Table(msgspec.Struct, frozen=True):
    """All standings, best first; rows and columns of both matrices are in the same order.

    ``better[i][j]`` is the probability that i is better than j, None for i = j and where one of
    them has no games. `phi` is how much the results scatter beside what the ratings explain: about
    1 where they explain it all. `freedom` counts the match-ups beyond those that the ratings use
    up, where the rating knows it; without any phi is 1. `groups` are the entrants with games that
    results connect, each and all of them best first; entrants without games are in none.
    """

    standings: tuple[Standing, ...]
    better: tuple[tuple[float | None, ...], ...]
    crosstable: tuple[tuple[Meeting, ...], ...]
    phi: float
    draw_probability: float
    groups: tuple[tuple[str, ...], ...]
    freedom: int | None = None

    @property
    def is_connected(self) -> bool:
        """Tell whether results connect all who played, so that all ratings compare."""
        return len(self.groups) <= 1

    @property
    def is_intransitive(self) -> bool:
        """Tell whether this is a rock-paper-scissors field, and more than chance would make one.

        Few match-ups scatter much by chance alone: chi-squared is taken to a normal deviation by
        the cube root of Wilson and Hilferty.
        """
        if self.phi <= INTRANSITIVE or self.freedom is None:
            return self.phi > INTRANSITIVE
        variance = 2 / (9 * self.freedom)
        return bool((self.phi ** (1 / 3) - 1 + variance) > _SURE * variance**0.5)

    def tiers(self) -> tuple[tuple[Standing, ...], ...]:
        """Part the standings where the interval of ranks changes; within a tier all are level."""
        parts = groupby(self.standings, key=lambda one: (one.rank_low, one.rank_high))
        return tuple(tuple(part) for _, part in parts)


class Rating(Protocol):
    """A way to rate, built by ``TheRating(options)`` with options of its `options_type`.

    Results that name anyone who is not among the entrants are left out: a withdrawn bot is taken
    out of a rating by not listing it.
    """

    options_type: ClassVar[type[msgspec.Struct]]

    def table(self, entrants: Sequence[str], results: Iterable[Result]) -> Table:
        """Rate the entrants by all results together."""
        ...

    def history(self, entrants: Sequence[str], results: Iterable[Result]) -> Mapping[int, Table]:
        """Give the table after each round, by the round's number, on all results so far."""
        ...
