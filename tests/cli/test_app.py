from itertools import pairwise

import pytest

from arena.cli.app import app
from tests.cli.conftest import Call
from tests.cli.workspace import ORDINARY, Workspace

COMMANDS = (
    "run",
    "leaderboard",
    "report",
    "export",
    "verify",
    "rate",
    "submit",
    "bots",
    "withdraw",
    "doctor",
)


def test_the_version_is_told(call: Call, workspace: Workspace) -> None:
    code, out, _ = call(workspace, "--version")
    assert code == 0
    assert out.startswith("arena ")


def test_the_program_s_own_help_has_an_example_too(call: Call, workspace: Workspace) -> None:
    code, out, errors = call(workspace, "--help")
    assert (code, errors) == (0, "")
    assert "Example: arena run " in out
    assert "Show the version." in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_helps_with_an_example(
    call: Call, workspace: Workspace, command: str
) -> None:
    code, out, errors = call(workspace, command, "--help")
    assert (code, errors) == (0, "")
    assert f"Example: arena {command}" in out


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_help_breaks_lines_at_the_terminal_s_width_alone_and_flags_have_no_type(
    call: Call, workspace: Workspace, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    told = call(workspace, "--help")[1]
    assert "<bool>" not in told
    for command in (info.callback for info in app.registered_commands):
        assert command is not None
        out = call(workspace, command.__name__, "--help")[1]
        assert "<bool>" not in out
        lines = [line.strip() for line in out.split("╭")[0].splitlines()]
        broken = [
            before
            for before, after in pairwise(lines[lines.index("", 1) :])  # behind the usage
            if before and after and len(before) + 1 + len(after.split()[0]) <= columns - 2
        ]
        assert broken == [], (command.__name__, broken)


def test_without_a_command_the_help_is_shown_as_for_a_mistake(
    call: Call, workspace: Workspace
) -> None:
    code, out, errors = call(workspace)
    assert code == 2
    for command in COMMANDS:
        assert command in out + errors


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("leaderbord", "cup"), "Did you mean 'leaderboard'?"),
        (("run", "cup.yaml", "--job", "2"), "--jobs"),
        (("run", "cup.yaml", "--jobs", "0"), "--jobs"),
        (("run", "cup.yaml", "--sandbox", "bublewrap"), "did you mean 'bubblewrap'?"),
        (("run", "cap.yaml"), "did you mean 'cup.yaml'?"),
        (("leaderboard", "cup", "--format", "jsn"), "did you mean 'json'?"),
        (("run",), "CONFIG"),
        (("run", "cup.yaml", "--seed", ""), "--seed"),
        (("run", "cup.yaml", "--out", ""), "--out"),
        (("submit", "bots/ann", "--pool", ""), "--pool"),
        (("export", "cup", "--tables", ""), "--tables"),
    ],
)
def test_a_mistake_is_one_line_with_a_suggestion_and_makes_nothing(
    call: Call, workspace: Workspace, arguments: tuple[str, ...], said: str
) -> None:
    code, out, errors = call(workspace, *arguments)
    assert (code, out) == (2, "")
    assert errors.startswith("error: ")
    assert errors.count("\n") == 1
    assert said in errors
    assert not (workspace.folder / "results").exists()


def test_every_fault_of_a_config_is_told_with_its_place(call: Call, workspace: Workspace) -> None:
    workspace.config.write_text(
        "name: cup\ngame: two-players\nbots: [bots/*]\nboard: 5\nrules: {target: 1}\n"
    )
    code, _, errors = call(workspace, "run", "cup.yaml")
    assert code == 2
    told = errors.splitlines()
    assert any(line.startswith("error: cup.yaml:2: game: ") for line in told)
    assert any(line.startswith("error: cup.yaml:4: board: ") for line in told)
    assert not (workspace.folder / "results").exists()


@pytest.mark.parametrize("bots", ["bots/ann, bots/bob, bots/cat", "bots/*"])
def test_a_bot_that_may_not_be_read_is_told_with_its_place(workspace: Workspace, bots: str) -> None:
    workspace.config.write_text(f"game: two-player\nbots: [{bots}]\nsandbox: {{kind: none}}\n")
    (workspace.folder / "bots/cat").chmod(0)
    program = workspace.start("run", "cup.yaml", through=ORDINARY)
    _, errors = program.communicate()
    assert program.returncode == 2
    assert errors.startswith("error: cup.yaml:2: bots[")
    assert "bots/cat cannot be read: Permission denied; check its permissions" in errors


@pytest.mark.parametrize("fresh", [(), ("--fresh",)])
def test_a_folder_of_other_things_is_not_taken_for_results(
    call: Call, workspace: Workspace, fresh: tuple[str, ...]
) -> None:
    before = sorted(workspace.folder.rglob("*"))
    code, out, errors = call(workspace, "run", "cup.yaml", "--out", ".", "--quiet", *fresh)
    assert (code, out) == (2, "")
    assert errors.endswith(
        "error: .: holds bots and is no results folder; name a new or an empty one with --out\n"
    )
    assert sorted(workspace.folder.rglob("*")) == before


def test_changed_bots_are_refused_when_a_run_goes_on(call: Call, workspace: Workspace) -> None:
    assert call(workspace, "run", "cup.yaml", "--quiet")[0] == 0
    (workspace.folder / "bots/ann/notes.txt").write_text("learnt")
    code, out, errors = call(workspace, "run", "cup.yaml", "--quiet")
    assert (code, out) == (2, "")
    assert "bot ann: its folder has changed" in errors
    assert "--fresh" in errors


def test_a_shell_completes_commands_and_runs(played: Workspace) -> None:
    for words, expected in (("arena leader", "leaderboard"), ("arena verify c", "cup")):
        program = played.start(
            variables={
                "_ARENA_COMPLETE": "complete_bash",
                "COMP_WORDS": words,
                "COMP_CWORD": str(len(words.split()) - 1),
            }
        )
        out, _ = program.communicate()
        assert out.split() == [expected]
