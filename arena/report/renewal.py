"""A folder of files made anew, put in place in one step, with what did not change left as it was.

It knows files by name and content, and never what they hold. The new folder is made beside the
old one: an unchanged file is the old one by another name (a hard link), so that a reader sees the
old folder or the new, whole, and a copier that goes by times copies only what changed.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.errors import StoreError, naming

LEFT_OVER_AFTER = 3600
"""Seconds after which a half-made folder is taken for a killed build's."""


class Renewal:
    """A folder in the making, as a context; `finish` puts it in place."""

    def __init__(self, folder: Path) -> None:
        """Begin beside `folder`. Raises `StoreError` where that holds something else."""
        if folder.exists() and any(folder.iterdir()) and not (folder / "index.html").is_file():
            raise StoreError(f"{folder}: not empty and no report; move it away, and build again")
        folder.parent.mkdir(parents=True, exist_ok=True)
        _sweep(folder)
        self._folder = folder
        self._work = tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent)
        self._fresh = Path(self._work.name, "new")
        self._fresh.mkdir()
        self._made: set[Path] = set()

    def __enter__(self) -> Self:
        """Use it as a context, which leaves nothing beside the folder."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove what is left of the making."""
        self._work.cleanup()

    def write(self, name: str, content: bytes) -> None:
        """Write a file; one that stood there with the same content is kept as it is."""
        old = self._folder / name
        try:
            is_same = old.stat().st_size == len(content) and old.read_bytes() == content
        except OSError:
            is_same = False
        if not (is_same and self.keep(name)):
            with naming(old):
                self._place(name).write_bytes(content)

    def keep(self, name: str) -> bool:
        """Keep the old folder's file; tell whether there is one."""
        old, path = self._folder / name, self._place(name)
        try:
            os.link(old, path, follow_symlinks=False)
        except FileNotFoundError:
            return False
        except OSError:  # a disk without hard links
            shutil.copy2(old, path)
        return True

    def _place(self, name: str) -> Path:
        path = self._fresh / name
        if path.parent not in self._made:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(path.parent)
        return path

    def finish(self) -> None:
        """Put the new folder in the old one's place."""
        if self._folder.exists():
            self._folder.replace(Path(self._work.name, "old"))
        self._fresh.replace(self._folder)


def put(folder: Path, files: Mapping[str, bytes]) -> None:
    """Put a folder of files in place in one step. Raises `StoreError` as `Renewal` does."""
    with Renewal(folder) as renewal:
        for name, content in files.items():
            renewal.write(name, content)
        renewal.finish()


def _sweep(folder: Path) -> None:
    """Remove what a killed build left; a young folder may be another build at work."""
    for left_over in folder.parent.glob(f".{folder.name}.*"):
        if time.time() - left_over.stat().st_mtime > LEFT_OVER_AFTER:
            shutil.rmtree(left_over, ignore_errors=True)
