"""Round robin: everyone meets everyone once.

It knows the circle method and the list of entrants, in the order of the config; it never looks at
who won. With an odd number of entrants one sits out in each round.
"""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from arena.errors import InputError, Problem
from arena.formats.format import Pairing
from arena.record import Result


class RoundRobinOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round robin has no options."""


class RoundRobin:
    """Everyone meets everyone once, each round a match for all but the one who sits out.

    Within rounds and across them the matches of every entrant are about equally far apart, and
    everyone sits on either side equally often, give or take one.
    """

    options_type: ClassVar[type[msgspec.Struct]] = RoundRobinOptions

    def __init__(self, options: RoundRobinOptions) -> None:
        """Take the options, of which there are none."""

    def pairings(self, entrants: Sequence[str], results: Sequence[Result] = ()) -> list[Pairing]:
        """List the whole schedule, whatever the results. Raises `InputError` under two entrants."""
        if len(entrants) < 2:
            remedy = "name at least two"
            problem = Problem(f"a round robin of {len(entrants)}", key="bots", remedy=remedy)
            raise InputError([problem])
        pairings: list[Pairing] = []
        for number, places in enumerate(_rounds(len(entrants)), 1):
            for one, other in places:
                sides = (entrants[one], entrants[other])
                pairings.append(Pairing(len(pairings) + 1, number, sides))
        return pairings


def _rounds(count: int) -> list[list[tuple[int, int]]]:
    """Pair the numbers below `count` by the circle method, round by round.

    All sit round a table and meet who sits across; after each round all but one move a seat on.
    The tables are taken in the order of the circle, so that nobody's next match is far off or at
    once. The one who stays put is the empty chair where the number is odd.
    """
    circle = list(range(count + count % 2))
    rounds = []
    for _ in range(len(circle) - 1):
        across = zip(circle, reversed(circle), strict=True)
        tables = list(across)[: len(circle) // 2]
        rounds.append([_seated(one, other) for one, other in tables if max(one, other) < count])
        circle[:-1] = [circle[-2], *circle[:-2]]
    return rounds


def _seated(one: int, other: int) -> tuple[int, int]:
    """Say who takes side 0: by whether their distance is odd, which shares the sides out evenly."""
    low, high = sorted((one, other))
    return (low, high) if (high - low) % 2 else (high, low)
