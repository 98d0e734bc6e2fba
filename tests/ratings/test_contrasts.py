"""What each match-up measures of its entrants."""

from itertools import pairwise

import numpy as np
import pytest

from arena.ratings.contrasts import contrast, weigh
from arena.ratings.ledger import Matchup


def test_two_who_play_alone_measure_their_difference() -> None:
    assert weigh(Matchup(("a",), ("b",))) == {"a": 1, "b": -1}


def test_partners_add_up() -> None:
    assert weigh(Matchup(("a", "b"), ("c", "d"))) == {"a": 1, "b": 1, "c": -1, "d": -1}


def test_a_partner_of_herself_counts_twice_against_two() -> None:
    assert weigh(Matchup(("a", "b"), ("c",))) == {"a": 1, "b": 1, "c": -2}


def test_one_on_both_sides_cancels_and_as_partner_of_herself_she_counts_once() -> None:
    assert weigh(Matchup(("a", "b"), ("a", "c"))) == {"b": 1, "c": -1}
    assert weigh(Matchup(("a",), ("a", "b"))) == {"a": 1, "b": -1}


def test_match_ups_of_any_width_stand_in_one_table() -> None:
    contrasts = contrast("abcd", [Matchup(("a",), ("b",)), Matchup(("a", "b"), ("c", "d"))])
    strengths = np.array([4.0, 3.0, 2.0, 1.0])
    assert contrasts.measure(strengths).tolist() == [1, 4]
    assert contrasts.spread(np.eye(4)).tolist() == [2, 4]
    assert contrasts.collect(np.array([1.0, 10.0])).tolist() == [11, 9, -10, -10]
    assert contrasts.players.tolist() == [2, 4]


def test_the_information_is_the_sum_of_squares_of_contrasts() -> None:
    matchups = [Matchup(("a",), ("b",)), Matchup(("a", "b"), ("c",))]
    rows = np.array([[1, -1, 0], [1, 1, -2]])
    expected = (rows.T * [2, 5]) @ rows
    found = contrast("abc", matchups).information(np.array([2.0, 5.0]))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    ("matchups", "rank", "groups"),
    [
        ([], 0, []),
        (["ab"], 1, [[0, 1]]),
        (["ab", "bc", "ac"], 2, [[0, 1, 2]]),
        (["ab", "cd"], 2, [[0, 1], [2, 3]]),
        (["ae", "bd", "de"], 3, [[0, 1, 3, 4]]),
    ],
)
def test_groups_are_those_whom_match_ups_connect(
    matchups: list[str], rank: int, groups: list[list[int]]
) -> None:
    contrasts = contrast("abcde", [Matchup((both[0],), (both[1],)) for both in matchups])
    assert contrasts.rank() == rank
    assert [group.tolist() for group in contrasts.groups()] == groups


def test_a_long_chain_is_one_group() -> None:
    names = [f"{i:03}" for i in range(200)]
    chain = [Matchup((a,), (b,)) for a, b in pairwise(names)]
    assert [len(group) for group in contrast(names, chain[::-1]).groups()] == [200]
