"""TrueSkill as the package does it: one update a game, in the order of the schedule.

It knows games one by one; it never looks back at one, so that the order decides part of the
outcome: this is for ladders, where bots change while they climb.
"""

import numpy as np

from arena.ratings.ledger import Ints
from arena.ratings.pool import Pool
from arena.ratings.propagation import Belief, Model, truncate


def climb(pool: Pool, model: Model, tau: float, matchups: Ints, outcomes: Ints) -> Belief:
    """Update from game to game; `matchups` are rows of the pool.

    The numbers are those of the package's `TrueSkill.rate`, in its closed form for two sides; the
    package itself raises `FloatingPointError` at an extreme upset.
    """
    mean = np.zeros(len(pool.entrants))
    variance = np.full(len(pool.entrants), model.sigma**2, np.float64)
    contrasts = pool.contrasts
    for row, outcome in zip(matchups.tolist(), outcomes, strict=True):
        seated = contrasts.weight[row] != 0
        who, weight = contrasts.index[row][seated], contrasts.weight[row][seated]
        variance[who] += tau**2
        noise = contrasts.players[row] * model.beta**2
        deviation = np.sqrt(weight**2 @ variance[who] + noise)
        v, w = _update(outcome, weight @ mean[who] / deviation, model.margin[row] / deviation)
        pull = weight * variance[who] / deviation
        mean[who] += pull * v
        variance[who] -= pull**2 * w
    return Belief(mean, np.diag(variance))


def _update(outcome: int, t: float, margin: float) -> tuple[float, float]:
    v, w = truncate(np.array([outcome]), np.array([t]), np.array([margin]))
    return float(v[0]), float(w[0])
