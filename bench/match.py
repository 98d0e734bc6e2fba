"""A whole match against trivially fast bots: the arena's cost a decision against the bare pipe's.

The bare ping-pong is what any referee in Python must do: write the same bytes to the same bots in
the same sandbox, wait under the same deadline with `poll`, read the answer's line. The arena adds
the rules, the views and events, the encoding, the judging and the record.
"""

import os
import select
import time
from collections import Counter
from itertools import chain
from pathlib import Path

from arena.bots import load_bot
from arena.deals import SeededBoard
from arena.match import play_match, start_game
from arena.protocol import Reply, TimeControl, encode_line
from arena.record import FaultPolicy, GameRecord, Limits, MatchSpec
from arena.referee import Answer, Setup, play_game
from arena.sandbox import Launch, Process, open_sandbox
from bench.timing import in_turns, verdict

TARGET = 1.6
"""Our time on the bare ping-pong's, a decision, at most."""
SANDBOX = "bubblewrap"
BOT = load_bot(Path(__file__).parent / "bots" / "first")
TIME = TimeControl(startup=10, move=5, hand=60)
LIMITS = Limits(freeze=False)  # freezing buys fairness, at a price that is no part of the wire's
HELLO = b'{"type":"hello","protocol":1}\n'


def spec_of(game: str) -> MatchSpec:
    """Plan a match of the benchmark's bot against itself over one board."""
    seats = (BOT.ref,) * {"two-player": 2, "partnership": 4}[game]
    return MatchSpec(
        match=1,
        round=1,
        game=game,
        rules={"max_hands": 40, "target": 100_000},
        seed="2026",
        boards=(1,),
        sittings=1,
        seats=seats,
        time=TIME,
        faults=FaultPolicy(),
        sandbox=SANDBOX,
        limits=LIMITS,
    )


def requests_of(record: GameRecord) -> list[tuple[int, bytes]]:
    """Write the requests that a game's bots were sent, as (seat, line) in their order."""
    setup = Setup(1, record.board, record.sitting, record.seats, record.rules, TIME)
    game = start_game(record.game, record.rules, SeededBoard("2026", record.board))
    asking = play_game(setup, game)
    lines = []
    asked: Counter[int] = Counter()
    question = next(asking)
    moves = list(chain.from_iterable(hand.moves for hand in record.hands))
    for move in moves:
        asked[question.seat] += 1
        question.request.id = asked[question.seat]
        lines.append((question.seat, encode_line(question.request)))
        if len(lines) < len(moves):
            question = asking.send(Answer(Reply(0, move.move), move.us))
    return lines


def ping_pong(seats: int, lines: list[tuple[int, bytes]]) -> int:
    """Start the bots, send them the lines, read their answers, and let them end."""
    sandbox = open_sandbox(SANDBOX)
    bots = [sandbox.launch(Launch(BOT.command, BOT.folder, LIMITS)) for _ in range(seats)]
    polls = []
    for bot in bots:
        polls.append(select.poll())
        polls[-1].register(bot.stdout, select.POLLIN)
        turn(bot, polls[-1], HELLO, TIME.startup)
    for seat, line in lines:
        turn(bots[seat], polls[seat], line, TIME.move)
    for bot in bots:
        bot.close_input()
        select.select([bot.exited], [], [], TIME.startup)
        bot.close()
    return len(lines)


def turn(bot: Process, poll: select.poll, line: bytes, seconds: float) -> bytes:
    """Write a line and wait for the one that answers it, until the deadline."""
    os.write(bot.stdin, line)
    deadline = time.monotonic() + seconds
    answer = b""
    while not answer.endswith(b"\n"):
        if not poll.poll(1000 * (deadline - time.monotonic())):
            raise TimeoutError("the benchmark's own bot is late")
        answer += os.read(bot.stdout, 65_536)
    return answer


def compare(game: str) -> tuple[float, float, float]:
    """Time a match and its bare ping-pong: seconds a decision of both, and their ratio."""
    spec, bots = spec_of(game), {BOT.ref.digest: BOT}
    lines = requests_of(play_match(spec, bots).games[0])

    def ours() -> int:
        record = play_match(spec, bots).games[0]
        return sum(len(hand.moves) for hand in record.hands)

    return in_turns(ours, lambda: ping_pong(len(spec.seats), lines))


def main() -> None:
    """Print microseconds a decision of both, and their ratio, for each game."""
    for game in ("two-player", "partnership"):
        mine, other, ratio = compare(game)
        print(
            f"match, {game}: {mine * 1e6:.1f} µs a decision, bare ping-pong "
            f"{other * 1e6:.1f} µs: {ratio:.2f} times "
            f"(target: at most {TARGET:g}, {verdict(ratio <= TARGET)})"
        )
