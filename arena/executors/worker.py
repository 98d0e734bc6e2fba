"""The process that plays matches, one after the other, until it is told to go.

It knows the pipe to the process that started it, and that it must not outlive that process; it
never knows a tournament. It plays in its main thread: sandboxed bots end with the thread that
started them.
"""

import ctypes
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Protocol

import msgspec

from arena.bots import Bot
from arena.errors import ArenaError, HostFault
from arena.executors.executor import Advanced, Failed, Finished, Outcome
from arena.record import MatchRecord, MatchSpec

GRACE = 5
"""Whole seconds that a worker has to end its bots once it is told to stop."""


class Play(Protocol):
    """A function that plays a match, and calls another one after each game."""

    def __call__(
        self, spec: MatchSpec, bots: Mapping[str, Bot], *, after_game: Callable[[], None]
    ) -> MatchRecord:
        """Play; `bots` are by digest."""
        ...


class Orders(msgspec.Struct, frozen=True):
    """What a worker is told first: the function that plays, as ``module:name``, and the bots."""

    play: str
    bots: tuple[Bot, ...]


def encode_message(message: Orders | MatchSpec | Advanced | Outcome) -> bytes:
    """Write what goes through the pipe, either way."""
    return msgspec.msgpack.encode(message, enc_hook=str)


def decode_orders(message: bytes) -> Orders:
    """Read a worker's orders."""
    return msgspec.msgpack.decode(message, type=Orders, dec_hook=_to_path)


def decode_outcome(message: bytes) -> Outcome:
    """Read how a match ended."""
    return msgspec.msgpack.decode(message, type=Outcome)


def decode_news(message: bytes) -> Advanced | Outcome:
    """Read how far a match is, or how it ended."""
    return msgspec.msgpack.decode(message, type=Advanced | Outcome)


def _to_path(kind: type, value: str) -> Path:
    if kind is not Path:
        raise NotImplementedError(kind)
    return Path(value)


def main(descriptor: int, parent: int) -> None:
    """Play what comes through the pipe on `descriptor` until process `parent` closes it."""
    os.set_inheritable(descriptor, False)  # no bot may hold the pipe
    signal.signal(signal.SIGINT, _go_on)  # Ctrl-C is for the parent to answer
    signal.signal(signal.SIGTERM, _stop)
    _end_with(parent)
    pipe = Connection(descriptor)
    with suppress(EOFError, BrokenPipeError):  # the parent needs no more
        _serve(pipe)


def _go_on(_signal: int, _frame: FrameType | None) -> None:
    """Do nothing; unlike a signal that is ignored, this is not handed down to the bots."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    """Leave, ending the bots on the way; the alarm ends a worker that is stuck."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.alarm(GRACE)
    sys.exit(1)


def _end_with(parent: int) -> None:
    """Have the kernel send SIGTERM when the parent's thread that started this process ends."""
    pr_set_pdeathsig = 1
    ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)
    if os.getppid() != parent:  # it ended before
        sys.exit(1)


def _serve(pipe: "Connection[bytes, bytes]") -> None:
    orders = decode_orders(pipe.recv_bytes())
    bots = {bot.ref.digest: bot for bot in orders.bots}
    play = _find(orders.play)
    decoder = msgspec.msgpack.Decoder(MatchSpec)
    while True:
        spec = decoder.decode(pipe.recv_bytes())
        pipe.send_bytes(encode_message(_play(play, spec, bots, pipe)))


def _find(name: str) -> Play:
    module, _, function = name.partition(":")
    play: Play = getattr(import_module(module), function)
    return play


def _play(
    play: Play, spec: MatchSpec, bots: Mapping[str, Bot], pipe: "Connection[bytes, bytes]"
) -> Outcome:
    """Play one match. Whatever is raised is the host's fault: a bot's is a value in the record."""
    played = count(1)

    def tell() -> None:
        pipe.send_bytes(encode_message(Advanced(spec.match, next(played))))

    start = time.monotonic()
    try:
        record = play(spec, bots, after_game=tell)
    except (ArenaError, HostFault) as error:
        return Failed(spec.match, str(error))
    except Exception:  # noqa: BLE001 - the one place: a mistake of the program is replayed too
        return Failed(spec.match, traceback.format_exc())
    return Finished(record, time.monotonic() - start)
