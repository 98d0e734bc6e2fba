"""TrueSkill: from results to a table, in one solution over all of them or game by game.

It knows the model's constants and how its parts go together; the package `trueskill` gives the
environment and the draw margin. It never knows a store or a format.
"""

from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Annotated, ClassVar, Literal

import msgspec
import numpy as np
import trueskill
from msgspec import Meta

from arena.ratings.dispersion import disperse
from arena.ratings.ledger import VOID, Floats, Ints, Ledger, keep
from arena.ratings.pool import Pool, gather
from arena.ratings.propagation import Belief, Model, open_sites, solve
from arena.ratings.ranking import Estimate, rank
from arena.ratings.sequential import climb
from arena.ratings.standing import Table
from arena.record import Result

_NORMAL = NormalDist()
_EXACT = (_NORMAL.cdf, _NORMAL.pdf, _NORMAL.inv_cdf)
"""The package's own approximations are good to seven places; these are to sixteen."""
_WIDEST = 100
"""The largest ratio of sigma and beta, either way, that doubles carry."""


class TrueSkillOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How to rate: `mode` ``batch`` solves over all results, ``online`` goes from game to game.

    A strength is `mu` ± `sigma` beforehand, a single performance ± `beta` around it. `tau` lets
    strengths drift before each game, which only ``online`` knows. Raises `ValueError` where they do
    not fit together.
    """

    mode: Literal["batch", "online"] = "batch"
    mu: Annotated[float, Meta(ge=-1e6, le=1e6)] = trueskill.MU
    sigma: Annotated[float, Meta(ge=1e-3, le=1e6)] = trueskill.SIGMA
    beta: Annotated[float, Meta(ge=1e-3, le=1e6)] = trueskill.BETA
    tau: Annotated[float, Meta(ge=0, le=1e6)] = 0.0

    def __post_init__(self) -> None:
        """Refuse what the model has no use for, and what numbers of 53 bits do not carry."""
        if not 1 / _WIDEST <= self.sigma / self.beta <= _WIDEST:
            raise ValueError(f"sigma and beta must be within {_WIDEST} times of each other")
        if self.tau and self.mode == "batch":
            raise ValueError("tau is for mode: online; in batch a bot's strength does not drift")
        if self.tau > self.sigma:
            raise ValueError("tau must not be more than sigma")


class TrueSkillRating:
    """Rates by TrueSkill: the same to the last bit, however results and entrants are ordered.

    In ``batch`` ratings are centred on the pool of those who played, with deviations that allow
    for a field in which ratings do not explain all (see `Table.phi`). In ``online`` they are the
    package's, with no covariance between entrants.
    """

    options_type: ClassVar[type[msgspec.Struct]] = TrueSkillOptions

    def __init__(self, options: TrueSkillOptions | None = None) -> None:
        """Take the options, by default those of the package but for `tau`, which is 0."""
        self.options = options or TrueSkillOptions()

    def table(self, entrants: Sequence[str], results: Iterable[Result]) -> Table:
        """Rate the entrants by all results together."""
        return self._rate(keep(entrants, results))

    def history(self, entrants: Sequence[str], results: Iterable[Result]) -> dict[int, Table]:
        """Give the table after each round, by the round's number, on all results so far."""
        ledger = keep(entrants, results)
        return {last: self._rate(ledger.until(last)) for last in ledger.rounds()}

    def _rate(self, ledger: Ledger) -> Table:
        pool = gather(ledger)
        estimate = self._estimate(ledger, pool)
        return rank(ledger.entrants, pool, estimate, ledger.fault_kinds())

    def _estimate(self, ledger: Ledger, pool: Pool) -> Estimate:
        options = self.options
        probability = draw_probability(pool.counts)
        margin = self._margins(probability, pool.contrasts.players)
        model = Model(options.sigma, options.beta, margin)
        if options.mode == "batch":
            belief, _ = solve(pool.contrasts, model, open_sites(pool.counts))
        else:
            order = ledger.in_order()
            order = order[ledger.outcome[order] != VOID]
            rows = pool.row[ledger.matchup[order]]
            belief = climb(pool, model, options.tau, rows, ledger.outcome[order])
        dispersion = disperse(pool.contrasts, pool.counts, belief.mean, options.beta, margin)
        if options.mode == "batch":
            belief = _centre(belief, max(1.0, dispersion.phi))
        return Estimate(
            mean=belief.mean + options.mu,
            covariance=belief.covariance,
            mu=options.mu,
            sigma=options.sigma,
            draw_probability=probability,
            dispersion=dispersion,
        )

    def _margins(self, probability: float, players: Ints) -> Floats:
        """Give the draw margin of each match-up; it grows with the seats that play."""
        options = self.options
        environment = trueskill.TrueSkill(
            options.mu, options.sigma, options.beta, options.tau, probability, backend=_EXACT
        )
        margins = np.zeros(len(players))
        for size in np.unique(players):
            margins[players == size] = trueskill.calc_draw_margin(probability, size, environment)
        return margins


def draw_probability(counts: Ints) -> float:
    """Estimate how likely a draw is; never 0, with which the first draw would say nonsense."""
    share = (int(counts[:, 1].sum()) + 1) / (int(counts.sum()) + 2)
    return min(max(share, 0.001), 0.95)


def _centre(belief: Belief, scale: float) -> Belief:
    """Measure from the pool's mean, which results between its members cannot tell."""
    mean, covariance = belief.mean, belief.covariance
    if len(mean):
        mean = mean - mean.mean()
        covariance = covariance - covariance.mean(axis=0)
        covariance = covariance - covariance.mean(axis=1)[:, None]
    return Belief(mean, scale * covariance)
