from tests.cli.conftest import Call
from tests.cli.workspace import Workspace

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
