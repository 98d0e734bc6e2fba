"""A bot's three pipes and its end: lines out and in, under one absolute deadline.

It knows bytes, clocks and what keeps a line from coming; it never knows what a line says.

How it works. The pipes do not block, and one `poll` watches a bot's output, its log and its end.
The log is drained in the same loop, so that a chatty bot never blocks on it while its own clock
runs. Whatever arrives moves no deadline: the time left is worked out anew before each wait.

A bot runs beside its referee, so much of what it does may be seen a moment sooner or later. No
fault turns on that. Output is a row of lines, of which each question takes the next. That a pipe is
closed at the other end is found out by reading alone, and how a process ended is told once it had
the time to end. Output counts before the end, and before the deadline: what is there when the
referee looks has come in time.

A wait is cut into short ones. One that lasts much longer than it was meant to tells that the
referee itself stood still: it was stopped, or starved, or the machine was. Such a standstill is
charged to nobody, and where a bot seems late because of one, that is a `HostFault`.

Memory is bounded by one line, one read and the log's limit, whatever the bot writes.
"""

import os
import select
import time

from arena.errors import HostFault
from arena.protocol import MAX_LINE, FaultKind, LineBuffer
from arena.sandbox import Process
from arena.session.log import Log

_CHUNK = 65_536
_LAST_READS = 4
"""Reads of the log that are made once the process is to end: more than a pipe holds."""
_WAIT = 0.05
"""Seconds of one wait, after which the referee sees that it still runs."""
_STANDSTILL = 0.25
"""Seconds by which a wait is too long to be a bot's doing: none can keep the referee up so long."""


class FailedError(Exception):
    """What kept a line from coming or going; it never leaves this room.

    `said` are the first bytes of a line that was not what it should be.
    """

    def __init__(self, kind: FaultKind, detail: str, said: bytes = b"") -> None:
        """Note it."""
        self.kind = kind
        self.detail = detail
        self.said = said


class Channel:
    """One process, talked to in lines."""

    def __init__(self, process: Process, log_limit: int) -> None:
        """Take the pipes of a launched process; `log_limit` are the bytes of its log to keep."""
        self._stdin, self._stdout, self._stderr = process.stdin, process.stdout, process.stderr
        self._exited = process.exited
        self._lines = LineBuffer()
        self.log = Log(log_limit)
        self._log_goes_on = True
        self.stood_still = 0.0
        """Seconds of this question's time in which the referee did not run."""
        self._all = _polling(self._stdout, self._stderr, self._exited)
        self._output = _polling(self._stdout)

    @property
    def has_more(self) -> bool:
        """Tell whether there is output that nobody has asked for yet, or its end."""
        return not self._lines.is_empty or bool(self._output.poll(0))

    def write(self, line: bytes, seconds: float, *, is_question: bool) -> float:
        """Write all of a line, and give when its last bytes were handed over.

        One who closed its input may still have something to say, and is judged by that. Raises
        `FailedError` where the line is not read in time, or is answered before it is written.
        """
        self.stood_still = 0.0
        began = time.monotonic()
        try:
            written = os.write(self._stdin, line)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:
            return began
        if written == len(line):
            return began
        rest = memoryview(line)[written:]
        return self._write_rest(rest, began + seconds, is_question=is_question)

    def _write_rest(self, rest: memoryview, deadline: float, *, is_question: bool) -> float:
        """Go on writing as the pipe empties; keep the log flowing, and watch for early answers."""
        waiting = _polling(self._stderr)
        waiting.register(self._stdin, select.POLLOUT)
        if is_question:
            waiting.register(self._stdout, select.POLLIN)
        now = time.monotonic()
        while now < deadline:
            ready, now = self._wait(waiting, now, deadline)
            for descriptor, _ in ready:
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
                        return now
                    if not rest:
                        return now
        raise self._late("it does not read its input")

    def read_line(self, deadline: float, now: float) -> tuple[bytes, float]:
        """Wait from `now` until the deadline for the next line; give it and when its end came.

        Raises `FailedError` where none comes, and `HostFault` where that is this machine's doing.
        """
        if not self._lines.is_empty and (line := self._taken(b"")) is not None:
            return line, now
        stdout, halfway, last = self._stdout, (now + deadline) / 2, now
        while True:
            ready, now = self._wait(self._all, now, deadline)
            for descriptor, _ in ready:
                if descriptor == stdout:
                    line, last = self._read_output(), now
                    if line is not None:
                        return line, now
                elif descriptor == self._stderr:
                    self._read_log()
                elif ready[0][0] != stdout:  # whatever it had written has been read
                    raise FailedError(FaultKind.CRASH, "it ended", self._lines.waiting)
            if now >= deadline:
                raise self._no_line(is_stuck=last < halfway)

    def _wait(
        self, waiting: select.poll, now: float, deadline: float
    ) -> tuple[list[tuple[int, int]], float]:
        """Wait a little; give what is ready, and the time, and note where we stood still."""
        left = deadline - now
        most = _WAIT if left > _WAIT else left if left > 0 else 0.0
        ready = waiting.poll(1000 * most)
        after = time.monotonic()
        if after - now - most > _STANDSTILL:
            self.stood_still += after - now - most
        return ready, after

    def _read_output(self) -> bytes | None:
        """Read what there is, and give the line that is whole with it, if any."""
        chunk = os.read(self._stdout, _CHUNK)
        if not chunk:
            raise FailedError(FaultKind.CRASH, "it closed its output", self._lines.waiting)
        return self._taken(chunk)

    def _taken(self, chunk: bytes) -> bytes | None:
        """Add bytes to the line being gathered; give the line once it is whole."""
        lines = self._lines
        if lines.is_empty and len(chunk) <= MAX_LINE and chunk.find(b"\n") == len(chunk) - 1:
            return chunk[:-1] if chunk else None
        lines.feed(chunk)
        line = lines.next_line()
        if lines.is_oversize or (line is not None and len(line) > MAX_LINE):
            said = lines.waiting if line is None else line
            raise FailedError(FaultKind.OVERSIZE, f"a line of more than {MAX_LINE} bytes", said)
        return line

    def _no_line(self, *, is_stuck: bool) -> FailedError:
        """Say that no line came, and quote what came of one.

        It is not quoted where more was still coming: how much that is, is another matter each
        time.
        """
        if self._lines.is_empty:
            return self._late("nothing came")
        return self._late("only part of a line came", self._lines.waiting if is_stuck else b"")

    def _late(self, detail: str, said: bytes = b"") -> FailedError:
        """Say that the time is over. Raises `HostFault` where that is this machine's doing."""
        if self.stood_still:
            text = f"this machine stood still for {self.stood_still:.1f} s while a bot was asked"
            raise HostFault(text)
        return FailedError(FaultKind.TIMEOUT, detail, said)

    def _refuse_early_bytes(self) -> None:
        """Raise what it is that there is something to read before a question was put whole."""
        self._lines.feed(os.read(self._stdout, _CHUNK))
        if self._lines.is_empty:
            raise FailedError(FaultKind.CRASH, "it closed its output")
        detail = "it wrote before the question was there in full"
        raise FailedError(FaultKind.UNSOLICITED, detail, self._lines.waiting)

    def _read_log(self) -> bool:
        """Take what is there of the log; tell whether there was anything."""
        try:
            chunk = os.read(self._stderr, _CHUNK)
        except BlockingIOError:
            return False
        self.log.add(chunk)
        if not chunk:
            self._log_goes_on = False
            self._all.unregister(self._stderr)
        return bool(chunk)

    def read_last_of_log(self) -> None:
        """Take what waits of the log, of a process that is about to be ended."""
        for _ in range(_LAST_READS):
            if not self._log_goes_on or not self._read_log():
                break

    def await_end(self, deadline: float) -> bool:
        """Wait until the process has ended, and let whatever it still writes flow.

        Tells whether it did end.
        """
        waiting = _polling(self._exited, self._stdout)
        if self._log_goes_on:
            waiting.register(self._stderr, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0:
            for descriptor, _ in waiting.poll(1000 * left):
                if descriptor == self._exited:
                    return True
                if descriptor == self._stderr:
                    if not self._read_log():
                        waiting.unregister(self._stderr)
                elif not os.read(self._stdout, _CHUNK):
                    waiting.unregister(self._stdout)
        return False


def _polling(*descriptors: int) -> select.poll:
    """Watch descriptors for something to read, or for their end."""
    waiting = select.poll()
    for descriptor in descriptors:
        waiting.register(descriptor, select.POLLIN)
    return waiting
