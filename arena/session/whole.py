"""A program that is run to its end: nothing is said to it, and its log is kept in a bound.

It knows one absolute deadline; it never knows what the program is for.
"""

import os
import select
import time
from collections.abc import Callable

from arena.sandbox import Ending, Process
from arena.session.log import Log

_CHUNK = 65_536


def run_to_end(
    process: Process, seconds: float, log_limit: int, take: Callable[[bytes], bool]
) -> tuple[str, Ending]:
    """Wait for a launched process to end, `seconds` at most; give its log and how it ended.

    Standard error is kept by head and tail. Standard output goes to `take`, which gives false
    where it has had enough, and that is the end too. A process that is late or has said too much
    is `still running` when it is closed. Raises `HostFault` where the sandbox itself failed, and
    what `take` raises.
    """
    log = Log(log_limit)
    try:
        _follow(process, time.monotonic() + seconds, log, take)
    except BaseException:
        process.close()
        raise
    return log.text(), process.close()


def _follow(process: Process, deadline: float, log: Log, take: Callable[[bytes], bool]) -> None:
    """Read both streams until the process has ended, or has to."""
    process.close_input()
    waiting = select.poll()
    for descriptor in (process.stdout, process.stderr, process.exited):
        waiting.register(descriptor, select.POLLIN)
    has_ended = False
    while not has_ended and (left := deadline - time.monotonic()) > 0:
        for descriptor, _ in waiting.poll(1000 * left):
            if descriptor == process.exited:
                has_ended = True
            elif not (chunk := os.read(descriptor, _CHUNK)):
                waiting.unregister(descriptor)
            elif descriptor == process.stderr:
                log.add(chunk)
            elif not take(chunk):
                return
    log.add(_waiting(process.stderr))
    while chunk := _waiting(process.stdout):
        if not take(chunk):
            return


def _waiting(descriptor: int) -> bytes:
    """Take what a pipe still holds of a process that has ended."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return b""
