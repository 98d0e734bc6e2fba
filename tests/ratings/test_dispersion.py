"""How much results scatter beside what ratings explain."""

from itertools import combinations

import numpy as np
import pytest

from arena.ratings.trueskill import TrueSkillRating
from tests.ratings.fields import games

RATING = TrueSkillRating()


def test_a_circle_scatters_and_is_called_rock_paper_scissors() -> None:
    table = RATING.table("abc", games({"a>b": 20, "b>c": 20, "c>a": 20}, {}))
    assert table.phi > 10
    assert table.freedom == 1
    assert table.is_intransitive


def test_three_games_in_a_circle_are_chance() -> None:
    table = RATING.table("abc", games({"a>b": 1, "b>c": 1, "c>a": 1}, {}))
    assert table.phi > 1.5
    assert not table.is_intransitive


@pytest.mark.parametrize("results", [{}, {"a>b": 5}, {"a>b": 9, "b>c": 9}, {"a>b": 9, "c>d": 9}])
def test_without_match_ups_to_spare_it_is_one(results: dict[str, int]) -> None:
    table = RATING.table("abcd", games(results, {}))
    assert table.phi == 1.0
    assert table.freedom == 0
    assert not table.is_intransitive


def test_a_clear_order_is_no_rock_paper_scissors_however_often_it_shows() -> None:
    wins = {f"{a}>{b}": 200 for a, b in combinations("abcdefgh", 2)}
    table = RATING.table("abcdefgh", games(wins, {}))
    assert table.phi < 1
    assert [standing.bot for standing in table.standings] == list("abcdefgh")


def test_one_slip_against_the_weakest_does_not_widen_all_intervals() -> None:
    wins = {f"{a}>{b}": 40 for a, b in combinations("abcdefgh", 2)} | {"a>h": 39, "h>a": 1}
    table = RATING.table("abcdefgh", games(wins, {}))
    assert table.phi < 2
    assert not table.is_intransitive


def test_chance_alone_scatters_as_expected() -> None:
    chance = np.random.default_rng(3)
    pairs = list(combinations("abcdef", 2))
    found = []
    for _ in range(60):
        wins: dict[str, int] = {}
        for a, b in pairs:
            won = int(chance.binomial(20, 0.5))
            wins |= {f"{a}>{b}": won, f"{b}>{a}": 20 - won}
        found.append(RATING.table("abcdef", games(wins, {})).phi)
    assert np.mean(found) == pytest.approx(1, abs=0.15)
