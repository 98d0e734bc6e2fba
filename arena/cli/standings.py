"""The leaderboard in a terminal: within 80 columns, its intervals drawn.

It knows how a table is printed and what its reader must not conclude; it never computes a
standing. What a program wants, `--format` gives in full.
"""

import sys
from collections.abc import Sequence
from math import isfinite

from rich.text import Text

from arena.cli.columns import Columns, as_spelt, in_columns, needs, print_columns, with_room
from arena.cli.terminal import console, shown, warn
from arena.ratings.standing import Standing, Table
from arena.report.plots import Scale
from arena.report.text import NOTHING, count, cut, number, signed, span
from arena.tournament import Withdrawn

_NAME, _INTERVAL = "Bot", "95 %"
_TITLES = ("Rank", _NAME, "Rating", _INTERVAL, "Games", "W-D-L", "Pts/board", "Faults")
_EXPENDABLE = ("W-D-L", "Pts/board", "Faults", "Games")
"""What a narrow terminal does without, the first of it first."""
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
    least = {_NAME: _LEAST_NAME}
    columns: Columns = with_room(as_spelt(in_columns(_TITLES, rows)), least, _EXPENDABLE)
    screen = console(sys.stdout)
    if screen.is_terminal and any(one.games for one in table.standings):
        columns = as_spelt(_with_bars(columns, table.standings, screen.width))
    print_columns(columns, least, [title for title in _TITLES if title != _NAME])


def _with_bars(
    columns: Columns, standings: Sequence[Standing], width: int
) -> dict[str, Sequence[Text]]:
    """Put bars before the intervals' numbers, or in their place where the terminal is narrow."""
    widths = needs(columns)
    widths[_NAME] = min(max(widths[_NAME], _LEAST_NAME), _SHORT_NAME)
    spare = width - sum(widths.values()) - len(widths)
    has_numbers = spare >= _LEAST_BAR
    room = spare if has_numbers else spare + widths[_INTERVAL] + 1
    if room < _LEAST_BAR or not all(isfinite(one.high - one.low) for one in standings):
        return dict(columns)
    title, bars = _bars(standings, min(room, _MOST_BAR))
    places = list(columns.items())
    at = list(columns).index(_INTERVAL)
    return dict([*places[:at], (title, bars), *places[at if has_numbers else at + 1 :]])


def _bars(standings: Sequence[Standing], width: int) -> tuple[str, list[Text]]:
    """Draw each interval to one scale, whose ends stand in the title."""
    rated = [one for one in standings if one.games]
    low, high = min(one.low for one in rated), max(one.high for one in rated)
    scale = Scale(low, high, 0, width - 1)
    ends = f"{number(low)} {number(high):>{width - len(number(low)) - 1}}"
    return ends, [_bar(one, scale) if one.games else Text(NOTHING) for one in standings]


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
    rank, rating, interval = _rating(standing)
    return (
        Text(rank),
        shown(standing.bot, "bold"),
        Text(rating),
        Text(interval),
        Text(f"{standing.games}"),
        Text(f"{standing.wins}-{standing.draws}-{standing.losses}"),
        Text(points),
        Text(f"{faults} (out)" if is_out else f"{faults}", "red" if faults else ""),
    )


def _rating(standing: Standing) -> tuple[str, str, str]:
    """Tell rank, rating and interval; nothing of a bot without games, which has none."""
    if not standing.games:
        return NOTHING, NOTHING, NOTHING
    return (
        span(standing.rank_low, standing.rank_high),
        number(standing.mu),
        f"{number(standing.low)}{NOTHING}{number(standing.high)}",
    )
