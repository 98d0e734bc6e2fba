"""Plays matches in worker processes of this machine.

It knows which worker has which match and what to do when one dies; it never knows what a record
says. Workers are programs of their own and no forks: they share no open file, lock or thread with
the process that gathers the records. A pool that breaks as a whole when one worker dies
(`ProcessPoolExecutor`) would lose the others' matches.
"""

import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Annotated, ClassVar, Literal

import msgspec

from arena.bots import Bot
from arena.executors.cores import MAX_JOBS, available_cores, default_jobs
from arena.executors.executor import Advanced, Failed, Finished, Outcome
from arena.executors.worker import GRACE, Orders, decode_news, encode_message
from arena.record import MatchSpec

PLAY = "arena.match:play_match"
"""The function that plays a spec, called in the worker."""

# A worker finds modules where this process does. It writes nothing to standard output, which is
# for programs that read what this one prints.
_BOOT = """
import sys
descriptor, parent, *sys.path = sys.argv[1:]
from arena.executors.worker import main
main(int(descriptor), int(parent))
"""


_LAST_WORDS = 1.0
"""Seconds for a process that closed its pipe to be gone."""


class LocalOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many matches to play at a time; `auto` is by the cores that may be used."""

    jobs: Annotated[int, msgspec.Meta(ge=1, le=MAX_JOBS)] | Literal["auto"] = "auto"

    def count_jobs(self) -> int:
        """Count the matches to play at a time on this machine."""
        return default_jobs(available_cores()) if self.jobs == "auto" else self.jobs


class LocalExecutor:
    """Worker processes, each with one match at a time and the next as soon as it is done.

    The workers end with the thread that started them, so submit and wait from one thread that
    lasts as long as the tournament.
    """

    options_type: ClassVar[type[msgspec.Struct]] = LocalOptions

    def __init__(
        self,
        options: LocalOptions,
        bots: Iterable[Bot],
        play: str = PLAY,
        grace: float = GRACE,
    ) -> None:
        """Make ready; no process is started before there is a match for it.

        Workers that are told to stop have `grace` seconds to end their bots.
        """
        self._grace = grace
        self.jobs = options.count_jobs()
        self._orders = encode_message(Orders(play, tuple(bots)))
        self._waiting: deque[MatchSpec] = deque()
        self._done: deque[Outcome] = deque()
        self._idle: list[WorkerProcess] = []
        self._busy: dict[Connection, WorkerProcess] = {}

    @property
    def capacity(self) -> int:
        """Tell how many matches to keep submitted: as many wait as are being played."""
        return 2 * self.jobs

    @property
    def games_under_way(self) -> int:
        """Count the games that were played of matches that go on or were not asked for yet."""
        done = sum(len(one.record.games) for one in self._done if isinstance(one, Finished))
        return done + sum(worker.games for worker in self._busy.values())

    def submit(self, spec: MatchSpec) -> None:
        """Hand in a match; it is begun at once where a worker is free."""
        self._waiting.append(spec)
        self._hand_out()

    def wait(self, seconds: float) -> bool:
        """Wait for a match to end, at most so long; tell whether `next_outcome` has one."""
        deadline = time.monotonic() + seconds
        while not self._done and (left := deadline - time.monotonic()) > 0:
            self._listen(left)
        return bool(self._done)

    def next_outcome(self) -> Outcome:
        """Wait for the next match to end, played or failed; at least one must be submitted."""
        while not self._done:
            self._listen()
        return self._done.popleft()

    def _listen(self, seconds: float | None = None) -> None:
        """Hear whoever speaks first, and all who speak with it."""
        if not self._busy:
            raise ValueError("no match is submitted")
        for pipe in wait(list(self._busy), seconds):
            assert isinstance(pipe, Connection)
            self._hear(self._busy[pipe])

    def close(self) -> list[Finished]:
        """Stop at once, bots and all; give the matches that were played but not asked for yet."""
        self._waiting.clear()
        workers = [*self._idle, *self._busy.values()]
        try:
            for worker in self._busy.values():
                self._done += worker.last_outcome()
            for worker in workers:
                worker.stop()
            for worker in workers:
                worker.wait_to_end(self._grace)
        finally:
            for worker in workers:
                worker.kill()
            self._idle.clear()
            self._busy.clear()
        played = [outcome for outcome in self._done if isinstance(outcome, Finished)]
        self._done.clear()
        return played

    def _hand_out(self) -> None:
        while self._waiting and len(self._busy) < self.jobs:
            worker = self._idle.pop() if self._idle else WorkerProcess(self._orders)
            worker.play(self._waiting.popleft())
            self._busy[worker.pipe] = worker

    def _hear(self, worker: "WorkerProcess") -> None:
        """Hear a worker; give it its next match before anyone stores one that ended."""
        outcome = worker.hear()
        if outcome is None:
            return
        del self._busy[worker.pipe]
        self._done.append(outcome)
        if worker.is_lost:
            worker.kill()
        else:
            self._idle.append(worker)
        self._hand_out()


class WorkerProcess:
    """One process and the match that it plays."""

    def __init__(self, orders: bytes) -> None:
        self.match = 0
        self.games = 0
        self.is_lost = False
        self.pipe, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, str(theirs.fileno()), str(os.getpid()), *sys.path],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                process_group=0,  # Ctrl-C in a terminal is for this process to answer
            )
        self._send(orders)

    def play(self, spec: MatchSpec) -> None:
        """Send the process a match; if it is dead, `hear` will tell."""
        self.match = spec.match
        self.games = 0
        self._send(encode_message(spec))

    def _send(self, message: bytes) -> None:
        with suppress(OSError):
            self.pipe.send_bytes(message)

    def last_outcome(self) -> list[Outcome]:
        """Give how the match ended, if that was said and not yet heard."""
        while self.pipe.poll():
            outcome = self.hear()
            if outcome is not None:
                return [outcome]
        return []

    def hear(self) -> Outcome | None:
        """Wait for the next word: how the match ended, None where it goes on.

        `games` counts those played so far. A process that makes no sense any more is lost.
        """
        self.is_lost = True
        try:
            news = decode_news(self.pipe.recv_bytes())
        except (EOFError, OSError):
            return Failed(self.match, f"a worker died {self._last_words()}")
        except msgspec.DecodeError as error:
            return Failed(self.match, f"a worker said what cannot be read: {error}")
        if news.match != self.match:
            return Failed(self.match, f"a worker spoke of match {news.match} instead")
        self.is_lost = False
        if isinstance(news, Advanced):
            self.games = news.games
            return None
        return news

    def _last_words(self) -> str:
        """Say how a process that is no longer heard came to its end."""
        self.wait_to_end(_LAST_WORDS)
        self.kill()
        code = self._process.returncode
        return f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"

    def stop(self) -> None:
        """Ask the process to end its bots and go."""
        self._process.terminate()

    def wait_to_end(self, seconds: float) -> None:
        """Give a process that was asked to go some time to do it."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def kill(self) -> None:
        """End the process whatever it does; an ended one may be killed again."""
        self._process.kill()
        self._process.wait()
        self.pipe.close()
