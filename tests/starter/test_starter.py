import shutil
import subprocess
from pathlib import Path

import pytest

from arena.bots import load_bot
from arena.errors import InputError
from arena.exam import examine
from arena.protocol import TimeControl
from arena.sandbox import open_sandbox
from arena.sandbox.toolchain import find_program
from arena.starter import LANGUAGES, new_bot

LONG = TimeControl(60, 60, 60)
TYPESCRIPT = Path(__file__).parents[2] / ".cache/node_modules/typescript"
"""Where .ci/run puts TypeScript, for a Node that cannot read it itself."""


def skip_without(language: str) -> None:
    missing = [name for name in LANGUAGES[language].needs if find_program(name) is None]
    if missing:
        pytest.skip(f"no {', '.join(missing)} here, which {language} needs")


def give_typescript(folder: Path) -> None:
    """Have a bot bring TypeScript along, as `npm install typescript` in its folder does."""
    strips = "process.exit(require('node:module').stripTypeScriptTypes ? 0 : 1)"
    if subprocess.run(["node", "-e", strips], check=False).returncode == 0:
        return
    if not TYPESCRIPT.exists():
        pytest.skip(f"this Node cannot read TypeScript, and there is no {TYPESCRIPT}")
    for file in ("package.json", "lib/typescript.js"):
        copy = folder / "node_modules/typescript" / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(TYPESCRIPT / file, copy)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_passes_the_exam_and_its_own_test(language: str, tmp_path: Path) -> None:
    skip_without(language)
    folder = new_bot("eve", language, tmp_path)
    if language == "typescript":
        give_typescript(folder)
    report = examine(load_bot(folder), open_sandbox("bubblewrap"), LONG)
    assert report.passed, report
    command = LANGUAGES[language].test.replace("/tmp/{{name}}-test", str(tmp_path / "test"))
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_bot_s_page_is_a_screen_and_names_its_own_files(
    language: str, tmp_path: Path
) -> None:
    folder = new_bot("eve", language, tmp_path)
    page = (folder / "README.md").read_text()
    assert len(page.splitlines()) <= 30
    for file in LANGUAGES[language][:2]:
        assert f"`{file}`" in page
        assert (folder / file).exists()
    assert f"$ {LANGUAGES[language].test.replace('{{name}}', 'eve')}\n" in page
    for path in folder.iterdir():
        assert "{{name}}" not in path.read_text()
        assert "{{test}}" not in path.read_text()


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
