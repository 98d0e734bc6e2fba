"""Matches in Docker containers: the same games as under bubblewrap, and faults told as such."""

from pathlib import Path

import pytest

from arena.bots import load_bot
from arena.builds import ready_bot
from arena.protocol import FaultKind, TimeControl
from arena.record import FaultRecord, Limits
from arena.sandbox import open_sandbox
from tests.bot_folders import make_bot
from tests.docker_engine import docker
from tests.test_match import CRASH_AT_PLAY, SEATS, is_valid, lines_of, play

pytestmark = pytest.mark.usefixtures("docker")
__all__ = ["docker"]

BRISK = Path(__file__).resolve().parents[1] / "bots" / "brisk"


@pytest.mark.parametrize("game", SEATS)
def test_docker_and_bubblewrap_give_the_same_bytes(tmp_path: Path, game: str) -> None:
    bots = make_bot(tmp_path, "a"), make_bot(tmp_path, "b")
    contained = play(*bots, game=game, sandbox="docker")
    assert contained.sandbox == "docker"
    assert contained.limits == Limits()
    assert all(is_valid(one) for one in contained.games)
    assert lines_of(contained) == lines_of(play(*bots, game=game, sandbox="bubblewrap"))


def test_a_crash_gives_the_same_bytes_too(tmp_path: Path) -> None:
    bots = make_bot(tmp_path, "honest"), make_bot(tmp_path, "crash", CRASH_AT_PLAY)
    contained = play(*bots, sandbox="docker")
    assert [one.result.reason for one in contained.games[:2]] == ["fault", "fault"]
    assert lines_of(contained) == lines_of(play(*bots, sandbox="bubblewrap"))


def test_a_bot_that_is_built_in_a_container_plays_in_one(tmp_path: Path) -> None:
    bots = load_bot(BRISK), make_bot(tmp_path, "b")
    built = [
        ready_bot(bot, tmp_path / kind, open_sandbox(kind))
        for kind in ("docker", "bubblewrap")
        for bot in bots
    ]
    assert [bot.unbuilt for bot in built] == [None] * 4
    contained = play(*built[:2], sandbox="docker")
    assert {one.result.reason for one in contained.games} == {"max_hands"}
    assert lines_of(contained) == lines_of(play(*built[2:], sandbox="bubblewrap"))


def fault_of(tmp_path: Path, code: str, move: float = 5) -> FaultRecord:
    """Play a game between an honest bot and one with these lines of its own; give its fault."""
    bots = make_bot(tmp_path, "honest"), make_bot(tmp_path, "other", code)
    time = TimeControl(startup=10, move=move, hand=60)
    record = play(*bots, sandbox="docker", sittings=1, boards=(1,), time=time)
    (game,) = record.games
    assert (game.result.reason, game.result.winner) == ("fault", 0)
    assert is_valid(game)
    (fault,) = game.faults
    assert fault.seat == 1
    return fault


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("sys.exit(3)", FaultKind.STARTUP, "exit code 3"),
        ("def answer(request): os._exit(9)", FaultKind.CRASH, "exit code 9"),
        ("def answer(request): os.abort()", FaultKind.CRASH, "killed by SIGABRT"),
        ("def answer(request): sys.stdin.readline()", FaultKind.TIMEOUT, "nothing came"),
        ("def answer(request): say({})", FaultKind.MALFORMED, ""),
        (
            "def answer(request): kept = b'x' * 2**30",
            FaultKind.RESOURCE,
            "the memory limit of 256 MiB",
        ),
        (
            "def answer(request):\n    while os.fork(): pass\n    sys.stdin.readline()",
            FaultKind.RESOURCE,
            "the limit of 32 processes",
        ),
        ("def answer(request):\n    while True: os.write(1, b'x')", FaultKind.OVERSIZE, ""),
    ],
    ids=["exits", "crash", "abort", "silence", "malformed", "memory", "forks", "flood"],
)
def test_faults_are_told_as_what_they_are(
    tmp_path: Path, code: str, kind: FaultKind, words: str
) -> None:
    fault = fault_of(tmp_path, code, move=0.5 if kind is FaultKind.TIMEOUT else 5)
    assert fault.kind is kind
    assert words in fault.detail
