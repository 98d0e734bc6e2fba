import json
import signal

from tests.cli.conftest import Call
from tests.cli.workspace import FIRST_LEGAL, NEVER_ANSWERS, Workspace

SILENT = ("--move", "0.2", "--sandbox", "none")


def test_a_good_bot_passes_and_ends_with_zero(call: Call, workspace: Workspace) -> None:
    code, out, errors = call(workspace, "check", "bots/ann", "--sandbox", "none")
    assert (code, errors) == (0, "")
    assert out.endswith("ann 1.0: passed\n")
    code, out, _ = call(workspace, "check", "bots/ann", "--sandbox", "none", "--json")
    assert (code, json.loads(out)["passed"]) == (0, True)


def test_a_bad_bot_is_told_what_to_change_and_ends_with_one(
    call: Call, workspace: Workspace
) -> None:
    workspace.add_bot("mute", NEVER_ANSWERS)
    code, out, _ = call(workspace, "check", "bots/mute", *SILENT)
    assert code == 1
    for title in ("at", "fault", "expected", "fix"):
        assert f"     {title:<10}" in out
    assert call(workspace, "check", "bots/mut")[0] == 2


def test_a_crash_is_told_in_full_once(call: Call, workspace: Workspace) -> None:
    program = FIRST_LEGAL.replace("legal = message", "oops; legal = message")
    workspace.add_bot("crash", f"import sys\nprint('begun', file=sys.stderr)\n{program}")
    code, out, _ = call(workspace, "check", "bots/crash", "--sandbox", "none")
    assert code == 1
    assert out.count("NameError") == 1
    assert out.count("begun") == 1
    assert "crash, as at seat 0, hand 1, blind_nil, request 1 of two-player\n" in out


def test_a_mistake_is_told_in_full_once_however_its_words_differ(
    call: Call, workspace: Workspace
) -> None:
    lower = "move = move.lower() if isinstance(move, str) else move\n        print("
    workspace.add_bot("low", FIRST_LEGAL.replace("print(json", f"{lower}json"))
    code, out, _ = call(workspace, "check", "bots/low", "--sandbox", "none")
    assert (code, out.count("     fix ")) == (1, 1)
    assert "illegal, 2 times, as at seat 0, hand 1, play, request " in out


def test_a_bot_that_fails_is_not_taken_into_the_pool_unless_asked_so(
    call: Call, workspace: Workspace
) -> None:
    workspace.add_bot("odd", "print('hello', flush=True)\n", pool="sent")
    code, out, _ = call(workspace, "submit", "sent/odd", "--sandbox", "none")
    assert code == 1
    assert "debug line" in out
    assert not (workspace.folder / "bots/odd").exists()
    assert call(workspace, "submit", "sent/odd", "--no-check")[0] == 0


def test_a_new_bot_is_made_here_and_never_over_another(call: Call, workspace: Workspace) -> None:
    code, out, errors = call(workspace, "new", "eve")
    assert (code, out, errors) == (0, "eve\n", "next: arena check eve\n")
    code, _, errors = call(workspace, "new", "eve")
    assert (code, "is there already" in errors) == (2, True)


def test_a_watched_bot_is_examined_again_at_every_change(workspace: Workspace) -> None:
    program = workspace.start("check", "bots/ann", "--sandbox", "none", "--json", "--watch")
    assert program.stdout is not None
    assert program.stderr is not None
    try:
        assert json.loads(program.stdout.readline())["passed"]
        assert "Ctrl-C ends" in program.stderr.readline()
        manifest = workspace.folder / "bots/ann/bot.yaml"
        right = manifest.read_text()
        manifest.write_text("name: [ann]\n")
        assert "bot.yaml" in program.stderr.readline()
        manifest.write_text(right)
        (workspace.folder / "bots/ann/bot.py").write_text("print('no')\n")
        assert not json.loads(program.stdout.readline())["passed"]
    finally:
        program.send_signal(signal.SIGINT)
        program.communicate()
    assert program.returncode == 130
