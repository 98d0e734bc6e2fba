import shutil
import subprocess
from pathlib import Path

import pytest

from arena.bots import load_bot
from arena.errors import InputError
from arena.exam import examine
from arena.protocol import TimeControl
from arena.sandbox import open_sandbox
from arena.starter import LANGUAGES, new_bot

LONG = TimeControl(60, 60, 60)
PROGRAM = {"bash": "bash", "c": "cc", "javascript": "node", "python": "python3"}
OWN_TEST = {
    "bash": "./test_bot.sh",
    "c": "cc -o test_bot test_bot.c && ./test_bot",
    "javascript": "node test_bot.js",
    "python": "python3 -m unittest",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_passes_the_exam_and_its_own_test(language: str, tmp_path: Path) -> None:
    if shutil.which(PROGRAM[language]) is None:
        pytest.skip(f"no {PROGRAM[language]} here")
    folder = new_bot("eve", language, tmp_path)
    report = examine(load_bot(folder), open_sandbox("none"), LONG)
    assert report.passed, report
    command = OWN_TEST[language]
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert command.split(" -o ")[0] in (folder / "README.md").read_text()


def test_a_bad_name_and_an_unknown_language_are_refused_together(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        new_bot("../eve", "pyton", tmp_path)
    assert "did you mean 'python'?" in str(refused.value)
    assert len(refused.value.problems) == 2
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    kept = new_bot("eve", "python", tmp_path) / "bot.py"
    kept.write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        new_bot("eve", "python", tmp_path)
    assert kept.read_text() == "mine"
