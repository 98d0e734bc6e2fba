"""Whatever a program started is gone when `close` returns, and when the arena itself is killed."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.running import (
    SECONDS,
    alive,
    all_end,
    children_of_ours,
    held,
    launch,
    open_descriptors,
    python,
    read_line,
    scratch_folders,
    shell,
    wait_for_end,
    wait_until,
)

DAEMON = """
import os, signal, sys
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.setsid()
        os.closerange(3, 100)
        print("up", flush=True)
        signal.pause()
    os._exit(0)
os.wait()
"""

FOREST = """
import os, signal
for _ in range(3):
    os.fork()
os.setsid() if os.getpid() != os.getpgrp() else None
print("up", flush=True)
signal.pause()
"""

# Every process starts another and ends, so that their number stays and their ids do not.
RUNNERS = """
import os
for _ in range(4):
    if os.fork() == 0:
        print("up", flush=True)
        while True:
            if os.fork():
                os._exit(0)
            os.setsid()
os.wait()
"""


def started(kind: str, folder: Path, code: str, token: str, ups: int, then: str = "") -> list[int]:
    """Run a program until it has said `up` so many times; give its processes, closed."""
    process = python(kind, folder, f"{code}\n{then}\n# {token}")
    for _ in range(ups):
        os.read(process.stdout, 3) if _has_output(process.stdout) else None
    found = alive(token)
    process.close()
    return found


def _has_output(descriptor: int) -> bool:
    assert select.select([descriptor], [], [], SECONDS)[0]
    return True


@pytest.mark.parametrize("then", ["signal.pause()", "os._exit(0)", "os.kill(os.getpid(), 11)"])
def test_a_daemon_in_a_session_of_its_own_is_gone(
    kind: str, folder: Path, token: str, then: str
) -> None:
    found = started(kind, folder, DAEMON, token, 1, then)
    assert found or then != "signal.pause()"
    assert alive(token) == []


def test_a_tree_of_processes_is_gone(kind: str, folder: Path, token: str) -> None:
    assert len(started(kind, folder, FOREST, token, 8)) >= 8
    assert alive(token) == []


def test_what_forks_while_it_is_killed_is_gone(kind: str, folder: Path, token: str) -> None:
    started(kind, folder, RUNNERS, token, 4)
    assert alive(token) == []


def test_what_stopped_itself_is_gone(kind: str, folder: Path, token: str) -> None:
    process = shell(kind, folder, f"echo up; kill -STOP $$; : {token}")
    assert read_line(process.stdout) == "up"
    assert process.close().text == "still running"
    assert alive(token) == []


def test_what_signals_every_process_it_can_is_gone(folder: Path, token: str) -> None:
    code = f"""
import os, signal
for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    try:
        os.kill(-1, number)
    except ProcessLookupError:
        pass
print("up", flush=True)
signal.pause()
# {token}
"""
    process = python("bubblewrap", folder, code)
    assert read_line(process.stdout) == "up"
    assert process.close().text == "still running"
    assert alive(token) == []


def test_killing_its_supervisor_does_not_help_a_bot(folder: Path, token: str) -> None:
    code = f"""
import os, signal
if os.fork() == 0:
    os.setsid()
    os.kill(os.getppid(), signal.SIGSTOP)
    print("up", flush=True)
    signal.pause()
os.kill(os.getppid(), signal.SIGKILL)
signal.pause()
# {token}
"""
    process = python("none", folder, code)
    wait_for_end(process)
    process.close()
    assert alive(token) == []


def test_fifty_in_a_row_leave_nothing(kind: str, folder: Path, token: str) -> None:
    children = children_of_ours()
    launch(kind, folder, "true").close()
    descriptors = open_descriptors()
    folders = scratch_folders()
    for turn in range(50):
        process = shell(kind, folder, f"setsid sh -c 'echo up; read line; : {token}' & read line")
        if turn % 2:
            assert read_line(process.stdout) == "up"
        process.close()
    assert alive(token) == []
    assert open_descriptors() == descriptors
    assert scratch_folders() == folders
    assert children_of_ours() == children


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.sandbox.running import python, read_line
process = python(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).read_text())
print(read_line(process.stdout), flush=True)
signal.pause()
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM])
def test_nothing_outlives_an_arena_that_is_killed(
    kind: str, folder: Path, token: str, tmp_path: Path, sign: signal.Signals
) -> None:
    (tmp_path / "daemon.py").write_text(f"{DAEMON}\nsignal.pause()\n# {token}")
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, kind, str(folder), str(tmp_path / "daemon.py")],
        stdout=subprocess.PIPE,
    ) as arena:
        assert arena.stdout is not None
        assert arena.stdout.readline() == b"up\n"
        with held(alive(token)) as family:
            assert len(family) >= 2
            arena.send_signal(sign)
            arena.wait(SECONDS)
            assert all_end(family, seconds=1.0)
    wait_until(lambda: scratch_folders(arena.pid) == set())


STARTING = """
import sys
from pathlib import Path
from arena.sandbox import open_sandbox
from arena.sandbox.bwrap import Setup
from tests.sandbox.running import shell
def wait(setup):
    print("at the gate", flush=True)
    sys.stdin.read()
open_sandbox("bubblewrap")
Setup.open_gate = wait
shell("bubblewrap", Path(sys.argv[1]), f": {sys.argv[2]}")
"""


def test_nothing_outlives_an_arena_that_is_killed_while_it_starts_a_bot(
    folder: Path, token: str
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", STARTING, str(folder), token],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as arena:
        assert arena.stdout is not None
        assert arena.stdout.readline()
        with held(alive(token)) as family:
            assert len(family) >= 3, "the arena, bwrap and the child that waits"
            arena.kill()
            arena.wait(SECONDS)
            assert all_end(family)
