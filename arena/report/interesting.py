"""Which games are worth a look: the closest, the longest, the upsets, and the faults.

It knows results and how they compare with the ratings; it never reads a record. Ties go to the
earlier game, so that the same results choose the same games.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import groupby
from operator import itemgetter

from arena.ratings.standing import Table
from arena.record import Result
from arena.report import text
from arena.store import GameKey

EACH = 10
"""Games of each kind but faults."""
EACH_FAULT = 3
"""Games for each bot and kind of fault."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A game that was chosen, its sides, and why."""

    key: GameKey
    sides: tuple[str, str]
    why: str


@dataclass(slots=True)
class Chooser:
    """Takes the results one by one, and holds no more of them than it may yet choose.

    Candidates stand as (rank, key, sides, why): the smallest ranks are chosen.
    """

    table: Table
    places: dict[str, int] = field(init=False)
    closest: list["Candidate"] = field(default_factory=list)
    longest: list["Candidate"] = field(default_factory=list)
    upsets: dict[tuple[str, ...], "Candidate"] = field(default_factory=dict)
    faults: dict[tuple[str, str], list["Candidate"]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find the bots in the table."""
        self.places = {standing.bot: n for n, standing in enumerate(self.table.standings)}

    def look_at(self, result: Result, hands: int) -> None:
        """Look at a game of so many hands."""
        key = GameKey(result.match, result.board, result.sitting)
        one, other = (" + ".join(side) for side in result.sides)
        sides = (one, other)
        for (bot, kind), amount in Counter(result.faults).items():
            found = self.faults.setdefault((bot, kind.value), [])
            if len(found) < EACH_FAULT:
                often = f", {text.times(amount)}" if amount > 1 else ""
                found.append((0, key, sides, f"{bot}: {kind.value}{often}"))
        if result.margin is None:
            return
        margin = abs(result.margin)
        why = f"decided by {text.count(margin, 'point')}" if margin else "a draw"
        self.closest = _keep(self.closest, (margin, key, sides, why))
        self.longest = _keep(self.longest, (-hands, key, sides, text.count(hands, "hand")))
        self._look_for_upset(result, key, sides)

    def _look_for_upset(self, result: Result, key: GameKey, sides: tuple[str, str]) -> None:
        """Keep a win of one whom the ratings hold for the worse, one for each two bots."""
        if result.score not in (0.0, 1.0):
            return
        winner, loser = result.sides if result.score else result.sides[::-1]
        chance = self._chance(winner, loser)
        if chance is not None and chance < 0.5:
            why = f"{text.chance(chance)} that {' + '.join(winner)} is the better"
            self.upsets.setdefault((*winner, "", *loser), (chance, key, sides, why))

    def _chance(self, one: tuple[str, ...], other: tuple[str, ...]) -> float | None:
        if len(one) != 1 or len(other) != 1 or not {*one, *other} <= self.places.keys():
            return None
        return self.table.better[self.places[one[0]]][self.places[other[0]]]

    def choose(self) -> dict[str, list[Choice]]:
        """Give what was chosen, by the kind of interest."""
        kinds = {
            "Closest": nsmallest(EACH, self.closest),
            "Longest": nsmallest(EACH, self.longest),
            "Upsets": nsmallest(EACH, self.upsets.values()),
            "Faults": list(self._games_with_faults()),
        }
        return {
            name: [Choice(key, sides, why) for _, key, sides, why in found]
            for name, found in kinds.items()
        }

    def _games_with_faults(self) -> Iterator["Candidate"]:
        """List each game with faults once, with all the kinds that it was chosen for."""
        chosen = [found for _, kind in sorted(self.faults.items()) for found in kind]
        chosen.sort(key=itemgetter(1))
        for key, group in groupby(chosen, itemgetter(1)):
            same = list(group)
            yield 0, key, same[0][2], "; ".join(why for _, _, _, why in same)


Candidate = tuple[float, GameKey, tuple[str, str], str]


def _keep(found: list[Candidate], new: Candidate) -> list[Candidate]:
    """Add a candidate; cut the list back when it has grown to many times what is wanted."""
    found.append(new)
    return found if len(found) < 20 * EACH else nsmallest(EACH, found)


def boards_of(choices: Iterable[list[Choice]]) -> Iterator[tuple[int, int]]:
    """Name the match and board of every game chosen: all sittings of it are shown."""
    for found in choices:
        for choice in found:
            yield choice.key.match, choice.key.board
