"""A bot's folder as another user may read it, at a place where a container can see it.

It knows files and their modes; it never knows what they are for.
"""

import os
import shutil
import stat
from pathlib import Path


def stage(folder: Path, target: Path) -> None:
    """Copy all of a folder into another one, for anyone to read; what is no file is left out.

    Every container gets files of its own: by locking or watching one that they shared, two
    partners could tell each other what they hold.
    """
    for found in os.scandir(folder):
        path = target / found.name
        if found.is_symlink():
            path.symlink_to(Path(found.path).readlink())
        elif found.is_dir():
            path.mkdir()
            path.chmod(0o755)
            stage(Path(found.path), path)
        elif found.is_file():
            shutil.copyfile(found.path, path)
            path.chmod(0o755 if found.stat().st_mode & stat.S_IXUSR else 0o644)
