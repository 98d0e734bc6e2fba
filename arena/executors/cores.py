"""How many cores this process may use.

It knows what the kernel and the control groups allow; it never knows what they are used for.
"""

import os
from pathlib import Path

MAX_JOBS = 1024
"""Matches at a time on one machine: each is a process of some 40 MB beside the bots it plays."""
MANY_JOBS = "more than a core each makes bots wait; take more machines with the executor dask"
"""What to do where these are too few."""

_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def available_cores() -> int:
    """Count the cores that this process may use, at least 1: a container's quota bounds them."""
    return max(1, min(len(os.sched_getaffinity(0)), _quota()))


def _quota() -> int:
    """Give the whole cores of the control group's quota; a large number where there is none."""
    try:
        allowed, period = _QUOTA.read_text().split()
        return int(allowed) // int(period)
    except (OSError, ValueError):
        return 1 << 16


def default_jobs(cores: int) -> int:
    """Say how many matches to play at a time: one a core, with one spared where there are many.

    In a match one process works at a time, the referee or the bot whose turn it is. The process
    that gathers the records wants a core of its own only where many matches feed it.
    """
    return cores if cores < 4 else cores - 1
