"""How fast a bot answers, and how often it would be late.

It knows a list of microseconds; it never measures one.
"""

from collections.abc import Sequence
from math import exp
from statistics import fmean

import msgspec

HANDS = 10
"""Hands that a game has, about."""


class Speed(msgspec.Struct, frozen=True):
    """Reply times in microseconds by percentile, and the games in a hundred lost by lateness."""

    replies: int
    p50: int
    p90: int
    p99: int
    most: int
    forfeit_rate: float


def speed(times: Sequence[int], hands: int, seconds: float) -> Speed | None:
    """Sum up the replies of some hands, each of which had so many seconds."""
    if not times:
        return None
    ordered = sorted(times)
    return Speed(
        len(ordered),
        _percentile(ordered, 50),
        _percentile(ordered, 90),
        _percentile(ordered, 99),
        ordered[-1],
        _forfeit_rate(ordered, len(ordered) / max(1, hands), seconds),
    )


def _percentile(ordered: Sequence[int], percent: int) -> int:
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def _forfeit_rate(times: Sequence[int], replies_a_hand: float, seconds: float) -> float:
    """Estimate how many of a hundred games have a late reply.

    The slowest tenth is taken to thin out exponentially, as a whole of few slow and many quick
    decisions fits no one curve.
    """
    slow = _percentile(times, 90)
    excess = max(1.0, fmean(time - slow for time in times if time >= slow))
    beyond = seconds * 1_000_000 - slow
    late = 1.0 if beyond <= 0 else 0.1 * exp(-beyond / excess)
    return float(100 * (1 - (1 - late) ** (replies_a_hand * HANDS)))
