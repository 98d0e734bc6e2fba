"""The command line as the owner of a policy or an OpenSpiel bot gives it."""

import subprocess
import sys
from pathlib import Path


def arena(folder: Path, *arguments: str) -> str:
    """Run `arena` in a folder, which has to succeed, and give what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "arena", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
