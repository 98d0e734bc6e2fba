"""A program with all that it starts, under a warden: a process of ours that ends when it does.

It knows process ids, signals and exit codes; it never knows what confines a program. What a
warden is differs: `bwrap` for one sandbox, a small supervisor for another.
"""

import contextlib
import errno
import os
import select
import signal
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from arena.errors import HostFault, in_words
from arena.sandbox.descriptors import Handed, Pipes, inheritable
from arena.sandbox.sandbox import Ending, Launch

PATIENCE = 5.0
"""Seconds that the kernel has to take a killed process away before that is a host fault."""

_NOT_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
"""What a temporary folder refuses with that takes nothing more."""


def is_readable(descriptor: int, seconds: float = 0.0) -> bool:
    """Tell whether a descriptor can be read, or its other end is closed, within some seconds."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def read_waiting(descriptor: int) -> str:
    """Read what a descriptor that does not block holds now, as one line for a person."""
    try:
        text = os.read(descriptor, 4_096).decode("utf-8", "replace")
    except BlockingIOError:
        text = ""
    return " ".join(text.split()) or "it said nothing"


@contextlib.contextmanager
def as_host_fault() -> Iterator[None]:
    """Turn what this machine cannot do for us, while a program is started, into a `HostFault`."""
    try:
        yield
    except OSError as error:
        raise HostFault(cannot_start(error)) from error


def cannot_start(error: OSError) -> str:
    """Say what this machine cannot do for a bot, and what to do about it where that is known."""
    place, elsewhere = error.filename, ""
    if error.errno in _NOT_WRITTEN:
        place, elsewhere = tempfile.gettempdir(), ", or another folder in TMPDIR"
    what = f"{place}: {in_words(error)}{elsewhere}" if place else in_words(error)
    return f"a bot cannot be started here: {what}"


def folder_of(launch: Launch) -> Path:
    """Give the folder that a program is to run in. Raises `HostFault` where it is gone."""
    folder = launch.folder.resolve()
    if not folder.is_dir():
        raise HostFault(f"the bot's folder {folder} is not there")
    return folder


class Warden:
    """A process of ours that stands over a bot's family and ends when the bot has ended."""

    def __init__(self, command: list[str], environment: Mapping[str, str], handed: Handed) -> None:
        """Start it in a session of its own, with the descriptors handed over and no others.

        Raises `OSError` where no process can be started.
        """
        close = [(os.POSIX_SPAWN_CLOSE, stray) for stray in inheritable()]
        place = [(os.POSIX_SPAWN_DUP2, fd, number) for number, fd in handed.placed.items()]
        self.pid = os.posix_spawn(
            command[0],
            command,
            environment,
            file_actions=[*close, *place],
            setsid=True,
            setsigmask=(),
            setsigdef=(signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM),
        )
        try:
            self.exited = os.pidfd_open(self.pid)
        except OSError:
            self.kill()
            os.waitpid(self.pid, 0)
            raise

    def is_over(self, seconds: float = 0.0) -> bool:
        """Tell whether it has ended, or does so within some seconds."""
        return is_readable(self.exited, seconds)

    def kill(self) -> None:
        """Kill it; a warden that has ended is no error."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def reap(self) -> int:
        """Wait for its end and give its exit code, 128 + n for signal n; once only.

        Raises `HostFault` where the kernel does not let it go.
        """
        if not self.is_over(PATIENCE):
            raise HostFault("a killed process does not go away")
        os.close(self.exited)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return status if status >= 0 else 128 - status


class Family:
    """A running program with all it started; see `arena.sandbox.sandbox.Process`."""

    can_freeze = False

    def __init__(self, pipes: Pipes, warden: Warden) -> None:
        """Take over a warden that has just been started, and our ends of the bot's pipes."""
        self._pipes = pipes
        self._warden = warden
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr
        self.exited = warden.exited
        self._ending: Ending | None = None

    def freeze(self) -> None:
        """Do nothing: a stop signal misses children, and any process may undo it."""

    def thaw(self) -> None:
        """Do nothing."""

    def close_input(self) -> None:
        """Close the pipe to its standard input."""
        self._pipes.close_input()

    def close(self) -> Ending:
        """Kill it with all it started, wait until they are gone, and clear its scratch away."""
        if self._ending is None:
            self._ending = Ending("it never ran")
            ran_on = not self._warden.is_over()
            try:
                self._kill()
                code = self._warden.reap()
                self._ending = self._judge(None if ran_on else code)
            finally:
                self._clear_away()
                self._pipes.close()
        return self._ending

    def _kill(self) -> None:
        """End the warden and everything under it; raise `HostFault` where that fails."""
        raise NotImplementedError

    def _judge(self, code: int | None) -> Ending:
        """Say how the program ended: by itself with this exit code of the warden's, or not."""
        return Ending("still running" if code is None else describe(code))

    def _clear_away(self) -> None:
        """Remove whatever else was made for it."""


def describe(code: int) -> str:
    """Put an exit code into words; above 128 it stands for a signal, as shells have it."""
    if code > 128:
        with contextlib.suppress(ValueError):
            return f"killed by {signal.Signals(code - 128).name}"
    return f"exit code {code}"
