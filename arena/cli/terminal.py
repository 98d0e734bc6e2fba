"""What a person sees: two consoles, and the shape of an error.

It knows whether a stream is a terminal and whether colour is wanted; it never knows a command.
Every text that came from outside passes through `shown`, which names control characters and
bidi overrides; markup is never parsed.
"""

import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import msgspec
from rich.console import Console
from rich.text import Text

from arena.errors import ArenaError, InputError
from arena.report.text import printable, printable_json

WIDE = 10_000
"""Columns where the output is no terminal: a program gets every name in full."""


def is_plain(stream: TextIO) -> bool:
    """Tell whether a stream gets neither colour nor bar: no terminal, a dumb one, `NO_COLOR`."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return not (wanted and stream.isatty())


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Tell the command, where Rich would end the program."""
        raise BrokenPipeError(errno.EPIPE, "nobody reads the output")


def console(stream: TextIO) -> Console:
    """Make the console of a stream, whose text is never read as markup."""
    is_terminal = stream.isatty()
    return _Console(
        file=stream,
        force_terminal=is_terminal,
        color_system=None if is_plain(stream) else "auto",
        width=None if is_terminal else WIDE,
        highlight=False,
        markup=False,
        emoji=False,
    )


def shown(text: str, style: str = "") -> Text:
    """Make text from anywhere safe to show: nothing in it moves the cursor or sets a style."""
    return Text(printable(text), style)


def print_line(text: str, style: str = "") -> None:
    """Print a line for whoever reads the output, made safe to show."""
    console(sys.stdout).print(shown(text, style), soft_wrap=True)


def print_path(path: Path) -> None:
    """Print where something was put: to a program byte for byte, as the system has it."""
    if sys.stdout.isatty():
        sys.stdout.write(f"{printable(str(path))}\n")
    else:
        write_bytes(os.fsencode(path) + b"\n")


def say(text: str, style: str = "") -> None:
    """Tell the person watching one line, on standard error."""
    console(sys.stderr).print(shown(text, style), soft_wrap=True)


def warn(text: str) -> None:
    """Tell the person watching what to beware of, on standard error."""
    say(f"warning: {text}", "yellow")


def complain(error: ArenaError) -> None:
    """Print what a person can mend, one line each problem, on standard error."""
    if isinstance(error, InputError):
        for problem in error.problems:
            say(f"error: {' '.join(str(problem).split())}", "red")
        return
    for number, line in enumerate(str(error).splitlines()):
        say(line if number else f"error: {line}", "red")


def write_bytes(content: bytes) -> None:
    """Write to standard output for a program, byte for byte, after what was printed before."""
    sys.stdout.flush()
    sys.stdout.buffer.write(content)


def write_json(values: Iterable[msgspec.Struct]) -> None:
    """Write a list, one value a line and none kept in memory."""
    between = b"[\n"
    is_terminal = sys.stdout.isatty()
    for one in values:
        line = msgspec.json.encode(one)
        write_bytes(between + (printable_json(line.decode()).encode() if is_terminal else line))
        between = b",\n"
    write_bytes(b"\n]\n" if between == b",\n" else b"[]\n")
