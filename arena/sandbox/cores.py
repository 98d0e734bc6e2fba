"""Which cores a bot may use where no control group limits its time on them.

It knows the processes of the arena on this machine by the names that they hold; it never knows
what a bot does. A bot may not change what is chosen here, as the filter of system calls says.

All bots of one process of the arena get the same cores, as only one of them has a move to make at
a time; two processes get different ones, as far as there are enough.
"""

import math
import os
import socket
from contextlib import suppress
from functools import cache
from itertools import count


def pin(pid: int, cpus: float) -> None:
    """Keep a process, and with it all that it will start, on as many cores as it may use."""
    cores = sorted(os.sched_getaffinity(0))
    wanted = min(math.ceil(cpus), len(cores))
    start = _place() * wanted
    chosen = {cores[(start + number) % len(cores)] for number in range(wanted)}
    with suppress(ProcessLookupError):  # it has ended, and its end is looked at later
        os.sched_setaffinity(pid, chosen)


@cache
def _place() -> int:
    """Take the lowest number that no process of this machine holds; it is free again with us."""
    holder = socket.socket(socket.AF_UNIX)
    for number in count():
        with suppress(OSError):
            holder.bind(f"\0arena-cores-{number}")
            holder.detach()  # nobody closes it before this process ends
            return number
    raise AssertionError("there is always a next number")
