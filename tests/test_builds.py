"""Build steps: real compilers in the real sandbox, kept by digest, and failures told."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.bots import Bot, load_bot, shelve, workplace
from arena.builds import advice_on, missing_programs, ready_bot
from arena.protocol import FaultKind
from arena.sandbox import open_sandbox
from tests.bot_folders import make_bot
from tests.test_match import play

SANDBOXES = ("bubblewrap", "none")


def with_build(bot: Bot, *build: str) -> Bot:
    """Give a bot a build step."""
    manifest = bot.folder / "bot.yaml"
    words = json.dumps(build)
    manifest.write_text(f"{manifest.read_text()}build: {words}\n", encoding="utf-8")
    return load_bot(bot.folder)


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_bot_in_c_is_built_once_and_plays(tmp_path: Path, sandbox: str) -> None:
    brisk = load_bot(Path(__file__).parent.parent / "bots" / "brisk")
    built = ready_bot(brisk, tmp_path / "shelf", open_sandbox(sandbox))
    program = built.folder / "brisk"
    made_at = program.stat().st_mtime_ns
    assert built.ref == brisk.ref
    assert ready_bot(brisk, tmp_path / "shelf", open_sandbox(sandbox)) == built
    assert program.stat().st_mtime_ns == made_at
    record = play(built, make_bot(tmp_path, "other"), sandbox=sandbox)
    assert {game.result.reason for game in record.games} == {"max_hands"}


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_build_writes_into_a_copy_and_never_into_the_bots_folder(
    tmp_path: Path, sandbox: str
) -> None:
    bot = with_build(make_bot(tmp_path, "writes"), "touch", "made")
    built = ready_bot(bot, tmp_path / "shelf", open_sandbox(sandbox))
    assert (built.folder / "made").exists()
    assert not (bot.folder / "made").exists()
    assert load_bot(bot.folder) == bot


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_a_build_that_fails_costs_its_bot_every_game_and_tells_why(
    tmp_path: Path, sandbox: str
) -> None:
    words = ("sh", "-c", "echo no such header >&2; exit 4")
    bot = with_build(make_bot(tmp_path, "fails"), *words)
    broken = ready_bot(bot, tmp_path / "shelf", open_sandbox(sandbox))
    assert broken.unbuilt == ("exit code 4", "no such header\n")
    record = play(make_bot(tmp_path, "honest"), broken, sandbox=sandbox, sittings=1)
    for game in record.games:
        assert [(fault.seat, fault.kind) for fault in game.faults] == [(1, FaultKind.STARTUP)]
        assert game.result.winner == 0
        assert "no such header" in game.faults[0].said
        assert game.faults[0].detail == "build: exit code 4"


def test_a_build_that_never_ends_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.builds.SECONDS", 0.5)
    bot = with_build(make_bot(tmp_path, "endless"), "sh", "-c", "while :; do echo y; done")
    broken = ready_bot(bot, tmp_path / "shelf", open_sandbox("bubblewrap"))
    assert broken.unbuilt is not None
    ending, output = broken.unbuilt
    assert ending == "no end after 0.5 s, still running"
    assert len(output) <= 64 * 1024
    assert [path.name[0] for path in (tmp_path / "shelf").iterdir()] == ["e"]


def test_a_build_reaches_neither_the_network_nor_the_machine(tmp_path: Path) -> None:
    probe = "import socket, sys; socket.create_connection(('127.0.0.1', 1), 1)"
    bot = with_build(make_bot(tmp_path, "curious"), "python3", "-c", probe)
    broken = ready_bot(bot, tmp_path / "shelf", open_sandbox("bubblewrap"))
    assert broken.unbuilt is not None
    assert "Error" in broken.unbuilt[1]
    look = with_build(make_bot(tmp_path, "looks"), "test", "!", "-e", str(tmp_path))
    assert ready_bot(look, tmp_path / "shelf", open_sandbox("bubblewrap")).unbuilt is None


def test_a_build_cannot_take_its_own_folder_away(tmp_path: Path) -> None:
    words = ("sh", "-c", "rm -rf /bot; ln -s / /bot; true")
    bot = with_build(make_bot(tmp_path, "gone"), *words)
    built = ready_bot(bot, tmp_path / "shelf", open_sandbox("bubblewrap"))
    assert built.folder.is_dir()
    assert not built.folder.is_symlink()
    assert replace(built, folder=bot.folder, unbuilt=None).ref == bot.ref


def shell_built(folder: Path, code: str, sandbox: str = "bubblewrap") -> Bot:
    """Build a bot by a line of shell."""
    bot = with_build(make_bot(folder, "odd"), "sh", "-c", code)
    return ready_bot(bot, folder / "shelf", open_sandbox(sandbox))


def bytes_below(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*"))


@pytest.mark.parametrize(
    ("code", "how", "said"),
    [
        ("cat /dev/zero > x", "it left more than 64 MiB in its folder", "No space left on device"),
        ("exec 3>x; rm x; cat /dev/zero >&3", "exit code 1", "No space left on device"),
        (
            "head -c 100M /dev/zero > x",
            "what it left cannot be played: x: makes it more than 64 MiB",
            "",
        ),
    ],
)
def test_a_build_cannot_fill_the_disk(tmp_path: Path, code: str, how: str, said: str) -> None:
    broken = shell_built(tmp_path, code)
    assert broken.unbuilt is not None
    assert broken.unbuilt[0].startswith(how)
    assert said in broken.unbuilt[1]
    assert bytes_below(tmp_path) < 1024**2


@pytest.mark.parametrize(
    "code",
    [
        "cat /dev/zero > x",
        'while n=$((n + 1)); do head -c 100000 /dev/zero > "$n"; done',
        'while n=$((n + 1)); do head -c 100000 /dev/zero > "$TMPDIR/$n"; done',
        'while n=$((n + 1)); do mkdir "$n"; done',
        'python3 -c \'import os; [(os.mkdir("d"), os.chdir("d")) for _ in range(900)]\'; sleep 99',
    ],
)
def test_a_build_in_no_sandbox_is_ended_where_it_writes_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    monkeypatch.setattr("arena.builds.ROOM", 1024**2)
    broken = shell_built(tmp_path, code, "none")
    assert broken.unbuilt is not None
    assert broken.unbuilt[0] == "the limit of 1 MiB of files"
    assert bytes_below(tmp_path) < 1024**2


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize(
    ("code", "what"),
    [
        ("mkfifo f; chmod 600 f", "f: is neither a file nor a folder; remove it"),
        ("ln -s /etc/passwd l", "l: the link to /etc/passwd leaves the folder"),
        ("ln -s ../../x l", "l: the link to ../../x leaves the folder"),
        ("mkdir d; cd d; seq 8000 | xargs touch", "holds more than 5000 files and folders"),
        (
            "python3 -c 'import os; [(os.mkdir(\"d\"), os.chdir(\"d\")) for _ in range(3000)]'",
            "lies more than 64 folders deep",
        ),
        ("touch 'a\nb'", "the name holds the control character U+000A; rename it"),
        ("touch 'a\\b'", "the name holds a backslash; rename it"),
    ],
)  # fmt: skip
def test_what_a_build_may_not_leave_is_its_bots_fault(
    tmp_path: Path, sandbox: str, code: str, what: str
) -> None:
    broken = shell_built(tmp_path, code, sandbox)
    assert broken.unbuilt is not None, code
    assert broken.unbuilt[0].startswith("what it left cannot be played: ")
    assert what in broken.unbuilt[0]
    assert [path.name[0] for path in (tmp_path / "shelf").iterdir()] == ["o"]


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("mode", ["555", "000"])
def test_a_build_may_close_its_files_and_its_folder(
    tmp_path: Path, sandbox: str, mode: str
) -> None:
    built = shell_built(tmp_path, f"touch made; ln made more; chmod {mode} made .", sandbox)
    assert built.unbuilt is None
    assert (built.folder / "more").stat().st_mode & 0o444 == 0o444
    record = play(built, make_bot(tmp_path, "other"), sandbox=sandbox, sittings=1)
    assert not any(game.faults for game in record.games)


def test_a_build_step_is_told_before_it_begins_and_only_then(tmp_path: Path) -> None:
    bot = with_build(make_bot(tmp_path, "once"), "true")
    told: list[Bot] = []
    sandbox = open_sandbox("bubblewrap")
    for _ in range(2):
        ready_bot(bot, tmp_path / "shelf", sandbox, begin=told.append)
    ready_bot(make_bot(tmp_path, "plain"), tmp_path / "shelf", sandbox, begin=told.append)
    assert told == [bot]


HOLDS = """
import sys
from pathlib import Path
from arena.bots import workplace
with workplace(Path(sys.argv[1])) as folder:
    (folder / "some").mkdir()
    print(folder, flush=True)
    sys.stdin.read()
"""


@contextmanager
def held(shelf: Path) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Have another process of the arena at work on a shelf."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(shelf)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        try:
            yield process, Path(process.stdout.readline().strip())
        finally:
            process.kill()


def test_what_a_killed_arena_left_of_its_work_is_swept_and_what_is_at_work_is_not(
    tmp_path: Path,
) -> None:
    with held(tmp_path) as (process, other):
        with workplace(tmp_path) as mine:
            assert set(tmp_path.iterdir()) == {other, mine}
        process.kill()
        process.wait()
        assert (other / "some").exists()
        with workplace(tmp_path) as mine:
            assert list(tmp_path.iterdir()) == [mine]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", SANDBOXES)
def test_a_program_that_a_bot_calls_and_the_sandbox_has_not_is_known_before_play(
    tmp_path: Path, kind: str
) -> None:
    sandbox, shelf = open_sandbox(kind), tmp_path / "shelf"
    plain = make_bot(tmp_path, "plain")
    odd = with_build(make_bot(tmp_path, "odd"), "no-such-compiler", "x")
    assert missing_programs((plain, odd), shelf, sandbox) == {"odd": ("no-such-compiler",)}
    assert advice_on("node", sandbox) == "install it (apt-get install nodejs)"
    assert advice_on("no-such-compiler", sandbox) == "install it"
    assert advice_on("pyhton3", sandbox) == "did you mean 'python3'? otherwise install it"


def test_a_build_that_was_run_needs_its_compiler_no_more(tmp_path: Path) -> None:
    sandbox, shelf = open_sandbox("bubblewrap"), tmp_path / "shelf"
    bot = with_build(make_bot(tmp_path, "odd"), "no-such-compiler")
    kept = shelve(bot, shelf)
    (shelf / f"{kept.folder.name}-built").mkdir()
    assert missing_programs((bot,), shelf, sandbox) == {}
