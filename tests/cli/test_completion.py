"""What a shell completes: commands, options, and every name that there is a list of."""

import inspect
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from typer.models import ArgumentInfo, OptionInfo

from arena.cli.app import app
from tests.cli.conftest import Call
from tests.cli.workspace import Workspace

FREE = {
    "run --seed", "play --seed", "serve --host", "new name", "image name", "debug command",
}  # fmt: skip
"""Values that only the person knows; files, folders and numbers are the shell's and nobody's."""


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with a run, bots in the pool, one withdrawn, and one of one's own."""
    workspace = Workspace(tmp_path_factory.mktemp("stocked"), "ann", "bob", "cat")
    code, _, errors = workspace.run("run", "cup.yaml")
    assert code == 0, errors
    assert workspace.run("withdraw", "cat")[0] == 0
    workspace.add_bot("mine", pool=".")
    shutil.make_archive(str(workspace.folder / "mine-2"), "zip", workspace.folder / "mine")
    return workspace


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("leader", "leaderboard"),
        ("check mine --st", "--startup"),
        ("run cup.yaml --sandbox bub", "bubblewrap"),
        *((f"{command} c", "cup") for command in ("leaderboard", "report", "serve", "export")),
        *((f"{command} c", "cup") for command in ("verify", "show", "faults", "debug")),
        ("leaderboard cup --format j", "json"),
        ("report cup --games a", "all"),
        ("rate results.csv --format c", "csv"),
        ("show cup 3-1-", "3-1-0 3-1-1"),
        ("debug cup 3-1-", "3-1-0 3-1-1"),
        ("debug cup 3-1-0 a", "ann"),
        ("faults cup --bot c", "cat"),
        ("faults cup --format j", "json"),
        ("faults --bot a", "ann"),
        ("new anna --lang py", "python"),
        ("new anna --lang c", "c cpp"),
        ("check m", "mine"),
        ("check mine --sandbox no", "none"),
        ("play b", "bob"),
        ("play bob a", "ann"),
        ("play bob --game p", "partnership"),
        ("play bob --sandbox au", "auto"),
        ("submit m", "mine mine-2.zip"),
        ("submit a", ""),
        ("submit mine --sandbox no", "none"),
        ("bots --run c", "cup"),
        ("withdraw ", "ann bob"),
        ("withdraw --undo ", "cat"),
        ("schema r", "record"),
        ("doc", "doctor"),
        ("im", "image"),
    ],
)
def test_a_shell_completes_every_name_that_there_is(
    call: Call, stocked: Workspace, monkeypatch: pytest.MonkeyPatch, words: str, expected: str
) -> None:
    monkeypatch.setenv("_ARENA_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"arena {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" "))))
    code, out, errors = call(stocked)
    assert (code, out.split(), errors) == (0, expected.split(), "")


def test_no_value_that_has_a_list_is_left_to_memory() -> None:
    left = set()
    for command in app.registered_commands:
        assert command.callback is not None
        for name, parameter in inspect.signature(command.callback).parameters.items():
            kind, info = get_args(parameter.annotation)[:2]
            assert isinstance(info, ArgumentInfo | OptionInfo)
            is_known = info.autocompletion or {int, float, bool, Path} & {kind, *get_args(kind)}
            if not is_known:
                spelt = f"--{name}" if isinstance(info, OptionInfo) else name
                left.add(f"{command.callback.__name__} {spelt}")
    assert left == FREE


def test_every_command_has_an_example_of_itself() -> None:
    for command in app.registered_commands:
        assert command.callback is not None
        assert str(command.epilog).startswith(f"Example: arena {command.callback.__name__}")


def test_bash_completes_with_what_the_program_prints_for_it(stocked: Workspace) -> None:
    script, _ = stocked.start(variables={"_ARENA_COMPLETE": "source_bash"}).communicate()
    program = stocked.folder / "arena"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m arena "$@"\n')
    program.chmod(0o755)
    typed = "COMP_WORDS=(./arena leaderboard c); COMP_CWORD=2; _arena_completion ./arena"
    done = subprocess.run(
        ["bash", "-c", f'{script}\n{typed}\necho "${{COMPREPLY[@]}}"'],
        cwd=stocked.folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "cup\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("leaderbord cup", "Did you mean 'leaderboard'?"),
        ("leaderboard cub", "did you mean 'cup'?"),
        ("report cup --games al", "did you mean 'all'?"),
        ("show cup 3-1-7", "did you mean '3-1-1'?"),
        ("debug cup 3-1-0 an", "did you mean 'ann'?"),
        ("faults cup --bot bop", "did you mean 'bob'?"),
        ("rate resluts.csv", "did you mean 'results.csv'?"),
        ("new anna --lang pyton", "did you mean 'python'?"),
        ("new anna --lang JS", "did you mean 'javascript'?"),
        ("new anna --lang c++", "did you mean 'cpp'?"),
        ("check min", "did you mean 'mine'?"),
        ("check mine --sandbox bublewrap", "did you mean 'bubblewrap'?"),
        ("play mine --game patnership", "did you mean 'partnership'?"),
        ("submit min", "did you mean 'mine'?"),
        ("submit mine-2.zop", "did you mean 'mine-2.zip'?"),
        ("bots --pool bot", "did you mean 'bots'?"),
        ("bots --run cub", "did you mean 'cup'?"),
        ("withdraw an", "did you mean 'ann'?"),
        ("withdraw --undo cta", "did you mean 'cat'?"),
        ("schema bto", "did you mean 'bot'?"),
    ],
)
def test_a_name_that_is_not_there_is_told_with_the_nearest(
    call: Call, stocked: Workspace, words: str, said: str
) -> None:
    (stocked.folder / "results.csv").write_text("a,b,score\n")
    code, out, errors = call(stocked, *words.split())
    assert (code, out) == (2, "")
    assert errors.startswith("error: ")
    assert said in errors
