"""The pool of those who played: their match-ups with games, counted every way a table needs.

It knows entrants by their number in the pool; it never knows a rating. Entrants without games are
not in it, so that they neither move anyone nor widen anyone's interval.
"""

from dataclasses import dataclass

import numpy as np

from arena.ratings.contrasts import Contrasts, contrast, weigh
from arena.ratings.ledger import BoardMargins, Floats, Ints, Ledger, sum_by


@dataclass(frozen=True, slots=True)
class Pool:
    """Entrants with games in alphabetical order, and a row for each match-up with games.

    `counts` are wins of the first side, draws, wins of the second; `row` gives the match-up's row
    by its number in the ledger, -1 for one without games. `boards` are by the same rows.
    """

    entrants: tuple[str, ...]
    contrasts: Contrasts
    counts: Ints
    row: Ints
    boards: BoardMargins


@dataclass(frozen=True, slots=True)
class Record:
    """Games by entrant, or by entrant and opponent: as many cells as either has."""

    wins: Ints
    draws: Ints
    losses: Ints

    @property
    def games(self) -> Ints:
        """Count all games."""
        return self.wins + self.draws + self.losses


def gather(ledger: Ledger) -> Pool:
    """Find who played, and number match-ups and entrants anew without the others."""
    counts = ledger.counts()
    played = np.flatnonzero(counts.sum(axis=1))
    matchups = [ledger.matchups[number] for number in played]
    entrants = tuple(sorted({name for matchup in matchups for name in weigh(matchup)}))
    row = np.full(len(ledger.matchups), -1)
    row[played] = np.arange(len(played))
    boards = ledger.board_margins()
    return Pool(
        entrants=entrants,
        contrasts=contrast(entrants, matchups),
        counts=counts[played],
        row=row,
        boards=BoardMargins(row[boards.matchup], boards.margin),
    )


def records(pool: Pool) -> Record:
    """Count each entrant's games."""
    contrasts, counts = pool.contrasts, pool.counts
    wins, draws, losses = np.zeros((3, contrasts.entrants), np.int64)
    for index, weight in zip(contrasts.index.T, contrasts.weight.T, strict=True):
        for is_in, (won, drawn, lost) in ((weight > 0, counts.T), (weight < 0, counts.T[::-1])):
            np.add.at(wins, index[is_in], won[is_in])
            np.add.at(draws, index[is_in], drawn[is_in])
            np.add.at(losses, index[is_in], lost[is_in])
    return Record(wins, draws, losses)


def meetings(pool: Pool) -> Record:
    """Count each entrant's games against each other entrant, the one by row."""
    shape = (pool.contrasts.entrants, pool.contrasts.entrants)
    wins, draws, losses = np.zeros((3, *shape), np.int64)
    for first, second, rows in _opponents(pool.contrasts):
        won, drawn, lost = pool.counts[rows].T
        for cell, one, other in (((first, second), won, lost), ((second, first), lost, won)):
            np.add.at(wins, cell, one)
            np.add.at(draws, cell, drawn)
            np.add.at(losses, cell, other)
    return Record(wins, draws, losses)


def mean_margins(pool: Pool) -> Floats:
    """Give each entrant's mean margin on a board against each other, NaN where there is none."""
    size = len(pool.contrasts)
    sums = sum_by(pool.boards.matchup, pool.boards.margin, size)
    boards = np.bincount(pool.boards.matchup, minlength=size)
    shape = (pool.contrasts.entrants, pool.contrasts.entrants)
    totals, played = np.zeros(shape), np.zeros(shape)
    for first, second, rows in _opponents(pool.contrasts):
        for cell, sign in (((first, second), 1), ((second, first), -1)):
            np.add.at(totals, cell, sign * sums[rows])
            np.add.at(played, cell, boards[rows])
    means = np.full(shape, np.nan)
    np.divide(totals, played, out=means, where=played > 0)
    return means


def _opponents(contrasts: Contrasts) -> list[tuple[Ints, Ints, Ints]]:
    """List who sat against whom: entrants of the first sides, of the second, and match-ups."""
    columns = range(contrasts.index.shape[1])
    found = []
    for one in columns:
        for other in columns:
            is_met = (contrasts.weight[:, one] > 0) & (contrasts.weight[:, other] < 0)
            rows = np.flatnonzero(is_met)
            found.append((contrasts.index[rows, one], contrasts.index[rows, other], rows))
    return found
