"""The version of the arena itself, installed or run from its source."""

from importlib.metadata import PackageNotFoundError, version


def arena_version() -> str:
    """Give the installed version; a source tree that is not installed has none."""
    try:
        return version("arena")
    except PackageNotFoundError:
        return "source"
