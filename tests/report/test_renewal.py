import os
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.report.renewal import put


def test_a_report_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    report = tmp_path / "report"
    put(report, {"index.html": b"old", "gone.html": b"old"})
    put(report, {"index.html": b"new", "games/1.html": b"new"})
    assert (report / "index.html").read_bytes() == b"new"
    assert (report / "games/1.html").read_bytes() == b"new"
    assert not (report / "gone.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_a_folder_that_holds_no_report_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work")
    with pytest.raises(StoreError, match="no report"):
        put(tmp_path, {"index.html": b"new"})
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_what_a_killed_build_left_is_removed_and_a_young_one_is_let_work(tmp_path: Path) -> None:
    left_over, at_work = tmp_path / ".report.killed", tmp_path / ".report.working"
    for folder in (left_over, at_work):
        (folder / "new").mkdir(parents=True)
    os.utime(left_over, (0, 0))
    put(tmp_path / "report", {"index.html": b"new"})
    assert not left_over.exists()
    assert at_work.exists()
