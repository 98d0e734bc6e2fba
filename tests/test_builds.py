"""Build steps: real compilers in the real sandbox, kept by digest, and failures told."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.bots import Bot, load_bot
from arena.builds import ready_bot
from arena.protocol import FaultKind
from arena.sandbox import open_sandbox
from tests.bot_folders import make_bot
from tests.test_match import play

SANDBOXES = ("bubblewrap", "none")


def with_build(bot: Bot, *build: str) -> Bot:
    """Give a bot a build step."""
    manifest = bot.folder / "bot.yaml"
    words = ", ".join(f'"{word}"' for word in build)
    manifest.write_text(f"{manifest.read_text()}build: [{words}]\n", encoding="utf-8")
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
