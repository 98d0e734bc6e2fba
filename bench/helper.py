"""The Python helper of new bots against raw JSON: what it adds to a decision.

Both answer the same requests by the same strategy, that of a new bot, and write the same lines: one
with the helper's table and cards, one with what `json` gives. Lines come from memory and go
nowhere, as pipes would cost both the same.
"""

import importlib.util
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from arena.deals import SeededBoard
from arena.exam.opponent import move_of
from arena.match import start_game
from arena.protocol import Reply, encode_line
from arena.record import BotRef
from arena.referee import Answer, Setup, play_game
from arena.starter import new_bot
from bench.timing import ROUNDS

RANKS = "23456789TJQKA"
GAMES = ("two-player", "partnership")
BOARDS = 8


def lines_of(game: str) -> list[str]:
    """Write what a bot at seat 0 is sent over some games of four hands."""
    lines = [json.dumps({"type": "hello", "game": game, "seat": 0, "seed": 1}) + "\n"]
    for board in range(1, BOARDS + 1):
        table = start_game(game, {"max_hands": 4}, SeededBoard("2026", board))
        setup = Setup(1, board, 0, (BotRef("x", "1", ""),) * table.seats, {})
        asking = play_game(setup, table)
        try:
            question = next(asking)
            while True:
                if question.seat == 0:
                    question.request.id = len(lines)
                    lines.append(encode_line(question.request).decode())
                move = move_of(question.request, is_partner=question.seat == 2)
                question = asking.send(Answer(Reply(0, move), 0))
        except StopIteration:
            pass
    return lines


def raw(lines: list[str]) -> str:
    """Answer as a new bot does, with `json` alone, and give what it wrote."""
    out = io.StringIO()
    for line in lines:
        message = json.loads(line)
        if message["type"] == "hello":
            seat, reply = message["seat"], {"type": "ready"}
        else:
            reply = {"id": message["id"], "move": choose(message, seat)}
        out.write(json.dumps(reply) + "\n")
        out.flush()
    return out.getvalue()


def choose(request: dict, seat: int) -> object:
    """Play by a new bot's strategy."""
    decision, legal, view = request["decision"], request["legal"], request["view"]
    if decision == "play":
        wanted = view["tricks"][seat] < (view["bids"][seat] or 0)
        by_rank = sorted(legal, key=lambda card: (card[1] == "S", RANKS.index(card[0])))
        return by_rank[-1] if wanted else by_rank[0]
    if decision == "bid":
        sure = sum(
            RANKS.index(card[0]) >= 11 or (card[1] == "S" and RANKS.index(card[0]) > 7)
            for card in view["hand"]
        )
        return max(bid for bid in legal if bid <= max(1, sure))
    if decision == "draft":
        return view["drawn"][1] == "S" or RANKS.index(view["drawn"][0]) > 8
    return {"blind_nil": False, "exchange": [], "pass": legal[:3]}[decision]


@contextmanager
def a_new_bot() -> Iterator[tuple[ModuleType, ModuleType]]:
    """Import a new bot and its helper."""
    with tempfile.TemporaryDirectory() as place:
        folder = new_bot("bench", "python", Path(place))
        found = []
        for name in ("spades", "bot"):
            spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
            found.append(module)
        yield tuple(found)
        for name in ("spades", "bot"):
            del sys.modules[name]


def helped(helper: ModuleType, bot: ModuleType, lines: list[str]) -> str:
    """Answer with the helper, and give what it wrote."""
    said = sys.stdin, sys.stdout
    sys.stdin, sys.stdout = io.StringIO("".join(lines)), io.StringIO()
    try:
        helper.run(bot.MyBot())
        return sys.stdout.getvalue()
    finally:
        sys.stdin, sys.stdout = said


def compare(helper: ModuleType, bot: ModuleType, game: str) -> tuple[float, float]:
    """Time both over the same lines: the least seconds of this process a decision, of each."""
    lines = lines_of(game)
    if helped(helper, bot, lines) != raw(lines):
        raise AssertionError("the two do not play the same")
    turns = [
        (cost(lambda: helped(helper, bot, lines)), cost(lambda: raw(lines))) for _ in range(ROUNDS)
    ]
    mine, other = zip(*turns, strict=True)
    return min(mine) / len(lines), min(other) / len(lines)


def cost(work: Callable[[], object]) -> float:
    """Count the seconds that this process spends, which a busy machine does not add to."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> None:
    """Print microseconds a decision of both, and their difference, for each game."""
    with a_new_bot() as (helper, bot):
        for game in GAMES:
            mine, other = compare(helper, bot, game)
            print(
                f"helper, {game}: {mine * 1e6:.1f} µs a decision, raw JSON {other * 1e6:.1f} µs: "
                f"{(mine - other) * 1e6:+.1f} µs"
            )
