"""Processes on this machine: starting one over pipes, finding its descendants, ending them all.

It knows process ids, pipes and signals; it never knows what confines a process.
"""

import contextlib
import ctypes
import os
import select
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arena.errors import HostFault
from arena.sandbox.sandbox import Ending

PATIENCE = 5.0
"""Seconds that the kernel has to take a killed process away before that is a host fault."""

_PR_SET_CHILD_SUBREAPER = 36


class Pipes:
    """Three pipes to a child: the child's ends to hand over, ours to keep, ours not blocking."""

    def __init__(self) -> None:
        """Open them. Raises `HostFault` where no descriptor is left."""
        self.theirs: list[int] = []
        self.ours: list[int] = []
        self._input_closed = False
        try:
            for is_input in (True, False, False):
                read, write = os.pipe2(os.O_CLOEXEC)
                self.theirs.append(read if is_input else write)
                self.ours.append(write if is_input else read)
                os.set_blocking(self.ours[-1], False)
        except OSError as error:
            self.close()
            raise HostFault(f"no pipe to a bot can be opened: {error}") from error

    def close_theirs(self) -> None:
        """Let the child alone hold its ends, so that its end is ours too."""
        while self.theirs:
            os.close(self.theirs.pop())

    def close_input(self) -> None:
        """Close our end of the child's standard input, once."""
        if not self._input_closed:
            self._input_closed = True
            os.close(self.ours[0])

    def close(self) -> None:
        """Close whatever is still open."""
        self.close_theirs()
        if self.ours:
            self.close_input()
        while len(self.ours) > 1:
            os.close(self.ours.pop())
        self.ours.clear()


def start(
    command: Sequence[str],
    pipes: Pipes,
    *,
    folder: Path | None,
    environment: Mapping[str, str],
    stdio: tuple[int, int, int],
    keep: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own; it inherits `stdio` and the `keep` descriptors.

    Raises `HostFault` where the machine cannot start a process, whatever the command.
    """
    try:
        return subprocess.Popen(
            command,
            stdin=stdio[0],
            stdout=stdio[1],
            stderr=stdio[2],
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
            pass_fds=tuple(keep),
        )
    except (FileNotFoundError, PermissionError):
        pipes.close()
        raise
    except OSError as error:
        pipes.close()
        raise HostFault(f"no process can be started: {error}") from error


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, so that they can be found.

    Source: prctl(2), PR_SET_CHILD_SUBREAPER.
    """
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children(parent: int) -> Iterator[int]:
    """List a process's own children, by any of its threads."""
    for path in Path(f"/proc/{parent}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            yield from map(int, path.read_text().split())


def holds(pid: int, mark: bytes) -> bool:
    """Tell whether a process was started with these bytes in its environment."""
    try:
        return mark in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def marked(mark: bytes) -> set[int]:
    """Find the processes that were started with these bytes in their environment."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
    return {pid for pid in pids if holds(pid, mark)}


def has_ended(process: "subprocess.Popen[bytes]", patience: float) -> bool:
    """Tell whether a process ends by itself within `patience` seconds."""
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        return False
    return True


def kill_group(leader: int) -> None:
    """Kill a process group; one that is gone already is no error."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def kill_with_children(process: "subprocess.Popen[bytes]") -> int:
    """Kill a process's group and its own children, and wait until all of these are gone.

    Gives the return code. The children are held by descriptors, as their ids may be taken again.
    Raises `HostFault` where the kernel does not let them go.
    """
    held = []
    if process.poll() is None:
        for pid in children(process.pid):
            with contextlib.suppress(ProcessLookupError):
                held.append(os.pidfd_open(pid))
    kill_group(process.pid)
    try:
        status = process.wait(PATIENCE)
        for descriptor in held:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            if not select.select([descriptor], [], [], PATIENCE)[0]:
                raise HostFault("a killed process does not go away")
    except subprocess.TimeoutExpired as error:
        raise HostFault("a killed process does not go away") from error
    finally:
        for descriptor in held:
            os.close(descriptor)
    return status


def describe(status: int) -> Ending:
    """Put a return code, as `subprocess` gives it, into words."""
    if status >= 0:
        return Ending(f"it ended with exit code {status}")
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return Ending(f"it was stopped by {name}")
