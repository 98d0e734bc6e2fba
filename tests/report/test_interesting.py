from collections.abc import Callable

import pytest

from arena.protocol import FaultKind
from arena.ratings.standing import Standing, Table
from arena.record import Result
from arena.report.interesting import EACH, EACH_FAULT, Chooser, boards_of
from arena.store import GameKey


@pytest.fixture
def chooser(make_standing: Callable[..., Standing], make_table: Callable[..., Table]) -> Chooser:
    return Chooser(make_table([make_standing(n, name) for n, name in enumerate(["ann", "bob"])]))


def result(
    match: int, score: float | None, margin: int | None, *faults: tuple[str, FaultKind]
) -> Result:
    return Result(match, 1, 1, 0, (("ann",), ("bob",)), score, margin, faults)


def keys(chooser: Chooser, kind: str) -> list[int]:
    return [choice.key.match for choice in chooser.choose()[kind]]


def test_the_closest_and_the_longest_are_chosen_and_ties_go_to_the_earlier(
    chooser: Chooser,
) -> None:
    for match in range(1, 1001):
        chooser.look_at(result(match, 1.0, 10 + match % 50), hands=match % 20)
    assert keys(chooser, "Closest") == [50 * n for n in range(1, EACH + 1)]
    assert keys(chooser, "Longest") == [20 * n - 1 for n in range(1, EACH + 1)]


def test_a_win_of_the_worse_is_an_upset_once_for_each_two_bots(chooser: Chooser) -> None:
    for match, score in enumerate((1.0, 0.0, 0.0, 0.5), 1):
        chooser.look_at(result(match, score, 100), hands=5)
    assert keys(chooser, "Upsets") == [2]
    assert chooser.choose()["Upsets"][0].why == "1 % that bob is the better"


def test_of_each_bot_and_kind_of_fault_the_first_games_are_chosen(chooser: Chooser) -> None:
    for match in range(1, 9):
        chooser.look_at(result(match, 0.0, None, ("ann", FaultKind.CRASH)), hands=5)
    chooser.look_at(result(9, 1.0, None, ("bob", FaultKind.TIMEOUT)), hands=5)
    assert keys(chooser, "Faults") == [*range(1, EACH_FAULT + 1), 9]
    assert keys(chooser, "Closest") == []


def test_a_game_with_many_faults_is_listed_once_with_how_many_of_each_kind(
    chooser: Chooser,
) -> None:
    faults = [("bob", FaultKind.TIMEOUT), *[("ann", FaultKind.ILLEGAL)] * 3]
    chooser.look_at(result(1, 0.0, None, *faults), hands=5)
    assert [choice.why for choice in chooser.choose()["Faults"]] == [
        "ann: illegal, 3 times; bob: timeout"
    ]


def test_bots_that_are_not_rated_make_no_upset(chooser: Chooser) -> None:
    other = Result(1, 1, 1, 0, (("cat",), ("ann",)), 1.0, 10, ())
    chooser.look_at(other, hands=5)
    pairs = Result(2, 1, 1, 0, (("ann", "bob"), ("cat", "dan")), 1.0, 10, ())
    chooser.look_at(pairs, hands=5)
    assert keys(chooser, "Upsets") == []


def test_the_boards_of_all_that_is_chosen_are_named(chooser: Chooser) -> None:
    chooser.look_at(result(7, 0.5, 0), hands=5)
    choices = chooser.choose()
    assert set(boards_of(choices.values())) == {(7, 1)}
    assert choices["Closest"][0].key == GameKey(7, 1, 0)
    assert choices["Closest"][0].why == "a draw"
