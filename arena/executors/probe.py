"""How much of a bot's clock is the referee's own: measured with a bot that answers at once.

It knows the bot and what a played match tells of it; it never knows a tournament, nor what is too
slow. Whatever such a bot is charged, every bot is charged for no doing of its own: pipes, sandbox,
freezing, and cores that others are at. It is measured in the sandbox, at as many matches at a time
as will be played.
"""

from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from arena.bots import Bot, load_bot
from arena.executors.executor import Executor, Finished, Outcome
from arena.record import MOST, Delay, MatchSpec

ROUNDS = 2
"""Matches a job: the first warms it up, and in the second all are at work together."""
HANDS = 8
"""Hands a game, where the rules can bound them: some hundred moves."""

_MANIFEST = """\
name: "null"
version: "1"
games: [{game}]
command: [python3, bot.py]
protocol: 1
description: Answers at once. The arena measures its own delay with it.
"""
_PROGRAM = """\
import json
import sys

MOVES = {"exchange": lambda legal: [], "pass": lambda legal: legal[:3]}

for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        sys.stdout.write('{"type":"ready"}\\n')
    elif asked["type"] == "request":
        legal = asked["legal"]
        move = MOVES.get(asked["decision"], lambda legal: legal[0])(legal)
        sys.stdout.write(json.dumps({"id": asked["id"], "move": move}) + "\\n")
    sys.stdout.flush()
"""


def null_bot(folder: Path, game: str) -> Bot:
    """Make the bot that answers at once, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.yaml").write_text(_MANIFEST.format(game=game))
    (folder / "bot.py").write_text(_PROGRAM)
    return load_bot(folder)


def measure(executor: Executor, spec: MatchSpec, bot: Bot) -> Delay | None:
    """Play the null bot against itself on every job, as `spec` has it but for the seats.

    Its matches have the highest numbers there are, which no run comes to. The executor must know
    the bot, and have no other match. None where nothing could be measured.
    """
    rules = {**spec.rules, "max_hands": HANDS} if "max_hands" in spec.rules else spec.rules
    seats = tuple(bot.ref for _ in spec.seats)
    spec = replace(spec, rules=rules, seats=seats, boards=spec.boards[:1], sittings=1)
    jobs = executor.jobs
    specs = (replace(spec, match=MOST - number) for number in range(ROUNDS * jobs))
    outcomes = _play_all(executor, specs)
    charged = sorted(us for one in outcomes if isinstance(one, Finished) for us in _charged(one))
    if not charged:
        return None
    last = len(charged) - 1
    return Delay(jobs, len(charged), charged[last // 2], charged[last * 99 // 100], charged[last])


def _play_all(executor: Executor, specs: Iterator[MatchSpec]) -> Iterator[Outcome]:
    """Play all of them, as many at a time as the executor has room for."""
    under_way = 0
    for spec in specs:
        if under_way == executor.capacity:
            yield executor.next_outcome()
            under_way -= 1
        executor.submit(spec)
        under_way += 1
    for _ in range(under_way):
        yield executor.next_outcome()


def _charged(outcome: Finished) -> Iterator[int]:
    """List the microseconds that a match charged for its moves."""
    for game in outcome.record.games:
        for hand in game.hands:
            for move in hand.moves:
                if move.us is not None:
                    yield move.us
