"""Every hostile bot against an honest one: its fault is told, games count, nothing is left."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import msgspec
import pytest

from arena.match import start_again
from arena.protocol import MAX_SAID
from arena.record import FaultPolicy, FaultRecord
from arena.referee import verify_game
from arena.sandbox import open_sandbox
from arena.store import Store
from tests.docker_engine import docker
from tests.hostile.expected import ALL, GROUPS, HELD, Expected, Group
from tests.hostile.gauntlet import BOTS, LIMITS, Orders, Told

__all__ = ["docker"]
MEMORY = 200 * 1024**2
"""Bytes that the referee may take, whatever bots send it."""
GAINED = 200
"""Milliseconds of thought that a bot may have beside its own, in a game in which others think for
700: it runs on for a moment after each answer, until it is frozen."""


CASES = [(sandbox, name) for sandbox in ALL for name in GROUPS if GROUPS[name].under(sandbox)]


def test_every_bot_here_has_its_row() -> None:
    folders = {path.name for path in BOTS.iterdir() if (path / "bot.yaml").exists()}
    opponents = {group.opponent for group in GROUPS.values()}
    assert folders == opponents.union(*(group.bots for group in GROUPS.values()))


@pytest.mark.parametrize(("sandbox", "name"), CASES)
def test_hostile_bots_harm_nobody(
    tmp_path: Path, request: pytest.FixtureRequest, sandbox: str, name: str
) -> None:
    if sandbox == "docker":
        request.getfixturevalue("docker")
    group = GROUPS[name]
    bots = group.under(sandbox, lacking_here(sandbox))
    if not bots:
        pytest.skip(f"{sandbox} does not hold what stops these here; `arena doctor` says why")
    out = tmp_path / "arena-canary" / "results"
    told = play(
        tmp_path,
        Orders(sandbox, (group.opponent, *bots), group.time, group.game, group.boards, out),
    )
    assert told.left == ()
    assert told.memory < MEMORY
    with Store(out) as store:
        wrong = [
            f"{bot}: {what}"
            for match, (bot, row) in enumerate(bots.items(), 1)
            for what in differences(store, match, row, sandbox, group)
        ]
    assert not wrong, "\n".join(wrong)


SUBSTITUTED = (
    "exits-in-mid-game", "segfaults", "answers-twice", "gives-the-old-answer", "long-line",
    "no-utf-8", "escapes-and-scripts", "floods-the-log",
)  # fmt: skip
"""Bots that fail in every way that a game goes on after, and one that does not fail."""


@pytest.mark.parametrize("sandbox", HELD)
def test_games_go_on_with_the_referee_s_moves_and_are_verified(
    tmp_path: Path, request: pytest.FixtureRequest, sandbox: str
) -> None:
    if sandbox == "docker":
        request.getfixturevalue("docker")
    out = tmp_path / "results"
    bots = ("honest", *SUBSTITUTED)
    policy = FaultPolicy("substitute", limit=1000)
    told = play(tmp_path, Orders(sandbox, bots, GROUPS["quick"].time, out=out, faults=policy))
    assert told.left == ()
    assert told.memory < MEMORY
    with Store(out) as store:
        for match, bot in enumerate(SUBSTITUTED, 1):
            (game,) = store.games(match)
            assert game.result.reason == "max_hands", bot
            assert {fault.seat for fault in game.faults} == (
                set() if bot == "floods-the-log" else {1}
            )
            assert verify_game(game, partial(start_again, game)) == [], bot


def lacking_here(sandbox: str) -> frozenset[str]:
    """Name the limits that this machine does not hold; one that runs CI has to hold them all."""
    holds = () if os.environ.get("CI") else open_sandbox(sandbox).holds()
    return frozenset(one.limit for one in holds if one.lacking is not None)


def test_odd_words_are_shown_harmlessly(tmp_path: Path) -> None:
    out = tmp_path / "results"
    bots = ("honest", "escapes-and-scripts")
    play(tmp_path, Orders("bubblewrap", bots, GROUPS["quick"].time, boards=2, out=out))
    shown = []
    for command in ("leaderboard", "faults", "report"):
        done = subprocess.run(
            [sys.executable, "-m", "arena", command, str(out)],
            cwd=BOTS.parents[1],
            capture_output=True,
            check=True,
            env={**os.environ, "FORCE_COLOR": "1"},
        )
        shown.append((command, done.stdout.decode() + done.stderr.decode()))
    pages = [(str(page), page.read_text()) for page in out.glob("report/**/*.html")]
    assert len(pages) > 2
    for words in ("\x1b[2J", "\x1b]0;", "\x07", "\u202e"):
        assert [place for place, text in shown + pages if words in text] == []
    for words in ("<script>hostile", "<img src=x"):
        assert [place for place, text in pages if words in text] == []


def play(folder: Path, orders: Orders) -> Told:
    """Play a gauntlet in a program of its own, with a canary wherever bots may look."""
    scratch, home = folder / "tmp", folder / "arena-canary-home"
    for place in (scratch, home):
        place.mkdir()
    (home / "arena-canary").write_text("arena-canary")
    environment = {
        **os.environ,
        "TMPDIR": str(scratch),
        "HOME": str(home),
        "SECRET": "arena-canary",
    }
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.gauntlet", msgspec.json.encode(orders, enc_hook=str)],
        cwd=BOTS.parents[1],
        env=environment,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Told)


def differences(
    store: Store, match: int, row: Expected, sandbox: str, group: Group
) -> Iterator[str]:
    """Say how a match went otherwise than it should have."""
    fault = row.fault_in(sandbox)
    games = list(store.games(match))
    logs = [stored.log for stored in store.logs(match)]
    text = "".join(log.text for log in logs if log.seat % 2)
    if len(games) != group.boards:
        yield f"{len(games)} games"
    for game in games:
        if fault is None:
            if game.faults or game.result.reason != "max_hands":
                yield f"faults {game.faults}, {game.result.reason}"
            continue
        ended = (game.result.reason, game.result.winner, [one.seat % 2 for one in game.faults])
        if ended != ("fault", 0, [1]):
            yield f"ended by {ended}"
        yield from unexpected(game.faults, row, fault.value)
    if fault is None and row.words not in text:
        yield f"log {text!r}"
    yield from signs_of_harm(text)
    if any(len(log.text.encode()) > LIMITS.log for log in logs):
        yield "its log is larger than it may be"


def unexpected(faults: tuple[FaultRecord, ...], row: Expected, kind: str) -> Iterator[str]:
    """Say which faults are others than expected, or say too much."""
    for one in faults:
        if one.kind.value != kind or row.words not in one.detail:
            yield f"{one.kind.value}: {one.detail} ({one.said[:80]!r})"
        if len(one.said) > MAX_SAID + 1:
            yield f"{len(one.said)} characters are quoted"


def signs_of_harm(text: str) -> Iterator[str]:
    """Say what a bot's log tells of what it reached, and of its gain."""
    yield from re.findall(r"^reached .*", text, re.MULTILINE)
    for gained in re.findall(r"thought for (\d+) ms", text):
        if int(gained) > GAINED:
            yield f"thought for {gained} ms in the time of others"
