"""Folders that would do harm before anything of them runs: refused, with what to change."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots import load_bot
from arena.config import load
from arena.errors import InputError
from tests.hostile.gauntlet import BOTS

Change = Callable[[Path], object]


def rename(name: str) -> Change:
    """Give the bot another name in its manifest."""

    def change(folder: Path) -> None:
        manifest = folder / "bot.yaml"
        manifest.write_text(manifest.read_text().replace("name: honest", f"name: {name}"))

    return change


def command(*words: str) -> Change:
    """Give the bot another command."""

    def change(folder: Path) -> None:
        manifest = folder / "bot.yaml"
        manifest.write_text(manifest.read_text().replace("[python3, bot.py]", str(list(words))))

    return change


def make_program(text: str, mode: int) -> Change:
    """Have the command be a program of the folder's own."""

    def change(folder: Path) -> None:
        command("./program")(folder)
        (folder / "program").write_text(text, newline="")
        (folder / "program").chmod(mode)

    return change


def link_manifest(folder: Path) -> None:
    """Have the manifest be a file of the machine's."""
    (folder / "bot.yaml").unlink()
    (folder / "bot.yaml").symlink_to("/etc/passwd")


HARMFUL: dict[str, tuple[Change, str]] = {
    "absolute link": (lambda at: (at / "link").symlink_to("/etc/passwd"), "leaves the folder"),
    "relative link": (lambda at: (at / "link").symlink_to("../../other"), "leaves the folder"),
    "link to itself": (lambda at: (at / "link").symlink_to("link"), "leads nowhere"),
    "link to a folder": (lambda at: (at / "link").symlink_to("/"), "leaves the folder"),
    "manifest elsewhere": (link_manifest, "is no plain file"),
    "fifo": (lambda at: os.mkfifo(at / "pipe"), "is neither a file nor a folder"),
    "gigabytes": (lambda at: os.truncate(at / "bot.py", 2**32), "holds 4096 MiB"),
    "slash": (rename('"../honest"'), "'/'"),
    "colon": (rename('"a:b"'), "':'"),
    "space": (rename('"a b"'), "' '"),
    "emoji": (rename('"\U0001f0a1"'), "holds the character"),
    "long": (rename("a" * 300), "has 300 characters"),
    "dots": (rename('".."'), "begins with '.'"),
    "unseen": (rename('"a\\u202eb"'), "U+202E"),
    "program elsewhere": (command("../../bin/sh"), "leaves the folder"),
    "no program": (command("./gone"), "there is no file"),
    "not executable": (make_program("#!/bin/sh\n", 0o644), "is not executable"),
    "crlf": (make_program("#!/bin/sh\r\nexit\r\n", 0o755), "CRLF"),
}
"""What is done to an honest bot's folder, and the words that it is refused with."""


@pytest.mark.parametrize("name", HARMFUL)
def test_a_folder_that_would_do_harm_is_refused(tmp_path: Path, name: str) -> None:
    change, words = HARMFUL[name]
    folder = tmp_path / "bot"
    shutil.copytree(BOTS / "honest", folder)
    change(folder)
    with pytest.raises(InputError) as refused:
        load_bot(folder)
    assert words in str(refused.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes devices")
def test_a_device_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    shutil.copytree(BOTS / "honest", folder)
    os.mknod(folder / "disk", 0o60600, os.makedev(1, 0))
    with pytest.raises(InputError, match="is neither a file nor a folder"):
        load_bot(folder)


def test_two_bots_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("one", "other"):
        shutil.copytree(BOTS / "honest", tmp_path / name)
    (tmp_path / "cup.yaml").write_text("game: two-player\nbots: [one, other]\n")
    with pytest.raises(InputError, match="two bots are called honest"):
        load(tmp_path / "cup.yaml")
