"""Where the interpreters are that bots are written for.

It knows this machine's programs and libraries; it never knows who may read them.
"""

import shutil
import subprocess
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

COMPILERS = ("rustc", "go", "javac", "java")
"""What bots are built with besides C, and is often installed beside the system's own programs."""

_SETTINGS = ("java-*-openjdk",)
"""Folders of /etc without which the system's programs do not start, as patterns."""


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
def compilers() -> dict[str, Path]:
    """List the compilers that this user has and the system's folders have not, by their names."""
    found = {}
    for name in COMPILERS:
        program = shutil.which(name)
        if program is not None and shutil.which(name, path=SYSTEM_PATH) is None:
            found[name] = _behind(Path(program))
    return found


def _behind(program: Path) -> Path:
    """Give the program itself: rustup puts one that chooses between versions in its place."""
    if program.resolve().name != "rustup":
        return program.resolve()
    ask = [str(program), "--print", "sysroot"]
    said = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
    return Path(said.strip()) / "bin" / program.name


def own_programs() -> dict[str, Path]:
    """List all that bots outside of Docker find before the system's programs, by its names."""
    return {**compilers(), **interpreters()}


def find_program(name: str) -> Path | None:
    """Find a program by the name that bots outside of Docker call it by; None if there is none."""
    found = own_programs().get(name) or shutil.which(name, path=SYSTEM_PATH)
    return Path(found) if found else None


@cache
def outside_system() -> tuple[Path, ...]:
    """List what of all these lies outside the system's folders: prefixes or programs."""
    places = (_with_libraries(program) for program in own_programs().values() if program.exists())
    return tuple(dict.fromkeys(place for place in places if not _is_system(place)))


@cache
def settings() -> tuple[Path, ...]:
    """List the folders of /etc that programs of the system need; nothing in them is secret."""
    return tuple(place for pattern in _SETTINGS for place in Path("/etc").glob(pattern))


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
    for pattern in ("lib/python3*", "lib/node_modules", "lib/rustlib", "lib/modules", "pkg/tool"):
        yield from prefix.glob(pattern)


def _is_system(place: Path) -> bool:
    return any(place.is_relative_to(Path(folder).resolve()) for folder in SYSTEM)
