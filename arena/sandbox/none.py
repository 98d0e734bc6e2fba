"""No sandbox: a plain process of the user who runs the arena, with resource limits alone.

It knows how to end whatever a bot leaves behind; it keeps a bot from nothing else, and never runs
one unless the organiser asked for `none` by name.

A small supervisor stands over each bot, and what becomes of a program's orphans is its business:
`arena.sandbox.supervisor` says how. A bot that kills its supervisor, as any process of the same
user may, gets its orphans away; so all it starts also carries a mark in its environment, by which
what is left is found. A bot that does both on purpose is not held: that takes a real sandbox.
Processes are not counted, as the kernel counts all of a user's together.
"""

import os
import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import ClassVar

from arena.record import Limits
from arena.sandbox import leftovers, supervisor
from arena.sandbox.descriptors import Handed, Pipes, pipe
from arena.sandbox.family import PATIENCE, Family, Warden, as_host_fault, folder_of
from arena.sandbox.sandbox import Ending, Hold, Launch
from arena.sandbox.staging import stage
from arena.sandbox.toolchain import OPEN_FILES, SYSTEM_PATH, own_programs

_MARK = "ARENA_BOT"
_CONTROL = 3
_MIB = 1024**2


class NoSandbox:
    """Runs bots as plain processes."""

    name: ClassVar[str] = "none"

    def problem(self, limits: Limits = Limits()) -> str | None:
        """Find none: what it needs is there wherever Python is."""
        return None

    def holds(self) -> tuple[Hold, ...]:
        """Tell that it keeps next to nothing, here or elsewhere."""
        nothing = "not limited; use a sandbox"
        rest = tuple(Hold(limit, nothing) for limit in ("cpus", "processes", "scratch", "freeze"))
        return (Hold("memory", "limited for each process alone; use a sandbox"), *rest)

    def launch(self, launch: Launch) -> "PlainFamily":
        """Start a command in the bot's folder, with an empty scratch folder of its own."""
        folder = folder_of(launch)
        with as_host_fault(), ExitStack() as undo:
            scratch = leftovers.new_folder()
            undo.callback(leftovers.remove, scratch)
            if launch.writable:
                folder = _copied(folder, scratch / "bot")
            mark = secrets.token_hex(16)
            with Handed() as handed:
                pipes = Pipes(handed)
                undo.callback(pipes.close)
                read, control = pipe()
                handed.give(_CONTROL, read)
                undo.callback(os.close, control)
                command = _command(launch, folder, scratch)
                warden = Warden(command, _environment(scratch, mark), handed)
            undo.pop_all()
        return PlainFamily(pipes, warden, mark, control, scratch, launch.writable)


def _copied(folder: Path, target: Path) -> Path:
    target.mkdir()
    stage(folder, target)
    return target


def _command(launch: Launch, folder: Path, scratch: Path) -> list[str]:
    """Give the command that starts a supervisor: without the user's own settings, and fast."""
    told = (scratch, folder, launch.limits.memory, OPEN_FILES, launch.writable)
    start = [sys.executable, "-I", "-S", supervisor.__file__]
    return [*start, *map(str, told), *launch.command]


def _environment(scratch: Path, mark: str) -> dict[str, str]:
    """Give the variables that a bot sees, and lay out the two folders that they name."""
    programs, home = scratch / "programs", scratch / "home"
    for place in (programs, home):
        place.mkdir(mode=0o700)
    for name, program in own_programs().items():
        (programs / name).symlink_to(program)
    return {
        "PATH": f"{programs}:{SYSTEM_PATH}",
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        _MARK: mark,
    }


class PlainFamily(Family):
    """A plain process and whatever it starts; see `arena.sandbox.sandbox.Process`."""

    def __init__(
        self, pipes: Pipes, warden: Warden, mark: str, control: int, scratch: Path, room: int
    ) -> None:
        """Take over what was started; closing `control` tells the supervisor to end it."""
        super().__init__(pipes, warden)
        self._mark = f"{_MARK}={mark}".encode()
        self._control = control
        self._scratch = scratch
        self._room = room

    def _kill(self) -> None:
        """Have the supervisor end all of it; where it was killed, sweep up what bears the mark."""
        os.close(self._control)
        if not self._warden.is_over(PATIENCE):
            self._warden.kill()
        end = os.waitid(os.P_PIDFD, self.exited, os.WEXITED | os.WNOWAIT)
        if end is not None and end.si_code == os.CLD_EXITED:
            return  # it goes by itself only when nothing is left below it
        while left := list(_marked(self._mark)):
            for sign in (signal.SIGSTOP, signal.SIGKILL):
                for pid in left:
                    with suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, sign)

    def _judge(self, code: int | None) -> Ending:
        """Name the limit of a build that wrote more than it may."""
        ending = super()._judge(code)
        if self._room and code == supervisor.TOO_MUCH:
            limit = f"the limit of {self._room / _MIB:g} MiB of files"
            return Ending(ending.text, resource=limit)
        return ending

    def _clear_away(self) -> None:
        leftovers.remove(self._scratch)


def _marked(mark: bytes) -> Iterator[int]:
    """Find the processes that were started with these bytes in their environment."""
    for place in Path("/proc").iterdir():
        with suppress(OSError):
            if place.name.isdecimal() and mark in (place / "environ").read_bytes():
                yield int(place.name)
