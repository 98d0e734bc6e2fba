"""Whole tournaments of real bots in worker processes: side by side, stopped, killed, resumed.

`ARENA_KILLS=200` kills one of them so often at random instants, and makes it longer for that.
"""

import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from arena.config import Overrides, Tournament, load
from arena.deals import Stream
from arena.executors.local import LocalExecutor, LocalOptions
from arena.store import RunStore, Store, holds_run
from arena.tournament import open_run, run, verify
from tests.bot_folders import make_bot
from tests.sandbox.running import alive
from tests.tournament.tables import exported

KILLS = int(os.environ.get("ARENA_KILLS", "5"))

# Draws its moves from the seed that it is told, as a bot should.
DRAWS = """
    import random
    def on_hello(hello):
        random.seed(hello["seed"])
        sys.stderr.write("hello\\n")
        say({"type": "ready"})
    def answer(request):
        move = first_legal(request)
        if request["decision"] in ("play", "draft", "blind_nil"):
            move = random.choice(request["legal"])
        say({"id": request["id"], "move": move})
"""
# Never sits out a second game in one process.
FALTERS = """
    def on_end(end):
        pass
    def answer(request):
        if request["board"] == 2 and request["decision"] == "play":
            sys.exit("nothing left to say")
        say({"id": request["id"], "move": first_legal(request)})
"""
# Thinks about its first move for as long as it may.
THINKS = """
    def answer(request):
        sys.stdin.read()
"""

PROGRAM = """
import sys
from contextlib import closing
from pathlib import Path
from arena.config import Overrides, load
from arena.executors.local import LocalExecutor
from arena.tournament import open_run, run

config, out, jobs = sys.argv[1:]
cup = load(Path(config), Overrides(out=Path(out), jobs=int(jobs)))
executor = LocalExecutor(cup.executor.options, cup.bots)
with open_run(cup) as store, closing(run(cup, store, executor)) as progress:
    for step in progress:
        print(step.counts.matches_played, flush=True)
"""


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four bots or more, of which one falters, and a config for each game."""
    folder = tmp_path_factory.mktemp("pool")
    for number in range(3 + KILLS // 20):
        make_bot(folder / "bots", f"bot{number}", DRAWS)
    make_bot(folder / "bots", "fred", FALTERS)
    for game in ("two-player", "partnership"):
        (folder / f"{game}.yaml").write_text(
            f"name: cup\ngame: {game}\nbots: [bots/*]\nboards: 2\nseed: 2026\n"
            "rules: {max_hands: 1}\nsandbox: {kind: none}\n"
            "time: {startup: 30, move: 20, hand: 60}\n"
        )
    return folder


def program(config: Path, out: Path, jobs: int) -> list[str]:
    return [sys.executable, "-c", PROGRAM, str(config), str(out), str(jobs)]


def settings(pool: Path, out: Path, game: str = "two-player") -> Tournament:
    return load(pool / f"{game}.yaml", Overrides(out=out))


def play(pool: Path, out: Path, jobs: int, game: str = "two-player") -> None:
    """Play a tournament, or the rest of it."""
    cup = settings(pool, out, game)
    executor = LocalExecutor(LocalOptions(jobs=jobs), cup.bots)
    with open_run(cup) as store, closing(run(cup, store, executor)) as progress:
        assert list(progress)[-1].is_finished


@pytest.fixture(scope="module")
def unbroken(pool: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a two-player run without interruption, one match at a time."""
    out = tmp_path_factory.mktemp("unbroken") / "cup"
    play(pool, out, jobs=1)
    return out


def is_sound(folder: Path) -> bool:
    with Store(folder) as store:
        return not [problem for checked in verify(store) for problem in checked.problems]


def test_two_jobs_play_the_same_as_one(pool: Path, unbroken: Path, tmp_path: Path) -> None:
    play(pool, tmp_path / "two", jobs=2)
    assert exported(tmp_path / "two") == exported(unbroken)
    assert is_sound(unbroken)
    assert is_sound(tmp_path / "two")


def test_two_jobs_play_partnerships_the_same_as_one(pool: Path, tmp_path: Path) -> None:
    for jobs in (1, 2):
        play(pool, tmp_path / str(jobs), jobs, "partnership")
    assert exported(tmp_path / "1") == exported(tmp_path / "2")
    assert is_sound(tmp_path / "1")


def test_a_bot_s_last_words_are_kept_with_its_fault(unbroken: Path) -> None:
    with Store(unbroken) as store:
        fault = next(store.faults(entrant="fred"))
        logs = [one.log.text for one in store.logs(match=fault.match) if one.log.bot == "fred"]
        assert fault.board == 2
        assert "nothing left to say" in logs[0]


def test_a_run_killed_at_random_instants_ends_with_the_same_records(
    pool: Path, unbroken: Path, tmp_path: Path
) -> None:
    out, config = tmp_path / "cup", pool / "two-player.yaml"
    instant = Stream("kills", str(KILLS))
    kept: list[int] = []
    for _ in range(KILLS):
        with subprocess.Popen(program(config, out, 2), stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            if instant.uniform(4):  # every fourth dies while it is still getting ready
                process.stdout.readline()
            try:
                process.wait(instant.uniform(800) / 1000)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        if holds_run(out):
            with RunStore.resume(out) as store:
                kept.append(store.counts().matches_played)
    assert kept == sorted(kept)
    subprocess.run(program(config, out, 2), check=True, stdout=subprocess.DEVNULL)
    assert exported(out) == exported(unbroken)
    assert is_sound(out)


def test_a_stopped_run_keeps_what_was_played(pool: Path, unbroken: Path, tmp_path: Path) -> None:
    out = tmp_path / "cup"
    cup = settings(pool, out)
    executor = LocalExecutor(LocalOptions(jobs=2), cup.bots)
    with open_run(cup) as store, closing(run(cup, store, executor)) as progress:
        for step in progress:
            if step.counts.matches_played == 3:
                break
    with Store(out) as reader:
        assert 3 <= reader.counts().matches_played < reader.counts().matches
        assert reader.seed is None
    assert set(exported(out)) < set(exported(unbroken))
    play(pool, out, jobs=2)
    assert exported(out) == exported(unbroken)


def test_a_stopped_run_ends_its_bots_at_once(pool: Path, tmp_path: Path) -> None:
    mark = f"bot-of-{tmp_path}-"
    for name, code in (("ann", DRAWS), ("bob", DRAWS), ("dan", THINKS), ("eve", THINKS)):
        manifest = make_bot(tmp_path / "bots", name, code).folder / "bot.yaml"
        manifest.write_text(manifest.read_text().replace("bot.py]", f"bot.py, '{mark}{name}']"))
    (tmp_path / "two-player.yaml").write_text((pool / "two-player.yaml").read_text())
    cup = settings(tmp_path, tmp_path / "cup")
    executor = LocalExecutor(LocalOptions(jobs=2), cup.bots)
    with open_run(cup) as store, closing(run(cup, store, executor)) as progress:
        for _ in progress:
            if alive(f"{mark}dan") and alive(f"{mark}eve"):
                break
    assert alive(mark) == []
