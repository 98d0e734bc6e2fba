"""A running bot under one absolute deadline."""

import msgspec

from arena.games.game import View
from arena.protocol import End, Fault, Hello, Ready, Reply, Request
from arena.sandbox import Process


class ProcessLog(msgspec.Struct, frozen=True):
    """What a process wrote to standard error, cut in the middle, and how it ended."""

    text: str
    ending: str


class Session:
    """One process of a bot, from `start` to `close`."""

    def __init__(self, process: Process, log_limit: int) -> None:
        """Take over a process; `log_limit` bytes of its standard error are kept."""
        self._process = process
        self.can_freeze = process.can_freeze

    def start(self, hello: Hello, seconds: float) -> Ready | Fault:
        """Say hello and wait for `ready`."""
        raise NotImplementedError

    def ask(self, request: Request[View], seconds: float) -> tuple[Reply | Fault, int]:
        """Ask, and give the answer and the microseconds it took."""
        raise NotImplementedError

    def end(self, end: End, grace: float) -> None:
        """Say farewell, and wait up to `grace` seconds until the bot has gone by itself."""
        raise NotImplementedError

    def close(self) -> ProcessLog:
        """End the process and give its log; may be called again."""
        raise NotImplementedError
