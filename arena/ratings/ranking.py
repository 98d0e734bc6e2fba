"""From an estimate to the table: order, intervals of ranks, who is better than whom.

It knows mean and covariance of all strengths; it never knows which rating found them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TypeVar

import msgspec
import numpy as np

from arena.ratings.dispersion import Dispersion
from arena.ratings.ledger import Floats
from arena.ratings.points import Points, fit_points
from arena.ratings.pool import Pool, Record, mean_margins, meetings, records
from arena.ratings.standing import Meeting, Standing, Table
from arena.ratings.truncation import cdf

WIDTH = 1.959963984540054
"""Deviations to either side that hold 95 % of a normal distribution."""
SURE = 0.95
"""The probability at which one bot counts as better than another."""
_LEVEL = 1e-9
"""Ratings nearer to each other than this part of the first sigma are a tie."""

Cell = TypeVar("Cell")


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a rating found for a pool: means, their covariance, and how well they fit.

    `mu` and `sigma` are what an entrant without games has.
    """

    mean: Floats
    covariance: Floats
    mu: float
    sigma: float
    draw_probability: float
    dispersion: Dispersion


def rank(
    entrants: Sequence[str], pool: Pool, estimate: Estimate, faults: Mapping[str, dict[str, int]]
) -> Table:
    """Make the table: who played best first, then by name who did not."""
    points, met = fit_points(pool), meetings(pool)
    order = _order(pool, estimate, met, points)
    better = _better(estimate)[np.ix_(order, order)]
    idle = sorted(set(entrants) - set(pool.entrants))
    lines = _rated(pool, estimate, points, order, better) + _idle(idle, len(order), estimate)
    known = [[_known(chance) for chance in row] for row in better]
    return Table(
        standings=tuple(msgspec.structs.replace(line, faults=faults[line.bot]) for line in lines),
        better=_pad(known, None, len(lines)),
        crosstable=_pad(_cells(pool, met, order), Meeting(), len(lines)),
        phi=estimate.dispersion.phi,
        draw_probability=estimate.draw_probability,
        groups=_groups(pool, order),
        freedom=estimate.dispersion.freedom,
    )


def _order(pool: Pool, estimate: Estimate, met: Record, points: Points) -> list[int]:
    """Sort by rating, then among those level by head to head, points per board and name."""
    by_rating = np.lexsort((np.arange(len(pool.entrants)), -estimate.mean)).tolist()
    parts: list[list[int]] = []
    for one in by_rating:
        level = _LEVEL * estimate.sigma
        if parts and estimate.mean[parts[-1][0]] - estimate.mean[one] <= level:
            parts[-1].append(one)
        else:
            parts.append([one])
    scores, games = met.wins + met.draws / 2, met.games

    def worth(one: int, part: list[int]) -> tuple[float, float, int]:
        among = games[one, part].sum()
        head_to_head = scores[one, part].sum() / among if among else 0.5
        mean = points.mean[one]
        return -head_to_head, np.inf if isnan(mean) else -mean, one

    return [one for part in parts for one in sorted(part, key=lambda one: worth(one, part))]


def _better(estimate: Estimate) -> Floats:
    """Give the probability that the one by row is better than the other, NaN for oneself."""
    variance = np.diag(estimate.covariance)
    spread = variance[:, None] + variance[None, :] - 2 * estimate.covariance
    np.fill_diagonal(spread, 1)
    better = cdf((estimate.mean[:, None] - estimate.mean[None, :]) / np.sqrt(spread))
    np.fill_diagonal(better, np.nan)
    return better


def _rated(
    pool: Pool, estimate: Estimate, points: Points, order: list[int], better: Floats
) -> list[Standing]:
    """Write the lines of those who played; `better` is in order already."""
    record = records(pool)
    sigmas = np.sqrt(np.diag(estimate.covariance))
    worse_than, better_than = (better <= 1 - SURE).sum(axis=1), (better >= SURE).sum(axis=1)
    lines = []
    for place, one in enumerate(order):
        mean, sigma = float(estimate.mean[one]), float(sigmas[one])
        lines.append(
            Standing(
                bot=pool.entrants[one],
                rank=place + 1,
                rank_low=1 + int(worse_than[place]),
                rank_high=len(order) - int(better_than[place]),
                mu=mean,
                sigma=sigma,
                low=mean - WIDTH * sigma,
                high=mean + WIDTH * sigma,
                conservative=mean - 3 * sigma,
                games=int(record.games[one]),
                wins=int(record.wins[one]),
                draws=int(record.draws[one]),
                losses=int(record.losses[one]),
                points_per_board=_known(points.mean[one]),
                points_se=_known(points.error[one]),
                faults={},
            )
        )
    return lines


def _idle(names: Sequence[str], rated: int, estimate: Estimate) -> list[Standing]:
    """Write the lines of those who did not play: what was believed beforehand, at the end."""
    mu, sigma = estimate.mu, estimate.sigma
    return [
        Standing(
            bot=name,
            rank=rated + place,
            rank_low=rated + 1,
            rank_high=rated + len(names),
            mu=mu,
            sigma=sigma,
            low=mu - WIDTH * sigma,
            high=mu + WIDTH * sigma,
            conservative=mu - 3 * sigma,
            games=0,
            wins=0,
            draws=0,
            losses=0,
            points_per_board=None,
            points_se=None,
            faults={},
        )
        for place, name in enumerate(names, 1)
    ]


def _known(value: float) -> float | None:
    return None if isnan(value) else float(value)


def _cells(pool: Pool, met: Record, order: list[int]) -> list[list[Meeting]]:
    cells = np.ix_(order, order)
    columns = (met.games, met.wins, met.draws, met.losses, mean_margins(pool))
    rows = zip(*(column[cells].tolist() for column in columns), strict=True)
    return [list(map(_meeting, *row)) for row in rows]


def _meeting(games: int, wins: int, draws: int, losses: int, margin: float) -> Meeting:
    return Meeting(games, wins, draws, losses, _known(margin))


def _pad(rows: list[list[Cell]], empty: Cell, size: int) -> tuple[tuple[Cell, ...], ...]:
    """Fill a square up with what stands for those who did not play."""
    padded = [(*row, *[empty] * (size - len(row))) for row in rows]
    return (*padded, *[(empty,) * size] * (size - len(rows)))


def _groups(pool: Pool, order: list[int]) -> tuple[tuple[str, ...], ...]:
    """Name the groups that results connect, each and all of them best first."""
    place = {one: at for at, one in enumerate(order)}
    groups = [sorted(group.tolist(), key=place.__getitem__) for group in pool.contrasts.groups()]
    groups.sort(key=lambda group: place[group[0]])
    return tuple(tuple(pool.entrants[one] for one in group) for group in groups)
