"""TrueSkill solved over all results at once: expectation propagation with the full covariance.

It knows match-ups as contrasts and counts of wins and draws; it never knows names or an order of
play. Equal results between the same sides share one Gaussian *site*, an approximate likelihood of
their difference of strength; all sites are improved together, each against the *cavity*, which is
what the others say, until none moves.
"""

from dataclasses import dataclass

import numpy as np

from arena.ratings.contrasts import Contrasts
from arena.ratings.ledger import DRAWN, FIRST_WON, SECOND_WON, Floats, Ints, sum_by
from arena.ratings.truncation import v_w_draw, v_w_win

_DAMPING = 0.7
"""How far a site goes towards what its cavity asks for; all the way, some fields swing for ever."""
_STILL = 1e-9
"""A site that moves by less, in units of the deviation of one game, is taken to stand still."""
_SWEEPS = 500


@dataclass(frozen=True, slots=True)
class Model:
    """TrueSkill's constants: the deviations of strength beforehand and of one performance.

    `margin` is the draw margin by the match-up.
    """

    sigma: float
    beta: float
    margin: Floats


@dataclass(frozen=True, slots=True)
class Belief:
    """What is known of all strengths: mean and covariance, around 0 before any result."""

    mean: Floats
    covariance: Floats


@dataclass(frozen=True, slots=True)
class Sites:
    """A row for each kind of result between two sides, `count` times; then what it says.

    `precision` and `shift` are those of one result's Gaussian of the difference of strength.
    """

    matchup: Ints
    outcome: Ints
    count: Floats
    precision: Floats
    shift: Floats


def open_sites(counts: Ints) -> Sites:
    """Make a site for each kind of result that occurs, as yet without a word to say."""
    matchup, outcome = np.nonzero(counts)
    nothing = np.zeros(len(matchup))
    return Sites(matchup, outcome, counts[matchup, outcome].astype(float), nothing, nothing)


def solve(contrasts: Contrasts, model: Model, sites: Sites) -> tuple[Belief, Sites]:
    """Improve all sites until none moves; give what is believed then, and the sites."""
    belief = combine(contrasts, model, sites)
    for _ in range(_SWEEPS):
        better = _improve(contrasts, model, sites, belief)
        scale = np.sqrt(contrasts.players[sites.matchup]) * model.beta
        moves = (
            np.abs(better.precision - sites.precision) * scale**2,
            np.abs(better.shift - sites.shift) * scale,
        )
        sites = better
        belief = combine(contrasts, model, sites)
        if np.max(moves, initial=0.0) < _STILL:
            break
    return belief, sites


def combine(contrasts: Contrasts, model: Model, sites: Sites) -> Belief:
    """Multiply what all sites say with what was believed beforehand."""
    precision = _by_matchup(contrasts, sites, sites.precision)
    shift = _by_matchup(contrasts, sites, sites.shift)
    prior = np.eye(contrasts.entrants) / model.sigma**2
    covariance = np.linalg.inv(prior + contrasts.information(precision)).astype(np.float64)
    return Belief(covariance @ contrasts.collect(shift), covariance)


def _by_matchup(contrasts: Contrasts, sites: Sites, values: Floats) -> Floats:
    return sum_by(sites.matchup, sites.count * values, len(contrasts))


def _improve(contrasts: Contrasts, model: Model, sites: Sites, belief: Belief) -> Sites:
    """Move each site towards the Gaussian that its cavity and its result ask for."""
    spread = contrasts.spread(belief.covariance)[sites.matchup]
    measured = contrasts.measure(belief.mean)[sites.matchup]
    cavity = 1 / (1 / spread - sites.precision)
    mean = cavity * (measured / spread - sites.shift)
    noise = contrasts.players[sites.matchup] * model.beta**2
    deviation = np.sqrt(cavity + noise)
    v, w = truncate(sites.outcome, mean / deviation, model.margin[sites.matchup] / deviation)
    # What is left of the deviation squared is never under the noise, so that no division fails.
    left = deviation**2 - cavity * w
    precision = w / left
    shift = mean * precision + v * deviation / left
    return Sites(
        sites.matchup,
        sites.outcome,
        sites.count,
        sites.precision + _DAMPING * (precision - sites.precision),
        sites.shift + _DAMPING * (shift - sites.shift),
    )


def truncate(outcome: Ints, t: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Give v and w by how each game ended; v is the first side's."""
    v, w = np.empty_like(t), np.empty_like(t)
    for kind, sign in ((FIRST_WON, 1.0), (SECOND_WON, -1.0)):
        rows = outcome == kind
        won, w[rows] = v_w_win(sign * t[rows], margin[rows])
        v[rows] = sign * won
    rows = outcome == DRAWN
    v[rows], w[rows] = v_w_draw(t[rows], margin[rows])
    return v, w
