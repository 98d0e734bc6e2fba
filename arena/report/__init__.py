"""The static site of a results folder, and its tables for programs.

It knows how standings are shown; it never computes one, and never runs a bot.
"""

from collections.abc import Mapping
from pathlib import Path

from arena.ratings.standing import Table
from arena.report import crosstable, leaderboard
from arena.report.facts import Facts, gather
from arena.report.page import Page, Site, put
from arena.report.tables import leaderboard_csv, leaderboard_json, to_csv
from arena.store import Store

LEADERBOARD = Page("index.html", "Leaderboard")
CROSSTABLE = Page("crosstable.html", "Crosstable")


def build(store: Store, table: Table, folder: Path) -> Path:
    """Build the site of a run into `folder`, in one step, and give its first page.

    `table` are the store's standings. The same store gives the same bytes.
    """
    put(folder, render(gather(store), table))
    return folder / LEADERBOARD.file


def render(facts: Facts, table: Table) -> Mapping[str, bytes]:
    """Make the site's files by name."""
    site = Site(facts.meta.name, (LEADERBOARD, CROSSTABLE))
    pairs = crosstable.crosstable_rows(table)
    return {
        LEADERBOARD.file: site.render(
            "leaderboard.html", LEADERBOARD, leaderboard.content(table, facts)
        ),
        CROSSTABLE.file: site.render(
            "crosstable.html", CROSSTABLE, crosstable.content(table, facts)
        ),
        "leaderboard.csv": leaderboard_csv(table, facts.entrants),
        "leaderboard.json": leaderboard_json(table, facts.entrants),
        "crosstable.csv": to_csv(crosstable.COLUMNS, pairs),
    }
