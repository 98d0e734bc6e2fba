"""The files of an image, gathered from this machine with all that they need to run.

It knows programs, the libraries they are linked with, and how to write the same files as the same
bytes; it never knows what they are for.
"""

import os
import re
import subprocess
import tarfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Self

import msgspec

from arena.errors import HostFault
from arena.sandbox.toolchain import SYSTEM

_LIBRARY = re.compile(r"\s(/\S+) \(0x")
_CACHE = Path("/etc/ld.so.cache")


class MadeImage(msgspec.Struct, frozen=True):
    """An image that was made: its name, its id, its bytes and the interpreters in it."""

    name: str
    id: str
    size: int
    programs: tuple[str, ...]


class Layer:
    """A tar archive under way: each path is added once, with the folders above it."""

    def __init__(self, file: IO[bytes]) -> None:
        """Write to a file, which stays the caller's to close."""
        self._tar = tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT)  # noqa: SIM115
        self._there = {"/"}
        self._linked: set[Path] = set()

    def __enter__(self) -> Self:
        """Give the layer itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finish the archive."""
        self._tar.close()

    def add_folder(self, path: str, mode: int = 0o755) -> None:
        """Add an empty folder."""
        if self._is_new(path):
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.type, entry.mode = tarfile.DIRTYPE, mode
            self._tar.addfile(entry)

    def add_link(self, path: str, target: str) -> None:
        """Add a symbolic link."""
        if self._is_new(path):
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, target, 0o777
            self._tar.addfile(entry)

    def add_bytes(self, path: str, content: bytes, mode: int = 0o644) -> None:
        """Add a file with some content."""
        if self._is_new(path):
            entry = tarfile.TarInfo(path.lstrip("/"))
            entry.size, entry.mode = len(content), mode
            self._tar.addfile(entry, BytesIO(content))

    def add_file(self, path: str, source: Path) -> None:
        """Add a file of this machine; anyone may read it, and run it where its owner may."""
        if self._is_new(path):
            entry = tarfile.TarInfo(path.lstrip("/"))
            with source.open("rb") as file:
                found = os.fstat(file.fileno())
                entry.size, entry.mode = found.st_size, 0o755 if found.st_mode & 0o100 else 0o644
                self._tar.addfile(entry, file)

    def add_tree(self, folder: Path, path: str) -> None:
        """Add all files below a folder."""
        for source in sorted(folder.rglob("*")):
            if source.is_file():
                self.add_file(f"{path}/{source.relative_to(folder)}", source)

    def add_system_links(self) -> None:
        """Add the links that stand for the system's folders, and where libraries are found."""
        for place in map(Path, SYSTEM):
            if place.is_symlink():
                self.add_link(str(place), str(place.readlink()))
        if _CACHE.exists():
            self.add_file(str(_CACHE), _CACHE)

    def add_program(self, program: Path) -> None:
        """Add a program under its own path, with the libraries that it is linked with."""
        real = program.resolve()
        self.add_file(str(real), real)
        named = program.parent.resolve() / program.name
        self.add_link(str(named), str(real))
        self.add_linked([real])

    def add_linked(self, files: Iterable[Path]) -> None:
        """Add the libraries that some programs and modules are linked with."""
        for library in sorted(_linked(list(files))):
            self._linked.add(library)
            self.add_file(str(library.parent.resolve() / library.name), library)

    def add_library(self, file: Path) -> None:
        """Add a file under the name that others know it by; none where there is no such file."""
        if file.is_file():
            named = file.parent.resolve() / file.name
            self.add_file(str(named), file.resolve())
            if ".so" in file.name:
                self.add_linked([file])

    def add_libraries(self, names: Iterable[str]) -> None:
        """Add libraries by name, from beside those that were added; some may not be there."""
        places = sorted({library.parent.resolve() for library in self._linked})
        for name in names:
            found = next((place / name for place in places if (place / name).exists()), None)
            if found is not None:
                self.add_file(str(found), found.resolve())
                self.add_linked([found])

    def _is_new(self, path: str) -> bool:
        """Note a path, and see to the folders above it; tell whether it was not there yet."""
        if path in self._there:
            return False
        self._there.add(path)
        above = str(PurePosixPath(path).parent)
        if above not in self._there:
            self.add_folder(above)
        return True


def _linked(files: list[Path]) -> set[Path]:
    """Ask the system's loader what files are linked with. Raises `HostFault`."""
    try:
        done = subprocess.run(
            ["ldd", *map(str, files)], capture_output=True, text=True, check=False, env={}
        )
    except OSError as error:
        raise HostFault(f"the program ldd cannot be run: {error.strerror}") from error
    return set(map(Path, _LIBRARY.findall(done.stdout)))
