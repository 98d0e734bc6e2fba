"""Makes the pictures of the documents from a report: ``make pictures``.

By itself: ``python docs/pictures/make.py REPORT [FOLDER]``, with the extra `dev` and a Chromium, of
a finished run of ``configs/round_robin.yaml`` whose report was built with ``--games all``.
"""

import os
import sys
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import sync_playwright

from arena.report.printing import find_browser

PICTURES = Path(__file__).parent


class Shot(NamedTuple):
    """A picture's name, its page, the window's width and height, and the colours."""

    name: str
    page: str
    width: int
    height: int
    colours: Literal["light", "dark"]


SHOTS = (
    Shot("leaderboard", "index.html", 1100, 520, "light"),
    Shot("crosstable", "crosstable.html", 760, 540, "light"),
    Shot("bot", "bots/2.html", 1100, 790, "light"),
    Shot("replay", "games/1-1-0.html#h=1&t=3", 1100, 720, "dark"),
)


def make(report: Path, folder: Path = PICTURES) -> None:
    """Take every picture."""
    # Chromium's own sandbox refuses to start as root.
    flags = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=flags)
        for shot in SHOTS:
            file, hash_sign, place = shot.page.partition("#")
            page = browser.new_page(
                viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.colours
            )
            page.goto(f"{(report / file).resolve().as_uri()}{hash_sign}{place}")
            page.screenshot(path=folder / f"{shot.name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    make(*map(Path, sys.argv[1:3]))
