"""The CSV files of a run: its tables, every result that counts, every fault.

It knows the columns; and that no card of a board that anyone has still to play may be in them,
which a fault's words may hold. Rules: D1a.
"""

from collections.abc import Collection, Iterator

from arena.formats.withdrawal import Withdrawals, counted
from arena.ratings.results_list import VOID
from arena.ratings.standing import Table
from arena.report import crosstable
from arena.report.tables import leaderboard_csv, to_csv
from arena.store import Store

ENTRANTS = ("bot", "version", "digest")
RESULTS = ("a", "b", "score", "match", "round", "board", "sitting", "margin")
"""The columns of the results; `a` is side 0, and `arena rate` reads them."""
FAULTS = (
    "match", "round", "board", "sitting", "bot", "seat", "kind", "decision", "hand",
    "expected", "said", "detail",
)  # fmt: skip


def export_tables(store: Store, table: Table, withheld: Collection[int]) -> dict[str, bytes]:
    """Make the CSV files by name; faults on withheld boards are left out."""
    entrants = {ref.bot: ref for ref in store.meta.entrants}
    refs = ({"bot": r.bot, "version": r.version, "digest": r.digest} for r in entrants.values())
    return {
        "leaderboard.csv": leaderboard_csv(table, entrants),
        "crosstable.csv": to_csv(crosstable.COLUMNS, crosstable.crosstable_rows(table)),
        "entrants.csv": to_csv(ENTRANTS, refs),
        "results.csv": to_csv(RESULTS, _results(store)),
        "faults.csv": to_csv(FAULTS, _faults(store, withheld)),
    }


def _results(store: Store) -> Iterator[dict[str, object]]:
    for result in counted(store.results(), Withdrawals(store.meta.faults.limit)):
        values = (
            *("+".join(side) for side in result.sides),
            VOID if result.score is None else f"{result.score:g}",
            result.match, result.round, result.board, result.sitting, result.margin,
        )  # fmt: skip
        yield dict(zip(RESULTS, values, strict=True))


def _faults(store: Store, withheld: Collection[int]) -> Iterator[dict[str, object]]:
    for found in store.faults():
        if found.board in withheld:
            continue
        fault = found.fault
        values = (
            found.match, found.round, found.board, found.sitting, found.entrant,
            fault.seat, fault.kind.value, fault.decision.value if fault.decision else None,
            fault.hand, fault.expected, fault.said, fault.detail,
        )  # fmt: skip
        yield dict(zip(FAULTS, values, strict=True))
