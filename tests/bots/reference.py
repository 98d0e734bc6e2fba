"""The bots of `bots/` for their tests: loaded into this process, or started as anyone would.

Requests are what a bot reads from its line: written by the referee's own types and parsed as JSON.
"""

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import msgspec

from arena.bots import load_bot
from arena.deals import SeededBoard
from arena.games.game import Game
from tests.playing import start

BOTS = Path(__file__).resolve().parents[2] / "bots"

Json: TypeAlias = dict[str, object]


@dataclass(frozen=True)
class PythonBot:
    """A bot's two functions: what it makes of a hello, and of a request."""

    remember: Callable[[Json], object]
    choose: Callable[[Json, object], object]


def load(name: str) -> PythonBot:
    """Load a Python bot's file into this process."""
    spec = importlib.util.spec_from_file_location(f"{name}_bot", BOTS / name / "bot.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return PythonBot(module.remember, module.choose)


def hello(
    game: Game, seat: int = 0, seed: int = 81723, rules: Mapping[str, object] | None = None
) -> Json:
    """The hello that a seat would get in a game with these rules."""
    return {
        "type": "hello",
        "protocol": 1,
        "game": game.name,
        "seat": seat,
        "seats": game.seats,
        "sitting": 0,
        "boards": 1,
        "rules": msgspec.to_builtins(msgspec.convert(rules or {}, game.rules_type)),
        "time": {"startup": 10.0, "move": 1.0, "hand": 5.0},
        "freeze": True,
        "seed": seed,
    }


def request(game: Game, number: int = 1, told: int | None = None) -> Json:
    """The request for the decision at hand, with the events from `told` on, or none."""
    events = [] if told is None else game.events(game.seat, told)
    message: Json = json.loads(
        msgspec.json.encode(
            {
                "type": "request",
                "id": number,
                "board": 1,
                "hand": game.hand,
                "decision": game.decision,
                "events": events,
                "view": game.view(game.seat),
                "legal": game.legal_on_wire(),
                "time_left": 5.0,
            }
        )
    )
    return message


def play_game(
    name: str, board: int, sides: Sequence[PythonBot], each: Callable[[Game], None] | None = None
) -> Game:
    """Play a game between two bots; every move is read as the referee reads it."""
    game = start(name, SeededBoard("reference", board))
    memories = [
        sides[seat % 2].remember(hello(game, seat, 100 * board + seat))
        for seat in range(game.seats)
    ]
    while game.outcome is None:
        if each is not None:
            each(game)
        bot = sides[game.seat % 2]
        game.apply(game.parse_move(bot.choose(request(game), memories[game.seat])))
    return game


@cache
def built(name: str) -> "TemporaryDirectory[str]":
    """Build a bot in a copy of its folder, which is gone when this process ends."""
    bot = load_bot(BOTS / name)
    folder = TemporaryDirectory(prefix="arena-test-bot-")
    shutil.copytree(bot.folder, folder.name, dirs_exist_ok=True)
    if bot.manifest.build is not None:
        subprocess.run(bot.manifest.build, cwd=folder.name, check=True)
    return folder


def converse(name: str, messages: Sequence[Json]) -> "subprocess.CompletedProcess[str]":
    """Start a bot as its manifest says, write these lines to it and close its input."""
    bot = load_bot(BOTS / name)
    command = [sys.executable if word == "python3" else word for word in bot.command]
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    return subprocess.run(
        command,
        cwd=built(name).name,
        input=lines,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
