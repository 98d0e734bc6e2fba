"""How a page is made and a folder of them put in place; it never knows what a page tells.

Every expression of a template passes through `printable` and is then escaped, so that no template
can forget either. A page carries its style and script inside, allowed by their digests alone: it
reads from ``file://``, without network and without scripts. The same facts give the same bytes.
"""

import base64
import hashlib
import re
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from arena.errors import StoreError
from arena.report.text import printable

TEMPLATES = Path(__file__).with_name("templates")
LEFT_OVER_AFTER = 3600
"""Seconds after which a half-built folder is taken for a killed build's."""


@dataclass(frozen=True, slots=True)
class Inline:
    """A style sheet or a script as it stands in the page, and the digest that allows it."""

    text: Markup
    hash: str


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the site by its place in the folder, and its title in the head's links."""

    file: str
    title: str

    @property
    def root(self) -> str:
        """Give the way from the file back to the site's folder."""
        return "../" * self.file.count("/")


TABLES = (("frame.css", "tables.css"), "tables.js")
"""The style sheets and the script of a page unless it has its own."""
LOOKS = {"game.html": (("frame.css", "replay.css"), "replay.js")}
"""Those of the pages that have their own, by template."""


def _inline(*names: str) -> Inline:
    text = "\n".join(map(_squeezed, names))
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return Inline(Markup(text), f"sha256-{digest}")  # noqa: S704  # our own file, from no one else


def _squeezed(name: str) -> str:
    """Read a file of ours without what no browser needs: comments, indentation, most blanks."""
    lines = (line.strip() for line in (TEMPLATES / name).read_text("utf-8").splitlines())
    text = "\n".join(line for line in lines if line and not line.startswith("//"))
    if name.endswith(".css"):
        return re.sub(r"\s*([{};,])\s*|(?<=:) ", r"\1", text)
    return re.sub(r" (=>|===|!==|&&|\|\|) |(?<=[;{,])\n", r"\1", text)


def _harmless(value: object) -> object:
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value)
    return value


def _environment() -> Environment:
    return Environment(
        autoescape=True,
        finalize=_harmless,
        keep_trailing_newline=True,
        loader=FileSystemLoader(TEMPLATES),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )


class Site:
    """The pages of one report: renders each with the links to all of them."""

    def __init__(self, name: str, pages: tuple[Page, ...]) -> None:
        """Name the site and list the pages that its head links to."""
        self._environment = _environment()
        self._shared = {"site": name, "pages": pages}
        self._looks: dict[str, dict[str, Inline]] = {}

    def render(self, template: str, page: Page, content: Mapping[str, object]) -> bytes:
        """Fill a template with a page's content."""
        shared = {**self._shared, "here": page.file, "title": page.title, "root": page.root}
        given = {**shared, **self._look(template), **content}
        return self._environment.get_template(template).render(given).encode()

    def _look(self, template: str) -> dict[str, Inline]:
        if template not in self._looks:
            styles, script = LOOKS.get(template, TABLES)
            self._looks[template] = {"style": _inline(*styles), "script": _inline(script)}
        return self._looks[template]


def _sweep(folder: Path) -> None:
    """Remove what a killed build left; a young folder may be another build at work."""
    for left_over in folder.parent.glob(f".{folder.name}.*"):
        if time.time() - left_over.stat().st_mtime > LEFT_OVER_AFTER:
            shutil.rmtree(left_over, ignore_errors=True)


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put a folder of files in place in one step, instead of an earlier report there.

    The files are written beside it first, so that whoever reads sees the old report or the new,
    whole. Raises `StoreError` where the folder holds something that is no report.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "index.html").is_file():
        raise StoreError(f"{folder}: not empty and no report; move it away, and build again")
    folder.parent.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as work:
        fresh, old = Path(work, "new"), Path(work, "old")
        for name, content in files.items():
            path = fresh / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if folder.exists():
            folder.replace(old)
        fresh.replace(folder)
