"""The pages for newcomers, followed to the letter: files saved, commands given in their order."""

import re
import shutil
from pathlib import Path

from tests.cli.conftest import Call
from tests.cli.workspace import ROOT, Workspace

SANDBOXED = ("check", "submit", "run")
FILE = re.compile(r"Save this as\s+`([^`]+)`[^`]*\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ arena ([^\n]*)$", re.MULTILINE)
STEPS = re.compile(f"{FILE.pattern}|{COMMAND.pattern}", re.DOTALL | re.MULTILINE)


def follow(page: str, call: Call, folder: Path) -> dict[str, str]:
    """Do all that a page says in a folder with the arena's bots; give what each command printed."""
    workspace = Workspace(folder)
    for bot in ("random", "cautious"):
        shutil.copytree(ROOT / "bots" / bot, folder / "bots" / bot)
    printed = {}
    for path, text, command in STEPS.findall((ROOT / "docs" / page).read_text()):
        if path:
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
            continue
        words, _, target = command.partition(" > ")
        unprotected = ("--sandbox", "none") if words.split()[0] in SANDBOXED else ()
        code, out, errors = call(workspace, *words.split(), *unprotected)
        assert code == 0, (command, out, errors)
        printed[command] = out
        if target:
            (folder / target).write_text(out)
    return printed


def test_a_bot_s_author_gets_from_nothing_to_a_rank(call: Call, tmp_path: Path) -> None:
    printed = follow("bots.md", call, tmp_path)
    assert len(printed) == 6
    assert "anna" in printed["leaderboard first-cup"]


def test_an_organiser_gets_from_folders_to_published_tables(call: Call, tmp_path: Path) -> None:
    printed = follow("organise.md", call, tmp_path)
    assert "all is well" in printed["verify club-cup"]
    assert (tmp_path / "games.jsonl").read_text().count("\n") == 8
    assert list((tmp_path / "tables").glob("*.csv"))


def test_a_viewer_sees_and_checks_a_tournament(call: Call, tmp_path: Path) -> None:
    printed = follow("watch.md", call, tmp_path)
    assert "all is well" in printed["verify first-look"]


def test_every_recipe_works(call: Call, tmp_path: Path) -> None:
    printed = follow("cookbook.md", call, tmp_path)
    assert (tmp_path / "one.jsonl").read_text() == (tmp_path / "two.jsonl").read_text() != ""
    assert "bert" in printed["rate results.csv"]


def test_one_s_own_bot_is_on_a_leaderboard_after_four_commands(call: Call, tmp_path: Path) -> None:
    (block,) = re.findall(
        r"four commands:\n\n```console\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL
    )
    setup, *commands = re.findall(r"^\$ ([^#\n]*)", block, re.MULTILINE)
    assert (setup.strip(), len(commands)) == ("make setup", 3)
    workspace = Workspace(tmp_path)
    shutil.copytree(ROOT / "bots" / "random", tmp_path / "bots" / "random")
    (tmp_path / "configs").mkdir()
    config = (ROOT / "configs/round_robin.yaml").read_text()
    small, changed = re.subn(r"^boards: .*$", "boards: 1", config, flags=re.MULTILINE)
    assert changed == 1
    (tmp_path / "configs/round_robin.yaml").write_text(small)
    out = ""
    for command in commands:
        words = command.removeprefix(".venv/bin/arena ").split()
        unprotected = ("--sandbox", "none") if words[0] in SANDBOXED else ()
        code, out, errors = call(workspace, *words, *unprotected)
        assert code == 0, (command, out, errors)
    assert "bert" in out


def test_every_command_of_the_first_page_works(call: Call, tmp_path: Path) -> None:
    text = (ROOT / "README.md").read_text()
    workspace = Workspace(tmp_path)
    for bot in ("random", "cautious"):
        shutil.copytree(ROOT / "bots" / bot, tmp_path / "bots" / bot)
    (cup,) = (one for one in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "format" in one)
    (tmp_path / "configs").mkdir()
    small = cup.replace("boards: 20", "boards: 1")
    (tmp_path / "configs/spring-cup.yaml").write_text(small)
    shown = [command.partition("#")[0].split() for command in COMMAND.findall(text)]
    told = re.findall(r"`arena (withdraw) NAME`", text)
    named = [[*told, "anna"], [*told, "anna", "--undo"], ["bots"]]
    endless = [words for words in shown if words[0] == "serve"]
    assert len(endless) == 1
    printed: dict[str, str] = {}
    for words in (*(one for one in shown if one not in endless), *named):
        asked = words[: words.index(">")] if ">" in words else words
        unprotected = ("--sandbox", "none") if words[0] in SANDBOXED else ()
        code, printed[words[0]], errors = call(workspace, *asked, *unprotected)
        assert code == 0, (words, errors)
    assert set(printed) >= {"new", "check", "submit", "bots", "run", "faults", "verify", "withdraw"}
    assert printed["bots"].count("spring-cup") == 3
