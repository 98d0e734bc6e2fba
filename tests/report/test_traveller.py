import pytest

from arena.record import GameResult
from arena.report.matchup import DOUBLE_NIL, GameLine, HandLine, Matchup
from arena.report.traveller import BoardRow, content, pairs
from arena.store import GameKey
from tests.matches import planned
from tests.report.pages import Reader

HAND = HandLine((4, DOUBLE_NIL), (6, 7), (42, -200), (42, -200))


def line(
    sitting: int, scores: tuple[int, int], winner: int | None, reason: str, *faults: tuple[int, str]
) -> GameLine:
    result = GameResult(scores, winner, reason)
    return GameLine(GameKey(1, 1, sitting), result.scores, winner, reason, 9, faults, (HAND,))


def rows(*games: GameLine, withheld: frozenset[int] = frozenset()) -> dict[str, object]:
    plan = planned(1, "ann", "bob", boards=1)
    return content(plan, Matchup(games, {}, {}), withheld, [GameKey(1, 1, 0)], {})


def only_row(told: dict[str, object]) -> BoardRow:
    found = told["rows"]
    assert isinstance(found, list)
    (row,) = found
    assert isinstance(row, BoardRow)
    return row


@pytest.mark.rule("D2")
def test_both_sittings_are_told_as_the_first_entrant_sees_them() -> None:
    told = rows(line(0, (512, 430), 0, "target"), line(1, (505, 480), 0, "target"))
    row = only_row(told)
    assert [(cell.text, cell.small) for cell in row.cells] == [
        ("512 : 430", "ann in 9 hands"),
        ("480 : 505", "bob in 9 hands"),
    ]
    assert row.margin == "+28.5"
    assert [cell.file for cell in row.cells] == ["games/1-1-0.html", ""]
    assert "2 games: ann won 1, bob won 1. Margin of ann: +28.5 a finished game." in str(told)


def test_faults_draws_and_void_games_say_so_and_have_no_margin() -> None:
    told = rows(
        line(0, (10, 20), 1, "fault", (0, "crash")),
        line(1, (0, 0), None, "void", (0, "startup"), (1, "startup")),
    )
    row = only_row(told)
    assert row.cells[0].small == "bob by crash in hand 9"
    assert (row.cells[1].text, row.cells[1].small) == ("void", "startup, startup")
    assert row.margin == "–"
    assert "1 void, 1 decided by a fault." in str(told["summary"])
    row = only_row(rows(line(0, (500, 500), None, "max_hands")))
    assert row.cells[0].small == "drawn in 9 hands"


def test_hands_stand_side_by_side_with_bids_tricks_and_scores() -> None:
    row = only_row(rows(line(0, (42, -200), 0, "target"), line(1, (42, -200), 0, "target")))
    page = Reader(f"<table>{row.hands}</table>".encode())
    assert page.text == "1 4 / 6 42 2nil / 7 −200 2nil / 7 −200 4 / 6 42"


@pytest.mark.rule("D1a")
def test_a_board_that_is_still_to_be_played_shows_its_result_alone() -> None:
    row = only_row(rows(line(0, (512, 430), 0, "target"), withheld=frozenset({1})))
    assert (row.is_withheld, row.hands) == (True, "")
    assert row.cells[0].text == "512 : 430"


def test_matches_of_two_entrants_are_found_both_ways_round() -> None:
    plans = [
        planned(1, "ann", "bob"),
        planned(2, "bob", "ann"),
        planned(3, "ann", "cat", "bob", "cat"),
    ]
    found = pairs(plans)
    assert found["ann", "bob"] == found["bob", "ann"] == [1, 2]
    assert found["cat", "ann"] == found["ann", "cat"] == [3]
    assert found["bob", "cat"] == [3]
