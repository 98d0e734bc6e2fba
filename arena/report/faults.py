"""A bot's faults as pages show them: of equal ones the first, in its own words, and how many.

It knows which faults are equal, and which process a log is of; it never tells of a board that
anyone has still to play more than that a fault happened. Rules: D1a.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from markupsafe import Markup

from arena.advice import advice_on
from arena.protocol import ADVICE
from arena.record import SeatLog
from arena.report.links import Link, game_file
from arena.report.page import lines
from arena.report.replay import fault_words, kind_words
from arena.report.text import times
from arena.store import GameKey, Store, StoredFault

MOST = 10
"""Games that are named, besides the first, in which equal faults were made."""


@dataclass(frozen=True, slots=True)
class ShownFaults:
    """Equal faults: the first one's place, the bot's own words, what to change, the process's log.

    `more` are further games with such faults, as many as are named.
    """

    title: str
    place: Link
    words: Markup | None
    advice: str
    log: str
    more: tuple[Link, ...]


@dataclass(slots=True)
class _Equal:
    """Equal faults as they are found: the first whose board may be shown stands for all."""

    first: StoredFault
    count: int
    games: dict[GameKey, None]


def shown_faults(
    store: Store,
    entrant: str,
    matches: Collection[int],
    withheld: Collection[int],
    shown: Collection[GameKey],
) -> list[ShownFaults]:
    """List an entrant's faults in the matches that count, equal ones as one, in order of the first.

    `shown` are the games that have a page.
    """
    counted = (found for found in store.faults(entrant) if found.match in matches)
    logs = Logs(store, withheld)
    return [_show(equal, logs, withheld, shown) for equal in _gather(counted, withheld)]


def _gather(faults: Iterable[StoredFault], withheld: Collection[int]) -> list[_Equal]:
    found: dict[str, _Equal] = {}
    for fault in faults:
        equal = found.setdefault(kind_words(fault.fault), _Equal(fault, 0, {}))
        equal.count += 1
        if equal.first.board in withheld and fault.board not in withheld:
            equal.first = fault
        if len(equal.games) <= MOST:
            equal.games[_key(fault)] = None
    return list(found.values())


def _key(found: StoredFault) -> GameKey:
    return GameKey(found.match, found.board, found.sitting)


def _show(
    equal: _Equal, logs: "Logs", withheld: Collection[int], shown: Collection[GameKey]
) -> ShownFaults:
    first, fault = equal.first, equal.first.fault
    title = kind_words(fault)
    if equal.count > 1:
        title += f", {times(equal.count)}"
    place = _link(_key(first), shown, f", hand {fault.hand}" if fault.hand else "")
    others = [key for key in equal.games if key != _key(first)][:MOST]
    more = tuple(_link(key, shown) for key in others)
    if first.board in withheld:
        return ShownFaults(title, place, None, ADVICE[fault.kind], "", more)
    words = lines(fault_words(fault))
    advice = advice_on(fault.kind, fault.said, fault.detail)
    return ShownFaults(title, place, words, advice, logs.of(first) or "", more)


def _link(key: GameKey, shown: Collection[GameKey], rest: str = "") -> Link:
    place = f"match {key.match}, board {key.board}, sitting {key.sitting}{rest}"
    return Link(place, game_file(key) if key in shown else "")


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
