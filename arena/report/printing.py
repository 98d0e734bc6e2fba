"""The first pages on paper: a browser of this machine without a window prints them as PDF.

It knows how a browser is found and asked; it never knows what a page tells. The browser reaches no
network, and what it keeps lies in a folder that is gone afterwards. The same pages printed by the
same browser give the same bytes: the only date in them is that of the run.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from arena.errors import InputError, Problem
from arena.report.front import CROSSTABLE, LEADERBOARD

BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)  # fmt: skip
"""The names of Chromium and of those made from it."""
PRINTED = {LEADERBOARD.file: "leaderboard.pdf", CROSSTABLE.file: "crosstable.pdf"}
"""The pages that are printed, and what each is called beside them."""
SECONDS = 120
"""How long a browser may take for a page before it is stopped."""
_FLAGS = (
    "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--no-pdf-header-footer",
)  # fmt: skip
_SCRIPT = re.compile(rb"<script.*?</script>", re.DOTALL)
_DATE = re.compile(rb"(?<=Date \(D:)\d{14}\+00'00'")


def find_browser(names: Iterable[str] = BROWSERS) -> Path:
    """Find a browser that can print. Raises `InputError` where there is none."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        what = "no browser that prints without a window: neither Chromium nor Chrome is here"
        remedy = (
            "install one (Debian, Ubuntu: apt-get install chromium), or open the report's "
            "index.html in any browser and print it there"
        )
        raise InputError([Problem(what, remedy=remedy)])
    return Path(found)


def print_pages(site: Path, browser: Path, created: str) -> list[Path]:
    """Print the first pages of a site beside them; `created` is the time that the run began.

    Raises `InputError` where the browser cannot.
    """
    with TemporaryDirectory(prefix=f".{site.name}.", dir=site.parent) as scratch:
        made = []
        for page, name in PRINTED.items():
            paper = _print(site / page, browser, Path(scratch))
            paper.write_bytes(_dated(paper.read_bytes(), created))
            made.append(paper.replace(site / name))
    return made


@contextmanager
def _without_scripts(page: Path) -> Iterator[Path]:
    """Put a page's copy without scripts beside it, where its links lead as the page's own do.

    What scripts add is not for paper, and when they ran shows in the numbers of a paper's parts.
    """
    with NamedTemporaryFile(prefix=f".{page.stem}.", suffix=".html", dir=page.parent) as file:
        file.write(_SCRIPT.sub(b"", page.read_bytes()))
        file.flush()
        yield Path(file.name)


def _print(page: Path, browser: Path, scratch: Path) -> Path:
    paper = scratch / "page.pdf"
    # Chromium's own sandbox refuses to start as root.
    as_root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    where = (f"--user-data-dir={scratch / 'profile'}", f"--print-to-pdf={paper}")
    command = [str(browser), *_FLAGS, *as_root, *where]
    try:
        with _without_scripts(page) as plain:
            command.append(plain.resolve().as_uri())
            done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
        said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    except subprocess.TimeoutExpired:
        said = f"it was not done after {SECONDS} seconds"
    except OSError as error:
        said = error.strerror or str(error)
    if not paper.is_file():
        what = f"{browser} does not print {page.name}: {said or 'it says nothing'}"
        raise InputError([Problem(what, remedy="open the page in a browser and print it there")])
    return paper


def _dated(paper: bytes, created: str) -> bytes:
    """Put another date in for that of the printing, as long to the byte."""
    digits = re.sub(r"\D", "", created)[:14].ljust(14, "0")
    return _DATE.sub(f"{digits}+00'00'".encode(), paper)
