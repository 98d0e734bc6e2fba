import re
from pathlib import Path

import pytest

from arena.bots import digest_folder
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
    first, second, *changes, then = errors.splitlines()
    assert then == "next: arena bots, and arena run FILE, where the file's bots name bots/eve"
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
    assert "): nothing but the version\n" in call(workspace, "submit", "sent/eve", "--no-check")[2]


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
    assert len(told) == 24
    assert told[2] == "  added    00, 0 lines"
    assert told[7] == "… 80 lines left out"


def test_a_withdrawn_bot_is_seated_no_more_and_comes_back_as_it_was(
    call: Call, workspace: Workspace
) -> None:
    workspace.add_bot("eve", pool="sent")
    assert call(workspace, "submit", "sent/eve", "--no-check")[0] == 0
    before = digest_folder(workspace.folder / "bots/eve")
    code, out, errors = call(workspace, "withdraw", "eve")
    assert (code, out) == (0, "bots/.withdrawn/eve\n")
    assert errors == (
        "eve is out of the pool; nothing is deleted, and played games stay\n"
        "bring it back with: arena withdraw eve --undo\n"
    )
    assert "3 bots" in call(workspace, "run", "cup.yaml", "--plan")[1]
    code, out, errors = call(workspace, "withdraw", "eve", "--undo")
    assert (code, out) == (0, "bots/eve\n")
    assert errors == "eve is in the pool again, as it was\n"
    assert digest_folder(workspace.folder / "bots/eve") == before
    assert "4 bots" in call(workspace, "run", "cup.yaml", "--plan")[1]


def test_who_names_or_submits_a_withdrawn_bot_is_told_the_way_back(
    call: Call, workspace: Workspace
) -> None:
    workspace.add_bot("eve", pool="sent")
    for _ in range(2):
        assert call(workspace, "submit", "sent/eve", "--pool", "the pool", "--no-check")[0] == 0
        errors = call(workspace, "withdraw", "eve", "--pool", "the pool")[2]
        back = "arena withdraw eve --undo --pool 'the pool'\n"
        assert errors.endswith(f"bring it back with: {back}")
        assert call(workspace, "submit", "sent/eve", "--pool", "the pool")[2] == (
            "error: the pool: eve may not come into the pool; it is withdrawn; "
            f"bring it back with: {back}"
        )
        for place in ("the pool/eve", "the pool/eve/1.0"):
            code, _, errors = call(workspace, "check", place)
            assert code == 2
            assert errors.endswith(f"no such folder; it is withdrawn; bring it back with: {back}")
        assert call(workspace, "withdraw", "eve", "--undo", "--pool", "the pool")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("an",), "error: bots: there is no bot 'an'; did you mean 'ann'?\n"),
        (("../bots/ann",), "known here: ann, bob, cat\n"),
        ((".",), "known here: ann, bob, cat\n"),
        (
            ("\x1b[31mann\u202e",),
            "no bot '\\x1b[31mann\\u202e'; known here: ann, bob, cat\n",
        ),
        (("ann", "--undo"), "bots/.withdrawn: there is no bot 'ann'; no bot is kept there\n"),
        (("ann", "--pool", "nowhere"), "nowhere: there is no bot 'ann'; no bot is kept there\n"),
    ],
)
def test_a_name_that_is_not_in_the_pool_is_refused_with_the_nearest(
    call: Call, workspace: Workspace, arguments: tuple[str, ...], said: str
) -> None:
    code, out, errors = call(workspace, "withdraw", *arguments)
    assert (code, out) == (2, "")
    assert errors.endswith(said)
    assert sorted(one.name for one in (workspace.folder / "bots").iterdir()) == [
        "ann",
        "bob",
        "cat",
    ]


def test_a_withdrawn_bot_does_not_come_back_over_another(call: Call, workspace: Workspace) -> None:
    assert call(workspace, "withdraw", "ann")[0] == 0
    other = workspace.add_bot("ann")
    code, _, errors = call(workspace, "withdraw", "ann", "--undo")
    assert code == 2
    assert errors == "error: bots/ann: another is there already; move that one elsewhere\n"
    assert digest_folder(other)


def test_a_shell_completes_the_names_of_bots(workspace: Workspace) -> None:
    assert workspace.run("withdraw", "bob")[0] == 0
    for words, expected in (
        ("arena withdraw a", ["ann"]),
        ("arena withdraw --undo b", ["bob"]),
        ("arena withdraw --pool nowhere a", []),
    ):
        _, out, _ = workspace.run(
            _ARENA_COMPLETE="complete_bash",
            COMP_WORDS=words,
            COMP_CWORD=str(len(words.split()) - 1),
        )
        assert out.split() == expected, words
