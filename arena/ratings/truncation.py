"""TrueSkill's v and w: what a win or a draw does to a Gaussian, over whole arrays.

It knows the normal distribution far into its tails, where the usual formulas divide nothing by
nothing; it never knows who played. In all of it `t` is the expected difference of performance and
`margin` the draw margin, both in units of the difference's deviation.
"""

import math

import numpy as np

from arena.ratings.ledger import Floats

_FAR = 12.0
"""Where the continued fraction takes over; from here on 24 terms of it are exact to 1e-15."""
_TERMS = 24


def cdf(x: Floats) -> Floats:
    """Give the normal distribution function, with full relative precision in the lower tail."""
    tails = map(math.erfc, (x.ravel() * -math.sqrt(0.5)).tolist())
    return 0.5 * np.fromiter(tails, np.float64, x.size).reshape(x.shape)


def pdf(x: Floats) -> Floats:
    """Give the normal density."""
    return np.exp(-0.5 * x * x) / math.sqrt(2 * math.pi)


def v_w_win(t: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Give v and w of a win: ``v = pdf(d) / cdf(d)`` and ``w = v (v + d)`` with d = t - margin."""
    depth = margin - t
    v, excess = _hazard(depth)
    return v, np.clip(v * excess, 0.0, 1.0)


def v_w_draw(t: Floats, margin: Floats) -> tuple[Floats, Floats]:
    """Give v and w of a draw; both densities are divided by the nearer, so that none vanishes."""
    near, far = np.abs(t) - margin, np.abs(t) + margin
    fade = np.exp(-2 * np.abs(t) * margin)
    mass = _mills(near) - fade * _mills(far)
    v = (fade - 1) / mass
    w = v * v + (far * fade - near) / mass
    return np.copysign(v, -t), np.clip(w, 0.0, 1.0)


def _mills(x: Floats) -> Floats:
    """Give the upper tail over the density at x."""
    close = np.minimum(x, _FAR)
    return np.where(x < _FAR, cdf(-close) / pdf(close), 1 / (x + _remainder(x)))


def _hazard(x: Floats) -> tuple[Floats, Floats]:
    """Give the density over the upper tail at x, and by how much that exceeds x."""
    close = np.minimum(x, _FAR)
    near, remainder = pdf(close) / cdf(-close), _remainder(x)
    is_near = x < _FAR
    return np.where(is_near, near, x + remainder), np.where(is_near, near - x, remainder)


def _remainder(x: Floats) -> Floats:
    """Give ``1 / (x + 2 / (x + 3 / (x + ...)))``, by how much the hazard exceeds a large x."""
    x = np.maximum(x, _FAR)
    tail = np.zeros_like(x)
    for term in range(_TERMS, 0, -1):
        tail = term / (x + tail)
    return tail
