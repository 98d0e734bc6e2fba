"""Where the interpreters are that bots are written for.

It knows this machine's programs and libraries; it never knows who may read them.
"""

import shutil
import sys
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
"""The folders (or links into /usr) that hold the system's programs and libraries."""

LOADER = ("/etc/ld.so.cache", "/etc/alternatives")
"""What the system's programs need besides to find their libraries and each other."""


def interpreters() -> tuple[Path, ...]:
    """List the folders outside the system's that hold an interpreter with all it needs.

    The Python that runs the arena is one, so that a bot's `python3` is known to be there.
    """
    prefixes = [Path(sys.base_prefix).resolve()]
    node = shutil.which("node")
    if node is not None:
        prefixes.append(Path(node).resolve().parent.parent)
    return tuple(dict.fromkeys(prefix for prefix in prefixes if not _is_system(prefix)))


def _is_system(folder: Path) -> bool:
    return any(folder.is_relative_to(Path(place).resolve()) for place in SYSTEM)


def command_path() -> str:
    """Give the PATH that bots get: the arena's own Python first, the system's folders last."""
    own = [str(Path(sys.base_prefix) / "bin"), *(str(p / "bin") for p in interpreters())]
    return ":".join(dict.fromkeys([*own, "/usr/local/bin", "/usr/bin", "/bin"]))
