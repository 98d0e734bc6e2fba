import os
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.report.renewal import Renewal, put


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


def test_a_file_of_the_same_content_stays_as_it_was(tmp_path: Path) -> None:
    report = tmp_path / "report"
    put(report, {"index.html": b"old", "same.html": b"same"})
    before = {path.name: path.stat() for path in report.iterdir()}
    put(report, {"index.html": b"new", "same.html": b"same"})
    after = {path.name: path.stat() for path in report.iterdir()}
    assert after["same.html"].st_ino == before["same.html"].st_ino
    assert after["same.html"].st_mtime_ns == before["same.html"].st_mtime_ns
    assert (report / "index.html").read_bytes() == b"new"


def test_a_disk_without_hard_links_keeps_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    report = tmp_path / "report"
    put(report, {"index.html": b"old", "same.html": b"same"})
    before = (report / "same.html").stat().st_mtime_ns
    monkeypatch.setattr(os, "link", refuse)
    put(report, {"index.html": b"new", "same.html": b"same"})
    assert (report / "same.html").read_bytes() == b"same"
    assert (report / "same.html").stat().st_mtime_ns == before


def test_a_build_that_is_not_finished_leaves_the_old_report_and_nothing_beside_it(
    tmp_path: Path,
) -> None:
    report = tmp_path / "report"
    put(report, {"index.html": b"old"})
    with Renewal(report) as renewal:
        renewal.write("index.html", b"new")
    assert (report / "index.html").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_only_what_is_there_can_be_kept(tmp_path: Path) -> None:
    put(tmp_path / "report", {"index.html": b"old"})
    with Renewal(tmp_path / "report") as renewal:
        assert renewal.keep("index.html")
        assert not renewal.keep("matches/1.html")
