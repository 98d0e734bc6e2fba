import re
from pathlib import Path

from tests.cli.conftest import Call
from tests.cli.workspace import NEVER_ANSWERS, Workspace

PLAIN = ("--sandbox", "none")


def test_a_bot_is_taken_into_the_pool_by_name_and_version(call: Call, workspace: Workspace) -> None:
    workspace.add_bot("eve", pool="sent")
    for _ in range(2):
        code, out, errors = call(workspace, "submit", "sent/eve", *PLAIN)
        assert (code, out) == (0, "bots/eve/1.0\n")
        assert errors.startswith("eve 1.0 (")
    assert (workspace.folder / "bots/eve/1.0/bot.py").is_file()
    code, out, _ = call(workspace, "run", "cup.yaml", "--plan")
    assert "4 bots" in out


def test_other_content_under_the_same_version_is_refused(call: Call, workspace: Workspace) -> None:
    bot = workspace.add_bot("eve", pool="sent")
    assert call(workspace, "submit", "sent/eve", "--pool", "kept", *PLAIN)[0] == 0
    with (bot / "bot.py").open("a") as program:
        program.write("# changed\n")
    code, out, errors = call(workspace, "submit", "sent/eve", "--pool", "kept", *PLAIN)
    assert (code, out) == (2, "")
    assert "give it a new version" in errors
    assert "changed" not in (workspace.folder / "kept/eve/1.0/bot.py").read_text()


def test_what_is_no_bot_is_refused_with_place_and_remedy(call: Call, workspace: Workspace) -> None:
    code, _, errors = call(workspace, "submit", "bots/an")
    assert code == 2
    assert errors == "error: bots/an: no such folder; did you mean 'ann'?\n"
    (workspace.folder / "bots/ann/bot.yaml").write_text("name: ann\nversions: 1\n")
    code, _, errors = call(workspace, "submit", "bots/ann")
    assert code == 2
    assert all(line.startswith("error: bots/ann/bot.yaml:") for line in errors.splitlines())


def raise_version(bot: Path, version: str) -> None:
    manifest = bot / "bot.yaml"
    manifest.write_text(re.sub("version: .*", f"version: '{version}'", manifest.read_text()))


def test_versions_stay_side_by_side_and_what_changed_is_told(
    call: Call, workspace: Workspace
) -> None:
    bot = workspace.add_bot("eve", pool="sent")
    (bot / "old.txt").write_text("a\nb\n")
    assert "since" not in call(workspace, "submit", "sent/eve", "--no-check")[2]
    raise_version(bot, "1.1")
    (bot / "old.txt").unlink()
    (bot / "table.bin").write_bytes(b"\0" * 5000)
    with (bot / "bot.py").open("a") as program:
        program.write("# one\n# two\n")
    (bot / "bot.py").chmod(0o644)
    with (bot / "bot.yaml").open("a") as manifest:
        manifest.write('authors: [Eve, "\\u202e"]\n')
    code, out, errors = call(workspace, "submit", "sent/eve", "--no-check")
    assert (code, out) == (0, "bots/eve/1.1\n")
    first, second, *changes = errors.splitlines()
    assert re.fullmatch(r"eve 1\.1 \([0-9a-f]{8}\) plays two-player, partnership", first)
    assert re.fullmatch(r"since 1\.0 \([0-9a-f]{8}\):", second)
    assert changes == [
        r"  authors: none → [Eve, \u202e]",
        "  changed  bot.py, +2 −0 lines",
        "  removed  old.txt, 2 lines",
        "  added    table.bin, 5,000 bytes",
    ]
    assert sorted(one.name for one in (workspace.folder / "bots/eve").iterdir()) == ["1.0", "1.1"]
    raise_version(bot, "1.2")
    assert call(workspace, "submit", "sent/eve", "--no-check")[2].endswith(
        "): nothing but the version\n"
    )


def test_the_same_again_is_neither_examined_nor_copied(call: Call, workspace: Workspace) -> None:
    workspace.add_bot("eve", NEVER_ANSWERS, pool="sent")
    assert call(workspace, "submit", "sent/eve", "--no-check")[0] == 0
    code, out, errors = call(workspace, "submit", "sent/eve", *PLAIN)
    assert (code, out) == (0, "bots/eve/1.0\n")
    assert errors.endswith(") is in the pool already, the same; nothing has changed\n")


def test_of_much_that_changed_the_first_and_the_last_is_told(
    call: Call, workspace: Workspace
) -> None:
    bot = workspace.add_bot("eve", pool="sent")
    assert call(workspace, "submit", "sent/eve", "--no-check")[0] == 0
    raise_version(bot, "1.1")
    for number in range(100):
        (bot / f"{number:02}").touch()
    told = call(workspace, "submit", "sent/eve", "--no-check")[2].splitlines()
    assert len(told) == 23
    assert told[2] == "  added    00, 0 lines"
    assert told[7] == "… 80 lines left out"
