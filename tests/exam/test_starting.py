"""Bots that cannot be started, in the sandbox: each is told from the others, with what to do."""

import json
from pathlib import Path

import pytest

from arena.advice import start_advice
from arena.bots import load_bot
from arena.exam import examine
from arena.protocol import TimeControl
from arena.sandbox import open_sandbox
from arena.starter import new_bot

FOREIGN = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xb7\x00\x01" + bytes(4000)
"""The head of a program for 64-bit ARM, which has no segment that could be run."""
CASES: dict[str, tuple[list[str], dict[str, bytes], str]] = {
    "another kind of machine": (["./bot"], {"bot": FOREIGN}, "no program for this kind of machine"),
    "no such program": (["no-such-program"], {}, "no-such-program is not installed"),
    "a misspelt program": (["pyton3", "bot.py"], {"bot.py": b""}, "did you mean 'python3'?"),
    "a first line that leads nowhere": (["./bot"], {"bot": b"#!/usr/bin/none\n"}, "its first line"),
    "no first line": (["./bot.py"], {"bot.py": b"import sys\n"}, "#!/usr/bin/env python3"),
    "no such script": (["python3", "bto.py"], {"bot.py": b""}, "there is no file bto.py"),
    "no such script for bash": (["bash", "b.sh"], {}, "there is no file b.sh"),
    "no such script for sh": (["sh", "b.sh"], {}, "there is no file b.sh"),
    "no such script for node": (["node", "b.js"], {}, "there is no file b.js"),
    "no such package": (["python3", "b.py"], {"b.py": b"import numbers.x"}, "put numbers.x into"),
    "no such package for node": (["node", "b.js"], {"b.js": b"require('ws')"}, "put ws into"),
    "an error": (["python3", "b.py"], {"b.py": b"def x(:"}, "mend what the end of its log names"),
    "an early end": (["python3", "b.py"], {"b.py": b""}, "keep reading lines until"),
}


def told(folder: Path) -> str:
    report = examine(load_bot(folder), open_sandbox("bubblewrap"), TimeControl(60, 60, 60))
    (found,) = (finding for stage in report.stages for finding in stage.findings)
    assert found.kind == "startup"
    return found.fix


@pytest.mark.parametrize("case", CASES)
def test_what_keeps_a_bot_from_starting_is_told(tmp_path: Path, case: str) -> None:
    command, files, expected = CASES[case]
    manifest = {"name": "pupil", "version": "1", "games": ["two-player"], "protocol": 1}
    (tmp_path / "bot.yaml").write_text(json.dumps({**manifest, "command": command}))
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o755)
    assert expected in told(tmp_path)


def test_a_node_that_cannot_read_typescript_is_told_how_to(tmp_path: Path) -> None:
    folder = new_bot("eve", "typescript", tmp_path)
    old = 'require("node:module").stripTypeScriptTypes = undefined;\n'
    build = folder / "build.cjs"
    build.write_text(old + build.read_text().replace("../lib", "nowhere").replace('"lib"', '"no"'))
    assert told(folder).startswith("run npm install typescript in the bot's folder")


def test_a_class_that_java_does_not_find_is_named() -> None:
    said = "Error: Could not find or load main class MyBot\nCaused by: java.lang.ClassNotFound"
    assert "no MyBot.class" in str(start_advice(said))
