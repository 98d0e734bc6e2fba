"""A program that is run to its end: nothing is said to it, and what it writes is kept in a bound.

It knows one absolute deadline; it never knows what the program is for.
"""

import os
import select
import time

from arena.sandbox import Ending, Process
from arena.session.log import Log

_CHUNK = 65_536


def run_to_end(process: Process, seconds: float, log_limit: int) -> tuple[str, Ending]:
    """Wait for a launched process to end, `seconds` at most; give its output and how it ended.

    Standard output and error are kept together, as they came, by head and tail. One that is late
    is `still running` when it is closed. Raises `HostFault` where the sandbox itself failed.
    """
    log = Log(log_limit)
    process.close_input()
    waiting = select.poll()
    for descriptor in (process.stdout, process.stderr, process.exited):
        waiting.register(descriptor, select.POLLIN)
    deadline = time.monotonic() + seconds
    has_ended = False
    while not has_ended and (left := deadline - time.monotonic()) > 0:
        for descriptor, _ in waiting.poll(1000 * left):
            if descriptor == process.exited:
                has_ended = True
            elif chunk := os.read(descriptor, _CHUNK):
                log.add(chunk)
            else:
                waiting.unregister(descriptor)
    for descriptor in (process.stdout, process.stderr):
        log.add(_waiting(descriptor))
    return log.text(), process.close()


def _waiting(descriptor: int) -> bytes:
    """Take what a pipe still holds of a process that has ended."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return b""
