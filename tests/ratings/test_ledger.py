"""Results counted, whatever order and side they come in."""

from math import isnan

import pytest

from arena.protocol import FaultKind
from arena.ratings.ledger import Matchup, keep
from tests.ratings.fields import game


def test_both_sittings_of_a_match_up_are_counted_together() -> None:
    ledger = keep("ba", [game("a", "b"), game("b", "a"), game("b", "a", 0.5), game("b", "a", 0.0)])
    assert ledger.matchups == (Matchup(("a",), ("b",)),)
    assert ledger.counts().tolist() == [[2, 1, 1]]


def test_a_void_game_counts_for_no_one_but_its_faults_are_kept() -> None:
    faults = (("a", FaultKind.STARTUP), ("b", FaultKind.STARTUP), ("a", FaultKind.CRASH))
    ledger = keep("ab", [game("a", "b", None, faults=faults)])
    assert ledger.counts().tolist() == [[0, 0, 0]]
    assert ledger.fault_kinds() == {"a": {"crash": 1, "startup": 1}, "b": {"startup": 1}}


def test_a_result_that_names_someone_else_is_left_out_with_its_faults() -> None:
    gone = game("a", "gone", faults=(("a", FaultKind.TIMEOUT),))
    ledger = keep("ab", [gone, game("a", "b")])
    assert ledger.counts().tolist() == [[1, 0, 0]]
    assert ledger.fault_kinds() == {"a": {}, "b": {}}


@pytest.mark.parametrize("sides", [("a", "a"), (("a", "b"), ("b", "a"))])
def test_a_side_that_meets_itself_says_nothing(sides: tuple[str, str]) -> None:
    assert keep("ab", [game(*sides)]).matchups == ()


def test_the_sittings_of_a_board_are_averaged_for_the_first_side() -> None:
    ledger = keep("ab", [game("a", "b", margin=30), game("b", "a", 0.0, margin=-10, sitting=1)])
    assert ledger.board_margins().margin.tolist() == [20.0]


def test_boards_of_other_matches_are_other_boards() -> None:
    results = [game("a", "b", margin=30, match=1), game("a", "b", margin=10, match=2)]
    assert sorted(keep("ab", results).board_margins().margin.tolist()) == [10.0, 30.0]


def test_half_of_a_duplicate_board_is_left_out() -> None:
    results = [
        game("a", "b", margin=30),
        game("b", "a", 0.0, sitting=1, faults=(("b", FaultKind.CRASH),)),
        game("a", "b", margin=40, board=2),
    ]
    assert keep("ab", results).board_margins().margin.tolist() == [40.0]


def test_no_results_are_no_boards() -> None:
    ledger = keep("ab", [])
    assert ledger.board_margins().margin.tolist() == []
    assert ledger.rounds() == []
    assert ledger.counts().shape == (0, 3)


def test_a_ledger_can_be_read_up_to_a_round() -> None:
    fault = (("a", FaultKind.TIMEOUT),)
    results = [game("a", "b", round_number=n, match=n, faults=fault) for n in (1, 2, 4)]
    ledger = keep("ab", results)
    assert ledger.rounds() == [1, 2, 4]
    early = ledger.until(2)
    assert early.counts().tolist() == [[2, 0, 0]]
    assert early.fault_kinds()["a"] == {"timeout": 2}
    assert all(isnan(margin) for margin in early.margin)


def test_rows_can_be_had_in_the_order_of_the_schedule() -> None:
    results = [
        game("a", "b", 0.0, match=2, round_number=1),
        game("a", "b", 0.5, match=1, round_number=2),
        game("a", "b", 1.0, match=1, round_number=1),
    ]
    ledger = keep("ab", results)
    assert ledger.match[ledger.in_order()].tolist() == [1, 2, 1]
    assert ledger.round[ledger.in_order()].tolist() == [1, 1, 2]
