"""A container that waits for a bot: confined in full, its pipes laid, nothing running in it yet.

It knows how a container is talked to, started and got rid of; it never knows a bot before it is
let in.

How it works. Five FIFOs lie in a folder that only the arena's user may enter, and which the
container sees read-only: opening one for writing needs no more. They are many times as fast as the
engine's own stream, and a bot that floods one that nobody reads stops by itself, where a flooded
stream keeps the engine from killing. The shell that is the container's first process gives up the
engine's stream before anything else, and then has a child wait to open ``in``: a cell can be made
long before a bot is there. Once we open the other end, that child becomes the bot, by a line that
we wrote beforehand. As the first process, the shell is out of reach of signals from inside and
takes in orphans. It reports the bot's exit code in ``end`` and then waits for ``hold``, which
nobody opens, so that the kernel's counts for the container can still be read.

Under a runtime of the organiser's own, such as gVisor, opening a FIFO may not wait for its other
end: there the bot is laid out before the container starts, and nothing is made ahead.
"""

import errno
import os
import shlex
import signal
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from docker.errors import APIError, NotFound

from arena.errors import ArenaError, HostFault
from arena.record import Limits
from arena.sandbox import leftovers
from arena.sandbox.docker.address import Lifeline
from arena.sandbox.docker.confinement import (
    BOT,
    FIFOS,
    RUN,
    SOURCE,
    START,
    create_container,
)
from arena.sandbox.docker.engine import engine, failures
from arena.sandbox.docker.groups import Groups
from arena.sandbox.family import PATIENCE, is_readable
from arena.sandbox.sandbox import Launch
from arena.sandbox.staging import stage

_OURS = os.O_NONBLOCK | os.O_CLOEXEC
_BRIEFLY = 0.001
"""Seconds between two looks whether the container has come to its gate."""
_LONG = 30.0
"""Seconds that it has for that on a machine under load."""
_ENDED_ALREADY = (404, 409)
"""What the engine answers to one who would kill a container that does not run."""


class Cell:
    """A container at its gate, with our ends of all its pipes but the one that opens it."""

    def __init__(self, limits: Limits, lifeline: Lifeline, launch: Launch | None = None) -> None:
        """Make it, for a bot that is known or for any.

        Raises `SandboxError` where the engine refuses, `HostFault` where it fails, and `OSError`.
        """
        writable = launch.writable if launch is not None else 0
        self._lifeline = lifeline
        with ExitStack() as undo:
            self._home = leftovers.new_folder()
            undo.callback(leftovers.remove, self._home)
            self._belongings = undo.enter_context(ExitStack())
            self.out, self.log, self.end = self._lay_pipes()
            self._bot = self._new_folder(BOT)
            self._input: int | None = None
            if launch is not None and limits.runtime:
                self._lay_out(launch)
                self._input = os.open(self._home / RUN / "in", os.O_RDWR | _OURS)
            undo.push(self._abandon)
            create_container(self._home, limits, writable)
            self._first, self.groups = self._start()
            self._undo = undo.pop_all()

    def renew(self, lifeline: Lifeline) -> Self:
        """Start the container anew once its bot was killed, which costs half of making another.

        Nothing of that bot is in it: processes, scratch, shared memory, networks and control groups
        end with a container, its root is read-only, and the folders that it sees are made anew. It
        is removed where that fails. Raises `SandboxError`, `HostFault` and `OSError`.
        """
        try:
            with failures("tell how a container ended"):
                engine().wait(self._home.name, timeout=_LONG)
            for name in (RUN, BOT):
                leftovers.remove(self._home / name)
            self.out, self.log, self.end = self._lay_pipes()
            self._new_folder(BOT)
            self._lifeline = lifeline
            self._first, self.groups = self._start()
        except BaseException:
            self.remove()
            raise
        return self

    def _start(self) -> tuple[int | None, Groups]:
        """Have the engine start it, up to its gate; take hold of it."""
        with failures("start a container"):
            engine().start(self._home.name)
            found = engine().inspect_container(self._home.name)
        return self._hold(found["State"]["Pid"], found["Id"])

    def _new_folder(self, name: str) -> Path:
        folder = self._home / name
        folder.mkdir()
        folder.chmod(0o755)
        return folder

    def _lay_pipes(self) -> tuple[int, int, int]:
        """Make the FIFOs, and open those that the bot writes."""
        run = self._new_folder(RUN)
        for name, mode in FIFOS.items():
            os.mkfifo(run / name)
            (run / name).chmod(mode)
        ends = []
        for name in ("out", "log", "end"):
            ends.append(os.open(run / name, os.O_RDONLY | _OURS))
            self._belongings.callback(os.close, ends[-1])
        return ends[0], ends[1], ends[2]

    def _hold(self, pid: int, container: str) -> tuple[int | None, Groups]:
        """Take hold of the container's first process and of its control groups."""
        groups = Groups(pid, container)
        self._belongings.callback(groups.close)
        first = None
        if groups.are_known:  # else the engine's ids may not be ours
            with suppress(OSError):
                first = os.pidfd_open(pid)
                self._belongings.callback(os.close, first)
        return first, groups

    @property
    def is_waiting(self) -> bool:
        """Tell whether it is still there for a bot to be let in."""
        return not is_readable(self.end)

    def _lay_out(self, launch: Launch) -> None:
        """Put a bot's files in their place, and the line by which it is started."""
        stage(launch.folder, self._bot)
        start = self._home / RUN / START
        copy = f"cp -RPp {SOURCE}/. /bot && " if launch.writable else ""
        line = f"unset HOSTNAME; {copy}exec {shlex.join(launch.command)}\n"
        start.write_text(line, errors="surrogateescape")
        start.chmod(0o444)

    def let_in(self, launch: Launch) -> int:
        """Have a bot run; give our end of its input.

        Raises `HostFault` where the container is gone, and `OSError`.
        """
        if self._input is not None:
            return self._input
        self._lay_out(launch)
        deadline = time.monotonic() + _LONG
        while time.monotonic() < deadline:
            try:
                return os.open(self._home / RUN / "in", os.O_WRONLY | _OURS)
            except OSError as error:
                if error.errno != errno.ENXIO:
                    raise
            if is_readable(self.end, _BRIEFLY):
                break
        raise HostFault("a container ended, or hung, before its bot was let in")

    def exit_code(self) -> int | None:
        """Give the exit code that the shell has reported; None where it came to say nothing."""
        try:
            return int(os.read(self.end, 64).split()[0])
        except (BlockingIOError, ValueError, IndexError):
            return None

    def fate(self) -> tuple[int, bool]:
        """Say how the container as a whole ended: its exit code, and whether for want of memory.

        Raises `HostFault` where someone else ended it: the engine as it went, or a person.
        """
        with failures("tell how a container ended"):
            engine().wait(self._home.name, timeout=PATIENCE)
            state = engine().inspect_container(self._home.name)["State"]
        if self._lifeline.is_broken():
            raise HostFault("the Docker engine went away and took a container with it")
        return state["ExitCode"], state["OOMKilled"]

    def kill(self) -> None:
        """Kill all that runs in it and wait until that is gone: by the kernel, if it lets us.

        Raises `HostFault` where neither it nor the engine does so.
        """
        self.groups.thaw()
        if self._first is not None:
            with suppress(PermissionError, ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
                if not is_readable(self._first, PATIENCE):
                    raise HostFault("a killed container does not go away")
            if is_readable(self._first):
                return
        kill_container(self._home.name)

    def close_pipes(self) -> None:
        """Close our ends; a bot may have been let in or not."""
        self._belongings.close()

    def remove(self) -> None:
        """Kill it if it still runs, and have nothing left of it. Raises `HostFault`."""
        self.groups.thaw()
        self.close_pipes()
        try:
            remove_container(self._home.name)
        finally:
            self._undo.pop_all().close()

    def _abandon(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what could not be made in full; an engine that timed out may make it yet."""
        if kind is not None:
            with suppress(ArenaError, HostFault):
                remove_container(self._home.name)


def kill_container(name: str) -> None:
    """Have the engine kill a container; it may have ended already."""
    with failures("kill a container"):
        try:
            engine().kill(name)
        except APIError as error:
            if error.status_code not in _ENDED_ALREADY:
                raise


def remove_container(name: str) -> None:
    """Have the engine remove a container, killing what runs in it; it may be gone already."""
    with failures("remove a container"), suppress(NotFound):
        engine().remove_container(name, force=True, v=True)
