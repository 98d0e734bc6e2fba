"""The report on paper, printed by a real browser."""

import re
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.report.printing import PRINTED, find_browser, print_pages
from tests.report.browsers import browser_here
from tests.report.sites import make_site

CREATED = "2026-01-02T03:04:05Z"
DATE = b"D:20260102030405+00'00'"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paper") / "report"
    make_site(folder, "two-player", "forfeit", ("anna", "<b>bob</b>", "x" * 200))
    return folder


def test_leaderboard_and_crosstable_are_printed_across_the_paper(site: Path) -> None:
    before = {path.name: path.read_bytes() for path in site.glob("*.html")}
    made = print_pages(site, browser_here(), CREATED)
    assert made == [site / name for name in PRINTED.values()]
    for path in made:
        paper = path.read_bytes()
        assert paper.startswith(b"%PDF-")
        boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
        assert boxes
        assert all(float(width) > float(height) for width, height in boxes)
    assert {path.name: path.read_bytes() for path in site.glob("*.html")} == before
    assert list(site.parent.glob(".report.*")) == []


def test_the_same_pages_are_printed_to_the_same_bytes(site: Path) -> None:
    browser = browser_here()
    first, second = (
        [path.read_bytes() for path in print_pages(site, browser, CREATED)] for _ in range(2)
    )
    assert first == second
    for paper in first:
        assert re.findall(rb"Date \((.*?)\)", paper) == [DATE, DATE]


def test_without_a_browser_the_remedy_is_told() -> None:
    with pytest.raises(InputError, match=r"Chromium.*apt-get install chromium.*index\.html"):
        find_browser(["no-such-browser"])


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("#!/bin/sh\necho 'first\nit cannot start' >&2\nexit 1\n", "it cannot start"),
        ("no program\x00", "Exec format error"),
        ("#!/bin/sh\n", "it says nothing"),
    ],
)
def test_a_browser_that_does_not_print_is_told_of_in_its_own_words(
    tmp_path: Path, program: str, words: str
) -> None:
    site = tmp_path / "report"
    site.mkdir()
    (site / "index.html").write_text("")
    broken = tmp_path / "chromium"
    broken.write_text(program)
    broken.chmod(0o755)
    with pytest.raises(InputError, match=rf"index\.html: {words}; open the page"):
        print_pages(site, broken, CREATED)
    assert [path.name for path in site.iterdir()] == ["index.html"]
