"""Badly behaved bots are told the same each time, however many matches are played beside theirs.

Each plays a real match against an honest bot, in worker processes. Two plays of the same plan
must give the same bytes, but for the times.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.bots import Bot
from arena.executors.executor import Failed, Finished
from arena.executors.local import LocalExecutor, LocalOptions
from arena.protocol import FaultKind, TimeControl
from arena.record import FaultPolicy, MatchSpec, encode_game
from tests.bot_folders import make_bot
from tests.test_match import spec_of

EXTRA = """
def answer(request):
    say({{"id": request["id"], "move": first_legal(request)}})
    {}
"""
BAD = {
    "gone": (FaultKind.STARTUP, "sys.exit(3)"),
    "mute at the start": (FaultKind.STARTUP, "def on_hello(hello): pass"),
    "leaves after ready": (
        FaultKind.CRASH,
        "def on_hello(hello):\n say({'type': 'ready'})\n os._exit(4)",
    ),
    "leaves after an answer": (FaultKind.CRASH, EXTRA.format("os._exit(5)")),
    "raises": (FaultKind.CRASH, "def answer(request): raise RuntimeError('lost the thread')"),
    "closes its output": (FaultKind.CRASH, EXTRA.format("os.close(1); time.sleep(60)")),
    "closes its input": (FaultKind.TIMEOUT, EXTRA.format("os.close(0); time.sleep(60)")),
    "mute": (FaultKind.TIMEOUT, "def answer(request): pass"),
    "half a line": (
        FaultKind.TIMEOUT,
        "def answer(request):\n sys.stdout.write('{\"id\":1,')\n sys.stdout.flush()",
    ),
    "trickles": (
        FaultKind.TIMEOUT,
        "def answer(request):\n while True:\n  os.write(1, b' ')\n  time.sleep(0.01)",
    ),
    "prints": (FaultKind.MALFORMED, "def answer(request): print('thinking', flush=True)"),
    "prints afterwards": (FaultKind.MALFORMED, EXTRA.format("print('done', flush=True)")),
    "counts wrong": (FaultKind.MISMATCH, "def answer(request): say({'id': 99, 'move': 1})"),
    "cheats": (FaultKind.ILLEGAL, "def first_legal(request): return '10H'"),
    "one long line": (FaultKind.OVERSIZE, "def answer(request): say('x' * 100_000)"),
    "floods afterwards": (
        FaultKind.OVERSIZE,
        EXTRA.format("\n    while True: os.write(1, b'x' * 4096)"),
    ),
    "answers twice": (
        FaultKind.UNSOLICITED,
        EXTRA.format("say({'id': request['id'], 'move': 0})"),
    ),
    "answers for ever": (
        FaultKind.UNSOLICITED,
        EXTRA.format("\n    while True: say({'id': request['id'], 'move': 0})"),
    ),
}


EVERY_QUESTION = ["leaves after an answer", "prints afterwards", "answers twice"]
"""Those that play on under `substitute`, with a fault at every other question."""


@pytest.mark.parametrize(
    ("sandbox", "policy", "names", "jobs"),
    [
        ("bubblewrap", FaultPolicy(), list(BAD), (1, 2)),
        ("none", FaultPolicy(), list(BAD), (1, 2)),
        ("none", FaultPolicy(policy="substitute"), EVERY_QUESTION, (1, 2)),
    ],
)
def test_faults_are_the_same_bytes_each_time(
    tmp_path: Path, sandbox: str, policy: FaultPolicy, names: list[str], jobs: tuple[int, ...]
) -> None:
    honest = make_bot(tmp_path, "honest")
    bots = [make_bot(tmp_path, name.replace(" ", "-"), BAD[name][1]) for name in names]
    specs = [
        replace(
            spec_of(honest, bot, game="two-player"),
            match=number,
            boards=(1,),
            time=TimeControl(startup=2, move=0.5, hand=60),
            faults=policy,
            sandbox=sandbox,
        )
        for number, bot in enumerate(bots)
    ]
    plays = [dict(played([honest, *bots], specs, number)) for number in jobs]
    kinds = {name: plays[0][number][1] for number, name in enumerate(names)}
    assert kinds == {name: BAD[name][0] for name in names}
    for other in plays[1:]:
        assert other == plays[0]


def played(
    bots: list[Bot], specs: list[MatchSpec], jobs: int
) -> Iterator[tuple[int, tuple[list[bytes], FaultKind]]]:
    """Play all of them; give by match the games as an export has them, and the first fault."""
    executor = LocalExecutor(LocalOptions(jobs=jobs), bots)
    try:
        left = list(specs)
        under_way = 0
        pauses = 5
        while left or under_way:
            while left and under_way < executor.capacity:
                executor.submit(left.pop())
                under_way += 1
            outcome = executor.next_outcome()
            under_way -= 1
            if isinstance(outcome, Failed) and "stood still" in outcome.reason and pauses:
                # Time stolen from a busy machine: charged to nobody, played again as a run does.
                pauses -= 1
                left.append(specs[outcome.match])
                continue
            assert isinstance(outcome, Finished), outcome
            games = outcome.record.games
            lines = [encode_game(game, times=False) for game in games]
            yield outcome.match, (lines, games[0].faults[0].kind)
    finally:
        executor.close()
