"""Times two ways of doing the same work in turns and puts their ratio into words."""

import statistics
import time
from collections.abc import Callable

ROUNDS = 9


def in_turns(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float, float]:
    """Time both, which give how many units they did; seconds a unit of each, and their ratio.

    All three are medians: the ratio over the pairs, as the machine's speed drifts.
    """
    pairs = [(_time(ours), _time(theirs)) for _ in range(ROUNDS + 1)][1:]
    mine, other = zip(*pairs, strict=True)
    ratio = statistics.median(a / b for a, b in pairs)
    return statistics.median(mine), statistics.median(other), ratio


def verdict(is_met: bool) -> str:
    """Say whether a target is met."""
    return "met" if is_met else "missed"


def _time(work: Callable[[], int]) -> float:
    began = time.perf_counter()
    units = work()
    return (time.perf_counter() - began) / units
