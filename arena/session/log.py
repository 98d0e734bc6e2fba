"""A bot's standard error within a bound: the head and the tail of it, as text.

It knows bytes and how to show them harmlessly; it never knows what they say.
"""

_MARK = "\n… {} bytes left out …\n"
_MARK_ROOM = 64
"""Bytes set aside for the line that says how much is missing."""
_LAST_WORDS = 800
"""Bytes of the end that a fault quotes: a traceback's last frames and its message."""


class Log:
    """The first and the last bytes of a stream, at most `limit` together."""

    def __init__(self, limit: int) -> None:
        """Start empty."""
        self._limit = limit
        self._half = max(0, limit - _MARK_ROOM) // 2
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        room = max(0, self._limit - self._half - len(self._head))
        self._head += chunk[:room]
        self._tail += chunk[room:]
        excess = len(self._tail) - self._half
        if excess > 0:
            del self._tail[:excess]
            self._dropped += excess

    def text(self) -> str:
        """Give what was kept, with a line in the middle where some is missing."""
        if not self._dropped:
            return shown(bytes(self._head + self._tail))
        head = self._head[: self._half]
        dropped = self._dropped + len(self._head) - len(head)
        mark = _MARK.format(dropped).encode() if self._limit >= _MARK_ROOM else b""
        return shown(bytes(head + mark + self._tail))

    def last_words(self) -> str:
        """Give the last lines, for a fault to quote."""
        end = bytes(self._head[-_LAST_WORDS:] + self._tail)[-_LAST_WORDS:]
        return shown(end).strip()


def shown(raw: bytes) -> str:
    """Decode bytes so that they can be printed: what is no text or would steer a terminal is `?`.

    The text never has more bytes than there were.
    """
    text = raw.decode("utf-8", "replace").replace("\r\n", "\n")
    if text.translate({9: None, 10: None}).isprintable() and "\ufffd" not in text:
        return text
    return "".join(c if c in "\n\t" or (c.isprintable() and c != "\ufffd") else "?" for c in text)
