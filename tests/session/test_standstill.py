"""A referee that stood still charges nobody for it: it is really stopped, and let go on again.

A bot without a sandbox may signal the worker that asks it, which stands for whatever else may stop
a machine. Protocol: time.
"""

import json
from pathlib import Path

from tests.cli.workspace import FIRST_LEGAL, Workspace

STOPPED = 1.2
"""Seconds that the worker stands still: more than a bot has for a move."""
CONFIG = """\
name: cup
game: two-player
bots: [bots/*]
boards: 1
rules: {max_hands: 1}
time: {startup: 60, move: 1, hand: 60}
sandbox: {kind: none}
executor: {kind: local, jobs: 1}
"""
STOPS = """\
import os, signal, time

def stop_the_worker():
    supervisor = os.getppid()
    with open(f"/proc/{supervisor}/stat") as file:
        worker = int(file.read().rpartition(")")[2].split()[1])
    if os.fork() == 0:
        time.sleep(STOPPED)
        os.kill(worker, signal.SIGCONT)
        os._exit(0)
    os.kill(worker, signal.SIGSTOP)

def once():
    try:
        os.close(os.open(MARK, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True

"""


def workspace(folder: Path, then: str) -> Workspace:
    """A cup in which one bot has the worker stand still, once, before a card is played."""
    made = Workspace(folder, "ann")
    made.config.write_text(CONFIG)
    begin = STOPS.replace("MARK", repr(str(folder / "mark"))).replace("STOPPED", str(STOPPED))
    stop = f"""\
        if message["decision"] == "play" and once():
            stop_the_worker()
            {then}
        print(json.dumps("""
    made.add_bot("stops", begin + FIRST_LEGAL.replace("        print(json.dumps(", stop))
    return made


def test_an_answer_that_lay_there_while_the_referee_stood_still_was_in_time(tmp_path: Path) -> None:
    cup = workspace(tmp_path, "pass")
    code, _, errors = cup.run("run", "cup.yaml")
    assert code == 0, errors
    code, out, errors = cup.run("faults", "cup")
    assert (code, out, errors) == (0, "", "no faults\n")
    _, out, _ = cup.run("export", "cup")
    games = [json.loads(line) for line in out.splitlines()]
    assert (tmp_path / "mark").exists()
    assert len(games) == 2
    times = [move["us"] for game in games for move in game["hands"][0]["moves"]]
    assert max(times) < STOPPED / 2 * 1_000_000


def test_a_bot_that_stood_still_with_the_machine_is_not_late_and_the_match_is_replayed(
    tmp_path: Path,
) -> None:
    cup = workspace(tmp_path, f"time.sleep({STOPPED} + 0.5)")
    code, _, errors = cup.run("run", "cup.yaml")
    assert code == 0, errors
    code, out, errors = cup.run("faults", "cup")
    assert (code, errors) == (0, "1 failure of the host\n")
    assert "this machine stood still for 1." in out
    _, out, _ = cup.run("export", "cup")
    assert [json.loads(line)["faults"] for line in out.splitlines()] == [[], []]
