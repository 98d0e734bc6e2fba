"""A tournament in which every hostile bot meets an honest one, as a program of its own.

Nobody meets anybody else, and whatever the bots leave behind becomes a child of this program: it
tells at the end what is left of them, and how much memory the referee took at most.
"""

import ctypes
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import ClassVar

import msgspec

from arena import builds, plugins
from arena.bots import load_bot
from arena.config import Choice, Tournament
from arena.executors.local import LocalExecutor, LocalOptions
from arena.formats.format import Pairing
from arena.formats.round_robin import RoundRobinOptions
from arena.games.partnership import PartnershipRules
from arena.games.two_player import TwoPlayerRules
from arena.protocol import TimeControl
from arena.ratings.trueskill import TrueSkillOptions
from arena.record import FaultPolicy, Limits, Result
from arena.sandbox.groups import _parents
from arena.tournament import open_run, ready_bots, run
from tests.processes import children, command_line, descendants

BOTS = Path(__file__).parent
LIMITS = Limits(memory=96 * 1024**2, processes=16, scratch=4 * 1024**2, log=8 * 1024)
_PATIENCE = 20.0
_PR_SET_CHILD_SUBREAPER = 36


class Orders(msgspec.Struct, frozen=True):
    """What is to be played, and where: the first bot is the one that all others meet."""

    sandbox: str
    bots: tuple[str, ...]
    time: TimeControl
    game: str = "two-player"
    boards: int = 1
    out: Path = Path()
    faults: FaultPolicy = FaultPolicy()


class Told(msgspec.Struct, frozen=True):
    """What the program says at its end: bytes of memory, and what is left, in words."""

    memory: int
    left: tuple[str, ...]


class Gauntlet:
    """A format: the first entrant meets each of the others once."""

    options_type: ClassVar[type[msgspec.Struct]] = RoundRobinOptions

    def __init__(self, options: RoundRobinOptions) -> None:
        """Take the options, of which there are none."""

    def pairings(self, entrants: Sequence[str], results: Sequence[Result] = ()) -> list[Pairing]:
        first, *others = entrants
        return [Pairing(number, number, (first, one)) for number, one in enumerate(others, 1)]


def tournament(orders: Orders) -> Tournament:
    """Set the tournament up."""
    rules = {"two-player": TwoPlayerRules, "partnership": PartnershipRules}[orders.game]
    return Tournament(
        file=orders.out / "gauntlet.yaml",
        name="gauntlet",
        game=orders.game,
        seed="arena-canary",
        bots=tuple(load_bot(BOTS / name) for name in orders.bots),
        boards=orders.boards,
        duplicate=False,
        partners="same",
        given=(),
        rules=msgspec.to_builtins(rules(max_hands=1)),
        time=orders.time,
        faults=orders.faults,
        sandbox=orders.sandbox,
        limits=LIMITS,
        format=Choice("gauntlet", RoundRobinOptions()),
        rating=Choice("trueskill", TrueSkillOptions()),
        executor=Choice("local", LocalOptions(jobs=2)),
        out=orders.out,
    )


def play(orders: Orders) -> Told:
    """Play it to its end, and look what is left."""
    chosen = tournament(orders)
    workers: set[int] = {os.getpid()}
    memory = 0
    with closing(open_run(chosen)) as store:
        executor = LocalExecutor(LocalOptions(jobs=2), ready_bots(chosen, store))
        for step in run(chosen, store, executor):
            assert step.replayed is None, step.replayed
            workers.update(children(os.getpid()))
            memory = max(memory, *map(peak_memory, workers))
    return Told(memory, tuple(left_of(workers)))


def peak_memory(pid: int) -> int:
    """Give the most bytes that a process ever had in memory; 0 where it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in status.splitlines() if "VmHWM" in line)


def left_of(workers: set[int]) -> list[str]:
    """List what is left of the bots that these processes ran."""
    deadline = time.monotonic() + _PATIENCE
    left = still_running()
    while left and time.monotonic() < deadline:
        left = still_running()
    scratch = Path(tempfile.gettempdir())
    left += [f"file {path}" for path in scratch.rglob("*")]
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    left += [f"mount {line}" for line in mounts if str(scratch) in line]
    for place in set(_parents().values()):
        left += [f"group {one}" for one in place.glob("arena-bot-*") if owner(one.name) in workers]
    if "docker" in sys.modules:
        from arena.sandbox.docker.engine import engine  # noqa: PLC0415 - needs an engine

        found = engine().containers(all=True, filters={"label": "arena.owner"})
        names = [one["Names"][0].removeprefix("/") for one in found]
        left += [f"container {name}" for name in names if owner(name) in workers]
    return left


def owner(name: str) -> int:
    """Give the process that made something of this name for a bot."""
    return int(name.removeprefix("arena-bot-").partition("-")[0])


def still_running() -> list[str]:
    """Reap what has ended, and list the other descendants by their command lines."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return []
    found = []
    for pid in descendants(os.getpid()):
        words = command_line(pid)
        if words is not None and "arena-watchdog" not in " ".join(words):
            found.append(f"process {pid} {' '.join(words)}")
    return found


def main() -> None:
    """Read the orders, play, and tell."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    builds.SECONDS = 5.0
    plugins.OWN[plugins.FORMATS]["gauntlet"] = f"{__name__}:Gauntlet"  # type: ignore[index]
    sys.modules["tests.hostile.gauntlet"] = sys.modules["__main__"]
    orders = msgspec.json.decode(sys.argv[1], type=Orders, dec_hook=lambda kind, text: kind(text))
    sys.stdout.buffer.write(msgspec.json.encode(play(orders)))


if __name__ == "__main__":
    main()
