"""What a Dask worker does for a run: lets it in, keeps its bots, plays its matches.

It knows this machine's own arena and the folder that is its own; it never knows a tournament.
Nothing here is kept on disk beyond the worker's life.

A worker may play several matches at a time, each in a thread of its own. The thread does not play:
it owns a process of the arena that does, as the local executor's do. So no referee shares its
interpreter with Dask's heartbeat, a match can be stopped at once, and a worker's end, however it
comes, ends the process that it started and the bots of that.
"""

import hashlib
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path
from weakref import WeakKeyDictionary

import msgspec
from distributed import Status, get_worker
from msgspec.structs import replace

import arena
from arena.bots import Bot, load_bot, shelve, workplace
from arena.builds import ready_bot
from arena.errors import ArenaError
from arena.executors.local import WorkerProcess
from arena.executors.parcels import unpack
from arena.executors.worker import GRACE, Orders, encode_message
from arena.record import Limits, MatchSpec
from arena.sandbox import Sandbox, open_sandbox

LISTEN = 0.25
"""Seconds between two looks whether a match is still wanted."""
_LAST_WORDS = 200
"""Characters that are told of a build's output."""
_LEAVING = (Status.closing, Status.closed, Status.failed)
_MOST_RUNS = 8
"""Runs that a worker remembers; one that is forgotten is let in again when it asks."""

_runs: dict[str, bytes] = {}
_processes: WeakKeyDictionary[threading.Thread, tuple[str, WorkerProcess]] = WeakKeyDictionary()
"""By thread, the run that it plays for and its process: the kernel ends one with the other."""
_lock = threading.Lock()
_building = threading.Lock()


def arena_version() -> str:
    """Name the arena that is installed here: its version, and what its files really hold."""
    return f"{arena.__version__} ({_digest_of_code()})"


@cache
def _digest_of_code() -> str:
    """Give the beginning of a SHA-256 of the arena's own files."""
    folder = Path(arena.__file__).parent
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        whole.update(f"{content} {path.relative_to(folder).as_posix()}\0".encode())
    return whole.hexdigest()[:12]


def topic_of(run: str) -> str:
    """Name the topic under which a run's workers tell the games that were played of a match."""
    return f"arena-games-{run}"


class Terms(msgspec.Struct, frozen=True):
    """What a run wants of a worker: the function that plays, the bots by digest, the sandbox.

    `unbuilt` are those that could not be built where the tournament is run; they lose everywhere.
    """

    play: str
    bots: tuple[str, ...]
    unbuilt: dict[str, tuple[str, str]]
    sandbox: str
    limits: Limits


class UnfitError(ArenaError):
    """A machine that cannot play what it is asked to."""


def enter(run: str, terms: bytes) -> list[str]:
    """Let a run in, with its bots built; give the digests of those that are missing, if any.

    Raises `ArenaError` where this machine lacks the sandbox, or what a bot's build needs.
    """
    asked = msgspec.msgpack.decode(terms, type=Terms)
    sandbox = open_sandbox(asked.sandbox, asked.limits)
    kept = {digest: _kept(digest) for digest in asked.bots}
    missing = [digest for digest, bot in kept.items() if bot is None]
    if not missing:
        bots = [bot for bot in kept.values() if bot is not None]
        with _building:  # another run may have sent the same bot
            ready = tuple(_ready(bot, asked, sandbox) for bot in bots)
        with _lock:
            _runs[run] = encode_message(Orders(asked.play, ready))
            while len(_runs) > _MOST_RUNS:
                del _runs[next(iter(_runs))]
    return missing


def _ready(bot: Bot, asked: Terms, sandbox: Sandbox) -> Bot:
    """Give a bot as it can be started here. Raises `UnfitError` where only this machine cannot."""
    unbuilt = asked.unbuilt.get(bot.ref.digest)
    if unbuilt is not None:
        return replace(bot, unbuilt=unbuilt)
    ready = ready_bot(bot, _shelf(), sandbox, asked.limits)
    if ready.unbuilt is not None:
        how, output = ready.unbuilt
        last = " ".join(output.split())[-_LAST_WORDS:]
        raise UnfitError(f"bot {bot.ref.bot} cannot be built on this machine ({how}): {last}")
    return ready


def _shelf() -> Path:
    """Tell where bots are kept: in the worker's own scratch folder."""
    return Path(get_worker().local_directory) / "arena"


def _kept(digest: str) -> Bot | None:
    """Load a bot that was unpacked here before; one that has changed since is not kept."""
    for folder in _shelf().glob(f"*-{digest.removeprefix('sha256:')[:16]}"):
        with suppress(ArenaError):
            bot = load_bot(folder)
            if bot.ref.digest == digest:
                return bot
    return None


def keep(digest: str, parcel: bytes) -> None:
    """Unpack a bot's folder, whole or not at all. Raises `ParcelError` for another bot's."""
    with workplace(_shelf()) as incoming:
        shelve(unpack(parcel, digest, incoming / "bot"), _shelf())


def play(run: str, spec: bytes) -> tuple[str, bytes | None]:
    """Play a match; give this worker's address and the outcome, None for a run not let in.

    A match that is no longer wanted is stopped, bots and all, and its outcome is empty.
    """
    here = get_worker()
    orders = _runs.get(run)
    if orders is None:
        return here.address, None
    process = _process(run, orders)
    process.play(msgspec.msgpack.decode(spec, type=MatchSpec))
    outcome = None
    while outcome is None:
        if process.pipe.poll(LISTEN):
            outcome = process.hear()
            if outcome is None:
                here.log_event(topic_of(run), (process.match, process.games))
        if outcome is None and not _is_wanted():
            _dismiss()
            return here.address, b""
    if process.is_lost:
        _dismiss()
    return here.address, encode_message(outcome)


def _process(run: str, orders: bytes) -> WorkerProcess:
    """Give this thread's own process, a new one where it has none or another run's."""
    owned = _processes.get(threading.current_thread())
    if owned is not None and owned[0] == run:
        return owned[1]
    _dismiss()
    process = WorkerProcess(orders)
    with _lock:
        _processes[threading.current_thread()] = run, process
    return process


def _dismiss() -> None:
    """End this thread's process: in order if it listens, else by force."""
    with _lock:
        owned = _processes.pop(threading.current_thread(), None)
    if owned is not None:
        _, process = owned
        process.stop()
        process.wait_to_end(GRACE)
        process.kill()


def _is_wanted() -> bool:
    """Tell whether the worker stays, and the scheduler still asks for what this thread is at."""
    here = get_worker()
    if here.status in _LEAVING:
        return False
    task = here.state.tasks.get(here.get_current_task())
    return task is not None and task.state == "executing"


def leave(run: str) -> None:
    """Forget a run that is over, and end the processes that wait for its next match."""
    with _lock:
        _runs.pop(run, None)
        theirs = [process for name, process in _processes.values() if name == run]
    for process in theirs:
        process.stop()
    for process in theirs:
        process.wait_to_end(GRACE)
