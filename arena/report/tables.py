"""The tables of a run for programs: CSV and JSON, the same on the page and on the command line.

It knows the columns and how each value is written; it never knows where the text goes. Numbers
are rounded to six places, so that the last bit of a float is no difference between two machines.
"""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from arena.ratings.standing import Table
from arena.record import BotRef
from arena.report.text import printable, printable_json

LEADERBOARD = (
    "bot", "version", "rank", "rank_low", "rank_high", "mu", "sigma", "low", "high",
    "conservative", "games", "wins", "draws", "losses", "points_per_board", "points_se", "faults",
)  # fmt: skip
"""The columns of a leaderboard, in order."""

FORMULA = ("=", "+", "-", "@")
"""How a spreadsheet's formula begins; such text gets an apostrophe before it."""


def leaderboard_rows(table: Table, entrants: Mapping[str, BotRef]) -> list[dict[str, object]]:
    """Give the leaderboard as plain values; an entrant from a list of results has no version."""
    rows = []
    for standing in table.standings:
        ref = entrants.get(standing.bot)
        known = {
            **msgspec.structs.asdict(standing),
            "version": ref.version if ref else "",
            "faults": {kind: n for kind, n in sorted(standing.faults.items()) if n},
        }
        rows.append({column: plain(known[column]) for column in LEADERBOARD})
    return rows


def plain(value: object) -> object:
    """Round a float to six places; one that is no number is not known."""
    if isinstance(value, float):
        return round(value, 6) + 0.0 if math.isfinite(value) else None
    return value


def to_json(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Write rows as a JSON list, an object a row; what is not known is null."""
    encoded = msgspec.json.format(msgspec.json.encode(rows)).decode()
    return printable_json(encoded).encode() + b"\n"


def to_csv(columns: Iterable[str], rows: Iterable[Mapping[str, object]]) -> bytes:
    """Write rows as CSV with a head; what is not known is empty, faults are ``kind:count`` or 0."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    names = list(columns)
    writer.writerow(names)
    writer.writerows([_cell(row[name]) for name in names] for row in rows)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    if isinstance(value, dict):
        return " ".join(f"{key}:{amount}" for key, amount in value.items()) or 0
    if isinstance(value, str):
        text = printable(value)
        return f"'{text}" if text.startswith(FORMULA) else text
    return plain(value)


def leaderboard_csv(table: Table, entrants: Mapping[str, BotRef]) -> bytes:
    """Write the leaderboard as CSV."""
    return to_csv(LEADERBOARD, leaderboard_rows(table, entrants))


def leaderboard_json(table: Table, entrants: Mapping[str, BotRef]) -> bytes:
    """Write the leaderboard as JSON."""
    return to_json(leaderboard_rows(table, entrants))
