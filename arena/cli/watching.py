"""A folder that is looked at again and again until something in it changes.

It knows names, sizes and times of files; it never knows what is in them. It polls, as the kernel
tells of no change that another machine or a container's host makes, and a bot's folder is small.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from arena.bots.judge import is_ignored

PAUSE = 0.25
"""Seconds between two looks."""
Look = frozenset[tuple[str, int, int, int]]


def changes(folder: Path) -> Iterator[None]:
    """Give a value at once and after each change, when two looks in a row have seen the same."""
    seen: Look | None = None
    while True:
        now = look(folder)
        if now != seen and now == look(folder, PAUSE):
            seen = now
            yield
        else:
            time.sleep(PAUSE)


def look(folder: Path, pause: float = 0.0) -> Look:
    """See, after a pause in seconds, what a change of any file would change."""
    time.sleep(pause)
    return frozenset(_files(folder))


def _files(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_ignored(name)]
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118  # it may be gone at any moment
            try:
                found = os.lstat(path)
            except OSError:
                continue
            if not is_ignored(name):
                yield path, found.st_size, found.st_mtime_ns, found.st_mode
