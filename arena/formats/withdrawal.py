"""Who is withdrawn for too many faults, and which matches therefore do not count.

It knows matches in the order of the schedule and how many faults each entrant made in them; it
never knows which were played first. Protocol: faults.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter

from arena.record import Result


class Withdrawals:
    """Follows the matches in the order of the schedule, one after the other.

    `last` names the last match that counts for each entrant who is withdrawn.
    """

    def __init__(self, limit: int, faults: Mapping[str, int] | None = None) -> None:
        """Withdraw an entrant after the match in which it makes its `limit`-th fault.

        `faults` are those of a beginning of the schedule in which nobody reached the limit.
        """
        self._limit = limit
        self._faults = Counter(faults or {})
        self.last: dict[str, int] = {}

    def counts(self, entrants: Iterable[str]) -> bool:
        """Tell whether the next match counts, by who plays it: nobody who is withdrawn."""
        return self.last.keys().isdisjoint(entrants)

    def follow(self, match: int, at_fault: Iterable[str]) -> None:
        """Take a match that counts, with the entrant of each fault in it."""
        for entrant in at_fault:
            self._faults[entrant] += 1
            if self._faults[entrant] >= self._limit:
                self.last.setdefault(entrant, match)


def counted(results: Iterable[Result], withdrawals: Withdrawals) -> Iterator[Result]:
    """Leave out the results that do not count; they come in the order of the schedule.

    `withdrawals` starts empty, and knows at the end who is withdrawn.
    """
    for match, group in groupby(results, key=attrgetter("match")):
        games = list(group)
        entrants = {entrant for game in games for side in game.sides for entrant in side}
        if withdrawals.counts(entrants):
            yield from games
            withdrawals.follow(match, (entrant for game in games for entrant, _ in game.faults))
