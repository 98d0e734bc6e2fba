"""The documents' pictures: each is taken by the script, and looks as the script would take it."""

import re
import runpy
import struct
import subprocess
import sys
from pathlib import Path

from tests.report.browsers import browser_here
from tests.report.sites import make_site

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "docs/pictures/make.py"


def sizes(folder: Path) -> dict[str, tuple[int, int]]:
    """The width and height of each picture in a folder, by its name."""
    heads = {path.stem: path.read_bytes()[:24] for path in folder.glob("*.png")}
    assert all(head.startswith(b"\x89PNG\r\n\x1a\n") for head in heads.values())
    return {name: struct.unpack(">II", head[16:]) for name, head in heads.items()}


def test_every_picture_of_the_documents_is_taken_and_every_one_taken_is_shown() -> None:
    shots = {shot.name: (shot.width, shot.height) for shot in runpy.run_path(str(SCRIPT))["SHOTS"]}
    documents = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    text = "".join(document.read_text() for document in documents)
    assert set(re.findall(r"!\[[^\]]+\]\([\w/]*?pictures/(\w+)\.png\)", text)) == set(shots)
    assert sizes(SCRIPT.parent) == shots


def test_the_script_takes_every_picture_of_a_report(tmp_path: Path) -> None:
    browser_here()
    make_site(tmp_path / "report", "two-player", "forfeit", ("anna", "bob"))
    command = [sys.executable, str(SCRIPT), str(tmp_path / "report"), str(tmp_path)]
    subprocess.run(command, check=True, timeout=120)
    assert sizes(tmp_path) == sizes(SCRIPT.parent)
