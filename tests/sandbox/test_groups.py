"""A group bounds a bot's whole family and holds it still, where this machine lets us make one."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.record import Limits
from arena.sandbox import Ending, groups
from tests.sandbox.running import (
    SECONDS,
    alive,
    all_end,
    held,
    launch,
    python,
    read_line,
    read_to_end,
    wait_for_end,
)

KIND = "bubblewrap"
SMALL = Limits(memory=64 * 1024**2, processes=12)


@pytest.fixture
def memory_bounded() -> None:
    if groups._parents().keys().isdisjoint(("memory", "memory2")):
        pytest.skip("no group of memory may be made here")


@pytest.fixture
def freezing() -> None:
    if "freezer" not in groups._parents():
        pytest.skip("no group may be frozen here")


BOMB = """
import os, signal
print("up", flush=True)
waste = b"x" * 400 * 1024**2
"""
CHILDREN = """
import os, signal
print("up", flush=True)
for _ in range(8):
    if os.fork() == 0:
        waste = b"x" * 30 * 1024**2
        signal.pause()
        os._exit(0)
for _ in range(8):
    os.wait()
    raise SystemExit("a child was killed")
"""


@pytest.mark.usefixtures("memory_bounded")
@pytest.mark.parametrize("code", [BOMB, CHILDREN])
def test_memory_is_bounded_for_all_of_a_family(folder: Path, code: str) -> None:
    process = python(KIND, folder, code, SMALL)
    assert read_to_end(process.stdout) == "up\n"
    wait_for_end(process)
    assert process.close().resource == "the memory limit of 64 MiB"


@pytest.mark.usefixtures("memory_bounded")
def test_so_many_files_that_memory_runs_out_end_a_bot(folder: Path) -> None:
    code = """
print("up", flush=True)
number = 0
while True:
    open(f"/tmp/{number}", "w").close()
    number += 1
"""
    process = python(KIND, folder, code, Limits(memory=16 * 1024**2))
    read_to_end(process.stdout)
    wait_for_end(process)
    assert process.close() == Ending("killed by SIGKILL", "the memory limit of 16 MiB")


STAYS = """
import os, signal
try:
    while os.fork():
        pass
except BlockingIOError:
    print("full", flush=True)
signal.pause()
"""


@pytest.mark.skipif(
    groups._parents().keys().isdisjoint(("pids", "pids2")), reason="no group of processes"
)
def test_a_limit_that_was_met_is_told_of_a_bot_that_runs_on(folder: Path) -> None:
    process = python(KIND, folder, STAYS, SMALL)
    assert read_line(process.stdout) == "full"
    assert process.close() == Ending("still running", "the limit of 12 processes")


def test_a_bot_that_ends_well_has_met_no_limit(folder: Path) -> None:
    process = launch(KIND, folder, "true", limits=SMALL)
    wait_for_end(process)
    assert process.close() == Ending("exit code 0")


FAMILY = """
import os, sys
os.fork()
os.setsid() if os.getpid() != os.getpgrp() else None
turn = 0
while True:
    turn += 1
    if turn % 1000 == 0:
        os.write(1, b".")
"""


def drain(descriptor: int) -> int:
    """Read what is there, and count it."""
    try:
        return len(os.read(descriptor, 65_536))
    except BlockingIOError:
        return 0


def times_of(pids: list[int]) -> list[int]:
    """Read how long processes have run, in the kernel's ticks."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return [int(stat[11]) + int(stat[12]) for stat in stats]


@pytest.mark.usefixtures("freezing")
def test_a_frozen_family_stands_still_and_goes_on(folder: Path, token: str) -> None:
    process = python(KIND, folder, f"{FAMILY}# {token}", Limits())
    assert process.can_freeze
    while len(alive(token)) < 3:  # the shell inside has become the bot, and has its child
        pass
    process.freeze()
    group = process._group  # type: ignore[attr-defined]
    events = group._places["freezer"] / "cgroup.events"
    while "frozen 1" not in events.read_text():
        pass
    while drain(process.stdout):
        pass
    before = times_of(alive(token))
    for pid in alive(token):
        os.kill(pid, signal.SIGCONT)
    sum(1 for _ in range(200_000))  # some milliseconds in which they might have run
    assert times_of(alive(token)) == before
    assert drain(process.stdout) == 0
    process.thaw()
    while not drain(process.stdout):
        pass
    process.freeze()
    assert process.close().text == "still running"
    assert alive(token) == []


@pytest.mark.usefixtures("freezing")
def test_a_bot_is_not_frozen_where_nobody_wants_it(folder: Path) -> None:
    process = launch(KIND, folder, "cat", limits=Limits(freeze=False))
    assert not process.can_freeze
    process.freeze()
    os.write(process.stdin, b"awake\n")
    assert read_line(process.stdout) == "awake"
    process.close()


FROZEN = """
import signal, sys
from pathlib import Path
from arena.record import Limits
from tests.sandbox.running import python, read_line
process = python("bubblewrap", Path(sys.argv[1]), sys.argv[2], Limits())
print(read_line(process.stdout), flush=True)
process.freeze()
print("frozen", flush=True)
signal.pause()
"""


@pytest.mark.usefixtures("freezing")
def test_a_frozen_bot_does_not_outlive_an_arena_that_is_killed(folder: Path, token: str) -> None:
    code = f"print('up', flush=True)\nwhile True: pass  # {token}"
    with subprocess.Popen(
        [sys.executable, "-c", FROZEN, str(folder), code], stdout=subprocess.PIPE
    ) as arena:
        assert arena.stdout is not None
        assert [arena.stdout.readline() for _ in range(2)] == [b"up\n", b"frozen\n"]
        with held(alive(token)) as family:
            arena.kill()
            arena.wait(SECONDS)
            assert all_end(family)
    assert list(left_by(arena.pid))
    groups._parents.cache_clear()
    groups._parents()
    assert not list(left_by(arena.pid))


def left_by(pid: int) -> Iterator[Path]:
    """List the groups that a process made."""
    for place in groups._parents().values():
        yield from place.glob(f"arena-bot-{pid}-*")


def test_groups_are_removed(folder: Path) -> None:
    before = set(left_by(os.getpid()))
    process = launch(KIND, folder, "cat")
    during = set(left_by(os.getpid())) - before
    process.close()
    assert len(during) >= len(set(groups._parents().values()))
    assert set(left_by(os.getpid())) == before
