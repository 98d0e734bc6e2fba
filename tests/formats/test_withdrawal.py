from collections.abc import Sequence

from arena.formats.withdrawal import Withdrawals, counted
from arena.protocol import FaultKind
from arena.record import Result


def result(match: int, one: str, other: str, *at_fault: str, board: int = 1) -> Result:
    faults = tuple((entrant, FaultKind.CRASH) for entrant in at_fault)
    return Result(match, 1, board, 0, ((one,), (other,)), 1.0, None, faults)


def matches(results: Sequence[Result], limit: int) -> tuple[list[int], dict[str, int]]:
    """The matches that count, and the last that counts of each who is withdrawn."""
    withdrawals = Withdrawals(limit)
    return [one.match for one in counted(results, withdrawals)], withdrawals.last


def test_without_faults_everything_counts() -> None:
    results = [result(1, "anna", "bob"), result(2, "bob", "carl")]
    assert matches(results, 1) == ([1, 2], {})


def test_the_match_in_which_the_limit_is_reached_counts_in_full() -> None:
    results = [
        result(1, "anna", "bob", "bob"),
        result(1, "anna", "bob", board=2),
        result(2, "bob", "carl"),
        result(3, "anna", "carl"),
    ]
    assert matches(results, 1) == ([1, 1, 3], {"bob": 1})


def test_faults_add_up_over_matches_to_the_limit() -> None:
    results = [result(match, "anna", "bob", "anna") for match in (1, 2, 3, 4)]
    assert matches(results, 3) == ([1, 2, 3], {"anna": 3})


def test_faults_in_matches_that_do_not_count_are_not_counted() -> None:
    results = [
        result(1, "anna", "bob", "anna", "anna"),
        result(2, "anna", "carl", "carl", "carl"),
        result(3, "bob", "carl"),
    ]
    assert matches(results, 2) == ([1, 3], {"anna": 1})


def test_both_sides_may_be_withdrawn_by_one_match() -> None:
    results = [result(1, "anna", "bob", "anna", "bob"), result(2, "anna", "carl")]
    assert matches(results, 1) == ([1], {"anna": 1, "bob": 1})


def test_faults_of_a_beginning_are_taken_over() -> None:
    withdrawals = Withdrawals(3, {"anna": 2})
    assert withdrawals.counts(["anna", "bob"])
    withdrawals.follow(9, ["anna"])
    assert not withdrawals.counts(["anna", "bob"])
    assert withdrawals.last == {"anna": 9}
