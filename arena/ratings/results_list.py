"""A list of results from anywhere, as text in columns, to results.

It knows the columns and what is wrong in which line; it never opens a file.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from arena.errors import InputError, Problem
from arena.record import Result

NEEDED = ("a", "b", "score")
OPTIONAL = ("match", "round", "board", "sitting", "margin")
"""Whole numbers that a list may have beside; a match counts as one of its own without."""
VOID = "void"
"""The score of a game that counts for no one."""
Sides: TypeAlias = tuple[tuple[str, ...], tuple[str, ...]]
"""The entrants of both sides, as a `Result` has them; each pair of them is kept once."""

_SCORES = {1.0: 1.0, 0.5: 0.5, 0.0: 0.0}
_DIGITS = 15
_MOST_PROBLEMS = 20
"""Problems told of one list: a list of another shape is wrong in every line."""


def parse_results(text: str, file: str) -> list[Result]:
    """Read a list with a head: `score` is 1, 0.5 or 0 for `a`, further columns are passed over.

    Raises `InputError` with a problem for each wrong line, up to twenty and the count of the rest.
    """
    rows = csv.reader(_lines(text), strict=True)
    problems: list[Problem] = []
    results: list[Result] = []
    known: dict[Sides, Sides] = {}
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        if problems := list(_wrong_columns(names, file)):
            raise InputError(problems)
        optional = [name for name in OPTIONAL if name in names]
        for row in rows:
            if not any(map(str.strip, row)):
                continue
            cells = dict(zip(names, map(str.strip, row), strict=False))
            beyond = len(row) - len(names)
            if found := list(_wrong_cells(cells, optional, beyond, file, rows.line_num)):
                problems += found
            else:
                sides: Sides = ((cells["a"],), (cells["b"],))
                shared = known.setdefault(sides, sides)
                results.append(_result(cells, optional, shared, len(results) + 1))
    except csv.Error as error:
        remedy = "put names that hold commas or quotes in double quotes, and double such quotes"
        problems.append(Problem(f"not CSV: {error}", file, rows.line_num, remedy=remedy))
    if not (problems or results):
        problems.append(Problem("no results in it", file, remedy="write a line a game"))
    if problems:
        raise InputError(_cut(problems, file))
    return results


def _lines(text: str) -> Iterator[str]:
    """Part lines where CSV does; `str.splitlines` would also part names at rare separators."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return (f"{line}\n" for line in text.split("\n"))


def _wrong_columns(names: Sequence[str], file: str) -> Iterator[Problem]:
    """Find columns that are missing or there twice."""
    for name in NEEDED:
        if name not in names:
            near = get_close_matches(name, [other for other in names if other not in NEEDED], n=1)
            head = "the first line names the columns: a,b,score"
            remedy = f"rename {near[0]!r} to {name!r}" if near else head
            yield Problem("no such column", file, 1, name, remedy)
    for name in (*NEEDED, *OPTIONAL):
        if names.count(name) > 1:
            yield Problem("two columns of this name", file, 1, name, "take one of them out")


def _wrong_cells(
    cells: Mapping[str, str], optional: Sequence[str], beyond: int, file: str, line: int
) -> Iterator[Problem]:
    """Find what is wrong in one line; `beyond` are its cells more than the head has."""
    if beyond > 0:
        remedy = "put a name that holds a comma in double quotes"
        yield Problem(f"{beyond} more cells than columns", file, line, remedy=remedy)
    one, other = cells.get("a", ""), cells.get("b", "")
    for key, name in (("a", one), ("b", other)):
        if not name:
            yield Problem("a name is missing", file, line, key, "name who played")
    if one and one == other:
        remedy = "a game is between two; take the line out"
        yield Problem(f"{one!r} plays itself", file, line, "b", remedy)
    score = cells.get("score", "")
    if score.lower() != VOID and _number(score) not in _SCORES:
        remedy = f"write 1, 0.5 or 0, as a did, or {VOID}"
        yield Problem(f"{score!r} is no score", file, line, "score", remedy)
    for key in optional:
        value = cells.get(key, "")
        if value and not _is_whole(value):
            remedy = f"write a whole number of at most {_DIGITS} digits, or leave it empty"
            yield Problem(f"{value!r} is no whole number", file, line, key, remedy)


def _is_whole(value: str) -> bool:
    digits = value.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= _DIGITS


def _number(value: str) -> float | None:
    try:
        return float(value)
    except ValueError:
        return None


def _result(cells: Mapping[str, str], optional: Sequence[str], sides: Sides, number: int) -> Result:
    score = _number(cells["score"])
    whole = {key: int(cells[key]) for key in optional if cells.get(key)}
    return Result(
        match=whole.get("match", number),
        round=whole.get("round", 1),
        board=whole.get("board", number),
        sitting=whole.get("sitting", 0),
        sides=sides,
        score=None if score is None else _SCORES[score],
        margin=whole.get("margin"),
    )


def _cut(problems: Sequence[Problem], file: str) -> list[Problem]:
    told = list(problems[:_MOST_PROBLEMS])
    if left := len(problems) - len(told):
        told.append(Problem(f"{left} more like these", file))
    return told
