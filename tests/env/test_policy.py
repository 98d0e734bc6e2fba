"""The example of the page for learners, in little: train, write the bot, and win."""

import csv
import io
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.env import encoding
from arena.env.policy import write_bot
from tests.env.commands import arena

ROOT = Path(__file__).parents[2]
CONFIG = """\
name: learned
game: {game}
bots: [bots/*]
boards: 2
seed: learned
rules: {{max_hands: 10}}
time: {{startup: 60, move: 60, hand: 60}}
sandbox: {{kind: none}}
"""


def table_of(folder: Path, game: str) -> dict[str, dict[str, str]]:
    """The leaderboard of the folder's bots, by name."""
    (folder / "cup.yaml").write_text(CONFIG.format(game=game))
    arena(folder, "run", "cup.yaml", "--out", "results/cup")
    text = arena(folder, "leaderboard", "results/cup", "--format", "csv")
    return {row["bot"]: row for row in csv.DictReader(io.StringIO(text))}


def test_a_policy_trained_as_the_page_says_beats_random(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "learning.md").read_text()
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[1]
    assert "3000" in code
    program = code.replace("3000", "400")
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, capture_output=True)
    shutil.copytree(ROOT / "bots" / "random", tmp_path / "bots" / "random")
    table = table_of(tmp_path, "two-player")
    assert table["learner"]["wins"] == table["learner"]["games"] == "4", table
    assert [row["faults"] for row in table.values()] == ["0", "0"]


def test_a_policy_answers_every_decision_of_the_partnership_game(tmp_path: Path) -> None:
    weights = [[0.0] * (encoding.length(4) + 1) for _ in range(encoding.ACTIONS)]
    weights[encoding.YES][-1] = 1.0  # every double nil that may be bid
    write_bot(tmp_path / "bots" / "eager", "partnership", weights)
    shutil.copytree(ROOT / "bots" / "random", tmp_path / "bots" / "random")
    assert [row["faults"] for row in table_of(tmp_path, "partnership").values()] == ["0", "0"]


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\(69, 440\)"):
        write_bot(tmp_path / "bot", "two-player", [[0.0]])
    with pytest.raises(ValueError, match="two-player, partnership"):
        write_bot(tmp_path / "bot", "whist", [[0.0]])
