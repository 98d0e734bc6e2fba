"""How a page is made; it never knows what a page tells.

Every expression of a template passes through `printable` and is then escaped, so that no template
can forget either. A page carries its style and script inside, allowed by their digests alone; only
the pages of games, which are many, share two files beside them. All read from ``file://``, without
network and without scripts. The same facts give the same bytes.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from arena.report.text import printable, printable_lines

TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True, slots=True)
class Part:
    """A style sheet or a script: what allows it, and the site's file that it is where it is one."""

    text: Markup
    source: str
    file: str = ""


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
REPLAY = (("frame.css", "replay.css"), ("replay.js", "wide.js"))
SHARED = ("game.css", "game.js")
"""The files of the site that the pages of games share: `REPLAY`."""
LIVE = "live.js"
"""The script of a site that a server keeps up to date."""
BESIDE = "'self' file:"
"""Allows files beside the page: `'self'` means none of them where pages are read as files."""
LOOKS = {
    "match.html": DETAILS,
    "bot.html": DETAILS,
    "games.html": DETAILS,
}
"""Those of the pages that have their own, by template."""


def _inline(names: Iterable[str]) -> Part:
    text = _join(names)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return Part(text, f"'sha256-{digest}'")


def _join(names: Iterable[str]) -> Markup:
    return Markup("\n".join(map(_squeezed, names)))  # noqa: S704  # our own files, from no one else


def shared_files(*, is_live: bool = False) -> dict[str, bytes]:
    """Make the files that pages share, by name; a live site has one more."""
    files = {file: _join(names).encode() for file, names in zip(SHARED, REPLAY, strict=True)}
    return files | ({LIVE: _join([LIVE]).encode()} if is_live else {})


def _squeezed(name: str) -> str:
    """Read a file of ours without what no browser needs: comments, indentation, most blanks."""
    lines = (line.strip() for line in (TEMPLATES / name).read_text("utf-8").splitlines())
    text = "\n".join(line for line in lines if line and not line.startswith("//"))
    if name.endswith(".css"):
        return re.sub(r"\s*([{};,>])\s*|(?<=:) ", r"\1", text).replace(";}", "}")
    blanks = r" (=>?|={2,3}|!==|&&|\|\||[?:]|[<>]=?) |(?<=[;{,])\n|(?<={) | (?=})|(?<=\)) (?={)"
    return "\n".join(map(_without_blanks_after_commas, re.sub(blanks, r"\1", text).split("\n")))


def _without_blanks_after_commas(line: str) -> str:
    """Squeeze a line of a script, but for what stands in quotes; one with a template is left."""
    return line if "`" in line else re.sub(r'("[^"]*")|, ', lambda it: it[1] or ",", line)


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
def _look(template: str) -> dict[str, Part]:
    if template == "game.html":
        style, script = (Part(Markup(), BESIDE, file) for file in SHARED)
    else:
        style, script = map(_inline, LOOKS.get(template, TABLES))
    return {"style": style, "script": script}


class Site:
    """The pages of one report: renders each with the links to all of them."""

    def __init__(self, name: str, pages: tuple[Page, ...], *, is_live: bool = False) -> None:
        """Name the site, list the pages that its head links to; a live one follows a server."""
        self._environment = _environment()
        self._shared = {"site": name, "pages": pages, "is_live": is_live}

    def render(self, template: str, page: Page, content: Mapping[str, object]) -> bytes:
        """Fill a template with a page's content."""
        shared = {**self._shared, "here": page.file, "title": page.title, "root": page.root}
        given = {**shared, **_look(template), **content}
        return self._environment.get_template(template).render(given).encode()
