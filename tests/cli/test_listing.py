"""The list of a pool: what it tells of each version, and that strangers' words do no harm."""

import io
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from arena.bots import digest_folder
from tests.cli.conftest import Call
from tests.cli.workspace import Workspace

HEAD = "Bot Version Digest Submitted Command Games Last result"


def rows(printed: str) -> list[str]:
    """The rows of a table under its head, with single spaces."""
    head, _, *lines = (" ".join(line.split()) for line in printed.splitlines())
    assert head == HEAD
    return lines


def copy_of(played: Workspace, folder: Path) -> Workspace:
    shutil.copytree(played.folder, folder, dirs_exist_ok=True)
    return Workspace(folder)


def test_each_version_is_listed_with_its_games_and_last_result(
    call: Call, played: Workspace, tmp_path: Path
) -> None:
    workspace = copy_of(played, tmp_path)
    ann = workspace.folder / "bots/ann"
    os.utime(ann / "bot.yaml", (86_400, 86_400))
    code, out, errors = call(workspace, "bots")
    assert code == 0
    digest = digest_folder(ann).removeprefix("sha256:")[:8]
    first, *others = rows(out)
    assert re.fullmatch(rf"ann 1\.0 {digest} 1970-01-02 python3 bot\.py 4 \d-\d-\d cup", first)
    assert [row.split()[0] for row in others] == ["bob", "cat"]
    assert errors == "3 bots in 3 versions\n"


def test_games_of_other_content_under_the_same_name_are_not_counted(
    call: Call, played: Workspace, tmp_path: Path
) -> None:
    workspace = copy_of(played, tmp_path)
    (workspace.folder / "bots/ann/notes.txt").write_text("learnt")
    ann, bob, _ = rows(call(workspace, "bots")[1])
    assert ann.endswith("bot.py 0 –")
    assert re.search(r" 4 \d-\d-\d cup$", bob)


def test_programs_get_all_of_it_from_all_runs_or_from_one(
    call: Call, played: Workspace, tmp_path: Path
) -> None:
    workspace = copy_of(played, tmp_path)
    shutil.copytree(workspace.folder / "results/cup", workspace.folder / "results/more")
    for options, games, run in (((), 8, "more"), (("--run", "cup"), 4, "cup")):
        code, out, _ = call(workspace, "bots", "--json", *options)
        assert code == 0
        ann, *_ = json.loads(out)
        assert ann["digest"] == digest_folder(workspace.folder / "bots/ann")
        assert (ann["name"], ann["version"], ann["folder"]) == ("ann", "1.0", "bots/ann")
        assert ann["plays"] == ["two-player", "partnership"]
        assert ann["command"] == ["python3", "bot.py"]
        assert ann["played"] == games
        assert ann["last"]["run"] == run
        assert sum(ann["last"][key] for key in ("wins", "draws", "losses")) == 4


def test_versions_follow_each_other_and_the_withdrawn_are_named(
    call: Call, workspace: Workspace
) -> None:
    for day, version in enumerate(("1.9", "1.10", "1.0"), 1):
        bot = workspace.add_bot("eve", pool=f"sent/{version}")
        manifest = bot / "bot.yaml"
        manifest.write_text(manifest.read_text().replace("1.0", version))
        assert call(workspace, "submit", str(bot), "--pool", "pool", "--no-check")[0] == 0
        kept = workspace.folder / "pool/eve" / version / "bot.yaml"
        os.utime(kept, (day * 86_400, day * 86_400))
    assert call(workspace, "submit", "bots/ann", "--pool", "pool", "--no-check")[0] == 0
    assert call(workspace, "withdraw", "ann", "--pool", "pool")[0] == 0
    code, out, errors = call(workspace, "bots", "--pool", "pool")
    assert code == 0
    assert [row.split()[1] for row in rows(out)] == ["1.9", "1.10", "1.0"]
    assert errors == "1 bot in 3 versions\nwithdrawn: ann\n"


def test_what_cannot_be_read_is_warned_of_and_the_rest_is_listed(
    call: Call, played: Workspace, tmp_path: Path
) -> None:
    workspace = copy_of(played, tmp_path)
    (workspace.folder / "bots/bob/bot.yaml").write_text("nme: bob\n")
    foreign = workspace.folder / "results/foreign"
    foreign.mkdir()
    (foreign / "arena.sqlite").write_text("no database, and long enough to be looked at" * 9)
    code, out, errors = call(workspace, "bots")
    assert code == 0
    assert [row.split()[0] for row in rows(out)] == ["ann", "cat"]
    assert "warning: bots/bob/bot.yaml:1: nme: unknown key; did you mean 'name'?\n" in errors
    assert "warning: its games are not counted: results/foreign" in errors
    code, out, errors = call(workspace, "bots", "--run", "foreign")
    assert (code, out) == (2, "")


def test_no_pool_is_refused_and_an_empty_one_is_no_mistake(
    call: Call, workspace: Workspace
) -> None:
    code, out, errors = call(workspace, "bots", "--pool", "nowhere")
    assert (code, out) == (2, "")
    assert errors.startswith("error: nowhere: no such folder; name another with --pool")
    (workspace.folder / "empty").mkdir()
    assert call(workspace, "bots", "--pool", "empty") == (0, "", "0 bots in 0 versions\n")
    assert call(workspace, "bots", "--pool", "empty", "--json")[:2] == (0, "[]\n")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [60, 80, 100])
def test_a_terminal_holds_every_line_and_no_stranger_s_signs(
    call: Call, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    bot = workspace.add_bot("m" * 40)
    manifest = bot / "bot.yaml"
    words = f'"[bold]\\u202e", {", ".join(["word"] * 50)}'
    manifest.write_text(manifest.read_text().replace("bot.py]", f"bot.py, {words}]"))
    out = call(workspace, "bots")[1]
    assert r"[bold]\u202e" in out
    assert "m" * 40 in out
    assert "\x1b" not in out
    stream = Terminal()
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", stream)
    assert call(workspace, "bots")[0] == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())
    assert max(map(len, plain.splitlines())) <= columns
    assert all(re.search(r"\d{4}-\d\d-\d\d ", line) for line in plain.splitlines()[2:])
    assert len(plain.splitlines()) == 6
    assert "\u202e" not in plain
