"""A page as a browser would read it, for tests without one."""

from html.parser import HTMLParser

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE games;--",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "\u2028\u2029]]>",
    "\u202egnp.exe",
    "\x1b[31mred\x07",
    "{{ 7 * 7 }}{% include 'base.html' %}",
    "[link=file:///etc/passwd]x[/link]",
    "&lt;b&gt;",
    "\N{PILE OF POO}\u200d\ufe0f",
    "w" * 10_000,
]
"""What strangers might call their bots or write in notes and logs."""


class Reader(HTMLParser):
    """A page's elements, their attributes and its text."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.data = ""
        self._inside = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag if tag in ("script", "style") else ""
        if tag == "script" and ("type", "application/json") in attrs:
            self._inside = "data"

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "data":
            self.data += data
        elif not self._inside:
            self.words.append(data)

    @property
    def text(self) -> str:
        """What a reader sees, blanks folded."""
        return " ".join(" ".join(self.words).split())

    def tags(self, name: str) -> list[dict[str, str | None]]:
        """The attributes of each element of a name."""
        return [attributes for tag, attributes in self.elements if tag == name]
