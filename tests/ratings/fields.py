"""Results by hand and by the dozen, so that a rating can be seen without a tournament."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from statistics import NormalDist

import numpy as np
import trueskill

from arena.protocol import FaultKind
from arena.record import Result

NORMAL = NormalDist()


def environment(probability: float, tau: float = 0.0) -> trueskill.TrueSkill:
    """The package as oracle, with a normal distribution exact to more than its own seven places."""
    exact = (NORMAL.cdf, NORMAL.pdf, NORMAL.inv_cdf)
    return trueskill.TrueSkill(tau=tau, draw_probability=probability, backend=exact)


def game(
    a: str | tuple[str, ...],
    b: str | tuple[str, ...],
    score: float | None = 1.0,
    *,
    margin: int | None = None,
    match: int = 1,
    board: int = 1,
    sitting: int = 0,
    round_number: int = 1,
    faults: tuple[tuple[str, FaultKind], ...] = (),
) -> Result:
    """One game; by default `a` beat `b`."""
    sides = (a if isinstance(a, tuple) else (a,), b if isinstance(b, tuple) else (b,))
    return Result(match, round_number, board, sitting, sides, score, margin, faults)


def games(wins: Mapping[str, int], draws: Mapping[str, int]) -> list[Result]:
    """Games by count: ``{"A>B": 3}`` and ``{"A=B": 1}``."""
    pairs = [(key, 1.0, count) for key, count in wins.items()]
    pairs += [(key, 0.5, count) for key, count in draws.items()]
    return [game(key[0], key[2], score) for key, score, count in pairs for _ in range(count)]


def number(results: Iterable[Result]) -> list[Result]:
    """The same results, each a match of its own."""
    return [
        Result(i, one.round, one.board, one.sitting, one.sides, one.score, one.margin, one.faults)
        for i, one in enumerate(results, 1)
    ]


def boards(strengths: Mapping[str, float], count: int, seed: int) -> list[Result]:
    """A duplicate round robin in which a margin is a difference of strengths and luck."""
    chance = np.random.default_rng(seed)
    results = []
    for match, (a, b) in enumerate(combinations(strengths, 2), 1):
        for board in range(1, count + 1):
            deal = chance.normal(0, 100)
            for sitting, sides in enumerate(((a, b), (b, a))):
                gap = strengths[sides[0]] - strengths[sides[1]]
                margin = round(gap + deal + chance.normal(0, 60))
                score = 0.5 if margin == 0 else float(margin > 0)
                results.append(
                    game(*sides, score, margin=margin, match=match, board=board, sitting=sitting)
                )
    return results
