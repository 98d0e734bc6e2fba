"""What a person can mend, as values and exceptions; it never knows what a bot did wrong.

::

    ArenaError                something a person can mend (exit code 2 or 1)
    ├── InputError            unusable input, one Problem a line: config, manifest, results list
    ├── SandboxError          a sandbox that this machine does not offer
    ├── StoreError            a results folder that is foreign, newer, locked, changed or full
    └── UnknownGame, …        each room adds its own below these

    HostFault                 the referee's machine failed; nobody's loss, the match is replayed

A bot's fault is neither: it is a value, `arena.protocol.Fault`.
"""

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches

REMEDIES = {
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.EROFS: "name a place that can be written",
    errno.EACCES: "check the permissions",
    errno.EPERM: "check the permissions",
    errno.EMFILE: "allow more open files with `ulimit -n`",
}
"""What to do about what a system refuses, where that is known, by the number of the error."""


_MOST_TOLD = 20
"""Known words that a suggestion lists: a folder may hold any number."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input, printed as one line: ``file:line: key: what; remedy``."""

    what: str
    file: str | None = None
    line: int | None = None
    key: str | None = None
    remedy: str | None = None

    def __str__(self) -> str:
        """Spell the place, the fault and the remedy on one line."""
        place = self.file or ""
        if self.line is not None:
            place += f":{self.line}"
        parts = [part for part in (place, self.key, self.what) if part]
        text = ": ".join(parts)
        return f"{text}; {self.remedy}" if self.remedy else text


class ArenaError(Exception):
    """The root of everything that a person can mend."""


class InputError(ArenaError):
    """Unusable input: every problem found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems in the order they stand in the file."""
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class SandboxError(ArenaError):
    """A sandbox that this machine does not offer; the text says what to install or allow."""


class StoreError(ArenaError):
    """A results folder that cannot be used as asked; what it holds stays whole."""


class HostFault(Exception):
    """The referee's own machine failed (no memory, a dead worker): the match is replayed."""


def did_you_mean(word: str, known: Iterable[str], folder: str = "") -> str | None:
    """Suggest the nearest of the known words, as a remedy for a `Problem`.

    Of files in another folder, that is the way to it, its slash included.
    """
    choices = sorted(known)
    near = get_close_matches(word, choices, n=1, cutoff=0.6)
    if near:
        return f"did you mean {folder + near[0]!r}?"
    told = [folder + one for one in choices[:_MOST_TOLD]]
    if len(choices) > _MOST_TOLD:
        told.append(f"… ({len(choices)} in all)")
    return f"known here: {', '.join(told)}" if told else None


def in_words(error: OSError) -> str:
    """Say what the system refused, without its place, and what to do where that is known."""
    what = error.strerror or str(error)
    remedy = REMEDIES.get(error.errno or 0)
    return f"{what}; {remedy}" if remedy else what


@contextmanager
def naming(place: object) -> Iterator[None]:
    """Have an `OSError` that names no file, such as that of a full disk, name this path."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(place)
        raise
