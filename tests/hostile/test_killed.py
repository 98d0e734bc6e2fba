"""Where the referee is killed outright in the middle of play, its bots do not outlive it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec
import pytest

from tests.hostile.expected import GROUPS
from tests.hostile.gauntlet import BOTS, Orders
from tests.processes import children, command_line, descendants
from tests.sandbox.running import SECONDS, all_end, held, wait_until

BOT_NAMES = ("honest", "leaves-a-daemon", "ignores-sigterm", "stops-itself")


@contextmanager
def playing(folder: Path, sandbox: str) -> Iterator[subprocess.Popen[bytes]]:
    """Have a gauntlet be played with slow moves, in a process of its own."""
    scratch = folder / "tmp"
    scratch.mkdir()
    orders = Orders(sandbox, BOT_NAMES, GROUPS["quick"].time, boards=50, out=folder / "results")
    command = [sys.executable, "-m", "tests.hostile.gauntlet"]
    with subprocess.Popen(
        [*command, msgspec.json.encode(orders, enc_hook=str)],
        cwd=BOTS.parents[1],
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as referee:
        try:
            yield referee
        finally:
            referee.kill()


def bots_of(pid: int) -> list[int]:
    """List the bots among all that a process has started."""
    names = {"bot.py", "bot.sh"}
    return [one for one in descendants(pid) if names.intersection(command_line(one) or ())]


def the_referee(pid: int) -> list[int]:
    return [pid]


def all_of_the_arena(pid: int) -> list[int]:
    return [pid, *children(pid)]


@pytest.mark.parametrize("victims", [the_referee, all_of_the_arena])
def test_a_second_after_the_referee_is_killed_no_bot_runs(
    tmp_path: Path, victims: Callable[[int], list[int]]
) -> None:
    with playing(tmp_path, "bubblewrap") as referee:
        wait_until(lambda: len(bots_of(referee.pid)) >= 4)
        with held(bots_of(referee.pid)) as bots:
            for pid in victims(referee.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            assert all_end(bots, seconds=1.0)
        referee.wait(SECONDS)
    wait_until(lambda: list((tmp_path / "tmp").iterdir()) == [])
