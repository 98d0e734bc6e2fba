"""Tables in a terminal: laid out so that no number is cut.

It knows which columns may be shortened and which may go; it never knows what they tell. What is
no terminal gets every column in full.
"""

import sys
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from arena.cli.streams import spelt
from arena.cli.terminal import console, say

Columns: TypeAlias = Mapping[str, Sequence[Text]]
"""Cells by the titles of their columns."""
_GAP = 1


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
    if screen.is_terminal:
        _shorten(widths, least, screen.width - _GAP * (len(widths) - 1))
        _print(screen, columns, widths, right, gap=0)
    else:
        _print(screen, columns, widths, right, gap=1)


def _shorten(widths: dict[str, int], least: Mapping[str, int], room: int) -> None:
    """Take from the widest of the columns that may be shortened, until all have room."""
    while sum(widths.values()) > room:
        wide = [title for title in widths if widths[title] > least.get(title, widths[title])]
        if not wide:
            return
        widths[max(wide, key=lambda title: widths[title])] -= 1


def _print(
    screen: Console, columns: Columns, widths: Mapping[str, int], right: Collection[str], gap: int
) -> None:
    grid = Grid(box=SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False)
    for title, width in widths.items():
        grid.add_column(
            title,
            justify="right" if title in right else "left",
            no_wrap=True,
            width=width,
            # an ellipsis would be three dots in another encoding, and too wide
            overflow="ellipsis" if screen.encoding.startswith("utf") else "crop",
        )
    for cells in zip(*columns.values(), strict=True):
        grid.add_row(*cells)
    if not screen.is_terminal:
        screen.width = sum(widths.values()) + (_GAP + gap) * len(widths)
    screen.print(grid)
