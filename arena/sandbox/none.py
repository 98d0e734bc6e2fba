"""No sandbox: a plain process of the user who runs the arena, with resource limits alone.

It knows how to find and end what a bot leaves behind; it keeps a bot from nothing else, and never
runs one unless the organiser asked for `none` by name.

Everything a bot starts carries a mark in its environment and, once orphaned, becomes a child of
this process, so that closing can sweep up whatever left the bot's own process group. A program
that wipes its environment and detaches itself is still found as an orphan of ours.
"""

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import ClassVar

from arena.errors import SandboxError
from arena.sandbox.family import (
    PATIENCE,
    Pipes,
    adopt_orphans,
    children,
    describe,
    has_ended,
    holds,
    kill_group,
    marked,
    start,
)
from arena.sandbox.limits import limited
from arena.sandbox.sandbox import Ending, Launch
from arena.sandbox.toolchain import command_path

_MARK = "ARENA_BOT_MARK"


class NoSandbox:
    """Runs bots as plain processes."""

    name: ClassVar[str] = "none"

    def problem(self) -> str | None:
        """Say that `prlimit` is missing, where it is."""
        if shutil.which("prlimit") is None:
            return "the program prlimit is not installed; on Debian and Ubuntu it is in util-linux"
        return None

    def launch(self, launch: Launch) -> "PlainProcess":
        """Start a command in the bot's folder, with an empty scratch folder of its own."""
        problem = self.problem()
        if problem is not None:
            raise SandboxError(problem)
        return PlainProcess(launch)


class PlainProcess:
    """A plain process and whatever it starts; see `arena.sandbox.sandbox.Process`."""

    can_freeze = False

    def __init__(self, launch: Launch) -> None:
        """Start the command. Raises `HostFault`."""
        adopt_orphans()
        self._mark = f"{_MARK}={secrets.token_hex(16)}".encode()
        self._scratch = Path(tempfile.mkdtemp(prefix="arena-scratch-"))
        self._pipes = Pipes()
        self.stdin, self.stdout, self.stderr = self._pipes.ours
        environment = {
            "PATH": command_path(),
            "HOME": str(self._scratch),
            "TMPDIR": str(self._scratch),
            "LANG": "C.UTF-8",
            _MARK: self._mark.decode().partition("=")[2],
        }
        read, write, log = self._pipes.theirs
        process = start(
            limited(launch.command, launch.limits, processes=False),
            self._pipes,
            folder=launch.folder,
            environment=environment,
            stdio=(read, write, log),
        )
        self._process: subprocess.Popen[bytes] | None = process
        _LEADERS.add(process.pid)
        self._pipes.close_theirs()
        self._ending = Ending("it was never ended")

    def freeze(self) -> None:
        """Do nothing: a stop signal misses children, and any process may undo it."""

    def thaw(self) -> None:
        """Do nothing."""

    def close_input(self) -> None:
        """Close the pipe to its standard input."""
        self._pipes.close_input()

    def close(self, patience: float = 0.0) -> Ending:
        """Kill the process group, then sweep up what had left it."""
        process, self._process = self._process, None
        if process is None:
            return self._ending
        was_running = not has_ended(process, patience)
        kill_group(process.pid)
        status = process.wait(PATIENCE)
        _LEADERS.discard(process.pid)
        self._sweep()
        self._pipes.close()
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._ending = Ending("it was still running") if was_running else describe(status)
        return self._ending

    def _sweep(self) -> None:
        """Kill marked processes and orphans that shed their mark, until none are left.

        What forks faster than it is killed is stopped first, as what is stopped cannot fork.
        """
        while left := marked(self._mark) | _unmarked_orphans():
            for sign in (signal.SIGSTOP, signal.SIGKILL):
                for pid in left:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, sign)
            for pid in left:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)


_LEADERS: set[int] = set()
"""The first process of each bot that runs now: none of these is an orphan."""


def _unmarked_orphans() -> set[int]:
    """Find children that came to us from a bot and shed its mark: they left our session."""
    own = os.getsid(0)
    found = set()
    for pid in set(children(os.getpid())) - _LEADERS:
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(pid) != own and not holds(pid, _MARK.encode()):
                found.add(pid)
    return found
