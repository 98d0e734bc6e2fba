"""Makes the pictures of the documents from a report: ``python docs/pictures/make.py REPORT``.

It needs the extra `dev` and a Chromium. The report is that of a finished run of
``configs/round_robin.yaml`` built with ``--games all``.
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURES = Path(__file__).parent
SHOTS = (
    ("leaderboard", "index.html", 1100, 480, "light"),
    ("crosstable", "crosstable.html", 760, 540, "light"),
    ("replay", "games/1-1-0.html#h=1&t=3", 1100, 700, "dark"),
)
"""Name, page, width, height and colours of each picture."""


def main(report: Path) -> None:
    """Make every picture."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, page, width, height, scheme in SHOTS:
            file, _, place = page.partition("#")
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme="dark" if scheme == "dark" else "light",
            )
            shown = context.new_page()
            shown.goto(f"{(report / file).resolve().as_uri()}#{place}")
            shown.screenshot(path=PICTURES / f"{name}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
