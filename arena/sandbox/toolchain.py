"""Where the interpreters are that bots are written for.

It knows this machine's programs and libraries; it never knows who may read them.
"""

import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""The folders (or links into /usr) that hold the system's programs and libraries."""

LOADER = ("/etc/ld.so.cache", "/etc/alternatives")
"""What the system's programs need besides to find their libraries and each other."""

OPEN_FILES = 256
"""Descriptors that one process of a bot may have."""

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where the system's programs are looked for."""


@cache
def interpreters() -> dict[str, Path]:
    """List the programs that bots get before the system's, by the names they are called by.

    The Python that runs the arena is one, under both its names, so that it is known to be there.
    """
    found = {"python3": _python(), "python": _python()}
    node = shutil.which("node")
    if node is not None and not _is_system(Path(node).resolve()):
        found["node"] = Path(node).resolve()
    return found


@cache
def outside_system() -> tuple[Path, ...]:
    """List what of the interpreters lies outside the system's folders: prefixes or programs."""
    places = (_with_libraries(program) for program in interpreters().values())
    return tuple(dict.fromkeys(place for place in places if not _is_system(place)))


def _python() -> Path:
    """Find the interpreter behind the virtual environment that the arena may run in."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    program = Path(sys.base_prefix) / "bin" / version
    return (program if program.exists() else Path(sys.executable)).resolve()


def _with_libraries(program: Path) -> Path:
    """Give the prefix that a program was installed to, or the program where it stands alone.

    A program in ``~/bin`` must not bring all of a home folder with it.
    """
    prefix = program.parent.parent
    return prefix if program.parent.name == "bin" and any(_libraries(prefix)) else program


def _libraries(prefix: Path) -> Iterator[Path]:
    for pattern in ("lib/python3*", "lib/node_modules"):
        yield from prefix.glob(pattern)


def _is_system(place: Path) -> bool:
    return any(place.is_relative_to(Path(folder).resolve()) for folder in SYSTEM)
