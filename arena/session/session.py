"""A running bot, asked one question at a time under one absolute deadline.

It knows pipes, lines and clocks; it never knows what a question is about or whether the answer is
a good one.

How it works. The three pipes do not block and one `poll` watches them. A request is written whole,
then its clock starts; it stops when the read that brought the reply's last byte returns. Whatever
else arrives moves no deadline: the time left is worked out anew from the one deadline before each
wait. The bot's log is drained in the same loop, so that a chatty bot never blocks on it while its
own clock runs, and is kept by head and tail within a bound.

What always holds:

- A bot only answers. Bytes that wait before a request is fully written are `unsolicited`.
- After a fault that does not keep the process (see `FaultKind.keeps_process`) nothing more is
  asked; the session is only closed.
- Memory is bounded by one line, one read and the log's limit, whatever the bot writes.
- `close` ends every process of the bot, and may be called at any time and more than once.
"""

import os
import select
import time
from dataclasses import dataclass, field

from arena.games.game import View
from arena.protocol import (
    MAX_LINE,
    End,
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
from arena.sandbox import Ending, Process

_CHUNK = 65_536
_LAST_WORDS = 400
"""Characters of the log's end that a `crash` fault quotes."""
_PIPEFULS = 2
"""Reads of the log that are made once the process is to end."""
_PATIENCE = 0.25
"""Seconds that a process has to end by itself once its output is closed."""


@dataclass(frozen=True, slots=True)
class ProcessLog:
    """What a process wrote to standard error, cut in the middle, and how it ended."""

    text: str
    ending: Ending


@dataclass(slots=True)
class _Log:
    """Head and tail of a stream, at most `limit` bytes."""

    limit: int
    head: bytearray = field(default_factory=bytearray)
    tail: bytearray = field(default_factory=bytearray)
    dropped: int = 0

    def add(self, chunk: bytes) -> None:
        half = self.limit // 2
        room = half - len(self.head)
        self.head += chunk[:room]
        self.tail += chunk[room:]
        excess = len(self.tail) - half
        if excess > 0:
            del self.tail[:excess]
            self.dropped += excess

    def text(self) -> str:
        cut = f"\n… {self.dropped} bytes left out …\n".encode() if self.dropped else b""
        return bytes(self.head + cut + self.tail).decode("utf-8", "replace")

    def last_words(self) -> str:
        end = bytes(self.head + self.tail)[-_LAST_WORDS:]
        return end.decode("utf-8", "replace").strip()


class _FaultError(Exception):
    """A fault found while reading or writing; it never leaves this room."""

    def __init__(self, kind: FaultKind, detail: str, said: bytes = b"") -> None:
        self.kind = kind
        self.detail = detail
        self.said = readable(said)


class Session:
    """One process of a bot, from `hello` to its end. Protocol: transport."""

    def __init__(self, process: Process, log_limit: int) -> None:
        """Take a launched process over; `log_limit` are the bytes of standard error to keep."""
        self._process = process
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._freezes = process.can_freeze
        self._lines = LineBuffer()
        self._log = _Log(log_limit)
        self._requests = 0
        self._closed: ProcessLog | None = None
        self._both = select.poll()
        self._both.register(self._stdout, select.POLLIN)
        self._both.register(self._stderr, select.POLLIN)
        self._output = select.poll()
        self._output.register(self._stdout, select.POLLIN)

    @property
    def can_freeze(self) -> bool:
        """Tell whether the bot stands still while it is not asked."""
        return self._freezes

    def start(self, hello: Hello, seconds: float) -> Ready | Fault:
        """Say hello and wait for `ready`, which may be there already; else a `startup` fault."""
        deadline = time.monotonic() + seconds
        try:
            self._write(encode_line(hello), deadline)
            line = self._lines.next_line() or self._read_line(deadline)
        except _FaultError as error:
            expected = f'{{"type":"ready"}} within {seconds:g} s'
            return Fault(FaultKind.STARTUP, expected, error.said, self._detail(error))
        ready = parse_ready(line)
        if self._freezes and isinstance(ready, Ready):
            self._process.freeze()
        return ready

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply | Fault, int]:
        """Put a question; give the answer, or the fault it is, with the microseconds it took.

        Sets the request's id. Protocol: from the referee, faults.
        """
        self._requests += 1
        request.id = self._requests
        line = encode_line(request)
        if self._freezes:
            self._process.thaw()
        try:
            if not self._lines.is_empty or self._output.poll(0):
                self._refuse_early_bytes()
            self._write(line, time.monotonic() + seconds)
            began = time.monotonic()
            answer = self._read_line(began + seconds)
            us = int((time.monotonic() - began) * 1_000_000)
        except _FaultError as error:
            spent = round(seconds * 1_000_000) if error.kind is FaultKind.TIMEOUT else 0
            expected = f"an answer to request {self._requests} within {seconds:.3f} s"
            return Fault(error.kind, expected, error.said, self._detail(error)), spent
        if self._freezes:
            self._process.freeze()
        return parse_reply(answer, self._requests), us

    def end(self, end: End, grace: float) -> None:
        """Say that it is over and let the process go by itself, for `grace` seconds at most."""
        if self._closed is not None:
            return
        if self._freezes:
            self._process.thaw()
        deadline = time.monotonic() + grace
        try:
            self._write(encode_line(end), deadline)
            self._process.close_input()
            while self._output_goes_on(deadline):
                pass
        except _FaultError:
            pass  # it is over, and whatever goes wrong now is no fault
        self.close(max(0.0, deadline - time.monotonic()))

    def close(self, patience: float = 0.0) -> ProcessLog:
        """End every process of the bot, `patience` seconds from now, and give its log.

        Raises `HostFault` where the sandbox turns out to have failed.
        """
        if self._closed is None:
            self._drain_log(time.monotonic() + patience)
            ending = self._process.close(patience)
            self._closed = ProcessLog(self._log.text(), ending)
        return self._closed

    # -- pipes ----------------------------------------------------------------------------------

    def _write(self, line: bytes, deadline: float) -> None:
        """Write all of a line; a bot that does not read it in time has timed out."""
        try:
            written = os.write(self._stdin, line)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            raise _FaultError(FaultKind.CRASH, "it closed its input") from None
        if written < len(line):
            self._write_rest(memoryview(line)[written:], deadline)

    def _write_rest(self, rest: memoryview, deadline: float) -> None:
        """Go on writing as the pipe empties, and keep the log flowing meanwhile."""
        waiting = select.poll()
        waiting.register(self._stdin, select.POLLOUT)
        waiting.register(self._stderr, select.POLLIN)
        while rest:
            left = deadline - time.monotonic()
            if left <= 0:
                raise _FaultError(FaultKind.TIMEOUT, "it does not read its input")
            for descriptor, _ in waiting.poll(1000 * left):
                if descriptor == self._stderr:
                    if not self._read_log():
                        waiting.unregister(self._stderr)
                    continue
                try:
                    rest = rest[os.write(self._stdin, rest) :]
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    raise _FaultError(FaultKind.CRASH, "it closed its input") from None

    def _read_line(self, deadline: float) -> bytes:
        """Wait for a whole line until the deadline, whatever else arrives."""
        lines = self._lines
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                detail = "only part of a line came" if lines.waiting else "nothing came"
                raise _FaultError(FaultKind.TIMEOUT, detail, lines.waiting)
            for descriptor, _ in self._both.poll(1000 * left):
                if descriptor == self._stderr:
                    if not self._read_log():
                        self._both.unregister(descriptor)
                    continue
                chunk = os.read(self._stdout, _CHUNK)
                if not chunk:
                    raise _FaultError(FaultKind.CRASH, "it closed its output", lines.waiting)
                lines.feed(chunk)
                line = lines.next_line()
                if len(line or b"") > MAX_LINE or lines.is_oversize:
                    detail = f"a line of more than {MAX_LINE} bytes"
                    raise _FaultError(FaultKind.OVERSIZE, detail, line or lines.waiting)
                if line is not None:
                    return line

    def _refuse_early_bytes(self) -> None:
        """Raise what it is that there is something to read before anything was asked."""
        if self._lines.is_empty:
            chunk = os.read(self._stdout, _CHUNK)
            if not chunk:
                raise _FaultError(FaultKind.CRASH, "it closed its output before it was asked")
            self._lines.feed(chunk)
        detail = "it wrote before it was asked, or more than one line for a request"
        raise _FaultError(FaultKind.UNSOLICITED, detail, self._lines.waiting)

    def _output_goes_on(self, deadline: float) -> bool:
        """Throw away what a bot still writes; tell whether more may come in time."""
        left = deadline - time.monotonic()
        ready = self._both.poll(1000 * left) if left > 0 else []
        for descriptor, _ in ready:
            if descriptor == self._stderr:
                if not self._read_log():
                    self._both.unregister(descriptor)
            elif not os.read(self._stdout, _CHUNK):
                return False
        return bool(ready)

    def _read_log(self) -> bool:
        """Take what is there of the log; tell whether more may come."""
        try:
            chunk = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            return True
        self._log.add(chunk)
        return bool(chunk)

    def _drain_log(self, deadline: float) -> None:
        """Read the log to its end, or to the deadline, or for as much as a pipe holds."""
        waiting = select.poll()
        waiting.register(self._stderr, select.POLLIN)
        for _ in range(_PIPEFULS):
            left = max(0.0, deadline - time.monotonic())
            if not waiting.poll(1000 * left) or not self._read_log():
                return

    def _detail(self, error: _FaultError) -> str:
        """Say what went wrong; of a process that is gone, also how, with its last words."""
        if error.kind is not FaultKind.CRASH:
            return error.detail
        log = self.close(_PATIENCE)
        words = self._log.last_words()
        return f"{error.detail}: {log.ending.text}" + (f"; its log ends: {words}" if words else "")
