"""Lists of results from anywhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import InputError
from arena.ratings.results_list import parse_results
from arena.ratings.trueskill import TrueSkillRating


def problems(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_results(text, "r.csv")
    return [str(problem) for problem in caught.value.problems]


def test_each_line_is_a_game() -> None:
    one, other, third = parse_results("a,b,score\nann,bob,1\nbob,ann,0.5\nann, cyd ,0\n", "r.csv")
    assert one.sides == (("ann",), ("bob",))
    assert [result.score for result in (one, other, third)] == [1.0, 0.5, 0.0]
    assert [result.match for result in (one, other, third)] == [1, 2, 3]
    assert third.sides == (("ann",), ("cyd",))
    assert one.margin is None


@pytest.mark.parametrize(
    "text",
    [
        "a,b,score\nann,bob,1",
        "\ufeffa,b,score\r\nann,bob,1\r\n",
        "a,b,score\rann,bob,1\r",
        "B,Score, A\nbob,1.0,ann\n\n,,\n",
        'a,b,score,why\n"ann",bob,1,"a slip, at last"\n',
        "a,b,score,why\nann,bob,1\n",
    ],
)
def test_the_same_list_may_be_written_in_many_ways(text: str) -> None:
    (result,) = parse_results(text, "r.csv")
    assert result.sides == (("ann",), ("bob",))
    assert result.score == 1.0


def test_more_columns_are_read_where_they_are_there() -> None:
    text = (
        "match,round,board,sitting,a,b,score,margin\n7,2,3,1,ann,bob,1,-20\n7,2,4,0,ann,bob,void,\n"
    )
    one, void = parse_results(text, "r.csv")
    assert (one.match, one.round, one.board, one.sitting, one.margin) == (7, 2, 3, 1, -20)
    assert (void.score, void.margin) == (None, None)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ann,ann,1", "r.csv:2: b: 'ann' plays itself; a game is between two; take the line out"),
        (",bob,1", "r.csv:2: a: a name is missing; name who played"),
        ("ann, ,1", "r.csv:2: b: a name is missing; name who played"),
        ("ann,bob,2", "r.csv:2: score: '2' is no score; write 1, 0.5 or 0, as a did, or void"),
        ("ann,bob,nan", "r.csv:2: score: 'nan' is no score; write 1, 0.5 or 0, as a did, or void"),
        ("ann,bob,won", "r.csv:2: score: 'won' is no score; write 1, 0.5 or 0, as a did, or void"),
        ("ann,bob", "r.csv:2: score: '' is no score; write 1, 0.5 or 0, as a did, or void"),
        (
            "ann,bob,1,0",
            "r.csv:2: 1 more cells than columns; put a name that holds a comma in double quotes",
        ),
    ],
)
def test_a_wrong_line_is_told_with_its_place_and_remedy(line: str, said: str) -> None:
    assert problems(f"a,b,score\n{line}\n") == [said]


def test_every_wrong_line_is_told() -> None:
    assert [said.split(":")[1] for said in problems("a,b,score\n,,1\nx,y,1\nx,x,7\n")] == [
        "2",
        "2",
        "4",
        "4",
    ]


def test_of_very_many_wrong_lines_the_first_twenty_are_told_and_the_rest_counted() -> None:
    said = problems("a,b,score\n" + "x,y,7\n" * 1000)
    assert len(said) == 21
    assert said[-1] == "r.csv: 980 more like these"


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("a,b", "r.csv:1: score: no such column; the first line names the columns: a,b,score"),
        ("a,b,scores", "r.csv:1: score: no such column; rename 'scores' to 'score'"),
        ("a,b,score,b", "r.csv:1: b: two columns of this name; take one of them out"),
        ("a,b,score,board,Board", "r.csv:1: board: two columns of this name; take one of them out"),
    ],
)
def test_wrong_columns_are_told(head: str, said: str) -> None:
    assert problems(f"{head}\nann,bob,1,1,1\n") == [said]


def test_a_list_without_a_head_or_with_semicolons_is_told_what_to_write() -> None:
    for text in ("", "ann,bob,1\n", "a;b;score\n"):
        assert problems(text)[0].endswith("; the first line names the columns: a,b,score")


def test_a_head_alone_is_no_results() -> None:
    assert problems("a,b,score\n\n") == ["r.csv: no results in it; write a line a game"]


@pytest.mark.parametrize("value", ["1.5", "x", "1" * 16, "\u0661", "--1"])
def test_a_number_that_is_not_whole_is_told(value: str) -> None:
    (said,) = problems(f"a,b,score,margin\nx,y,1,{value}\n")
    assert said.startswith("r.csv:2: margin: ")


def test_broken_quotes_are_told_with_the_line() -> None:
    (said,) = problems('a,b,score\nx,y,1\n"x"z,y,1\n')
    assert said.startswith("r.csv:3: not CSV: ")


NAME = st.text(st.characters(exclude_characters='",\r\n', codec="utf-8"), min_size=1)


@given(NAME, NAME)
def test_any_name_goes_through_to_the_table(a: str, b: str) -> None:
    a, b = a.strip().removeprefix("\ufeff") or "x", b.strip() or "y"
    if a == b:
        b += "2"
    (result,) = parse_results(f'a,b,score\n"{a}","{b}",1\n', "r.csv")
    table = TrueSkillRating().table([a, b], [result])
    assert [one.bot for one in table.standings] == [a, b]
