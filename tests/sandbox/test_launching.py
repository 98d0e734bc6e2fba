"""What every sandbox does for a program: starts it, hands it its pipes, tells how it ended."""

import json
import os
import resource
import select
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import HostFault, InputError
from arena.record import Limits
from arena.sandbox import AUTO, Ending, Launch, open_sandbox
from tests.sandbox.running import (
    SECONDS,
    launch,
    open_descriptors,
    output_of,
    python,
    read_line,
    read_to_end,
    shell,
    wait_for_end,
)


def test_a_program_hears_and_speaks_over_its_pipes(kind: str, folder: Path) -> None:
    process = shell(kind, folder, 'read line; echo "heard $line"; echo so >&2')
    os.write(process.stdin, b"hello\n")
    assert read_line(process.stdout) == "heard hello"
    assert read_line(process.stderr) == "so"
    wait_for_end(process)
    assert process.close().text == "exit code 0"


def test_it_runs_in_the_bot_s_folder(kind: str, folder: Path) -> None:
    (folder / "mine.txt").write_text("found")
    assert output_of(shell(kind, folder, "cat mine.txt")) == "found"


def test_a_command_may_be_a_file_of_the_folder(kind: str, folder: Path) -> None:
    program = folder / "bot"
    program.write_text("#!/bin/sh\necho started $1\n")
    program.chmod(0o755)
    assert output_of(launch(kind, folder, "./bot", "two words")) == "started two words\n"


def test_python_is_the_one_that_runs_the_arena(kind: str, folder: Path) -> None:
    code = "import sys; print(sys.version)"
    for name in ("python3", "python"):
        assert output_of(launch(kind, folder, name, "-c", code)).strip() == sys.version


def test_the_end_of_input_is_the_end_of_input(kind: str, folder: Path) -> None:
    process = shell(kind, folder, "cat >/dev/null; echo over")
    process.close_input()
    process.close_input()
    assert output_of(process) == "over\n"


@pytest.mark.parametrize(
    ("code", "ending"),
    [
        ("exit 0", "exit code 0"),
        ("exit 3", "exit code 3"),
        ("kill -SEGV $$", "killed by SIGSEGV"),
        ("kill -KILL $$", "killed by SIGKILL"),
        ("kill -TERM $$", "killed by SIGTERM"),
    ],
)
def test_how_it_ended_is_told(kind: str, folder: Path, code: str, ending: str) -> None:
    process = shell(kind, folder, code)
    wait_for_end(process)
    assert process.close().text == ending
    assert process.close().text == ending, "closing again says the same again"


def test_what_still_runs_when_it_is_closed_is_told_as_that(kind: str, folder: Path) -> None:
    process = shell(kind, folder, "echo up; read line")
    assert read_line(process.stdout) == "up"
    assert process.close().text == "still running"
    assert process.close().text == "still running"


@pytest.mark.parametrize(
    ("command", "ending", "words"),
    [
        ("nowhere-to-be-found", "exit code 127", "not found"),
        ("./nowhere", "exit code 127", "not found"),
        ("./not-executable", "exit code 126", "denied"),
        ("./no-such-interpreter", "exit code 127", "not found"),
    ],
)
def test_a_command_that_cannot_be_started_ends_and_says_why(
    kind: str, folder: Path, command: str, ending: str, words: str
) -> None:
    (folder / "not-executable").write_text("#!/bin/sh\n")
    (folder / "no-such-interpreter").write_text("#!/usr/bin/env-that-is-not\r\n")
    (folder / "no-such-interpreter").chmod(0o755)
    process = launch(kind, folder, command)
    wait_for_end(process)
    complaint = os.read(process.stderr, 1_000).decode()
    assert words in complaint
    assert command in complaint
    assert process.close().text == ending


def test_a_closed_output_is_seen_though_the_program_runs_on(kind: str, folder: Path) -> None:
    process = shell(kind, folder, "exec >&-; echo closed >&2; read line")
    assert read_line(process.stderr) == "closed"
    assert read_to_end(process.stdout) == ""
    assert not select.select([process.exited], [], [], 0)[0]
    assert process.close().text == "still running"


def test_an_end_is_seen_though_a_child_holds_the_output_open(
    kind: str, folder: Path, token: str
) -> None:
    process = shell(kind, folder, f"sh -c 'read line; : {token}' <&0 & echo up")
    assert read_line(process.stdout) == "up"
    wait_for_end(process)
    assert process.close().text == "exit code 0"


def test_only_the_three_pipes_are_open(kind: str, folder: Path) -> None:
    code = "import os; print(sorted(os.listdir('/proc/self/fd')))"
    stray = os.open(folder, os.O_RDONLY)
    os.set_inheritable(stray, True)
    try:
        # The fourth is the one that lists them.
        assert output_of(python(kind, folder, code)) == "['0', '1', '2', '3']\n"
    finally:
        os.close(stray)


def test_the_environment_is_not_the_arena_s(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_ARENA", "the seed")
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    seen: dict[str, str] = json.loads(output_of(python(kind, folder, code)))
    assert set(seen) <= {"PATH", "HOME", "TMPDIR", "LANG", "PWD", "ARENA_BOT", "ARENA_MARK"}
    assert seen["LANG"] == "C.UTF-8"


def test_its_scratch_folder_is_its_own_and_empty(kind: str, folder: Path) -> None:
    code = (
        "import os, tempfile; home = os.environ['HOME']; print(os.listdir(home));"
        "open(os.path.join(home, 'kept'), 'x').close(); tempfile.TemporaryFile().close();"
        "print(os.stat(home).st_mode & 0o077, tempfile.gettempdir() == home)"
    )
    for _ in range(2):
        assert output_of(python(kind, folder, code)) == "[]\n0 True\n"


def test_broken_pipes_and_interrupts_have_their_usual_meaning(kind: str, folder: Path) -> None:
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert output_of(python(kind, folder, code)) == "True\n"
    process = shell(kind, folder, "grep SigIgn /proc/self/status")
    ignored = int(output_of(process).split()[1], 16)
    assert [number for number in range(1, 32) if ignored >> number - 1 & 1] == []


def test_no_core_is_dumped_and_descriptors_are_few(kind: str, folder: Path) -> None:
    assert output_of(shell(kind, folder, "ulimit -c; ulimit -n")) == "0\n256\n"


def test_memory_is_limited(kind: str, folder: Path) -> None:
    code = """
print(len(b"x" * 20 * 1024**2), flush=True)
try:
    print(len(b"x" * 400 * 1024**2))
except MemoryError:
    print("refused")
"""
    process = python(kind, folder, code, Limits(memory=128 * 1024**2))
    said = read_to_end(process.stdout)
    wait_for_end(process)
    ending = process.close()
    if ending.resource is None:
        assert said == "20971520\nrefused\n"
    else:
        assert said == "20971520\n"
        assert ending == Ending("killed by SIGKILL", "the memory limit of 128 MiB")


def test_a_host_that_has_no_descriptor_left_is_at_fault_itself(kind: str, folder: Path) -> None:
    sandbox = open_sandbox(kind)
    before = open_descriptors()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        for spare in range(20):
            resource.setrlimit(resource.RLIMIT_NOFILE, (before + spare, hard))
            try:
                sandbox.launch(Launch(("true",), folder, Limits())).close()
            except HostFault:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
                assert open_descriptors() == before
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_an_unknown_sandbox_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="'bubblewrap'"):
        open_sandbox("bublewrap")


def test_auto_takes_a_real_sandbox_and_never_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "none" not in AUTO
    assert open_sandbox("auto").name in AUTO
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nowhere")
    assert open_sandbox.__wrapped__("auto").name == "bubblewrap"


def test_a_folder_that_is_not_there_is_no_fault_of_the_bot(kind: str, folder: Path) -> None:
    with pytest.raises(HostFault, match="is not there"):
        launch(kind, folder / "gone", "true")


TRIES = """
from pathlib import Path
from arena.errors import HostFault
from arena.record import Limits
from arena.sandbox import Launch, open_sandbox
from arena.sandbox.bubblewrap import BubblewrapSandbox

print(BubblewrapSandbox().problem())
try:
    open_sandbox("none").launch(Launch(("true",), Path.cwd(), Limits(), writable=1))
except HostFault as fault:
    print(fault)
"""


@pytest.mark.parametrize("options", ["size=64k", "size=64m,nr_inodes=9"])
def test_a_full_temporary_folder_is_told_with_what_to_do(tmp_path: Path, options: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "-r"]
    if subprocess.run([*alone, "true"], check=False).returncode:
        pytest.skip("this machine lets nobody mount a small disk")
    script = f'mount -t tmpfs -o {options} none "$TMPDIR" && exec "$@"'
    done = subprocess.run(
        [*alone, "sh", "-c", script, "sh", sys.executable, "-c", TRIES],
        cwd=Path(__file__).parent,
        env={**os.environ, "TMPDIR": str(disk)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    told = f"{disk}: No space left on device; make room there, or another folder in TMPDIR"
    assert done.stdout.splitlines() == [f"a bot cannot be started here: {told}"] * 2, done.stderr
