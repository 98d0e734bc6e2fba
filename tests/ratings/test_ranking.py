"""The order of a table whose ratings are given, as results that make two level are hard to find."""

from collections.abc import Sequence

import numpy as np
import pytest

from arena.ratings.dispersion import Dispersion
from arena.ratings.ledger import keep
from arena.ratings.pool import gather
from arena.ratings.ranking import Estimate, rank
from arena.record import Result
from tests.ratings.fields import game


def order(results: Sequence[Result], **ratings: float) -> str:
    """Rank by ratings that come from elsewhere, 25 for who has none, and give the names."""
    ledger = keep("abcd", results)
    pool = gather(ledger)
    mean = np.array([ratings.get(name, 25.0) for name in pool.entrants])
    estimate = Estimate(mean, np.eye(len(mean)), 25, 25 / 3, 0.1, Dispersion(1.0, 0))
    table = rank(ledger.entrants, pool, estimate, ledger.fault_kinds())
    return "".join(one.bot for one in table.standings)


HEADS = [game("b", "a", margin=-90, match=1), game("a", "c", margin=90, match=2)]
"""b beat a, who has more points of the two."""


def test_ties_go_by_head_to_head_before_points_and_name() -> None:
    assert order(HEADS, c=20) == "bacd"
    assert order([game("d", "a", margin=10), *HEADS], a=30, b=20) == "adcb"


def test_the_rating_goes_before_head_to_head() -> None:
    assert order(HEADS, a=25.001, c=20) == "abcd"


def test_only_games_among_those_who_are_level_count_head_to_head() -> None:
    """a lost to c, who is not level with a, and b beat c: that decides nothing."""
    results = [game("c", "a", match=1), game("b", "c", match=2), game("a", "b", 0.5, match=3)]
    assert order(results, c=20) == "abcd"


@pytest.mark.parametrize(
    ("margin", "expected"),
    [(-80, "bacd"), (80, "abcd"), (0, "abcd")],
)
def test_points_go_before_the_name(margin: int, expected: str) -> None:
    assert order([game("a", "b", 0.5, margin=margin)]) == expected
