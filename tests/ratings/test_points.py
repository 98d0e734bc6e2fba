"""Points per board by least squares."""

from itertools import combinations

import numpy as np
import pytest

from arena.ratings.ledger import keep
from arena.ratings.points import Points, fit_points
from arena.ratings.pool import gather
from arena.record import Result
from tests.ratings.fields import boards, game


def points(entrants: str, results: list[Result]) -> Points:
    return fit_points(gather(keep(entrants, results)))


def test_of_two_each_has_the_mean_margin() -> None:
    results = [game("a", "b", margin=m, board=n) for n, m in enumerate((10, 30, 50), 1)]
    found = points("ab", results)
    assert found.mean.tolist() == pytest.approx([30, -30])
    assert found.error.tolist() == pytest.approx([20 / 3**0.5] * 2)


def test_in_a_full_round_robin_it_is_the_plain_average() -> None:
    strengths = {"a": 30.0, "b": 10.0, "c": -5.0, "d": -35.0}
    results = boards(strengths, 4, seed=1)
    expected = [
        np.mean([m * (1 if r.sides[0] == (one,) else -1) for r, m in margins(results, one)])
        for one in "abcd"
    ]
    assert points("abcd", results).mean.tolist() == pytest.approx(expected)


def margins(results: list[Result], one: str) -> list[tuple[Result, int]]:
    return [(r, r.margin) for r in results if (one,) in r.sides and r.margin is not None]


def test_a_schedule_of_weak_opponents_gains_nothing() -> None:
    """With exact margins every schedule that connects all gives the same strengths."""
    strengths = {"a": 40, "b": 20, "c": 0, "d": -60}
    some = [
        game(a, b, margin=strengths[a] - strengths[b], board=board)
        for a, b in ("ad", "bc", "cd")
        for board in (1, 2)
    ]
    found = points("abcd", some)
    assert found.mean.tolist() == pytest.approx([160 / 3, 80 / 3, 0, -80])
    assert found.error.tolist() == pytest.approx([0] * 4, abs=1e-9)


def test_one_board_has_no_error_and_none_has_no_points() -> None:
    found = points("abc", [game("a", "b", margin=10), game("b", "c")])
    assert found.mean[:2].tolist() == pytest.approx([10, -10])
    assert np.isnan(found.mean[2])
    assert np.isnan(found.error).all()


def test_groups_that_never_met_are_each_measured_by_themselves() -> None:
    results = [game("a", "b", margin=10), game("c", "d", margin=-50, match=2)]
    assert points("abcd", results).mean.tolist() == pytest.approx([10, -10, -50, 50])


def test_partners_share_what_they_made_together() -> None:
    results = [
        game(("a", "b"), ("c", "d"), margin=80),
        game(("a", "c"), ("b", "d"), margin=40, match=2),
        game(("a", "d"), ("b", "c"), margin=20, match=3),
    ]
    # Strengths 35, 5, -15, -25 fit all three; others average to a third of the negative.
    expected = [35 * 4 / 3, 5 * 4 / 3, -15 * 4 / 3, -25 * 4 / 3]
    assert points("abcd", results).mean.tolist() == pytest.approx(expected)


def test_rock_paper_scissors_widens_the_error() -> None:
    """Each board says the same, but the match-ups contradict each other."""
    circle = [game(a, b, margin=50, board=n) for a, b in ("ab", "bc", "ca") for n in range(1, 21)]
    found = points("abc", circle)
    assert found.mean.tolist() == pytest.approx([0, 0, 0], abs=1e-9)
    assert (found.error > 30).all()


def test_the_error_holds_the_truth_19_times_of_20() -> None:
    chance = np.random.default_rng(7)
    held = []
    for seed in range(60):
        strengths = dict(zip("abcde", chance.normal(0, 50, 5).tolist(), strict=True))
        found = points("abcde", boards(strengths, 6, seed))
        gaps = {
            one: [strengths[one] - strengths[o] for o in "abcde" if o != one] for one in "abcde"
        }
        truth = np.array([np.mean(gaps[one]) for one in "abcde"])
        held += (np.abs(found.mean - truth) < 1.96 * found.error).tolist()
    assert 0.9 <= np.mean(held) <= 0.99


@pytest.mark.parametrize("count", [2, 3, 6])
def test_equal_margins_everywhere_leave_no_error(count: int) -> None:
    names = "abcdef"[:count]
    results = [
        game(a, b, 0.5, margin=0, board=board)
        for a, b in combinations(names, 2)
        for board in (1, 2, 3)
    ]
    found = points(names, results)
    assert found.mean.tolist() == pytest.approx([0] * count)
    assert found.error.tolist() == pytest.approx([0] * count)
