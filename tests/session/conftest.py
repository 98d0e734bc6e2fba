"""What tests of sessions share: each sandbox in turn, and bots that are opened and closed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.record import Limits
from arena.sandbox import Launch, open_sandbox
from arena.session import Session
from tests.sandbox.conftest import folder, kind, token

__all__ = ["folder", "kind", "open_bot", "token"]

OpenBot = Callable[..., Session]

UNFROZEN = Limits(freeze=False)
"""So that a bot can be watched at what it does unasked."""

PRELUDE = """
import json, os, signal, sys, time

def say(line):
    sys.stdout.write(line + "\\n")
    sys.stdout.flush()

def hear():
    return json.loads(sys.stdin.readline())

def get_ready():
    hear()
    say('{"type":"ready"}')

def answer(move=1, **more):
    request = hear()
    say(json.dumps({"id": request["id"], "move": move, **more}))

def log(text):
    sys.stderr.write(text)
    sys.stderr.flush()
"""


@pytest.fixture
def open_bot(kind: str, folder: Path) -> Iterator[OpenBot]:
    """Start a bot of a few lines of Python; all are closed at the end."""
    opened: list[Session] = []

    def start(code: str, log: int = 65_536, limits: Limits = UNFROZEN) -> Session:
        (folder / "bot.py").write_text(PRELUDE + code)
        launch = Launch(("python3", "bot.py"), folder, limits)
        opened.append(Session(open_sandbox(kind).launch(launch), log))
        return opened[-1]

    yield start
    for session in opened:
        session.close()
