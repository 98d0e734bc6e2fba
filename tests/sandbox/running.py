"""Small programs run in a sandbox, and a look from outside at what is left of them."""

import os
import select
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.record import Limits
from arena.sandbox import Launch, Process, open_sandbox
from tests.processes import command_line

SECONDS = 20.0
"""Far more than anything here takes: a test that waits so long has failed."""

KINDS = ("bubblewrap", "none")


FILLS = """
import os
print(os.getcwd(), open("source").read(), os.readlink("link"), os.access("run", os.X_OK))
os.remove("source")
os.mkdir("made")
written = 0
try:
    with open("made/big", "wb", buffering=0) as file:
        while True:
            written += file.write(bytes(4096))
except OSError as error:
    print(error.strerror, written <= 1 << 20)
try:
    open("/source/made", "w")
except OSError as error:
    print(error.strerror)
"""
"""A build that looks at its folder, fills it, and tries to write into the other."""


def launch(
    kind: str, folder: Path, *command: str, limits: Limits | None = None, writable: int = 0
) -> Process:
    """Start a command in a sandbox."""
    return open_sandbox(kind).launch(Launch(command, folder, limits or Limits(), writable))


def python(
    kind: str, folder: Path, code: str, limits: Limits | None = None, *, writable: int = 0
) -> Process:
    """Start a Python program in a sandbox."""
    return launch(kind, folder, "python3", "-c", code, limits=limits, writable=writable)


def shell(kind: str, folder: Path, code: str, limits: Limits | None = None) -> Process:
    """Start a shell script in a sandbox."""
    return launch(kind, folder, "sh", "-c", code, limits=limits)


def read_to_end(descriptor: int) -> str:
    """Read all that a program writes until it closes that pipe."""
    found = b""
    while select.select([descriptor], [], [], SECONDS)[0]:
        chunk = os.read(descriptor, 65_536)
        if not chunk:
            return found.decode()
        found += chunk
    raise AssertionError(f"not closed after {SECONDS} s: {found!r}")


def read_line(descriptor: int) -> str:
    """Read a line of a program's output, which ends with it."""
    found = b""
    while not found.endswith(b"\n"):
        assert select.select([descriptor], [], [], SECONDS)[0], f"no line, but {found!r}"
        chunk = os.read(descriptor, 65_536)
        assert chunk, f"closed after {found!r}"
        found += chunk
    return found.decode().strip()


def wait_for_end(process: Process) -> None:
    """Wait until a program has ended by itself."""
    assert select.select([process.exited], [], [], SECONDS)[0], "it does not end"


def output_of(process: Process) -> str:
    """Read all that a program writes, and what went wrong with it; then it is closed."""
    said = read_to_end(process.stdout)
    wait_for_end(process)
    complaints = b""
    with suppress(BlockingIOError):
        complaints = os.read(process.stderr, 65_536)
    ending = process.close()
    assert (ending.text, complaints.decode()) == ("exit code 0", "")
    return said


_CALLS = {
    "bpf": (321, 280), "clone": (56, 220), "io_setup": (206, 0), "io_uring_setup": (425, 425),
    "keyctl": (250, 219), "mount": (165, 40), "process_vm_writev": (311, 271),
    "ptrace": (101, 117), "setns": (308, 268), "umount2": (166, 39), "unshare": (272, 97),
}  # fmt: skip
"""The numbers of system calls, on x86_64 and on aarch64."""


def outcome_of_call(kind: str, folder: Path, call: str, arguments: str) -> str:
    """Make a system call inside; give what it returned and the name of its error."""
    number = _CALLS[call][os.uname().machine == "aarch64"]
    code = f"""
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall({number}, {arguments}), errno.errorcode[ctypes.get_errno()])
"""
    return output_of(python(kind, folder, code))


def alive(token: str) -> list[int]:
    """Find the processes of this machine whose command line has a token in it."""
    pids = [int(place.name) for place in Path("/proc").iterdir() if place.name.isdecimal()]
    others = [pid for pid in pids if pid != os.getpid()]
    return [pid for pid in others if any(token in word for word in command_line(pid) or ())]


@contextmanager
def held(pids: list[int]) -> Iterator[list[int]]:
    """Hold those processes that there still are by descriptors; kill what is left at the end."""
    descriptors = []
    for pid in pids:
        with suppress(ProcessLookupError):
            descriptors.append(os.pidfd_open(pid))
    try:
        yield descriptors
    finally:
        for descriptor in descriptors:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            os.close(descriptor)


def all_end(descriptors: list[int], seconds: float = SECONDS) -> bool:
    """Tell whether the processes held all end, by default within the time that any test has."""
    deadline = time.monotonic() + seconds
    return all(
        select.select([one], [], [], max(0.0, deadline - time.monotonic()))[0]
        for one in descriptors
    )


def wait_until(is_so: Callable[[], bool]) -> None:
    """Look again and again whether something has come true."""
    deadline = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < deadline, "it never comes true"


def scratch_folders(pid: int | None = None) -> set[Path]:
    """List the temporary folders that a process made for bots, by default this one."""
    return set(Path(tempfile.gettempdir()).glob(f"arena-bot-{pid or os.getpid()}-*"))


def children_of_ours() -> list[str]:
    """Name this process's own children, dead or alive, but for the watchdog."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        for pid in (task / "children").read_text().split():
            words = command_line(int(pid))
            if words is not None and "arena-watchdog" not in " ".join(words):
                found.append(" ".join(words) or f"{pid}, dead")
    return found


def open_descriptors() -> int:
    """Count the descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))
