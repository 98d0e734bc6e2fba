"""A bot at the exam: started, asked, and looked into once it has failed.

It knows a running process and what it says; it never knows what a good answer is.
"""

import os
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.bots import Bot
from arena.games.game import View
from arena.protocol import (
    Fault,
    FaultKind,
    Hello,
    LineBuffer,
    Ready,
    Reply,
    Request,
    encode_line,
    parse_ready,
    parse_reply,
    readable,
)
from arena.record import Limits
from arena.sandbox import Launch, Process, Sandbox
from arena.session import Session

PAUSE = 100
"""Milliseconds between the two halves of a line, in which nothing may be answered."""
_LAST_SECOND = 1.0
_CHUNK = 65_536


class Examinee:
    """One process of the bot."""

    def __init__(self, bot: Bot, sandbox: Sandbox, limits: Limits) -> None:
        """Start it."""
        self._process = sandbox.launch(Launch(bot.command, bot.folder, limits))
        self._session = Session(self._process, limits.log, self._look)
        self.kept_back = False
        """Whether a bot that was late had answered and not flushed: it does when it ends."""
        self.log = ""

    @property
    def can_freeze(self) -> bool:
        """Tell whether it stands still while it is not asked."""
        return self._process.can_freeze

    def start(self, hello: Hello) -> Ready | Fault:
        """Say hello."""
        return self._session.start(hello, hello.time.startup)

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply | Fault, int]:
        """Put a question."""
        return self._session.ask(request, seconds)

    def _look(self) -> None:
        """See whether a bot that is late keeps its answer back.

        One that still answers by itself is only slow.
        """
        if not _read_some(self._process.stdout, time.monotonic() + _LAST_SECOND / 2):
            self._process.close_input()
            chunk = _read_some(self._process.stdout, time.monotonic() + _LAST_SECOND)
            self.kept_back = bool(chunk)

    def close(self) -> str:
        """End it, and give its log."""
        self.log = self._session.close().text
        return self.log


def _read_some(descriptor: int, deadline: float) -> bytes:
    """Wait for bytes until the deadline or the end of the stream; empty for none."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    left = deadline - time.monotonic()
    return os.read(descriptor, _CHUNK) if left > 0 and waiting.poll(1000 * left) else b""


@contextmanager
def launched(bot: Bot, sandbox: Sandbox, limits: Limits) -> Iterator[Process]:
    """Run a process with nothing between."""
    process = sandbox.launch(Launch(bot.command, bot.folder, limits))
    try:
        yield process
    finally:
        process.close()


def ask_in_halves(process: Process, hello: Hello, request: Request[View]) -> Fault | None:
    """Write hello and a request in two halves each, as a pipe may; give the fault, if any."""
    line = _halved(process, encode_line(hello), hello.time.startup)
    said = line if isinstance(line, Fault) else parse_ready(line)
    if isinstance(said, Fault):
        return said
    line = _halved(process, encode_line(request), hello.time.move)
    reply = line if isinstance(line, Fault) else parse_reply(line, request.id)
    return reply if isinstance(reply, Fault) else None


def _halved(process: Process, line: bytes, seconds: float) -> bytes | Fault:
    """Write a line in two halves, and read the line that answers it."""
    expected = "one answer, after the whole line"
    half = len(line) // 2
    try:
        os.write(process.stdin, line[:half])
        early = _read_some(process.stdout, time.monotonic() + PAUSE / 1000)
        if early:
            return Fault(FaultKind.UNSOLICITED, expected, readable(early), "half a line was sent")
        os.write(process.stdin, line[half:])
    except BrokenPipeError:
        return Fault(FaultKind.CRASH, expected, "", "it closed its input")
    lines, deadline = LineBuffer(), time.monotonic() + seconds
    while (found := lines.next_line()) is None:
        chunk = _read_some(process.stdout, deadline)
        if not chunk:
            return Fault(FaultKind.TIMEOUT, expected, readable(lines.waiting), "no whole line came")
        lines.feed(chunk)
    return found
