"""Pipes between this process and a program's, and the numbers that their ends have there.

It knows descriptors and who may inherit them; it never knows what goes through.
"""

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

_LOWEST = 20
"""Descriptors to hand over are kept from here up, clear of the numbers they are to have."""


def pipe() -> tuple[int, int]:
    """Open a pipe, as its reading and its writing end, that nobody inherits unasked.

    Raises `OSError` where no descriptor is left.
    """
    read, write = os.pipe2(os.O_CLOEXEC)
    try:
        read = lift(read)
    except OSError:
        os.close(write)
        raise
    try:
        return read, lift(write)
    except OSError:
        os.close(read)
        raise


def lift(descriptor: int) -> int:
    """Move a descriptor out of the way of the numbers that programs are given theirs under.

    It is closed where it cannot be moved. Raises `OSError`.
    """
    if descriptor >= _LOWEST:
        return descriptor
    try:
        return fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _LOWEST)
    finally:
        os.close(descriptor)


def inheritable() -> list[int]:
    """List the descriptors, but for the standard three, that a new program would inherit."""
    found = []
    for descriptor in [int(entry.name) for entry in Path("/proc/self/fd").iterdir()]:
        try:
            is_kept = not fcntl.fcntl(descriptor, fcntl.F_GETFD) & fcntl.FD_CLOEXEC
        except OSError:  # the one that listed them
            continue
        if is_kept and descriptor > 2:
            found.append(descriptor)
    return found


class Handed:
    """Descriptors by the number that a program is to have them under, closed here when it has."""

    def __init__(self) -> None:
        """Start with none."""
        self.placed: dict[int, int] = {}

    def give(self, number: int, descriptor: int) -> None:
        """Have the program get a descriptor under a number."""
        self.placed[number] = descriptor

    def __enter__(self) -> Self:
        """Collect what is to be handed over."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close them all on this side."""
        while self.placed:
            os.close(self.placed.popitem()[1])


class Pipes:
    """Our ends of the three pipes to a program; none of them blocks."""

    def __init__(self, handed: Handed, numbers: tuple[int, int, int] = (0, 1, 2)) -> None:
        """Open them, and have the program get the other ends under these numbers."""
        self._open: list[int] = []
        try:
            for number in numbers:
                read, write = pipe()
                ours, theirs = (write, read) if number == numbers[0] else (read, write)
                self._open.append(ours)
                handed.give(number, theirs)
                os.set_blocking(ours, False)
        except OSError:
            self.close()
            raise
        self.stdin, self.stdout, self.stderr = self._open

    def close_input(self) -> None:
        """Close our end of the program's standard input, once."""
        if self.stdin in self._open:
            self._open.remove(self.stdin)
            os.close(self.stdin)

    def close(self) -> None:
        """Close whatever is still open."""
        while self._open:
            os.close(self._open.pop())
