"""The leaderboard in a terminal: within 80 columns, its interval drawn in numbers.

It knows how a table is printed; it never computes a standing. What a program wants, `--format`
gives in full.
"""

import sys

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid
from rich.text import Text

from arena.cli.terminal import console, shown
from arena.ratings.standing import Standing, Table
from arena.report.text import NOTHING, number, signed, span


def print_standings(table: Table) -> None:
    """Print the leaderboard on standard output; who cannot be told apart shares a rank."""
    grid = Grid(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    grid.add_column("Rank", justify="right", no_wrap=True)
    grid.add_column("Bot", overflow="ellipsis", min_width=8)
    for title in ("Rating", "95 %", "Games", "W-D-L", "Pts/board"):
        grid.add_column(title, justify="right", no_wrap=True)
    grid.add_column("Faults", justify="right", no_wrap=True)
    for standing in table.standings:
        grid.add_row(*_cells(standing))
    console(sys.stdout).print(grid)


def _cells(standing: Standing) -> tuple[Text, ...]:
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
        Text(f"{faults}", "red" if faults else ""),
    )
