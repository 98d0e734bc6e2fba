"""Bots for tests: real folders with a few lines of Python each, made where a test wants them."""

from pathlib import Path
from textwrap import dedent

from arena.bots import Bot, load_bot

_BODY = """
import json, os, sys, time

def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

def first_legal(request):
    legal, decision = request["legal"], request["decision"]
    if decision == "exchange":
        return []
    if decision == "pass":
        return legal[:3]
    return legal[min(2, len(legal) - 1)] if decision == "bid" else legal[0]

def answer(request):
    say({"id": request["id"], "move": first_legal(request)})

def on_hello(hello):
    say({"type": "ready", "name": "test bot"})

def on_end(end):
    pass
"""
_LOOP = """
for line in sys.stdin:
    message = json.loads(line)
    {"hello": on_hello, "request": answer, "end": on_end}[message["type"]](message)
"""


def make_bot(folder: Path, name: str, code: str = "") -> Bot:
    """Make a bot that answers with the first legal move, but for what `code` defines anew.

    `code` may redefine `on_hello`, `answer` and `on_end`, or do anything before the loop.
    """
    home = folder / name
    home.mkdir(parents=True)
    (home / "bot.yaml").write_text(
        f'name: {name}\nversion: "1"\ngames: [two-player, partnership]\n'
        "command: [python3, bot.py]\nprotocol: 1\n",
        encoding="utf-8",
    )
    (home / "bot.py").write_text(_BODY + dedent(code) + _LOOP, encoding="utf-8")
    return load_bot(home)
