"""Tables in a terminal: laid out so that no number is cut.

It knows which columns may be shortened and which may go; it never knows what they tell. What is
no terminal gets every column in full.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid
from rich.text import Text

from arena.cli.streams import spelt
from arena.cli.terminal import console, say

Columns: TypeAlias = Mapping[str, Sequence[Text]]
"""Cells by the titles of their columns."""
_GAP, _WIDE_GAP = 1, 2
"""Columns between two of a table's: in a terminal, and elsewhere."""


def in_columns(titles: Sequence[str], rows: Sequence[Sequence[Text]]) -> Columns:
    """Turn rows of cells, one for each title, into columns; of no row there are empty ones."""
    return {title: [row[place] for row in rows] for place, title in enumerate(titles)}


def as_spelt(columns: Columns) -> dict[str, list[Text]]:
    """Spell all cells as the output shows them, before any width is taken from them."""
    encoding = console(sys.stdout).encoding
    spelt_columns = {title: [cell.copy() for cell in cells] for title, cells in columns.items()}
    for cell in chain.from_iterable(spelt_columns.values()):
        cell.plain = spelt(cell.plain, encoding)
    return spelt_columns


def needs(columns: Columns) -> dict[str, int]:
    """Give the width that each column needs."""
    return {
        title: max([len(title), *(cell.cell_len for cell in cells)])
        for title, cells in columns.items()
    }


def with_room(
    columns: Columns, least: Mapping[str, int], expendable: Sequence[str]
) -> dict[str, Sequence[Text]]:
    """Leave columns out, in the order given, where a terminal has no room for all; say which.

    Those of `least` need no more than that, as they can be shortened.
    """
    screen, kept, out = console(sys.stdout), dict(columns), list[str]()
    for title in expendable if screen.is_terminal else ():
        wanted = needs(kept)
        shortest = sum(min(wanted[one], least.get(one, wanted[one])) for one in kept)
        if shortest + _GAP * (len(kept) - 1) <= screen.width:
            break
        del kept[title]
        out.append(title)
    if out:
        say(f"no room for {', '.join(out)}: a wider terminal shows all, and so does a file")
    return kept


def print_columns(columns: Columns, least: Mapping[str, int], right: Collection[str]) -> None:
    """Print a table on standard output; columns of `least` are shortened, to no less than that."""
    screen = console(sys.stdout)
    widths = needs(columns)
    gap = _GAP if screen.is_terminal else _WIDE_GAP
    if screen.is_terminal:
        _shorten(widths, least, screen.width - gap * (len(widths) - 1))
    else:
        screen.width = sum(widths.values()) + gap * len(widths)
    screen.print(_grid(columns, widths, right, gap, screen.encoding))


def _shorten(widths: dict[str, int], least: Mapping[str, int], room: int) -> None:
    """Take from the widest of the columns that may be shortened, until all have room."""
    while sum(widths.values()) > room:
        wide = [title for title in widths if widths[title] > least.get(title, widths[title])]
        if not wide:
            return
        widths[max(wide, key=lambda title: widths[title])] -= 1


def _grid(
    columns: Columns, widths: Mapping[str, int], right: Collection[str], gap: int, encoding: str
) -> Grid:
    """Lay the columns out, each as wide as is told; the box itself keeps one column between two."""
    grid = Grid(box=SIMPLE_HEAD, padding=(0, gap - 1, 0, 0), pad_edge=False, show_edge=False)
    for title, width in widths.items():
        grid.add_column(
            title,
            justify="right" if title in right else "left",
            no_wrap=True,
            width=width,
            # an ellipsis would be three dots in another encoding, and too wide
            overflow="ellipsis" if encoding.startswith("utf") else "crop",
        )
    for cells in zip(*columns.values(), strict=True):
        grid.add_row(*cells)
    return grid
