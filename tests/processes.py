"""Processes of this machine as `/proc` shows them, which may end while they are looked at."""

from contextlib import suppress
from pathlib import Path


def children(pid: int) -> list[int]:
    """The processes that a process has started, from whichever of its threads.

    One that ends while it is looked at has none.
    """
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


def descendants(pid: int) -> list[int]:
    """The same, with what those have started."""
    own = children(pid)
    return own + [inner for one in own for inner in descendants(one)]


def command_line(pid: int) -> list[str] | None:
    """The words that a process was started with: none of one that is dead, None of one gone."""
    try:
        raw = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return None
    return raw.decode(errors="replace").removesuffix("\0").split("\0") if raw else []
