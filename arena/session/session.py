"""A running bot, asked one question at a time.

It knows what is said when, and what each failing of a bot is called; it never knows what a question
is about or whether the answer is a good one. How bytes come and go, `arena.session.channel` knows.

How it works. A question's clock starts as its last byte is written, and stops when its answer's
last byte has come. Each question takes the next line of the bot's output, and a line is judged by
what it says, whether it lay there before the question or came after it.

What always holds:

- A bot only answers. A line that would be right, but was there before its question was fully
  written, is `unsolicited`; only `ready` may come ahead.
- A bot that answers and ends has answered.
- After a fault that does not keep the process (see `FaultKind.keeps_process`) nothing more is
  asked of it: the fault stands as the answer to all that follows.
- What a fault says depends on what the bot did, never on when or under which process id.
- `close` ends every process of the bot, and may be called at any time and more than once.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from arena.errors import HostFault
from arena.games.game import View
from arena.protocol import (
    End,
    Fault,
    FaultKind,
    Hello,
    Ready,
    Reply,
    Request,
    encode_line,
    parse_ready,
    parse_reply,
    readable,
)
from arena.sandbox import Ending, Process
from arena.session.channel import Channel, FailedError

LOG_ENDS = "; its log ends:\n"
"""What stands in a fault's words before the last ones of the log."""
_PATIENCE = 1.0
"""Seconds that a process has to end once it has closed its output, so that its end can be told."""


@dataclass(frozen=True, slots=True)
class ProcessLog:
    """What a process wrote to standard error, cut in the middle, and how it ended."""

    text: str
    ending: Ending


class Session:
    """One process of a bot, from `hello` to its end. Protocol: transport."""

    def __init__(
        self, process: Process, log_limit: int, last_look: Callable[[], None] | None = None
    ) -> None:
        """Take a launched process over; `log_limit` are the bytes of standard error to keep.

        `last_look` is called when a bot let its time pass, before it is closed.
        """
        self._process = process
        self._channel = Channel(process, log_limit)
        self._last_look = last_look
        self._freezes = process.can_freeze
        self._requests = 0
        self._expected = ""
        self._ready_by = 0.0
        self._fault: Fault | None = None
        self._closed: ProcessLog | None = None

    @property
    def can_freeze(self) -> bool:
        """Tell whether the bot stands still while it is not asked."""
        return self._freezes

    def start(self, hello: Hello, seconds: float) -> Ready | Fault:
        """Say hello and wait for `ready`, which may be there already; else a `startup` fault."""
        self.greet(hello, seconds)
        return self.await_ready()

    def greet(self, hello: Hello, seconds: float) -> None:
        """Say hello to a process that was just started, which starts the clock of `startup`."""
        self._expected = f'{{"type":"ready"}} within {seconds:g} s'
        try:
            written = self._channel.write(encode_line(hello), seconds, is_question=False)
            self._ready_by = written + seconds
        except FailedError as failed:
            self._fault = self._to_fault(failed, self._expected, FaultKind.STARTUP)

    def await_ready(self) -> Ready | Fault:
        """Wait for the answer to hello. Raises `HostFault` where this machine stood still."""
        if self._fault is not None:
            return self._fault
        try:
            line, _ = self._channel.read_line(self._ready_by, time.monotonic())
        except FailedError as failed:
            self._fault = self._to_fault(failed, self._expected, FaultKind.STARTUP)
            return self._fault
        ready = parse_ready(line)
        if isinstance(ready, Fault):
            self._fault = ready
        elif self._freezes:
            self._process.freeze()
        return ready

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply | Fault, int]:
        """Put a question; give the answer, or the fault it is, with the microseconds it took.

        Sets the request's id. Raises `HostFault` where this machine stood still meanwhile, and
        the bot seems late for it. Protocol: from the referee, faults.
        """
        if self._fault is not None:
            return self._fault, 0
        self._requests += 1
        request.id = self._requests
        line = encode_line(request)
        channel = self._channel
        if self._freezes:
            self._process.thaw()
        is_early = channel.has_more
        began = time.monotonic()
        try:
            began = channel.write(line, seconds, is_question=True)
            answer, arrived = channel.read_line(began + seconds, began)
        except FailedError as failed:
            spent = min(seconds, time.monotonic() - began)
            self._fault = self._to_fault(failed, _expected(request, seconds), failed.kind)
            return self._fault, int(spent * 1_000_000)
        if self._freezes:
            self._process.freeze()
        reply = parse_reply(answer, self._requests)
        if is_early and isinstance(reply, Reply):
            detail = "it was written before the question was there"
            expected = _expected(request, seconds)
            reply = Fault(FaultKind.UNSOLICITED, expected, readable(answer), detail)
        if isinstance(reply, Fault) and not reply.kind.keeps_process:
            self._fault = reply
        return reply, int(min(seconds, arrived - began - channel.stood_still) * 1_000_000)

    def farewell(self, end: End, seconds: float) -> None:
        """Say that it is over, within some seconds, which lets the process go by itself."""
        if self._closed is not None:
            return
        if self._freezes:
            self._process.thaw()
        with suppress(FailedError, HostFault):  # it is over, and what goes wrong now is no fault
            self._channel.write(encode_line(end), seconds, is_question=False)
        self._process.close_input()

    def close(self, grace: float = 0.0) -> ProcessLog:
        """End every process of the bot and give its log.

        One that was bid farewell may go by itself, for `grace` seconds at most. Raises
        `HostFault`, the first time, where the sandbox turns out to have failed.
        """
        if self._closed is None:
            if grace:
                self._channel.await_end(time.monotonic() + grace)
            self._channel.read_last_of_log()
            self._closed = ProcessLog(self._channel.log.text(), Ending("it never ran"))
            self._closed = ProcessLog(self._closed.text, self._process.close())
        return self._closed

    def _to_fault(self, failed: FailedError, expected: str, kind: FaultKind) -> Fault:
        """Close a bot that failed, and say what went wrong.

        Of a process that is gone, that is how it ended and its last words; of one that met a limit
        of the sandbox, that alone, as what it did thereafter is another matter each time.
        """
        if failed.kind is FaultKind.TIMEOUT and self._last_look is not None:
            self._last_look()
        is_crash = failed.kind is FaultKind.CRASH
        has_ended = is_crash and self._channel.await_end(time.monotonic() + _PATIENCE)
        ending = self.close().ending
        said, detail = readable(failed.said), failed.detail
        if ending.resource is not None:
            kind = FaultKind.RESOURCE if kind is not FaultKind.STARTUP else kind
            detail = f"it met {ending.resource}"
        elif is_crash:
            words = self._channel.log.last_words()
            detail = f"{'it ended' if has_ended else detail}: {ending.text}"
            detail += f"{LOG_ENDS}{words}" if words else ""
        return Fault(kind, expected, said, detail)


def _expected(request: Request[View], seconds: float) -> str:
    """Say which answer was expected by when, in words that do not tell of the time already used."""
    is_hand = seconds >= request.time_left
    limit = "what was left of the hand's time" if is_hand else f"{seconds:.3f} s"
    return f"an answer to request {request.id} within {limit}"
