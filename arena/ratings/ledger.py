"""Results as columns of numbers, so that a million of them are counted in seconds.

It knows who met whom, when, how it ended and by how much; it never knows what a rating makes of
it. Whatever order results come in, the counts and sums are the same to the last bit: names and
match-ups are numbered in alphabetical order, and sums of margins are whole numbers.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.record import Result

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FIRST_WON, DRAWN, SECOND_WON, VOID = range(4)


def sum_by(rows: Ints, values: Floats, size: int) -> Floats:
    """Sum the values that have the same row, for rows below `size`."""
    return np.bincount(rows, values, minlength=size).astype(np.float64)


class Matchup(NamedTuple):
    """Two sides that met, in alphabetical order, each of one entrant or more."""

    first: tuple[str, ...]
    second: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The results between listed entrants, one a row, seen from its match-up's first side.

    `matchup` holds indices of `matchups`; `margin` is NaN in a game that was not finished; a fault
    is (round, entrant, kind).
    """

    entrants: tuple[str, ...]
    matchups: tuple[Matchup, ...]
    matchup: Ints
    outcome: Ints
    round: Ints
    match: Ints
    board: Ints
    sitting: Ints
    margin: Floats
    faults: tuple[tuple[int, str, str], ...]

    def counts(self) -> Ints:
        """Count each match-up's games: a row of wins of the first, draws, wins of the second."""
        kinds = np.bincount(4 * self.matchup + self.outcome, minlength=4 * len(self.matchups))
        return kinds.reshape(-1, 4)[:, :VOID]

    def fault_kinds(self) -> dict[str, dict[str, int]]:
        """Count the faults of each entrant by kind; void games count here, and here alone."""
        kinds: dict[str, dict[str, int]] = {name: {} for name in self.entrants}
        for (name, kind), count in sorted(Counter(fault[1:] for fault in self.faults).items()):
            kinds[name][kind] = count
        return kinds

    def in_order(self) -> Ints:
        """List the rows in the order of the schedule."""
        keys = (self.outcome, self.matchup, self.sitting, self.board, self.match, self.round)
        return np.lexsort(keys)

    def rounds(self) -> list[int]:
        """List the rounds that have results."""
        return sorted(set(self.round.tolist()))

    def until(self, last: int) -> "Ledger":
        """Give the results up to a round and with it."""
        rows = self.round <= last
        return replace(
            self,
            matchup=self.matchup[rows],
            outcome=self.outcome[rows],
            round=self.round[rows],
            match=self.match[rows],
            board=self.board[rows],
            sitting=self.sitting[rows],
            margin=self.margin[rows],
            faults=tuple(fault for fault in self.faults if fault[0] <= last),
        )

    def board_margins(self) -> "BoardMargins":
        """Average the sittings of each board, in points of the match-up's first side.

        Half of a duplicate pair tells of the deal and not of the bots: a board on which a sitting
        was not finished is left out whole.
        """
        keys = np.stack([self.board, self.match, self.matchup])
        order = np.lexsort(keys)
        keys = keys[:, order]
        if not len(order):
            return BoardMargins(np.empty(0, np.int64), np.empty(0))
        is_new = np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0))
        starts = np.flatnonzero(is_new)
        sittings = np.diff(np.append(starts, len(order)))
        means = np.add.reduceat(self.margin[order], starts) / sittings
        finished = ~np.isnan(means)
        return BoardMargins(keys[2, starts][finished], means[finished])


class BoardMargins(NamedTuple):
    """A row for each finished board: its match-up, and the first side's mean margin on it."""

    matchup: Ints
    margin: Floats


@dataclass(slots=True)
class _Rows:
    """The columns while they grow; match-ups are numbered as they come."""

    matchup: "array[int]" = field(default_factory=lambda: array("q"))
    outcome: "array[int]" = field(default_factory=lambda: array("q"))
    round: "array[int]" = field(default_factory=lambda: array("q"))
    match: "array[int]" = field(default_factory=lambda: array("q"))
    board: "array[int]" = field(default_factory=lambda: array("q"))
    sitting: "array[int]" = field(default_factory=lambda: array("q"))
    margin: "array[float]" = field(default_factory=lambda: array("d"))

    def add(self, result: Result, matchup: int, is_turned: bool) -> None:
        """Note a result; `is_turned` where its side 0 is the match-up's second."""
        self.matchup.append(matchup)
        self.outcome.append(_outcome(result.score, is_turned))
        self.round.append(result.round)
        self.match.append(result.match)
        self.board.append(result.board)
        self.sitting.append(result.sitting)
        if result.margin is None or result.score is None:
            self.margin.append(np.nan)
        else:
            self.margin.append(-result.margin if is_turned else result.margin)


def _outcome(score: float | None, is_turned: bool) -> int:
    if score is None:
        return VOID
    if score == 0.5:
        return DRAWN
    return FIRST_WON if (score > 0.5) is not is_turned else SECOND_WON


def keep(entrants: Sequence[str], results: Iterable[Result]) -> Ledger:
    """Enter the results between these entrants; what they did to others or themselves stays out.

    A result that names anyone else, or the same entrants on both sides, says nothing here.
    """
    names = frozenset(entrants)
    rows = _Rows()
    faults: list[tuple[int, str, str]] = []
    known: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, bool] | None] = {}
    numbers: dict[Matchup, int] = {}
    for result in results:
        if result.sides in known:
            place = known[result.sides]
        else:
            place = known[result.sides] = _place(result, names, numbers)
        if place is not None:
            rows.add(result, *place)
            for name, kind in result.faults:
                faults.append((result.round, name, kind.value))
    return _close(tuple(sorted(names)), numbers, rows, faults)


def _place(
    result: Result, names: frozenset[str], numbers: dict[Matchup, int]
) -> tuple[int, bool] | None:
    """Find a result's match-up and whether it is turned, or None where it is not ours."""
    sides = [tuple(sorted(set(side))) for side in result.sides]
    if sides[0] == sides[1] or not all(side and names.issuperset(side) for side in sides):
        return None
    first, second = sorted(sides)
    return numbers.setdefault(Matchup(first, second), len(numbers)), sides[0] != first


def _close(
    entrants: tuple[str, ...],
    numbers: dict[Matchup, int],
    rows: _Rows,
    faults: list[tuple[int, str, str]],
) -> Ledger:
    """Renumber the match-ups in their own order, so that nothing is left of the results'."""
    matchups = tuple(sorted(numbers))
    rank = np.empty(len(matchups), np.int64)
    rank[[numbers[matchup] for matchup in matchups]] = np.arange(len(matchups))
    return Ledger(
        entrants=entrants,
        matchups=matchups,
        matchup=rank[np.asarray(rows.matchup, np.int64)],
        outcome=np.asarray(rows.outcome, np.int64),
        round=np.asarray(rows.round, np.int64),
        match=np.asarray(rows.match, np.int64),
        board=np.asarray(rows.board, np.int64),
        sitting=np.asarray(rows.sitting, np.int64),
        margin=np.asarray(rows.margin, np.float64),
        faults=tuple(sorted(faults)),
    )
