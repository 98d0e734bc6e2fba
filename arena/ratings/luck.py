"""How much of the scatter of margins is the deal's, told by boards played from both sides.

It knows results in the order of the schedule; it never knows a card.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import attrgetter

from arena.record import Result

FEWEST = 20
"""Boards played from both sides below which nothing is told."""


def deal_luck(results: Iterable[Result]) -> float | None:
    """Give the share of the variance of margins that the deal explains; None of too few boards.

    On the same decks side 0 is the one entrant in one sitting and the other in the next. What both
    margins have in common is the deal's: their covariance over the boards of a match, over their
    variance, pooled over matches. The results come in the order of the schedule. Rules: D2.
    """
    boards = 0
    common = total = 0.0
    for _, group in groupby(results, key=attrgetter("match")):
        pairs = list(_both_sides(group))
        if len(pairs) < 2:
            continue
        boards += len(pairs)
        means = [sum(margins) / len(pairs) for margins in zip(*pairs, strict=True)]
        for one, other in pairs:
            first, second = one - means[0], other - means[1]
            common += first * second
            total += (first * first + second * second) / 2
    return max(0.0, common / total) if boards >= FEWEST and total else None


def _both_sides(results: Iterable[Result]) -> Iterator[tuple[int, int]]:
    """Pair the margins of side 0 on each board of a match that was finished from both sides."""
    for one, other in pairwise(results):
        is_pair = one.board == other.board and (one.sitting, other.sitting) == (0, 1)
        if is_pair and one.margin is not None and other.margin is not None:
            yield one.margin, other.margin
