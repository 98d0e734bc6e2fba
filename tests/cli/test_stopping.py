"""Being told to stop before there is a command that could be stopped."""

import os
import signal

import pytest

from tests.cli.workspace import ROOT, Workspace


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_being_told_to_stop_while_the_program_is_loaded_writes_nothing(
    workspace: Workspace, number: signal.Signals
) -> None:
    early = workspace.folder / "early"
    early.mkdir()
    (early / "typer.py").write_text(f"import os; os.kill(os.getpid(), {int(number)})\n")
    path = os.pathsep.join([str(early), str(ROOT)])
    program = workspace.start("check", "bots/ann", variables={"PYTHONPATH": path})
    assert program.communicate() == ("", "")
    assert program.returncode == -number


def test_a_ctrl_c_that_is_ignored_is_ignored_while_the_program_is_loaded_and_later(
    workspace: Workspace,
) -> None:
    """As it is for what a shell runs in the background."""
    told = workspace.folder / "bots/ann/bot.py"
    told.write_text(f"import os; os.kill(os.getppid(), {int(signal.SIGINT)})\n{told.read_text()}")
    early = workspace.folder / "early"
    early.mkdir()
    (early / "sitecustomize.py").write_text(
        "import os, signal\n"
        "if 'arena' in os.sys.orig_argv:\n    signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    )
    path = os.pathsep.join([str(early), str(ROOT)])
    arguments = ("check", "bots/ann", "--sandbox", "none")
    program = workspace.start(*arguments, variables={"PYTHONPATH": path})
    out, errors = program.communicate()
    assert program.returncode == 0, out + errors
