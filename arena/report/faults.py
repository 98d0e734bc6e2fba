"""A bot's faults as its page shows them: where, in its own words, what to change, and its log.

It knows which process a log is of; it never tells of a board that anyone has still to play more
than that a fault happened. Rules: D1a.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

from markupsafe import Markup

from arena.protocol import ADVICE
from arena.record import SeatLog
from arena.report.links import game_file
from arena.report.page import lines
from arena.report.replay import fault_words
from arena.store import GameKey, Store, StoredFault

MOST = 10
"""Faults of one bot that are shown in full."""


@dataclass(frozen=True, slots=True)
class ShownFault:
    """A fault with its place, the bot's own words, what to change, and its process's log."""

    kind: str
    place: str
    file: str
    words: Markup | None = None
    advice: str = ""
    log: str = ""


def shown_faults(
    store: Store,
    entrant: str,
    matches: Collection[int],
    withheld: Collection[int],
    shown: Collection[GameKey],
) -> list[ShownFault]:
    """List the first faults of an entrant in the matches that count, `shown` those with a page."""
    counted = (found for found in store.faults(entrant) if found.match in matches)
    logs = Logs(store, withheld)
    return [_show(found, logs, withheld, shown) for found in islice(counted, MOST)]


def _show(
    found: StoredFault, logs: "Logs", withheld: Collection[int], shown: Collection[GameKey]
) -> ShownFault:
    key = GameKey(found.match, found.board, found.sitting)
    kind, fault = found.fault.kind, found.fault
    place = f"match {found.match}, board {found.board}, sitting {found.sitting + 1}"
    if fault.hand:
        place += f", hand {fault.hand}"
    file = game_file(key) if key in shown else ""
    if found.board in withheld:
        return ShownFault(kind.value, place, file, advice=ADVICE[kind])
    log = logs.of(found) or ""
    return ShownFault(kind.value, place, file, lines(fault_words(fault)), ADVICE[kind], log)


class Logs:
    """The logs of the match that was looked at last; faults of a match follow each other.

    A log goes over all boards of its process: while any of them is still to be played, so is it.
    """

    def __init__(self, store: Store, withheld: Collection[int]) -> None:
        """Read from a store; the boards of `withheld` are still to be played."""
        self._store = store
        self._withheld = withheld
        self._match = 0
        self._logs: list[SeatLog] = []

    def of(self, found: StoredFault) -> str | None:
        """Give the log of the process that was at fault: the last one started by that board.

        None while it has to be held back.
        """
        if found.match != self._match:
            self._match = found.match
            self._logs = [stored.log for stored in self._store.logs(found.match)]
        seat = (found.sitting, found.fault.seat)
        own = [log for log in self._logs if (log.sitting, log.seat) == seat]
        started = [log for log in own if log.board <= found.board] or own[:1]
        if self._is_withheld(found):
            return None
        return started[-1].text if started else ""

    def _is_withheld(self, found: StoredFault) -> bool:
        boards = {key.board for key in self._store.keys(found.match)}
        return not boards.isdisjoint(self._withheld)
