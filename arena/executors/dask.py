"""Plays matches on the workers of a Dask cluster, on this machine or on others.

It knows which match has not come back; who may play, the roster knows, and what a record says,
neither. Records come back to this process alone.

Dask plays a match again, elsewhere, when the worker that had it dies or leaves. A match that killed
several workers, or that a worker's machine could not play, has failed.
"""

import logging
import socket
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import partial
from queue import Empty
from typing import Annotated, ClassVar, NamedTuple

import msgspec

from arena.bots import Bot
from arena.executors.executor import Failed, Finished, Outcome
from arena.executors.local import PLAY
from arena.executors.worker import GRACE, decode_outcome, encode_message
from arena.record import MatchSpec

try:
    from distributed import Client

    from arena.executors.guest import topic_of
    from arena.executors.roster import UNANSWERED, Answer, ClusterError, News, Roster, call, gone
except ImportError as missing:
    raise ImportError("it needs Dask: pip install 'arena[dask]'") from missing

PATIENCE = 10.0
"""Seconds for the scheduler and the first worker to answer."""
_QUICK = 2.0
"""Seconds for a scheduler to take a connection, where it is only looked for."""
_LOOK = 1.0
"""Seconds between two looks at which workers there are."""
_DEPTH = 2
"""Matches that a worker's thread has at a time: one is played and one waits."""
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

    def unreachable(self) -> str | None:
        """Say within seconds that nothing listens there, and what to do; None where it does."""
        host, _, port = self.scheduler.partition("//")[2].rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), _QUICK).close()
        except (OSError, ValueError, OverflowError) as error:
            return _nobody(self.scheduler, error)
        return None


class _Sent(NamedTuple):
    """A match that the cluster has, and the workers that may play it."""

    answer: Answer
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
        self._waiting: deque[MatchSpec] = deque()
        self._sent: dict[str, _Sent] = {}
        self._failed_on: dict[int, set[str]] = {}
        self._games: dict[int, int] = {}
        self._done: deque[Outcome] = deque()
        self._news = News()
        self._next_look = 0.0
        self._client = _connect(options.scheduler, patience)
        self._roster = Roster(self._client, play, bots, patience, self._news)
        try:
            self._client.subscribe_topic(topic_of(self._roster.run), self._hear_of_games)
            self._gather(options.scheduler, patience)
        except BaseException:
            self.close()
            raise

    @property
    def jobs(self) -> int:
        """Tell how many matches are played at a time; workers that come later add to it."""
        return max(1, self._roster.threads)

    @property
    def capacity(self) -> int:
        """Tell how many matches to keep submitted: as many wait as are being played."""
        return _DEPTH * self.jobs

    @property
    def games_under_way(self) -> int:
        """Count the games that were played of matches that go on or were not asked for yet."""
        done = sum(len(one.record.games) for one in self._done if isinstance(one, Finished))
        return done + sum(self._games.values())

    def submit(self, spec: MatchSpec) -> None:
        """Hand in a match; it goes to the cluster at once where a worker is welcome."""
        self._waiting.append(spec)
        self._roster.invite_all(spec)
        self._hand_out()

    def wait(self, seconds: float) -> bool:
        """Wait for a match to end, at most so long; tell whether `next_outcome` has one.

        Raises `ClusterError` as `next_outcome` does.
        """
        deadline = time.monotonic() + seconds
        while not self._done and (left := deadline - time.monotonic()) > 0:
            self._listen(left)
        return bool(self._done)

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
        try:
            if self._client.status == "running":
                with suppress(ClusterError):
                    self._leave()
        finally:
            self._waiting.clear()
            self._sent.clear()
            self._games.clear()
            with suppress(TimeoutError):
                self._client.close(timeout=GRACE)
        played = [outcome for outcome in self._done if isinstance(outcome, Finished)]
        self._done.clear()
        return played

    def _leave(self) -> None:
        """Fetch what was played, and have the workers end their bots and forget the run."""
        for sent in list(self._sent.values()):
            if sent.answer.status == "finished":
                self._come_back(sent.answer)
        self._client.cancel([sent.answer for sent in self._sent.values()], force=True)
        deadline = time.monotonic() + 2 * GRACE
        with suppress(TimeoutError, CancelledError):
            for leaving in self._roster.send_away():
                leaving.exception(timeout=max(0.01, deadline - time.monotonic()))

    def _gather(self, address: str, patience: float) -> None:
        """Wait until all workers that are there have answered, or enough time has passed."""
        deadline = time.monotonic() + patience
        while not self._roster.has_answers and time.monotonic() < deadline:
            self._listen()
        self._roster.refuse()
        if self._roster.is_silent:
            raise ClusterError(
                f"no worker of {address} answers; start one with: dask worker {address}"
            )

    def _listen(self, seconds: float = _LOOK) -> None:
        """Wait for something to be told, not for long; look around now and then."""
        if time.monotonic() >= self._next_look:
            self._take_back(self._roster.look_around())
            self._next_look = time.monotonic() + _LOOK
        with suppress(Empty):
            left = max(0.0, self._next_look - time.monotonic())
            self._news.get(timeout=min(left, seconds))()
        self._hand_out()

    def _take_back(self, present: frozenset[str]) -> None:
        """Take back the matches that nobody is left for: others may come and play them."""
        for key, sent in list(self._sent.items()):
            if sent.there.isdisjoint(present):
                del self._sent[key]
                self._games.pop(sent.spec.match, None)
                self._client.cancel([sent.answer], force=True)
                self._waiting.appendleft(sent.spec)

    def _hand_out(self) -> None:
        """Give the cluster what waits, and not more than the welcome workers have room for.

        Dask chooses one of them, and another when that one dies or leaves; not one where the match
        failed before, as long as there are others.
        """
        threads = self._roster.welcome()
        welcome, room = frozenset(threads), _DEPTH * sum(threads.values())
        while self._waiting and len(self._sent) < room:
            spec = self._waiting.popleft()
            there = welcome - self._failed_on.get(spec.match, set()) or welcome
            message = encode_message(spec)
            answer = call(self._client, sorted(there), "play", self._roster.run, message)
            self._sent[str(answer.key)] = _Sent(answer, spec, there)
            answer.add_done_callback(lambda done: self._news.put(partial(self._come_back, done)))

    def _hear_of_games(self, event: tuple[float, tuple[int, int]]) -> None:
        """Hear, in Dask's own thread, how many games a worker has played of a match."""
        _, (match, games) = event
        self._news.put(partial(self._advance, match, games))

    def _advance(self, match: int, games: int) -> None:
        """Note how far a match is; it begins anew where another worker takes it over."""
        if any(sent.spec.match == match for sent in self._sent.values()):
            self._games[match] = games

    def _come_back(self, answer: Answer) -> None:
        """Take the outcome of a match; one that was not played at all waits again."""
        sent = self._sent.pop(str(answer.key), None)
        if sent is None:
            return
        spec = sent.spec
        self._games.pop(spec.match, None)
        if answer.status in UNANSWERED:
            self._wait_again(spec)
            return
        if answer.status == "error":
            reason = f"it cannot be played on this cluster: {answer.exception()}"
            self._done.append(Failed(spec.match, reason))
            return
        address, outcome = _outcome(answer)
        if outcome is None:
            self._roster.forget(address)  # it leaves, or is not the one that was welcome there
            self._wait_again(spec)
        elif isinstance(outcome, Failed):
            self._failed_on.setdefault(spec.match, set()).add(address)
            self._done.append(Failed(spec.match, f"{outcome.reason} (worker {address})"))
        else:
            self._failed_on.pop(spec.match, None)
            self._done.append(outcome)

    def _wait_again(self, spec: MatchSpec) -> None:
        """Have a match wait until it is known who is there."""
        self._waiting.appendleft(spec)
        self._next_look = 0.0


def _outcome(answer: Answer) -> tuple[str, Outcome | None]:
    """Fetch what a worker said of a match. Raises `ClusterError`."""
    try:
        address, message = msgspec.convert(answer.result(), tuple[str, bytes | None])
    except (OSError, TimeoutError, CancelledError) as error:
        raise gone() from error
    return address, decode_outcome(message) if message else None


def _connect(address: str, patience: float) -> Client:
    """Find the scheduler. Raises `ClusterError`."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters, we tell ourselves
    try:
        return Client(address, timeout=patience, set_as_default=False, name="arena")
    except (OSError, TimeoutError, ValueError, RuntimeError) as error:
        raise ClusterError(_nobody(address, error)) from error


def _nobody(address: str, error: Exception) -> str:
    return f"no Dask scheduler answers at {address} ({error}); start one with: dask scheduler"
