"""What tests of sandboxes share: each sandbox in turn, a bot's folder, a mark on its processes."""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.sandbox.running import KINDS, alive, held

_numbers = count(1)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """The name of a sandbox."""
    name: str = request.param
    return name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder: empty, below folders that only their owner may enter."""
    home = tmp_path / "a bot"
    home.mkdir()
    home.chmod(0o755)
    return home


@pytest.fixture
def token() -> Iterator[str]:
    """Words for a command line, by which a test finds its own processes; none may be left."""
    words = f"arena-test-{os.getpid()}-{next(_numbers)}-end"
    yield words
    with held(alive(words)):
        assert alive(words) == []
