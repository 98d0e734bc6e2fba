"""Plays matches on the workers of a Dask cluster, on this machine or on others.

It knows which workers may play and which match has not come back; it never knows what a record
says. Records come back to this process alone.

A worker that comes, now or later, is first asked which arena it has and which bots it lacks. One
with another arena is refused. The others get the bots that they lack, once, and then matches.
Dask itself plays a match again, elsewhere, when the worker that had it dies or leaves; a match that
killed several workers, or that the worker's machine could not play, has failed.
"""

import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import partial
from importlib import import_module
from queue import Empty, SimpleQueue
from typing import Annotated, ClassVar, NamedTuple, TypeAlias
from uuid import uuid4

import msgspec

from arena.bots import Bot
from arena.errors import ArenaError
from arena.executors.executor import Failed, Finished, Outcome
from arena.executors.local import PLAY
from arena.executors.parcels import pack
from arena.executors.worker import GRACE, decode_outcome, encode_message
from arena.record import MatchSpec

try:
    from distributed import Client, Future

    from arena.executors import guest
except ImportError as missing:
    raise ImportError("it needs Dask: pip install 'arena[dask]'") from missing

PATIENCE = 10.0
"""Seconds for the scheduler and the first worker to answer."""
_LOOK = 1.0
"""Seconds between two looks at which workers there are."""
_ENTER = "import_module('arena.executors.guest').enter(*wanted)"
_UNANSWERED = ("cancelled", "lost")
"""How Dask calls what was asked of a scheduler that is not heard any more."""
_PROTOCOLS = ("tcp://", "tls://")


def check_address(text: str) -> tuple[str, str] | None:
    """Say what is wrong with the address of a scheduler."""
    _, _, port = text.rpartition(":")
    if text.startswith(_PROTOCOLS) and port.isdecimal():
        return None
    host = text.rpartition("//")[2].partition(":")[0] or "HOST"
    return f"no address of a scheduler: {text[:100]!r}", f"write tcp://{host[:60]}:8786"


class DaskOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the scheduler is; each worker plays as many matches at a time as it has threads."""

    scheduler: Annotated[str, msgspec.Meta(extra={"check": check_address})]


class ClusterError(ArenaError):
    """A cluster that cannot play: nobody there, or nobody with this arena."""


Answer: TypeAlias = "Future[object]"
"""What a worker was asked for, with its answer once it has come."""
_Answered: TypeAlias = Callable[["_Worker", Answer], None]


class _Worker:
    """A worker as the run sees it: asked, given the bots it lacks, then welcome; or refused."""

    def __init__(self, address: str, threads: int) -> None:
        self.address = address
        self.threads = threads
        self.has_answered = False
        self.is_welcome = False
        self.refusal: str | None = None
        self.parcels = 0
        """Bots that are on their way; -1 once all have come."""
        self.asked: list[Future[object]] = []
        """What it has to answer; Dask drops what nobody holds."""


class _Sent(NamedTuple):
    """A match that the cluster has, and the workers that may play it."""

    future: Answer
    spec: MatchSpec
    there: frozenset[str]


class DaskExecutor:
    """A run's matches on a cluster: as many at a time as its workers have threads.

    All that Dask tells is dealt with in the thread that submits and waits.
    """

    options_type: ClassVar[type[msgspec.Struct]] = DaskOptions

    def __init__(
        self,
        options: DaskOptions,
        bots: Iterable[Bot],
        play: str = PLAY,
        patience: float = PATIENCE,
    ) -> None:
        """Meet the workers that are there.

        Raises `ClusterError` where no scheduler or no worker answers within `patience` seconds,
        and where a worker has another arena.
        """
        self._address = options.scheduler
        self._play = play
        self._bots = {bot.ref.digest: bot for bot in bots}
        self._run = uuid4().hex
        self._version = guest.arena_version()
        self._workers: dict[str, _Worker] = {}
        self._waiting: deque[MatchSpec] = deque()
        self._sent: dict[str, _Sent] = {}
        self._failed_on: dict[int, set[str]] = {}
        self._done: deque[Outcome] = deque()
        self._news: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._next_look = 0.0
        self._is_gone = False
        self._client = _connect(self._address, patience)
        try:
            self._gather(patience)
        except BaseException:
            self.close()
            raise

    @property
    def jobs(self) -> int:
        """Tell how many matches are played at a time; workers that come later add to it."""
        return max(1, sum(one.threads for one in self._workers.values() if one.refusal is None))

    @property
    def capacity(self) -> int:
        """Tell how many matches to keep submitted: as many wait as are being played."""
        return 2 * self.jobs

    def submit(self, spec: MatchSpec) -> None:
        """Hand in a match; it goes to the cluster at once where a worker is welcome."""
        self._waiting.append(spec)
        self._hand_out()

    def next_outcome(self) -> Outcome:
        """Wait for the next match to end, and for workers where there are none.

        Raises `ClusterError` where the scheduler is gone or none but refused workers are left.
        """
        while not self._done:
            if not self._sent and not self._waiting:
                raise ValueError("no match is submitted")
            self._listen()
        return self._done.popleft()

    def close(self) -> list[Finished]:
        """Stop at once, bots and all; give the matches that were played but not asked for yet."""
        self._waiting.clear()
        try:
            with suppress(ClusterError):
                if self._client.status == "running" and not self._is_gone:
                    self._take_what_is_done()
                    self._dismiss()
        finally:
            self._sent.clear()
            with suppress(TimeoutError):
                self._client.close(timeout=GRACE)
        played = [outcome for outcome in self._done if isinstance(outcome, Finished)]
        self._done.clear()
        return played

    def _take_what_is_done(self) -> None:
        """Fetch what has come back; what was on its way to be told is told again for nothing."""
        for sent in list(self._sent.values()):
            if sent.future.status == "finished":
                self._come_back(sent.future)
        self._waiting.clear()

    def _dismiss(self) -> None:
        """Have all workers end their bots, and forget this run."""
        self._client.cancel([sent.future for sent in self._sent.values()], force=True)
        leaving = [
            self._on(self._workers[address], guest.leave, self._run)
            for address in self._workers.keys() & self._present().keys()
            if self._workers[address].is_welcome
        ]
        deadline = time.monotonic() + 2 * GRACE
        with suppress(TimeoutError, CancelledError):
            for future in leaving:
                future.exception(timeout=max(0.01, deadline - time.monotonic()))

    def _gather(self, patience: float) -> None:
        """Wait until all workers that are there have answered, or enough time has passed."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            self._listen()
            if self._workers and all(one.has_answered for one in self._workers.values()):
                break
        self._refuse(self._refusals())
        if not any(one.has_answered for one in self._workers.values()):
            raise ClusterError(
                f"no worker of {self._address} answers; start one with: dask worker {self._address}"
            )

    def _refusals(self) -> list[str]:
        return [f"worker {at}: {one.refusal}" for at, one in self._workers.items() if one.refusal]

    def _refuse(self, refusals: list[str]) -> None:
        if refusals:
            raise ClusterError("\n".join(refusals))

    def _listen(self) -> None:
        """Wait for something to be told, not for long; look around now and then."""
        if time.monotonic() >= self._next_look:
            self._look_around()
        with suppress(Empty):
            self._news.get(timeout=max(0.0, self._next_look - time.monotonic()))()

    def _look_around(self) -> None:
        """See who has come and who has gone; whoever comes is asked for its arena."""
        present = self._present()
        for address in self._workers.keys() - present.keys():
            self._client.cancel(self._workers.pop(address).asked, force=True)
        for address in sorted(present.keys() - self._workers.keys()):
            self._workers[address] = worker = _Worker(address, present[address])
            self._ask(worker)
        self._take_back(present.keys())
        self._next_look = time.monotonic() + _LOOK
        self._hand_out()

    def _take_back(self, present: Collection[str]) -> None:
        """Take back the matches that nobody is left for: others may come and play them."""
        for key, sent in list(self._sent.items()):
            if sent.there.isdisjoint(present):
                del self._sent[key]
                self._client.cancel([sent.future], force=True)
                self._waiting.appendleft(sent.spec)

    def _present(self) -> dict[str, int]:
        """List the workers' threads by address."""
        try:
            found = self._client.nthreads()
        except (OSError, TimeoutError, CancelledError) as error:
            raise self._gone() from error
        return dict(found)

    def _gone(self) -> ClusterError:
        self._is_gone = True
        return ClusterError(
            f"the scheduler at {self._address} is gone; what was played is kept: start it and its "
            "workers, and run again to go on"
        )

    def _on(self, worker: _Worker, function: Callable[..., object], *values: object) -> Answer:
        """Have one worker, and no other, call a function."""
        return self._client.submit(
            function, *values, workers=[worker.address], pure=False, priority=1
        )

    def _expect(self, worker: _Worker, future: Answer, answered: _Answered) -> None:
        """Have a worker's answer dealt with, unless the worker is gone by then."""

        def deal() -> None:
            if self._workers.get(worker.address) is not worker:
                return
            if future.status in _UNANSWERED:
                del self._workers[worker.address]  # to be met anew
            else:
                answered(worker, future)

        worker.asked.append(future)
        future.add_done_callback(lambda _: self._news.put(deal))

    def _ask(self, worker: _Worker) -> None:
        """Ask to be let in; a worker whose arena has no such door, or that has none, says so.

        The function is named in text: a worker ends at once when it is sent one it cannot find.
        """
        wanted = self._run, self._version, self._play, tuple(self._bots)
        known = {"import_module": import_module, "wanted": wanted}
        self._expect(worker, self._on(worker, eval, _ENTER, known), self._met)

    def _met(self, worker: _Worker, future: Answer) -> None:
        """Hear which arena a worker has, and send the bots that it lacks."""
        worker.has_answered = True
        if future.status != "finished":
            self._turn_away(worker, f"has no arena that fits this one, {self._version}", future)
            return
        version, missing = msgspec.convert(future.result(), tuple[str, list[str]])
        if version != self._version:
            worker.refusal = f"has arena {version}, and this is {self._version}; install the same"
        elif not missing:
            worker.is_welcome = True
        elif worker.parcels < 0:
            worker.refusal = "loses the bots that it is sent; look at its disk"
        else:
            worker.parcels = len(missing)
            for digest in missing:
                parcel = pack(self._bots[digest].folder)
                self._expect(worker, self._on(worker, guest.keep, digest, parcel), self._kept)
        self._see_who_is_left()

    def _kept(self, worker: _Worker, future: Answer) -> None:
        """Hear that a worker has one more bot, or why it has not."""
        if future.status != "finished":
            self._turn_away(worker, "cannot keep a bot's folder", future)
            return
        worker.parcels -= 1
        if worker.parcels == 0:
            worker.parcels = -1
            self._ask(worker)

    def _turn_away(self, worker: _Worker, what: str, future: Answer) -> None:
        worker.refusal = f"{what}: {future.exception()}"
        self._see_who_is_left()

    def _see_who_is_left(self) -> None:
        """Hand out matches where anyone may play. Raises `ClusterError` where all are refused."""
        if all(one.refusal is not None for one in self._workers.values()):
            self._refuse(self._refusals())
        self._hand_out()

    def _hand_out(self) -> None:
        """Give the cluster what waits.

        Dask chooses one of the welcome workers, and another when that one dies or leaves; not one
        where the match failed before, as long as there are others.
        """
        welcome = frozenset(address for address, one in self._workers.items() if one.is_welcome)
        while welcome and self._waiting:
            spec = self._waiting.popleft()
            there = welcome - self._failed_on.get(spec.match, set()) or welcome
            future: Answer = self._client.submit(
                guest.play,
                self._run,
                encode_message(spec),
                key=f"match-{spec.match}-{uuid4().hex}",
                workers=sorted(there),
            )
            self._sent[str(future.key)] = _Sent(future, spec, there)
            future.add_done_callback(lambda done: self._news.put(partial(self._come_back, done)))

    def _come_back(self, future: Answer) -> None:
        """Take the outcome of a match; one that was not played at all waits again."""
        sent = self._sent.pop(str(future.key), None)
        if sent is None:
            return
        spec = sent.spec
        if future.status in _UNANSWERED:
            self._waiting.appendleft(spec)
            self._next_look = 0.0
            return
        if future.status == "error":
            reason = f"it cannot be played on this cluster: {future.exception()}"
            self._done.append(Failed(spec.match, reason))
            return
        address, outcome = self._outcome(future)
        if outcome is None:
            self._workers.pop(address, None)  # it is not the one that was welcome there
            self._waiting.appendleft(spec)
            self._next_look = 0.0
        elif isinstance(outcome, Failed):
            self._failed_on.setdefault(spec.match, set()).add(address)
            self._done.append(Failed(spec.match, f"{outcome.reason} (worker {address})"))
        else:
            self._failed_on.pop(spec.match, None)
            self._done.append(outcome)

    def _outcome(self, future: Answer) -> tuple[str, Outcome | None]:
        """Fetch what a worker said of a match. Raises `ClusterError`."""
        try:
            address, message = msgspec.convert(future.result(), tuple[str, bytes | None])
        except (OSError, TimeoutError, CancelledError) as error:
            raise self._gone() from error
        return address, decode_outcome(message) if message else None


def _connect(address: str, patience: float) -> Client:
    """Find the scheduler. Raises `ClusterError`."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we tell it ourselves
    try:
        return Client(address, timeout=patience, set_as_default=False, name="arena")
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        raise ClusterError(
            f"no Dask scheduler answers at {address} ({error}); start one with: dask scheduler"
        ) from error
