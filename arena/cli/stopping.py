"""Being told to stop: every way of saying it reaches the command as one exception.

It knows signals and whether anyone still reads the output; it never knows what has to be saved.
"""

import select
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPED = 130
"""The exit code of a command that was told to stop."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def stop_signals() -> Iterator[None]:
    """Have SIGTERM and SIGHUP end a command as Ctrl-C does; an ignored SIGHUP (nohup) stays so."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def ignore_stopping() -> None:
    """Let nothing stop what is ending: an interpreter interrupted in that writes a traceback."""
    for number in (signal.SIGINT, *SIGNALS):
        signal.signal(number, signal.SIG_IGN)


def is_output_closed() -> bool:
    """Tell whether the reader of standard output is gone, without writing anything."""
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)
    except (OSError, ValueError):
        return False
    return any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
