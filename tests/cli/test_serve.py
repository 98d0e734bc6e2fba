"""A run followed while it is played: what is shown when, and how the command ends."""

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.cli.serve import Follower
from arena.store import PlannedMatch, RunStore, Store
from tests.cli.conftest import Call
from tests.cli.workspace import Workspace
from tests.matches import SEED, meta, planned, played

PLANS = [planned(1, "anna", "bob"), planned(2, "anna", "cat"), planned(3, "bob", "cat")]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunStore]:
    with RunStore.begin(tmp_path / "cup", meta("anna", "bob", "cat"), SEED) as store:
        store.plan(PLANS, boards_return=False)
        yield store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def follower(run: RunStore, tmp_path: Path, clock: Clock) -> Follower:
    follower = Follower(run.folder, tmp_path / "site", clock)
    follower.look()
    return follower


def progress(follower: Follower) -> tuple[str, int]:
    told = json.loads(follower.progress())
    return told["words"], told["version"]


def write(store: RunStore, plan: PlannedMatch) -> None:
    store.write(played(plan, store.meta.game))


def test_a_look_builds_the_site_again_only_where_more_is_played(
    run: RunStore, follower: Follower, clock: Clock
) -> None:
    assert progress(follower) == ("0 of 12 games", 1)
    follower.look()
    assert progress(follower)[1] == 1
    clock.now = 10
    write(run, PLANS[0])
    follower.look()
    assert progress(follower) == ("4 of 12 games, 0.4 a second, 20 s left", 2)
    assert (follower.site / "matches/1.html").is_file()
    write(run, PLANS[1])
    write(run, PLANS[2])
    run.finish()
    follower.look()
    assert progress(follower) == ("finished: 12 games", 3)


@pytest.mark.rule("D1a")
def test_a_game_has_a_page_only_once_nobody_has_still_to_play_its_board(
    run: RunStore, follower: Follower
) -> None:
    write(run, PLANS[0])
    follower.look()
    assert follower.game("games/1-1-0.html") is None
    write(run, PLANS[1])
    write(run, PLANS[2])
    page = follower.game("games/1-1-0.html")
    assert page is not None
    assert b'id="game"' in page
    for file in ("games/9-1-0.html", "games/1-1-7.html", "games/x.html", "index.html"):
        assert follower.game(file) is None


def test_pages_lead_to_every_game_and_none_is_made_before_it_is_asked_for(
    run: RunStore, follower: Follower
) -> None:
    for plan in PLANS:
        write(run, plan)
    follower.look()
    match = (follower.site / "matches/2.html").read_text()
    for file in re.findall(r'href="\.\./(games/[0-9-]+\.html)"', match):
        assert not (follower.site / file).exists()
        assert follower.game(file)
    assert "connect-src 'self'" in match
    assert 'src="../live.js"' in match


def test_results_that_are_gone_leave_what_is_shown_and_say_so(
    run: RunStore, follower: Follower
) -> None:
    run.close()
    (run.folder / "arena.sqlite").rename(run.folder / "away")
    follower.look()
    assert progress(follower)[0].startswith("What is shown is old:")
    assert (follower.site / "index.html").is_file()
    (run.folder / "away").rename(run.folder / "arena.sqlite")
    follower.look()
    assert progress(follower)[0] == "0 of 12 games"


def test_nothing_is_held_open_between_two_looks(run: RunStore, follower: Follower) -> None:
    write(run, PLANS[0])
    for plan in PLANS[1:]:
        write(run, plan)
    run.finish()
    run.close()
    assert not (run.folder / "arena.sqlite-wal").exists()
    with Store(run.folder) as store:
        assert store.is_finished


def test_the_command_tells_its_address_and_ends_by_ctrl_c(played: Workspace) -> None:
    command = [sys.executable, "-m", "arena", "serve", "results/cup", "--port", "0"]
    with subprocess.Popen(
        command, cwd=played.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        url = process.stdout.readline().strip()
        with urllib.request.urlopen(url) as answer:
            assert b"Leaderboard" in answer.read()
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{url}arena.sqlite")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "ended\n")


def test_a_port_that_is_taken_is_told_with_the_remedy(call: Call, played: Workspace) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, out, errors = call(played, "serve", "cup", "--port", port)
    assert (code, out) == (2, "")
    assert f"cannot listen at 127.0.0.1, port {port}" in errors
    assert "--port or --host" in errors


def test_another_host_is_chosen_deliberately_and_warned_of(played: Workspace) -> None:
    command = [sys.executable, "-m", "arena", "serve", "results/cup", "--port", "0"]
    command += ["--host", "0.0.0.0"]
    with subprocess.Popen(
        command, cwd=played.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr
        assert "everyone who reaches this machine" in process.stderr.readline()
        assert process.stdout
        assert "http://0.0.0.0:" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert process.returncode == 0
