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
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def end_silently() -> None:
    """Have Ctrl-C end the process as SIGTERM does while there is nothing yet to be saved.

    Python's own handler raises wherever it may be, which is a traceback until a command can catch
    it. A Ctrl-C that is ignored (a shell's background job) stays so.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def stop_signals() -> Iterator[None]:
    """Have all signals that ask for an end raise `KeyboardInterrupt`; an ignored one stays so.

    SIGHUP is ignored under nohup, SIGINT in a shell's background job.
    """
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
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def is_output_closed() -> bool:
    """Tell whether the reader of standard output is gone, without writing anything."""
    poll = select.poll()
    try:
        poll.register(sys.stdout.fileno(), 0)
    except (OSError, ValueError):
        return False
    return any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0))
