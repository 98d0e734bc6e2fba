"""The leaderboard in a terminal: within 80 columns, its interval drawn in numbers.

It knows how a table is printed and what its reader must not conclude; it never computes a
standing. What a program wants, `--format` gives in full.
"""

import sys
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid
from rich.text import Text

from arena.cli.terminal import console, shown, warn
from arena.ratings.standing import Standing, Table
from arena.report.text import NOTHING, count, cut, number, signed, span
from arena.tournament import Withdrawn

_WIDEST = 400
"""Characters of a list of names that are printed."""


def print_standings(table: Table, withdrawn: Sequence[Withdrawn] = ()) -> None:
    """Print the leaderboard on standard output; who cannot be told apart shares a rank."""
    out = {one.entrant for one in withdrawn}
    grid = Grid(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    grid.add_column("Rank", justify="right", no_wrap=True)
    grid.add_column("Bot", overflow="ellipsis", min_width=8)
    for title in ("Rating", "95 %", "Games", "W-D-L", "Pts/board"):
        grid.add_column(title, justify="right", no_wrap=True)
    grid.add_column("Faults", justify="right", no_wrap=True)
    for standing in table.standings:
        grid.add_row(*_cells(standing, is_out=standing.bot in out))
    console(sys.stdout).print(grid)


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
