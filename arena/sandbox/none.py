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
    has_mark,
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
        self._before = set(children())
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
        self._process: subprocess.Popen[bytes] | None = start(
            limited(launch.command, launch.limits, "prlimit"),
            self._pipes,
            folder=launch.folder,
            environment=environment,
            stdio=(read, write, log),
        )
        self._pipes.close_theirs()
        self._ending = Ending("it was never ended")

    def freeze(self) -> None:
        """Do nothing: a stop signal misses children, and any process may undo it."""

    def thaw(self) -> None:
        """Do nothing."""

    def close(self) -> Ending:
        """Kill the process group, then sweep up what had left it."""
        process, self._process = self._process, None
        if process is None:
            return self._ending
        ended_itself = process.poll() is not None
        kill_group(process.pid)
        status = process.wait(PATIENCE)
        self._sweep()
        self._pipes.close()
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._ending = describe(status) if ended_itself else Ending("it was still running")
        return self._ending

    def _sweep(self) -> None:
        """Kill marked processes and new orphans of ours until none are left.

        One that forks faster than it is killed is stopped first: what is stopped cannot fork.
        """
        while True:
            left = set(marked(self._mark)) - {os.getpid()}
            left |= {pid for pid in self._orphans() if not has_mark(pid, _MARK.encode())}
            if not left:
                return
            for sig in (signal.SIGSTOP, signal.SIGKILL):
                for pid in left:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, sig)
            for pid in left:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def _orphans(self) -> set[int]:
        return set(children()) - self._before
