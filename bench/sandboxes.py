"""Docker against bubblewrap: what a turn, a start, whole matches and a whole round robin cost.

Matches follow each other, as in a tournament, so that Docker can make its containers ahead; each
has two sittings of ten boards, of as many hands as a game to 500 usually takes. The round robin is
that of `configs/`, from its command to its report, and by one seed: another seed's games can be
twice as long.
"""

import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from arena.match import play_match
from arena.record import Limits
from arena.sandbox import Launch, Process, open_sandbox
from arena.sandbox.docker import DockerSandbox
from bench.match import BOT, HELLO, TIME, spec_of, turn
from bench.timing import in_turns, verdict

KINDS = ("docker", "bubblewrap")
TURNS = 2000
STARTS = 10
MATCHES = 4
CONFIG = Path(__file__).parent.parent / "configs" / "round_robin.yaml"
RUNS = 2
TARGET = 1.3
"""A round robin's time under Docker on that under bubblewrap, at most."""


def start(kind: str, limits: Limits) -> tuple[Process, select.poll]:
    """Start the benchmark's bot and have it get ready."""
    bot = open_sandbox(kind).launch(Launch(BOT.command, BOT.folder, limits))
    poll = select.poll()
    poll.register(bot.stdout, select.POLLIN)
    turn(bot, poll, HELLO, TIME.startup)
    return bot, poll


def compare_turns(freeze: bool) -> tuple[float, float, float]:
    """Time a turn, thawing and freezing included: seconds in both, and their ratio."""
    bots = [start(kind, Limits(freeze=freeze)) for kind in KINDS]
    line = b'{"type":"request","id":1,"board":1,"pad":"%b","legal":[0],"time_left":1}\n' % (
        b"x" * 240
    )

    def take_turns(bot: Process, poll: select.poll) -> int:
        for _ in range(TURNS):
            bot.thaw()
            turn(bot, poll, line, TIME.move)
            bot.freeze()
        return TURNS

    found = in_turns(lambda: take_turns(*bots[0]), lambda: take_turns(*bots[1]))
    for bot, _ in bots:
        bot.close()
    return found


def time_starts(kind: str) -> float:
    """Give the median of the seconds to a bot that is ready, with no container made ahead."""
    seconds = []
    for number in range(STARTS):
        limits = Limits(log=number)  # other limits, another container
        began = time.perf_counter()
        bot, _ = start(kind, limits)
        seconds.append(time.perf_counter() - began)
        bot.close()
    return statistics.median(seconds)


def time_matches(kind: str, game: str) -> float:
    """Give the seconds a match, the first two left out, in which nothing was made ahead."""
    spec = replace(
        spec_of(game), rules={"max_hands": 8}, boards=tuple(range(1, 11)), sittings=2, sandbox=kind
    )
    bots = {BOT.ref.digest: BOT}
    for _ in range(2):
        play_match(spec, bots)
    began = time.perf_counter()
    for _ in range(MATCHES):
        play_match(spec, bots)
    return (time.perf_counter() - began) / MATCHES


def time_run(kind: str, jobs: int) -> float:
    """Give the seconds that the round robin takes, begun anew."""
    command = [sys.executable, "-m", "arena", "run", str(CONFIG), "--quiet", "--seed", "1"]
    command += ["--sandbox", kind, "--jobs", str(jobs), "--out"]
    with tempfile.TemporaryDirectory() as place:
        began = time.perf_counter()
        subprocess.run([*command, f"{place}/out"], check=True, capture_output=True)
        return time.perf_counter() - began


def compare_runs(jobs: int) -> tuple[float, float]:
    """Time the round robin in both, turn about: the least seconds of each."""
    turns = [[time_run(kind, jobs) for kind in KINDS] for _ in range(RUNS)]
    mine, other = map(min, zip(*turns, strict=True))
    return mine, other


def main() -> None:
    """Print each figure for Docker, for bubblewrap, and the ratio."""
    problem = DockerSandbox().problem()
    if problem is not None:
        print(f"docker: left out, as {problem}")
        return
    for freeze in (False, True):
        mine, other, ratio = compare_turns(freeze)
        what = "a turn with freezing" if freeze else "a turn"
        print(f"docker, {what}: {mine * 1e6:.1f} µs, {other * 1e6:.1f} in bubblewrap: {ratio:.2f}")
    mine, other = map(time_starts, KINDS)
    print(f"docker, a start with nothing ahead: {mine * 1e3:.0f} ms, {other * 1e3:.0f}")
    for game in ("two-player", "partnership"):
        mine, other = (time_matches(kind, game) for kind in KINDS)
        print(f"docker, {game}: {mine:.2f} s a match, {other:.2f}: {mine / other:.2f} times")
    for jobs in (1, 2):
        mine, other = compare_runs(jobs)
        ratio = mine / other
        print(
            f"docker, a round robin, jobs {jobs}: {mine:.1f} s, {other:.1f}: {ratio:.2f} times "
            f"(target: at most {TARGET:g}, {verdict(ratio <= TARGET)})"
        )
