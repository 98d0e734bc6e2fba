"""How a page is made; it never knows what a page tells.

Every expression of a template passes through `printable` and is then escaped, so that no template
can forget either. A page carries its style and script inside, allowed by their digests alone: it
reads from ``file://``, without network and without scripts. The same facts give the same bytes.
"""

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from arena.report.text import printable, printable_lines

TEMPLATES = Path(__file__).with_name("templates")


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


TABLES = (("frame.css", "tables.css"), ("tables.js", "wide.js"))
"""The style sheets and the scripts of a page unless it has its own."""
DETAILS = (("frame.css", "tables.css", "details.css"), ("tables.js", "wide.js"))
LOOKS = {
    "game.html": (("frame.css", "replay.css"), ("replay.js", "wide.js")),
    "match.html": DETAILS,
    "bot.html": DETAILS,
    "games.html": DETAILS,
}
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
        return re.sub(r"\s*([{};,>])\s*|(?<=:) ", r"\1", text).replace(";}", "}")
    blanks = r" (=>?|={2,3}|!==|&&|\|\||[?:]|[<>]=?) |(?<=[;{,])\n|(?<={) | (?=})|(?<=\)) (?={)"
    return re.sub(blanks, r"\1", text)


def lines(text: str) -> Markup:
    """Escape a stranger's text and keep its lines; the page must break them where they end."""
    return escape(printable_lines(text))


def _harmless(value: object) -> object:
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value)
    return value


@cache
def _environment() -> Environment:
    """Make the environment, once: templates are compiled when they are first used."""
    return Environment(
        autoescape=True,
        finalize=_harmless,
        keep_trailing_newline=True,
        loader=FileSystemLoader(TEMPLATES),
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=StrictUndefined,
    )


@cache
def _look(template: str) -> dict[str, Inline]:
    styles, scripts = LOOKS.get(template, TABLES)
    return {"style": _inline(*styles), "script": _inline(*scripts)}


class Site:
    """The pages of one report: renders each with the links to all of them."""

    def __init__(self, name: str, pages: tuple[Page, ...]) -> None:
        """Name the site and list the pages that its head links to."""
        self._environment = _environment()
        self._shared = {"site": name, "pages": pages}

    def render(self, template: str, page: Page, content: Mapping[str, object]) -> bytes:
        """Fill a template with a page's content."""
        shared = {**self._shared, "here": page.file, "title": page.title, "root": page.root}
        given = {**shared, **_look(template), **content}
        return self._environment.get_template(template).render(given).encode()
