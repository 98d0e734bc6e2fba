"""This machine's Python as part of an image: its library without what no bot plays with.

It knows how Python finds its library and keeps it compiled; it never knows what an image is.
"""

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

from arena.errors import HostFault
from arena.sandbox.docker.layer import Layer

_LEFT_OUT = frozenset((
    "__pycache__", "dist-packages", "ensurepip", "idlelib", "lib2to3", "pydoc_data",
    "site-packages", "test", "tests", "tkinter", "turtledemo", "venv",
))  # fmt: skip
_LEFT_OUT_TOO = re.compile(r"config-\d.*|_test.*\.so|_tkinter.*\.so|_xxtest.*\.so|.*\.(a|o|exe)")


def add_python(layer: Layer, program: Path, work: Path) -> None:
    """Add the standard library beside its program, compiled; `work` is a folder to be made."""
    library = Path(sysconfig.get_path("stdlib")).resolve()
    staged = work / library.relative_to("/")
    shutil.copytree(library, staged, ignore=_without_ballast)
    _compile(program, staged, work)
    layer.add_tree(staged, str(library))
    layer.add_linked(sorted(staged.rglob("*.so")))


def _without_ballast(_folder: str, names: list[str]) -> set[str]:
    return {name for name in names if name in _LEFT_OUT or _LEFT_OUT_TOO.fullmatch(name)}


def _compile(program: Path, staged: Path, work: Path) -> None:
    """Have the library compiled as it will lie in the image. Raises `HostFault`.

    Nothing is compiled in a container, as it may not write there, and a bot would start three
    times as slowly. A compiled file then tells no time, and sets have one order.
    """
    compiling = [
        *(program, "-S", "-m", "compileall", "-q", "-s", work, "-p", "/"),
        *("--invalidation-mode", "unchecked-hash", staged),
    ]
    done = subprocess.run(
        list(map(str, compiling)),
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONHASHSEED": "0"},
    )
    if done.returncode:
        raise HostFault(f"the library of Python cannot be compiled: {done.stdout[-500:]}")
