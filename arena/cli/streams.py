"""The three standard streams: made fit to print anything, and let go of when nobody takes it.

It knows encodings and broken outputs; it never knows what is printed.
"""

import codecs
import os
import sys
from io import TextIOWrapper

_SPELT = "arena.spelt"
_PLAIN = {"–": "-", "−": "-", "±": "+-", "…": "...", "×": "x", "µ": "u"}
_PLAIN |= {"♣": "C", "♦": "D", "♥": "H", "♠": "S", "├": "[", "─": "-", "┤": "]", "●": "o"}
"""What the arena's own signs become where the output has no letters for them."""


def _spell(error: UnicodeError) -> tuple[str, int]:
    """Spell what an encoding lacks in ASCII: our own signs by their look, all else escaped."""
    assert isinstance(error, UnicodeEncodeError)
    missing = error.object[error.start : error.end]
    spelt = (_PLAIN.get(c, c.encode("ascii", "backslashreplace").decode()) for c in missing)
    return "".join(spelt), error.end


codecs.register_error(_SPELT, _spell)


def prepare_streams() -> None:
    """Have streams that were closed before the program began lead nowhere, and spell any letter.

    What an encoding lacks (`LC_ALL=C`, `PYTHONIOENCODING=ascii`) is spelt in ASCII.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115  # until the end
        elif isinstance(stream, TextIOWrapper) and mode == "w":
            stream.reconfigure(errors=_SPELT)


def spelt(text: str, encoding: str) -> str:
    """Give a text as a stream of that encoding shows it, to measure what it takes."""
    return text.encode(encoding, _SPELT).decode(encoding)


def release_streams() -> None:
    """Write what is left; where it cannot be written, keep Python from trying again at its end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)
