"""Phi: how much results scatter beside what ratings explain, as in a rock-paper-scissors field.

It knows scores by match-up and what a rating expects of them; it never knows how that was fitted.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arena.ratings.contrasts import Contrasts
from arena.ratings.ledger import Floats, Ints
from arena.ratings.truncation import cdf

_STEEPEST = 16.0
_HALVINGS = 14
_LEAST = 1e-9
"""A variance below which all is certain, and rounding the only surprise."""


class Dispersion(NamedTuple):
    """The scatter by its expectation, and the degrees of freedom it was seen by."""

    phi: float
    freedom: int


@dataclass(frozen=True, slots=True)
class _Scores:
    """A row a match-up: its games, the first side's score, the deviation and the draw margin."""

    games: Floats
    score: Floats
    deviation: Floats
    margin: Floats

    def expect(self, gap: Floats) -> tuple[Floats, Floats]:
        """Give the score's expectation and variance where strengths differ by `gap`."""
        win = cdf((gap - self.margin) / self.deviation)
        loss = cdf((-gap - self.margin) / self.deviation)
        draw = np.maximum(1 - win - loss, 0)
        mean, missed = win + draw / 2, loss + draw / 2
        variance = win * missed**2 + draw * (0.5 - mean) ** 2 + loss * mean**2
        return self.games * mean, self.games * variance


def disperse(
    contrasts: Contrasts, counts: Ints, strengths: Floats, beta: float, margin: Floats
) -> Dispersion:
    """Compare the squared surprises over match-ups with their variance, both summed.

    Pearson's sum of ratios would let a single loss where one in 100,000 was expected widen
    everybody's interval; the ratio of sums has the same expectation and less noise, and its
    intervals hold what they promise more often in wide fields. Strengths are first spread as the
    results want them: beforehand all are thought alike, and what is left of that is no scatter.
    """
    freedom = len(contrasts) - contrasts.rank()
    if freedom < 1:
        return Dispersion(1.0, 0)
    scores = _Scores(
        games=counts.sum(axis=1).astype(np.float64),
        score=counts[:, 0] + counts[:, 1] / 2,
        deviation=np.sqrt(contrasts.players) * beta,
        margin=margin,
    )
    gap = contrasts.measure(strengths)
    mean, variance = scores.expect(gap * _steepness(scores, gap))
    scatter = float(((scores.score - mean) ** 2).sum()) / max(float(variance.sum()), _LEAST)
    return Dispersion(scatter * len(contrasts) / freedom, freedom)


def _steepness(scores: _Scores, gap: Floats) -> float:
    """Find by halving the factor from 1 on at which the favourites win as often as expected."""
    low, high = 0.0, float(np.log(_STEEPEST))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        mean, _ = scores.expect(gap * np.exp(middle))
        if gap @ (scores.score - mean) > 0:
            low = middle
        else:
            high = middle
    return float(np.exp(low))
