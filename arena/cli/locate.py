"""Finds what a word of the command line names: results by folder or tournament's name.

It knows where results lie; it never opens them.
"""

from pathlib import Path

from arena.errors import InputError, Problem, did_you_mean
from arena.store.files import FILE

POOL = Path("bots")
"""Where the bots are kept unless `--pool` says otherwise."""
RESULTS = Path("results")
"""Where tournaments are kept unless `--out` says otherwise."""


def _holds_results(folder: Path) -> bool:
    return (folder / FILE).is_file()


def known_runs() -> list[str]:
    """List the names of the tournaments under ./results."""
    if not RESULTS.is_dir():
        return []
    return sorted(folder.name for folder in RESULTS.iterdir() if _holds_results(folder))


def find_run(word: str) -> Path:
    """Find a results folder by its path, its database's path, or a tournament's name.

    Raises `InputError` with the nearest name there is.
    """
    path = Path(word)
    if path.is_file() and path.name == FILE:
        return path.parent
    is_name = path.name == word and word not in ("", ".", "..")
    for folder in (path, RESULTS / word) if is_name else (path,):
        if _holds_results(folder):
            return folder
    what = f"{word}: no results there, and no tournament of that name under ./{RESULTS}"
    raise InputError([Problem(what, remedy=did_you_mean(word, known_runs()) or _first_step())])


def _first_step() -> str:
    return "play one with: arena run CONFIG"


def complete_run(incomplete: str) -> list[str]:
    """Complete a tournament's name in a shell."""
    return [name for name in known_runs() if name.startswith(incomplete)]
