"""Points per board: who scores how much, by least squares over match-ups.

It knows margins of finished boards; it never knows who won a game, and no rating looks at it. An
entrant's figure is its expected margin on a board against the mean of all others of its group: in
a full round robin its plain average, and in any other schedule that average made fair.
"""

from dataclasses import dataclass

import numpy as np

from arena.ratings.contrasts import Contrasts
from arena.ratings.ledger import BoardMargins, Floats, sum_by
from arena.ratings.pool import Pool


@dataclass(frozen=True, slots=True)
class Points:
    """Points per board and their standard error by entrant, NaN where there is none."""

    mean: Floats
    error: Floats


def fit_points(pool: Pool) -> Points:
    """Fit every group of entrants that finished boards connect, each by itself."""
    mean = np.full(len(pool.entrants), np.nan)
    error = mean.copy()
    finished, row = np.unique(pool.boards.matchup, return_inverse=True)
    contrasts = pool.contrasts.part(finished, np.arange(len(pool.entrants)))
    for group in contrasts.groups():
        rows = np.flatnonzero(np.isin(contrasts.index[:, 0], group))
        is_here = np.isin(row, rows)
        boards = BoardMargins(np.searchsorted(rows, row[is_here]), pool.boards.margin[is_here])
        fitted = _fit(contrasts.part(rows, group), boards)
        mean[group], error[group] = fitted.mean, fitted.error
    return Points(mean, error)


def _fit(contrasts: Contrasts, boards: BoardMargins) -> Points:
    """Solve for strengths of mean 0, and scale them to margins against the others.

    Boards of one match-up are not independent where one bot has the other's measure, so errors are
    clustered by match-up. Few match-ups leave little to cluster, none where two play alone: the
    error is never smaller than the boards' own scatter makes it.
    """
    sizes = np.bincount(boards.matchup, minlength=len(contrasts))
    sums = sum_by(boards.matchup, boards.margin, len(contrasts))
    inverse = np.linalg.pinv(contrasts.information(sizes.astype(float)), hermitian=True)
    strengths = inverse @ contrasts.collect(sums)
    residuals = boards.margin - contrasts.measure(strengths)[boards.matchup]
    clusters = sum_by(boards.matchup, residuals, len(contrasts)) ** 2
    squares = sum_by(boards.matchup, residuals**2, len(contrasts))
    used = contrasts.rank()
    variance = np.full(contrasts.entrants, np.nan)
    for scatter, count in ((clusters, len(contrasts)), (squares, len(boards.margin))):
        if count > used:
            spread = inverse @ contrasts.information(scatter) @ inverse
            variance = np.fmax(variance, np.diag(spread) * count / (count - used))
    scale = contrasts.entrants / (contrasts.entrants - 1)
    return Points(scale * strengths, scale * np.sqrt(np.maximum(variance, 0)))
