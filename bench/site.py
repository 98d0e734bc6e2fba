"""The site of 40,000 games: how soon it is built, what it takes, how soon a page is seen.

Its games are copies (`bench.stores`) of as many hands as a game of the example cup has in the mean.
The site is built by `arena report` in a process of its own, and opened from files in Chromium.
"""

import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from statistics import mean, median
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from arena.config import Tournament
from arena.report.printing import find_browser
from bench.stores import fill, write_cup
from bench.timing import ROUNDS, verdict

BOTS, BOARDS, HANDS = 64, 10, 15
"""2,016 pairings of 20 games each: 40,320 games."""
MATCHES = BOTS * (BOTS - 1) // 2
SECONDS, MEMORY = 60, 300 << 20
"""What a build from nothing may take."""
SIZES = {"each game": 15_000, "leaderboard": 150_000, "style and script of a page": 20 << 10}
"""Bytes, at most."""
FIRST_PAGES = 6
"""Leaderboard, crosstable and games, and their tables for programs."""
PAINT = 100
"""Milliseconds from opening a page to the first of it that is seen, at most."""
EMPTY = "<!doctype html><title>Empty</title><p>Nothing."
"""The least that has a first paint: what the browser takes of it is its own."""
PAGES = ("index.html", "crosstable.html", "games.html", "bots/1.html", "matches/1.html")
FIRST_PAINT = """() => new Promise(tell => new PerformanceObserver(list => {
  for (const found of list.getEntriesByName("first-contentful-paint")) tell(found.startTime);
}).observe({type: "paint", buffered: true}))"""


class Cost(NamedTuple):
    """Seconds of the clock, and the most bytes of memory that were held at a time."""

    seconds: float
    memory: int


def build(run: Path) -> Cost:
    """Build the site of a run as `arena report` does."""
    command = [sys.executable, "-m", "arena", "report", str(run)]
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_WRONLY, 0) for fd in (1, 2)]
    began = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=quiet)
    _, status, used = os.wait4(child, 0)
    if status:
        raise AssertionError("the site was not built")
    return Cost(time.perf_counter() - began, used.ru_maxrss << 10)


def places(site: Path) -> dict[str, int]:
    """Give where each file of a site stands on the disk, which is another once it is written."""
    files = (path for path in site.rglob("*") if path.is_file())
    return {str(path.relative_to(site)): path.stat().st_ino for path in files}


def own_parts(site: Path, page: Path) -> int:
    """Count the bytes of a page's style and script, inside it and beside it."""
    text = page.read_text()
    inside = re.findall(r"<(style|script)>(.*?)</\1>", text, re.DOTALL)
    beside = re.findall(r'"\.\./(game\.(?:css|js))"', text)
    sizes = [len(part.encode()) for _, part in inside]
    return sum(sizes) + sum((site / name).stat().st_size for name in beside)


def paints(site: Path) -> Iterator[tuple[str, float]]:
    """Open a page of each kind some times; give the median milliseconds to its first paint.

    An empty page beside the site comes first.
    """
    empty = site.with_name("empty.html")
    empty.write_text(EMPTY)
    game = min(f"games/{path.name}" for path in (site / "games").iterdir())
    with sync_playwright() as playwright:
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=find_browser(), args=flags)
        for page in ("../empty.html", *PAGES, game):
            yield page, median(_paint(browser, site / page) for _ in range(ROUNDS))
        browser.close()


def _paint(browser: Browser, file: Path) -> float:
    page = browser.new_page()
    page.goto(file.resolve().as_uri())
    milliseconds = float(page.evaluate(FIRST_PAINT))
    page.close()
    return milliseconds


def go_on(tournament: Tournament, matches: int | None = None) -> None:
    """Run so many matches more; None: to the end."""
    for _ in fill(tournament, matches):
        pass


def tell(what: str, value: str, target: str, *, is_met: bool) -> None:
    """Print a figure with its target."""
    print(f"site, {what}: {value} (target: at most {target}, {verdict(is_met)})")


def tell_one_more_match(tournament: Tournament) -> None:
    """Build while the run lasts, and again when it is a match further."""
    site = tournament.out / "report"
    build(tournament.out)
    before = places(site)
    go_on(tournament, 1)
    cost = build(tournament.out)
    after = places(site)
    written = [name for name, place in after.items() if before.get(name) != place]
    matches = [name for name in written if name.startswith("matches/")]
    tell(
        "after one more match",
        f"{len(written)} of {len(after):,} files written, {len(matches)} of them a match's, "
        f"in {cost.seconds:.0f} s",
        "the match, its bots and theirs, and the first pages",
        is_met=len(matches) == 1 and len(written) <= BOTS + FIRST_PAGES + 1,
    )


def tell_sizes(site: Path) -> None:
    """Print what the site takes on the disk, for each game, and in its first page."""
    games = [path.stat().st_size for path in (site / "games").iterdir()]
    whole = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    played = MATCHES * BOARDS * 2
    print(
        f"site: {whole / 1e6:.0f} MB, {len(games)} of {played:,} games with a page of "
        f"{mean(games) / 1e3:.1f} kB in the mean"
    )
    for what, size in (
        ("each game", whole // played),
        ("leaderboard", (site / "index.html").stat().st_size),
        ("style and script of a page", max(own_parts(site, page) for page in site.rglob("*.html"))),
    ):
        tell(what, f"{size:,} bytes", f"{SIZES[what]:,}", is_met=size <= SIZES[what])


def tell_build(run: Path) -> None:
    """Build the site from nothing."""
    rmtree(run / "report")
    (run / "report.cache").unlink()
    cost = build(run)
    is_soon, is_small = cost.seconds <= SECONDS, cost.memory <= MEMORY
    tell("builds", f"{cost.seconds:.0f} s", f"{SECONDS}", is_met=is_soon)
    tell("memory", f"{cost.memory >> 20} MiB", f"{MEMORY >> 20}", is_met=is_small)


def main() -> None:
    """Print seconds, bytes and files, each with its target."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        tournament = write_cup(Path(place), BOTS, BOARDS, HANDS)
        go_on(tournament, MATCHES - 10)
        tell_one_more_match(tournament)
        go_on(tournament)
        tell_build(tournament.out)
        site = tournament.out / "report"
        tell_sizes(site)
        (_, floor), *painted = paints(site)
        print(f"site, first paint of an empty page: {floor:.0f} ms, the browser's own share")
        for page, milliseconds in painted:
            is_soon = milliseconds <= PAINT
            tell(f"first paint of {page}", f"{milliseconds:.0f} ms", f"{PAINT}", is_met=is_soon)
    print(f"site: load before: {load:.1f}")
