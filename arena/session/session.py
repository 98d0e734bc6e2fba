"""A running bot, asked one question at a time under one absolute deadline.

It knows pipes, lines and clocks; it never knows what a question is about or whether the answer is
a good one.

How it works. The pipes do not block, and one `poll` watches a bot's output, its log and its end. A
request is written whole, then its clock starts; it stops when the read that brought the reply's
last byte returns. Whatever else arrives moves no deadline: the time left is worked out anew from
the one deadline before each wait. The log is drained in the same loop, so that a chatty bot never
blocks on it while its own clock runs.

What always holds:

- A bot only answers. Bytes that wait before a request is fully written are `unsolicited`; only
  `ready` may come ahead.
- Output counts before the end of a process: a bot that answers and ends has answered.
- After a fault that does not keep the process (see `FaultKind.keeps_process`) nothing more is
  asked of it: the fault stands as the answer to all that follows.
- Memory is bounded by one line, one read and the log's limit, whatever the bot writes.
- What a fault says depends on what the bot did, never on when or under which process id.
- `close` ends every process of the bot, and may be called at any time and more than once.
"""

import os
import select
import time
from contextlib import suppress
from dataclasses import dataclass

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
from arena.session.log import Log

_CHUNK = 65_536
_LAST_READS = 4
"""Reads of the log that are made once the process is to end: more than a pipe holds."""
_PATIENCE = 1.0
"""Seconds that a process has to end once it has closed its output, so that its end can be told."""


@dataclass(frozen=True, slots=True)
class ProcessLog:
    """What a process wrote to standard error, cut in the middle, and how it ended."""

    text: str
    ending: Ending


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
        self._exited = process.exited
        self._freezes = process.can_freeze
        self._lines = LineBuffer()
        self._log = Log(log_limit)
        self._log_goes_on = True
        self._requests = 0
        self._fault: Fault | None = None
        self._closed: ProcessLog | None = None
        self._all = _polling(self._stdout, self._stderr, self._exited)
        self._output = _polling(self._stdout)

    @property
    def can_freeze(self) -> bool:
        """Tell whether the bot stands still while it is not asked."""
        return self._freezes

    def start(self, hello: Hello, seconds: float) -> Ready | Fault:
        """Say hello and wait for `ready`, which may be there already; else a `startup` fault.

        The clock starts when `hello` is written.
        """
        try:
            self._write(encode_line(hello), seconds, is_question=False)
            line, _ = self._read_line(time.monotonic() + seconds)
        except _FaultError as error:
            fault = self._to_fault(error, f'{{"type":"ready"}} within {seconds:g} s')
            self._fault = Fault(FaultKind.STARTUP, fault.expected, fault.said, fault.detail)
            return self._fault
        ready = parse_ready(line)
        if isinstance(ready, Fault):
            self._fault = ready
        elif self._freezes:
            self._process.freeze()
        return ready

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply | Fault, int]:
        """Put a question; give the answer, or the fault it is, with the microseconds it took.

        Sets the request's id. Protocol: from the referee, faults.
        """
        if self._fault is not None:
            return self._fault, 0
        self._requests += 1
        request.id = self._requests
        line = encode_line(request)
        if self._freezes:
            self._process.thaw()
        began = None
        try:
            if not self._lines.is_empty or self._output.poll(0):
                self._refuse_early_bytes()
            self._write(line, seconds, is_question=True)
            began = time.monotonic()
            answer, arrived = self._read_line(began + seconds)
        except _FaultError as error:
            spent = 0.0 if began is None else min(seconds, time.monotonic() - began)
            expected = f"an answer to request {self._requests} within {seconds:.3f} s"
            self._fault = self._to_fault(error, expected)
            return self._fault, int(spent * 1_000_000)
        if self._freezes:
            self._process.freeze()
        reply = parse_reply(answer, self._requests)
        if isinstance(reply, Fault) and not reply.kind.keeps_process:
            self._fault = reply
        return reply, int((arrived - began) * 1_000_000)

    def end(self, end: End, grace: float) -> None:
        """Say that it is over and let the process go by itself, for `grace` seconds at most."""
        if self._closed is not None:
            return
        if self._freezes:
            self._process.thaw()
        deadline = time.monotonic() + grace
        with suppress(_FaultError):  # it is over, and what goes wrong now is no fault
            self._write(encode_line(end), grace, is_question=False)
        if self._closed is None:
            self._process.close_input()
            self._await_end(deadline)
            self.close()

    def close(self) -> ProcessLog:
        """End every process of the bot and give its log.

        Raises `HostFault`, the first time, where the sandbox turns out to have failed.
        """
        if self._closed is None:
            for _ in range(_LAST_READS):
                if not self._log_goes_on or not self._read_log():
                    break
            self._closed = ProcessLog(self._log.text(), Ending("it never ran"))
            self._closed = ProcessLog(self._closed.text, self._process.close())
        return self._closed

    # -- pipes ----------------------------------------------------------------------------------

    def _write(self, line: bytes, seconds: float, *, is_question: bool) -> None:
        """Write all of a line; a bot that does not read it in time has timed out."""
        try:
            written = os.write(self._stdin, line)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            raise _FaultError(FaultKind.CRASH, "it closed its input") from None
        if written < len(line):
            deadline = time.monotonic() + seconds
            self._write_rest(memoryview(line)[written:], deadline, is_question=is_question)

    def _write_rest(self, rest: memoryview, deadline: float, *, is_question: bool) -> None:
        """Go on writing as the pipe empties; keep the log flowing, and watch for early answers."""
        waiting = _polling(self._stderr)
        waiting.register(self._stdin, select.POLLOUT)
        if is_question:
            waiting.register(self._stdout, select.POLLIN)
        while rest:
            left = deadline - time.monotonic()
            if left <= 0:
                raise _FaultError(FaultKind.TIMEOUT, "it does not read its input")
            for descriptor, _ in waiting.poll(1000 * left):
                if descriptor == self._stdout:
                    self._refuse_early_bytes()
                elif descriptor == self._stderr:
                    if not self._read_log():
                        waiting.unregister(self._stderr)
                else:
                    try:
                        rest = rest[os.write(self._stdin, rest) :]
                    except BlockingIOError:
                        continue
                    except BrokenPipeError:
                        raise _FaultError(FaultKind.CRASH, "it closed its input") from None

    def _read_line(self, deadline: float) -> tuple[bytes, float]:
        """Wait for a whole line until the deadline; give it and when its last byte came."""
        lines, stdout = self._lines, self._stdout
        while True:
            left = deadline - time.monotonic()
            ready = self._all.poll(1000 * left) if left > 0 else ()
            if not ready:
                detail = "nothing came" if lines.is_empty else "only part of a line came"
                raise _FaultError(FaultKind.TIMEOUT, detail, lines.waiting)
            for descriptor, _ in ready:
                if descriptor == stdout:
                    chunk = os.read(stdout, _CHUNK)
                    arrived = time.monotonic()
                    line = self._take(chunk)
                    if line is not None:
                        if arrived > deadline:
                            raise _FaultError(FaultKind.TIMEOUT, "it came too late", line)
                        return line, arrived
                elif descriptor == self._stderr:
                    self._read_log()
                elif ready[0][0] != stdout:  # whatever it had written has been read
                    raise _FaultError(FaultKind.CRASH, "it ended", lines.waiting)

    def _take(self, chunk: bytes) -> bytes | None:
        """Add what was read to the line being gathered; give the line once it is whole."""
        lines = self._lines
        if not chunk:
            raise _FaultError(FaultKind.CRASH, "it closed its output", lines.waiting)
        if lines.is_empty and len(chunk) <= MAX_LINE and chunk.find(b"\n") == len(chunk) - 1:
            return chunk[:-1]
        lines.feed(chunk)
        line = lines.next_line()
        if lines.is_oversize or (line is not None and len(line) > MAX_LINE):
            said = lines.waiting if line is None else line
            raise _FaultError(FaultKind.OVERSIZE, f"a line of more than {MAX_LINE} bytes", said)
        return line

    def _refuse_early_bytes(self) -> None:
        """Raise what it is that there is something to read before a question was put."""
        if self._lines.is_empty:
            chunk = os.read(self._stdout, _CHUNK)
            if not chunk:
                raise _FaultError(FaultKind.CRASH, "it closed its output before it was asked")
            self._lines.feed(chunk)
        detail = "it wrote before it was asked, or more than one line for a request"
        raise _FaultError(FaultKind.UNSOLICITED, detail, self._lines.waiting)

    def _read_log(self) -> bool:
        """Take what is there of the log; tell whether there was anything."""
        try:
            chunk = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            return False
        self._log.add(chunk)
        if not chunk:
            self._log_goes_on = False
            self._all.unregister(self._stderr)
        return bool(chunk)

    def _await_end(self, deadline: float) -> None:
        """Wait until the process has ended, and let whatever it still writes flow."""
        waiting = _polling(self._exited, self._stdout)
        if self._log_goes_on:
            waiting.register(self._stderr, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0:
            for descriptor, _ in waiting.poll(1000 * left):
                if descriptor == self._exited:
                    return
                if descriptor == self._stderr:
                    if not self._read_log():
                        waiting.unregister(self._stderr)
                elif not os.read(self._stdout, _CHUNK):
                    waiting.unregister(self._stdout)

    def _to_fault(self, error: _FaultError, expected: str) -> Fault:
        """Say what went wrong; of a process that is gone, also how, with its last words."""
        if error.kind is not FaultKind.CRASH:
            return Fault(error.kind, expected, error.said, error.detail)
        self._await_end(time.monotonic() + _PATIENCE)
        ending = self.close().ending
        words = self._log.last_words()
        detail = f"{error.detail}: {ending.text}" + (f"; its log ends:\n{words}" if words else "")
        kind = FaultKind.CRASH
        if ending.resource is not None:
            kind, detail = FaultKind.RESOURCE, f"it met {ending.resource}; {detail}"
        return Fault(kind, expected, error.said, detail)


def _polling(*descriptors: int) -> select.poll:
    """Watch descriptors for something to read, or for their end."""
    waiting = select.poll()
    for descriptor in descriptors:
        waiting.register(descriptor, select.POLLIN)
    return waiting
