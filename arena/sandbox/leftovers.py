"""Temporary folders that do not outlive the arena for long, even where it is killed outright.

It knows whose a folder is by its name: the id of the process that made it, and when that process
started, as ids are used again. It never knows what a folder is for.
"""

import os
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

_PREFIX = "arena-bot-"


def new_folder() -> Path:
    """Make an empty folder that only this user may enter."""
    _sweep()
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{owner()}-"))


def beginning() -> Path:
    """Give the path that all folders of this process begin with."""
    return Path(tempfile.gettempdir()) / f"{_PREFIX}{owner()}-"


def owner() -> str:
    """Name this process as one among all that this machine ever runs."""
    return f"{os.getpid()}-{_started(os.getpid())}"


def has_ended(name: str) -> bool:
    """Tell whether the process that `owner` named so has ended."""
    pid, _, started = name.partition("-")
    return pid.isdecimal() and _started(pid) != started


def remove(folder: Path) -> None:
    """Remove a folder with all in it, as far as that is ours, however deep and closed it is.

    Each folder in it is moved beside it before it is emptied, so that no path grows long.
    """
    waiting = [folder]
    for one in waiting:
        with suppress(OSError):
            one.chmod(0o700)
            for found in list(one.iterdir()):
                if found.is_symlink() or not found.is_dir():
                    found.unlink()
                    continue
                found.chmod(0o700)
                beside = folder.with_name(f"{folder.name}.{len(waiting)}")
                waiting.append(found.rename(beside))
            one.rmdir()


@cache
def _sweep() -> None:
    """Remove, once a process, what processes of this user left that have ended since.

    A folder may go at any instant: others sweep, too.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*-*"):
        pid, started = folder.name.removeprefix(_PREFIX).split("-")[:2]
        with suppress(FileNotFoundError):
            if has_ended(f"{pid}-{started}") and folder.lstat().st_uid == os.geteuid():
                remove(folder)


def _started(pid: int | str) -> str:
    """Tell when a process started, in the kernel's ticks; empty where there is none."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[19]
