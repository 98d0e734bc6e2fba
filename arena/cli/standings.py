"""The leaderboard in a terminal: within 80 columns, its intervals drawn.

It knows how a table is printed and what its reader must not conclude; it never computes a
standing. What a program wants, `--format` gives in full.
"""

import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from math import isfinite

from rich.box import SIMPLE_HEAD
from rich.console import JustifyMethod
from rich.table import Table as Grid
from rich.text import Text

from arena.cli.streams import spelt
from arena.cli.terminal import console, shown, warn
from arena.ratings.standing import Standing, Table
from arena.report.plots import Scale
from arena.report.text import NOTHING, count, cut, number, signed, span
from arena.tournament import Withdrawn

_NAME, _INTERVAL = "Bot", "95 %"
_TITLES = ("Rank", _NAME, "Rating", _INTERVAL, "Games", "W-D-L", "Pts/board", "Faults")
_LEAST_NAME, _SHORT_NAME, _LEAST_BAR, _MOST_BAR = 8, 12, 10, 32
"""Columns that names have at least, and beside bars if they need them, and that bars have."""
_WIDEST = 400
"""Characters of a list of names that are printed."""


def print_standings(table: Table, withdrawn: Sequence[Withdrawn] = ()) -> None:
    """Print the leaderboard on standard output; who cannot be told apart shares a rank.

    On a terminal intervals are drawn, beside their numbers where there is room for both.
    """
    out = {one.entrant for one in withdrawn}
    rows = [_cells(standing, is_out=standing.bot in out) for standing in table.standings]
    columns = {title: [row[place] for row in rows] for place, title in enumerate(_TITLES)}
    screen = console(sys.stdout)
    columns = _spelt(columns, screen.encoding)
    if screen.is_terminal and table.standings:
        columns = _spelt(_with_bars(columns, table.standings, screen.width), screen.encoding)
    grid = _grid(columns, screen.width, gap=0 if screen.is_terminal else 1)
    if not screen.encoding.startswith("utf"):
        for column in grid.columns:
            column.overflow = "crop"  # an ellipsis would be three dots, and too wide
    screen.print(grid, width=screen.width)


def _spelt(columns: Mapping[str, Sequence[Text]], encoding: str) -> dict[str, list[Text]]:
    """Spell all cells as the output shows them, before any width is taken from them."""
    spelt_columns = {title: [cell.copy() for cell in cells] for title, cells in columns.items()}
    for cell in chain.from_iterable(spelt_columns.values()):
        cell.plain = spelt(cell.plain, encoding)
    return spelt_columns


def _grid(columns: Mapping[str, Sequence[Text]], width: int, gap: int) -> Grid:
    """Lay the columns out, names cut to the room that the others leave."""
    grid = Grid(box=SIMPLE_HEAD, padding=(0, gap, 0, 0), pad_edge=False, show_edge=False)
    needs = _needs(columns)
    spare = width - sum(needs.values()) - len(needs) + 1
    for title in columns:
        if title == _NAME:
            room = max(min(needs[title] + spare, needs[title]), _LEAST_NAME)
            grid.add_column(title, width=room, no_wrap=True)
        else:
            justify: JustifyMethod = "right" if title in _TITLES else "left"
            grid.add_column(title, justify=justify, no_wrap=True)
    for cells in zip(*columns.values(), strict=True):
        grid.add_row(*cells)
    return grid


def _needs(columns: Mapping[str, Sequence[Text]]) -> dict[str, int]:
    """Give the width that each column needs."""
    return {
        title: max([len(title), *(cell.cell_len for cell in cells)])
        for title, cells in columns.items()
    }


def _with_bars(
    columns: Mapping[str, list[Text]], standings: Sequence[Standing], width: int
) -> dict[str, list[Text]]:
    """Put bars before the intervals' numbers, or in their place where the terminal is narrow."""
    needs = _needs(columns)
    needs[_NAME] = min(max(needs[_NAME], _LEAST_NAME), _SHORT_NAME)
    spare = width - sum(needs.values()) - len(needs)
    has_numbers = spare >= _LEAST_BAR
    room = spare if has_numbers else spare + needs[_INTERVAL] + 1
    if room < _LEAST_BAR or not all(isfinite(one.high - one.low) for one in standings):
        return dict(columns)
    title, bars = _bars(standings, min(room, _MOST_BAR))
    places = list(columns.items())
    at = list(columns).index(_INTERVAL)
    return dict([*places[:at], (title, bars), *places[at if has_numbers else at + 1 :]])


def _bars(standings: Sequence[Standing], width: int) -> tuple[str, list[Text]]:
    """Draw each interval to one scale, whose ends stand in the title."""
    low, high = min(one.low for one in standings), max(one.high for one in standings)
    scale = Scale(low, high, 0, width - 1)
    ends = f"{number(low)} {number(high):>{width - len(number(low)) - 1}}"
    return ends, [_bar(one, scale) for one in standings]


def _bar(standing: Standing, scale: Scale) -> Text:
    """Draw an interval from end to end, with its mean marked."""
    low, mean, high = (round(scale(end)) for end in (standing.low, standing.mu, standing.high))
    line = f"├{'─' * (high - low - 1)}┤" if low < high else " "
    marked = f"{line[: mean - low]}●{line[mean - low + 1 :]}"
    text = Text(f"{' ' * low}{marked}", "cyan")
    text.stylize("bold", mean, mean + 1)
    return text


def warn_of_table(table: Table, withdrawn: Sequence[Withdrawn] = ()) -> None:
    """Warn of what a table does not show by itself: who is out, and who never met."""
    for one in withdrawn:
        rated = "" if one.is_rated else ", and not rated, as under half of its schedule is played"
        warn(f"{one.entrant} is withdrawn for too many faults in match {one.last}{rated}")
    if not table.is_connected:
        groups = cut("; ".join(", ".join(group) for group in table.groups), _WIDEST)
        what = count(len(table.groups), "group")
        warn(f"{what} of bots never met, and ratings do not compare across them: {groups}")


def _cells(standing: Standing, *, is_out: bool) -> tuple[Text, ...]:
    points = signed(standing.points_per_board)
    if None not in (standing.points_per_board, standing.points_se):
        points += f" ± {number(standing.points_se)}"
    faults = sum(standing.faults.values())
    return (
        Text(span(standing.rank_low, standing.rank_high)),
        shown(standing.bot, "bold"),
        Text(number(standing.mu)),
        Text(f"{number(standing.low)}{NOTHING}{number(standing.high)}"),
        Text(f"{standing.games}"),
        Text(f"{standing.wins}-{standing.draws}-{standing.losses}"),
        Text(points),
        Text(f"{faults} (out)" if is_out else f"{faults}", "red" if faults else ""),
    )
