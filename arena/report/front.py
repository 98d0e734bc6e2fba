"""The pages that a reader comes in by, leaderboard and crosstable, and their tables for programs.

It knows which files they are; what stands on each, its own module says.
"""

from collections.abc import Mapping

from arena.ratings.standing import Table
from arena.report import crosstable, leaderboard
from arena.report.facts import Facts
from arena.report.links import NOTHING_BESIDE, Beside
from arena.report.page import Page, Site
from arena.report.tables import leaderboard_csv, leaderboard_json, to_csv
from arena.store import Meta

LEADERBOARD = Page("index.html", "Leaderboard")
CROSSTABLE = Page("crosstable.html", "Crosstable")
INTERESTING = Page("games.html", "Games")


def site_of(meta: Meta, *, lists_games: bool = False, is_live: bool = False) -> Site:
    """Make the site of a run; its pages link to the list of games where there is one."""
    pages = (LEADERBOARD, CROSSTABLE, *((INTERESTING,) if lists_games else ()))
    return Site(meta.name, pages, is_live=is_live)


def render(
    facts: Facts, table: Table, beside: Beside = NOTHING_BESIDE, site: Site | None = None
) -> Mapping[str, bytes]:
    """Make the first pages of the site by name."""
    site = site or site_of(facts.meta)
    pairs = crosstable.crosstable_rows(table)
    ranked, met = (
        leaderboard.content(table, facts, beside),
        crosstable.content(table, facts, beside),
    )
    return {
        LEADERBOARD.file: site.render("leaderboard.html", LEADERBOARD, ranked),
        CROSSTABLE.file: site.render("crosstable.html", CROSSTABLE, met),
        "leaderboard.csv": leaderboard_csv(table, facts.entrants),
        "leaderboard.json": leaderboard_json(table, facts.entrants),
        "crosstable.csv": to_csv(crosstable.COLUMNS, pairs),
    }
