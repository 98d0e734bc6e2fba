"""Reads a list of results from anywhere, as `arena rate` takes it.

It knows the columns and says of each line what is wrong with it; it never knows who is better.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from arena.errors import InputError, Problem, did_you_mean
from arena.record import Result
from arena.report.export import VOID

NEEDED = ("a", "b", "score")
OPTIONAL = ("match", "round", "board", "sitting", "margin")
"""Whole numbers that a list may have beside, as `arena export --tables` writes them."""
LONGEST_NUMBER = 15
MOST_PROBLEMS = 20
"""Problems told of one list: a list of another shape is wrong in every line."""


def read_results(path: Path) -> list[Result]:
    """Read a list. Raises `InputError` with every line that is wrong, up to twenty."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"not UTF-8: {error.reason} at byte {error.start}"
        raise InputError([Problem(what, file=str(path))]) from None
    except OSError as error:
        raise InputError([Problem(error.strerror or str(error), file=str(path))]) from None
    return parse_results(io.StringIO(text, newline=""), str(path))


def parse_results(lines: Iterable[str], file: str) -> list[Result]:
    """Read the lines of a list, the first of which names its columns."""
    rows = csv.reader(lines, strict=True)
    problems: list[Problem] = []
    results: list[Result] = []
    try:
        columns = _columns(next(rows, []), file)
        for number, row in enumerate(filter(None, rows), 1):
            found = list(_wrong(row, columns))
            if found:
                problems += [Problem(what, file=file, line=rows.line_num) for what in found]
            else:
                results.append(_result(row, columns, number))
    except csv.Error as error:
        problems.append(Problem(f"not CSV: {error}", file=file, line=rows.line_num))
    if not problems and not results:
        problems = [Problem("no results in it", file=file, remedy="a line a game: a,b,score")]
    if problems:
        raise InputError(problems[:MOST_PROBLEMS])
    return results


def _columns(head: list[str], file: str) -> dict[str, int]:
    names = [name.strip().lower() for name in head]
    missing = [name for name in NEEDED if name not in names]
    if missing:
        remedy = "the first line names the columns, such as: a,b,score"
        near = [did_you_mean(name, names) for name in missing] if len(names) > 1 else []
        known = "; ".join(said for said in near if said and said.startswith("did"))
        what = f"there is no column {' nor '.join(missing)}"
        raise InputError([Problem(what, file=file, line=1, remedy=known or remedy)])
    return {name: names.index(name) for name in (*NEEDED, *OPTIONAL) if name in names}


def _cell(row: list[str], columns: dict[str, int], name: str) -> str:
    place = columns.get(name)
    return row[place].strip() if place is not None and place < len(row) else ""


def _wrong(row: list[str], columns: dict[str, int]) -> Iterator[str]:
    one, other = _cell(row, columns, "a"), _cell(row, columns, "b")
    if not one or not other:
        yield "a name is missing"
    elif one == other:
        yield f"{one!r} plays itself"
    score = _cell(row, columns, "score")
    if score != VOID and _score(score) not in (0.0, 0.5, 1.0):
        yield f"score {score!r} is none of 1, 0.5 and 0"
    for name in OPTIONAL:
        value = _cell(row, columns, name)
        if value and not is_whole(value):
            yield f"{name} {value!r} is no whole number"


def is_whole(value: str) -> bool:
    """Tell whether a cell holds a whole number of a size that anyone means."""
    return value.removeprefix("-").isdecimal() and len(value) <= LONGEST_NUMBER


def _score(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _result(row: list[str], columns: dict[str, int], number: int) -> Result:
    def whole(name: str, otherwise: int) -> int:
        return int(_cell(row, columns, name) or otherwise)

    margin = _cell(row, columns, "margin")
    return Result(
        match=whole("match", number),
        round=whole("round", 1),
        board=whole("board", number),
        sitting=whole("sitting", 0),
        sides=((_cell(row, columns, "a"),), (_cell(row, columns, "b"),)),
        score=_score(_cell(row, columns, "score")),
        margin=int(margin) if margin else None,
    )
