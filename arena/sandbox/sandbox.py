"""What every sandbox is to the rest of the arena: something that launches a program under limits.

It knows the shape of a running program as its descriptors and its end; it never knows what is
said over them, or how a particular sandbox keeps its promise.
"""

from pathlib import Path
from typing import Protocol

import msgspec

from arena.record import Limits


class Launch(msgspec.Struct, frozen=True):
    """A program to be run: its command, the folder it runs in, and what it may use.

    The folder is the working directory, and read-only inside. Where `writable` is not 0, which is
    for builds, it is a copy of the folder instead, of so many bytes at most, that goes with the
    program: what is to be kept has to be written to standard output. `none` ends
    a program that wrote more, where it finds the files. Nothing like one that `is_alone`
    follows it, and no sandbox need be ready for more.
    """

    command: tuple[str, ...]
    folder: Path
    limits: Limits
    writable: int = 0
    is_alone: bool = False


class Ending(msgspec.Struct, frozen=True):
    """How a process ended, in words for a fault: the same for the same end, on any machine."""

    text: str
    """``exit code 1``, ``killed by SIGSEGV``, or ``still running`` when it was closed."""
    resource: str | None = None
    """The limit that it met, such as ``the memory limit of 256 MiB``, where that is certain; also
    of one that still ran, as what can start no more processes often does, and never answers."""


class Hold(msgspec.Struct, frozen=True):
    """Whether a sandbox keeps one of the limits on this machine, and what to do where it does not.

    `limit` is a key of `Limits`; `lacking` says what holds instead and the remedy, None: it holds.
    """

    limit: str
    lacking: str | None = None


class Process(Protocol):
    """A program in its sandbox, talked to over the parent's raw ends of its three pipes.

    No descriptor blocks or is inherited by anyone, and all belong to the process: only its own
    methods close them. It may only be used by the thread that launched it.
    """

    stdin: int
    stdout: int
    stderr: int
    exited: int
    """A descriptor that becomes readable when the program has ended."""
    can_freeze: bool
    """Whether `freeze` stops the whole family of processes, and nothing inside can undo it."""

    def freeze(self) -> None:
        """Make it stand still, with all it started; nothing where `can_freeze` is false."""

    def thaw(self) -> None:
        """Let it go on."""

    def close_input(self) -> None:
        """Close the pipe to its standard input; nothing may be written after that."""

    def close(self) -> Ending:
        """Kill it with all it started, wait until they are gone, and clear its scratch away.

        It may be called again, and gives the same again. Raises `HostFault`, the first time,
        where the sandbox itself failed before the program could run, or cannot be brought down.
        """


class Sandbox(Protocol):
    """A way of running strangers' programs."""

    name: str

    def problem(self, limits: Limits = Limits()) -> str | None:
        """Say why this machine cannot offer it under limits, and what to do; None if it can."""

    def holds(self) -> tuple[Hold, ...]:
        """Tell for each limit whether it is kept here, by a sandbox that has no problem.

        Raises `SandboxError` and `HostFault` where that cannot be found out.
        """

    def launch(self, launch: Launch) -> Process:
        """Start a program; a command that cannot be started ends at once, saying why on stderr.

        The thread that calls it has to outlive the process: a process ends with the thread that
        started it, also when that is killed. Raises `HostFault` where this machine fails and
        `SandboxError` where it does not offer this sandbox.
        """
