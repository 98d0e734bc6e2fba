from pathlib import Path

import pytest

from arena.cli.results_list import parse_results, read_results
from arena.errors import InputError


def problems(*lines: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_results(lines, "list.csv")
    return [str(problem) for problem in caught.value.problems]


def test_a_list_needs_three_columns_in_any_order_and_may_have_others() -> None:
    results = parse_results(["Score, b ,a,note", "1,bob,ann,x", "0.5,cat,ann,", "0,bob,cat,"], "l")
    assert [(result.sides, result.score) for result in results] == [
        ((("ann",), ("bob",)), 1.0),
        ((("ann",), ("cat",)), 0.5),
        ((("cat",), ("bob",)), 0.0),
    ]
    assert [result.match for result in results] == [1, 2, 3]


def test_numbers_beside_the_score_are_read_where_they_stand() -> None:
    lines = ["a,b,score,match,round,board,sitting,margin", "x,y,1,4,2,7,1,-30", "y,x,void,,,,,"]
    first, second = parse_results(lines, "list.csv")
    assert (first.match, first.round, first.board, first.sitting, first.margin) == (4, 2, 7, 1, -30)
    assert (second.match, second.score, second.margin) == (2, None, None)


def test_every_wrong_line_is_told_with_its_place() -> None:
    assert problems("a,b,score", "ann,bob,1", "ann,,1", "ann,ann,0", "ann,bob,win", "", "a,b,2") == [
        "list.csv:3: a name is missing",
        "list.csv:4: 'ann' plays itself",
        "list.csv:5: score 'win' is none of 1, 0.5 and 0",
        "list.csv:7: score '2' is none of 1, 0.5 and 0",
    ]
    assert problems("a,b,score,margin", f"ann,bob,nan,{'9' * 5000}")[0].startswith("list.csv:2: s")
    assert problems("a,b,score", 'ann,"bob,1')[0].startswith("list.csv:2: not CSV")


def test_at_most_twenty_problems_are_told() -> None:
    assert len(problems("a,b,score", *["x,x,1"] * 500)) == 20


def test_a_missing_column_is_named_with_the_nearest_there_is() -> None:
    assert problems("a,b,scores") == [
        "list.csv:1: there is no column score; did you mean 'scores'?"
    ]
    assert problems("ann;bob;1") == [
        "list.csv:1: there is no column a nor b nor score; "
        "the first line names the columns, such as: a,b,score"
    ]
    assert problems("a,b,score")[0].startswith("list.csv: no results in it")


def test_a_file_that_cannot_be_read_is_refused_with_its_name(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "no.csv", "No such file"), (tmp_path, "directory")):
        with pytest.raises(InputError, match=said):
            read_results(path)
    latin = tmp_path / "latin.csv"
    latin.write_bytes("a,b,score\nÄnn,bob,1\n".encode("latin-1"))
    with pytest.raises(InputError, match="not UTF-8"):
        read_results(latin)


def test_a_byte_order_mark_and_quoted_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes('\ufeffa,b,score\r\n"an\u2028n",bob,1\r\n'.encode())
    assert read_results(path)[0].sides == (("an\u2028n",), ("bob",))
