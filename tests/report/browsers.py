"""The browser that tests drive: the one that prints the report."""

import os
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.report.printing import find_browser


def missing(what: str) -> None:
    """Skip where something is missing, but never in CI."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def browser_here() -> Path:
    """Find the machine's browser."""
    try:
        return find_browser()
    except InputError as error:
        missing(str(error))
        raise
