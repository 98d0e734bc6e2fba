"""Has honest bots answer after a millisecond under a tight limit, on every core at once.

    python -m tests.punctual --moves 100000

None may lose on time: what is charged to a bot must be its own. It says how many were late, and the
most that any of them was charged. Other work on the machine belongs to the result.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from arena.bots import Bot
from arena.executors.cores import available_cores
from arena.executors.executor import Finished
from arena.executors.local import LocalExecutor, LocalOptions
from arena.protocol import TimeControl
from arena.record import FaultPolicy, GameRecord, Limits, MatchSpec
from tests.bot_folders import make_bot

PROMPT = """
def answer(request):
    end = time.monotonic() + 0.001
    while time.monotonic() < end: pass
    say({"id": request["id"], "move": first_legal(request)})
"""


def spec_of(bot: Bot, limit: float, sandbox: str) -> MatchSpec:
    """Plan a match of the bot against itself."""
    return MatchSpec(
        match=0, round=1, game="two-player", rules={"max_hands": 4}, seed="2026", boards=(1, 2),
        sittings=1, seats=(bot.ref, bot.ref), time=TimeControl(60, limit, 3600),
        faults=FaultPolicy(), sandbox=sandbox, limits=Limits(),
    )  # fmt: skip


def played(bot: Bot, spec: MatchSpec, jobs: int) -> Iterator[GameRecord]:
    """Play the match over and over, as many at a time as there are jobs. Raises `RuntimeError`."""
    executor = LocalExecutor(LocalOptions(jobs=jobs), [bot])
    try:
        under_way = 0
        for number in count(1):
            if under_way == executor.capacity:
                outcome = executor.next_outcome()
                under_way -= 1
                if not isinstance(outcome, Finished):
                    raise RuntimeError(outcome.reason)
                yield from outcome.record.games
            executor.submit(replace(spec, match=number))
            under_way += 1
    finally:
        executor.close()


def main(*arguments: str) -> int:
    """Play until so many moves were made; 1 where any was late."""
    parser = argparse.ArgumentParser(prog="python -m tests.punctual")
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--limit", type=float, default=0.05)
    parser.add_argument("--sandbox", default="bubblewrap")
    parser.add_argument("--jobs", type=int, default=available_cores())
    chosen = parser.parse_args(arguments)
    moves = late = most = 0
    with tempfile.TemporaryDirectory() as folder:
        bot = make_bot(Path(folder), "prompt", PROMPT)
        spec = spec_of(bot, chosen.limit, chosen.sandbox)
        for game in played(bot, spec, chosen.jobs):
            times = [move.us or 0 for hand in game.hands for move in hand.moves]
            moves, late, most = moves + len(times), late + len(game.faults), max(most, *times)
            if moves >= chosen.moves:
                break
    sys.stdout.write(
        f"{late} of {moves} moves late at {1000 * chosen.limit:g} ms and {chosen.jobs} jobs; "
        f"at most {most / 1000:.1f} ms charged\n"
    )
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
