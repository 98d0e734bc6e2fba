"""Who of a Dask cluster may play a run's matches.

It knows each worker from its coming to its going: asked which arena it has, asked in, sent the bots
that it lacks, welcome; or refused, with the reason. It never knows which match anyone plays.

Nothing here waits for a worker. What one answers is put into `news` as something to be done, which
the thread that owns the roster does when it comes to it.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError
from importlib import import_module
from queue import SimpleQueue
from typing import TypeAlias
from uuid import uuid4
from warnings import catch_warnings, simplefilter

import msgspec
from distributed import Client, Future

from arena.bots import Bot
from arena.builds import source_of
from arena.errors import ArenaError
from arena.executors import guest
from arena.executors.parcels import pack
from arena.record import MatchSpec

_RETRY = 0.2
"""Seconds between two calls to a scheduler that is not heard."""
_CALL = "getattr(import_module('arena.executors.guest'), name)(*values)"
UNANSWERED = ("cancelled", "lost")
"""How Dask calls what was asked of a scheduler that is not heard any more."""

Answer: TypeAlias = "Future[object]"
"""What a worker was asked for, with its answer once it has come."""
News: TypeAlias = SimpleQueue[Callable[[], None]]
"""What is to be done about what Dask told."""
_Heard: TypeAlias = Callable[["Worker", Answer], None]


class ClusterError(ArenaError):
    """A cluster that cannot play: nobody is there, or nobody with this arena."""


class Worker:
    """A worker as the run sees it."""

    def __init__(self, address: str, threads: int) -> None:
        """Know a worker that has just come."""
        self.address = address
        self.threads = threads
        self.has_answered = False
        self.is_welcome = False
        self.refusal: str | None = None
        self.parcels = 0
        """Bots that are on their way; -1 once all have come."""
        self.asked: list[Answer] = []
        """What it has yet to answer: Dask drops what nobody holds."""


class Roster:
    """The workers of a cluster, as the run sees them."""

    def __init__(
        self, client: Client, play: str, bots: Iterable[Bot], patience: float, news: News
    ) -> None:
        """Know nobody yet; a scheduler that is not heard has `patience` seconds."""
        self.run = uuid4().hex
        """What workers call the run."""
        self._client = client
        self._play = play
        self._bots: Mapping[str, Bot] = {bot.ref.digest: bot for bot in bots}
        self._patience = patience
        self._news = news
        self._version = guest.arena_version()
        self._terms: bytes | None = None
        self._workers: dict[str, Worker] = {}

    @property
    def threads(self) -> int:
        """Count the matches that all who are not refused can play at a time."""
        return sum(one.threads for one in self._workers.values() if one.refusal is None)

    @property
    def has_answers(self) -> bool:
        """Tell whether anyone is there, and all have said which arena they have."""
        return bool(self._workers) and all(one.has_answered for one in self._workers.values())

    @property
    def is_silent(self) -> bool:
        """Tell whether nobody has answered so far."""
        return not any(one.has_answered for one in self._workers.values())

    def welcome(self) -> dict[str, int]:
        """List the threads of those who may be given matches, by address."""
        return {at: one.threads for at, one in self._workers.items() if one.is_welcome}

    def refuse(self) -> None:
        """Raise `ClusterError` for those who are refused, where there are any."""
        refused = [
            f"worker {at}: {one.refusal}" for at, one in self._workers.items() if one.refusal
        ]
        if refused:
            raise ClusterError("\n".join(refused))

    def look_around(self) -> frozenset[str]:
        """See who has come and gone, and give all who are there; whoever comes is asked.

        Raises `ClusterError` where the scheduler is gone.
        """
        present = self._present()
        for address in self._workers.keys() - present.keys():
            self.forget(address)
        for address in sorted(present.keys() - self._workers.keys()):
            self._workers[address] = worker = Worker(address, present[address])
            self._ask(worker)
        return frozenset(present)

    def forget(self, address: str) -> None:
        """Take a worker for gone; if it is there, it is met anew at the next look."""
        worker = self._workers.pop(address, None)
        if worker is not None:
            self._client.cancel(worker.asked, force=True)

    def invite_all(self, spec: MatchSpec) -> None:
        """Ask everyone in, now and later, for matches like this one: in its sandbox and limits."""
        if self._terms is not None:
            return
        bots = self._bots.items()
        unbuilt = {digest: bot.unbuilt for digest, bot in bots if bot.unbuilt is not None}
        terms = guest.Terms(self._play, tuple(self._bots), unbuilt, spec.sandbox, spec.limits)
        self._terms = msgspec.msgpack.encode(terms)
        for worker in self._workers.values():
            if worker.has_answered and worker.refusal is None:
                self._invite(worker)

    def send_away(self) -> list[Answer]:
        """Have all who were welcome end their bots and forget the run; give what to wait for."""
        leaving = self.welcome().keys() & self._present().keys()
        return [self._call(self._workers[at], "leave", self.run) for at in leaving]

    def _present(self) -> dict[str, int]:
        """List the workers' threads by address."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                found = self._client.nthreads()
            except (OSError, TimeoutError, CancelledError) as error:
                if self._client.status != "connecting" or time.monotonic() > deadline:
                    raise gone() from error
                time.sleep(_RETRY)
            else:
                return dict(found)

    def _call(self, worker: Worker, name: str, *values: object) -> Answer:
        """Have one worker, and no other, call a function of `guest`."""
        return call(self._client, [worker.address], name, *values)

    def _expect(self, worker: Worker, answer: Answer, heard: _Heard) -> None:
        """Have a worker's answer dealt with, unless the worker is gone by then."""

        def deal() -> None:
            if self._workers.get(worker.address) is not worker:
                return
            worker.asked.remove(answer)
            if answer.status in UNANSWERED:
                self.forget(worker.address)
            else:
                heard(worker, answer)

        worker.asked.append(answer)
        answer.add_done_callback(lambda _: self._news.put(deal))

    def _ask(self, worker: Worker) -> None:
        """Ask which arena a worker has."""
        self._expect(worker, self._call(worker, "arena_version"), self._met)

    def _met(self, worker: Worker, answer: Answer) -> None:
        """Hear which arena a worker has; one with another cannot take part."""
        worker.has_answered = True
        if answer.status != "finished":
            what = f"has no arena that fits this one, {self._version}: {answer.exception()}"
            self._turn_away(worker, what)
        elif (version := answer.result()) != self._version:
            what = f"has arena {version}, and this is {self._version}; install the same"
            self._turn_away(worker, what)
        elif self._terms is not None:
            self._invite(worker)

    def _invite(self, worker: Worker) -> None:
        """Ask a worker in."""
        answer = self._call(worker, "enter", self.run, self._terms)
        self._expect(worker, answer, self._entered)

    def _entered(self, worker: Worker, answer: Answer) -> None:
        """Send a worker the bots that it lacks; one that has them all is welcome."""
        if answer.status != "finished":
            self._turn_away(worker, f"cannot play this run: {answer.exception()}")
            return
        missing = msgspec.convert(answer.result(), list[str])
        if not missing:
            worker.is_welcome = True
        elif worker.parcels < 0:
            self._turn_away(worker, "loses the bots that it is sent; look at its disk")
        else:
            worker.parcels = len(missing)
            for digest in missing:
                parcel = pack(source_of(self._bots[digest]))
                self._expect(worker, self._call(worker, "keep", digest, parcel), self._kept)

    def _kept(self, worker: Worker, answer: Answer) -> None:
        """Hear that a worker has one more bot, or why it has not."""
        if answer.status != "finished":
            self._turn_away(worker, f"cannot keep a bot's folder: {answer.exception()}")
            return
        worker.parcels -= 1
        if worker.parcels == 0:
            worker.parcels = -1
            self._invite(worker)

    def _turn_away(self, worker: Worker, reason: str) -> None:
        """Refuse a worker. Raises `ClusterError` where matches wait and nobody else is there."""
        worker.refusal = reason
        everyone = self._workers.values()
        if self._terms is not None and all(one.refusal is not None for one in everyone):
            self.refuse()


def call(client: Client, workers: Sequence[str], name: str, *values: object) -> Answer:
    """Have one of some workers call a function of `guest`, with plain values.

    The function is named in text. So the scheduler, which unpacks what it passes on, needs no
    arena; and a worker without one says so, where it would end at once if it were sent what it
    cannot find.
    """
    known = {"import_module": import_module, "name": name, "values": values}
    with catch_warnings():
        simplefilter("ignore", UserWarning)  # that a bot's folder is large
        answer: Answer = client.submit(
            eval, _CALL, known, key=f"arena-{name}-{uuid4().hex}", workers=workers
        )
    return answer


def gone() -> ClusterError:
    """Say that the scheduler is not heard any more, and what to do."""
    return ClusterError(
        "the Dask scheduler is gone; what was played is kept: start it and its workers, and run "
        "again to go on"
    )
