"""Temporary folders that do not outlive the arena for long, even where it is killed outright.

It knows whose a folder is by its name: the id of the process that made it, and when that process
started, as ids are used again. It never knows what a folder is for.
"""

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

_PREFIX = "arena-bot-"


def new_folder() -> Path:
    """Make an empty folder that only this user may enter."""
    _sweep()
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{owner()}-"))


def owner() -> str:
    """Name this process as one among all that this machine ever runs."""
    return f"{os.getpid()}-{_started(os.getpid())}"


def has_ended(name: str) -> bool:
    """Tell whether the process that `owner` named so has ended."""
    pid, _, started = name.partition("-")
    return pid.isdecimal() and _started(pid) != started


def remove(folder: Path) -> None:
    """Remove a folder with all in it."""
    shutil.rmtree(folder, ignore_errors=True)


@cache
def _sweep() -> None:
    """Remove, once a process, what processes of this user left that have ended since."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*-*"):
        pid, started = folder.name.removeprefix(_PREFIX).split("-")[:2]
        if has_ended(f"{pid}-{started}") and folder.lstat().st_uid == os.geteuid():
            remove(folder)


def _started(pid: int | str) -> str:
    """Tell when a process started, in the kernel's ticks; empty where there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[19]
