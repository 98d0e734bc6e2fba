"""The tutorial of docs/bots.md, as a newcomer follows it."""

import re
import shutil
from pathlib import Path

from tests.cli.conftest import Call
from tests.cli.workspace import ROOT, Workspace

SANDBOXED = ("check", "submit", "run")


def test_every_command_of_the_tutorial_works_and_ranks_the_bot(call: Call, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "bots.md").read_text()
    workspace = Workspace(tmp_path)
    shutil.copytree(ROOT / "bots" / "random", tmp_path / "bots" / "random")
    (config,) = re.findall(r"^```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "first-cup.yaml").write_text(config)
    ranked = False
    commands = re.findall(r"^\$ arena (.*)$", text, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        words = command.split()
        unprotected = ("--sandbox", "none") if words[0] in SANDBOXED else ()
        code, out, errors = call(workspace, *words, *unprotected)
        assert code == 0, (command, out, errors)
        ranked = ranked or (words[0] == "leaderboard" and "anna" in out)
    assert ranked
