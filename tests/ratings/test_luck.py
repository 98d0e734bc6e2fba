from collections.abc import Iterator

import pytest

from arena.deals import Stream
from arena.ratings.luck import FEWEST, deal_luck
from arena.record import Result

SIDES = (("ann",), ("bob",))


def match(number: int, boards: int, deal: int, noise: int, edge: int = 0) -> Iterator[Result]:
    """A match whose margins are made of the deal, the better player's edge and other luck."""
    draw = Stream("luck", f"{number}/{deal}/{noise}").uniform
    for board in range(1, boards + 1):
        dealt = draw(2 * deal + 1) - deal
        for sitting, sign in ((0, 1), (1, -1)):
            margin = dealt + sign * edge + draw(2 * noise + 1) - noise
            yield Result(number, 1, board, sitting, SIDES, 1.0, margin)


@pytest.mark.rule("D2")
def test_where_the_deal_decides_all_of_the_scatter_is_the_deal_s() -> None:
    assert deal_luck(match(1, 100, deal=200, noise=0)) == pytest.approx(1.0)


def test_where_the_deal_decides_nothing_about_none_of_it_is() -> None:
    share = deal_luck(match(1, 500, deal=0, noise=200))
    assert share is not None
    assert share < 0.1


def test_half_and_half_is_about_half_however_far_apart_the_players_are() -> None:
    matches = [one for n in range(1, 9) for one in match(n, 100, 200, 200, edge=300 * n)]
    assert deal_luck(matches) == pytest.approx(0.5, abs=0.06)


def test_too_few_boards_tell_nothing() -> None:
    assert deal_luck([]) is None
    assert deal_luck(match(1, FEWEST - 1, deal=200, noise=0)) is None
    assert deal_luck([one for n in range(60) for one in match(n, 1, 200, 0)]) is None
    assert deal_luck(match(1, 100, deal=0, noise=0)) is None


def test_games_that_were_not_finished_from_both_sides_are_left_out() -> None:
    results = list(match(1, 60, deal=200, noise=0))
    results[0] = Result(1, 1, 1, 0, SIDES, 0.0, None)
    results[3] = Result(1, 1, 2, 1, SIDES, 0.0, None)
    del results[5]
    assert deal_luck(results) == pytest.approx(1.0)
