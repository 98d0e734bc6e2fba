"""A real Docker engine for tests: the one that DOCKER_HOST names, or the usual one.

Without one, tests that need it are skipped, but never where CI runs them.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.sandbox.docker import DEFAULT_IMAGE, DockerSandbox, make_image
from arena.sandbox.docker.address import reaching_problem
from arena.sandbox.docker.engine import engine

LABEL = "arena.owner"


@contextmanager
def alone(name: str) -> Iterator[None]:
    """Wait until no other process of the tests does what is called so."""
    place = Path(tempfile.gettempdir()) / f"arena-tests-{os.getuid()}-{name}.lock"
    with place.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def docker() -> None:
    """See that an engine is there, with the image for bots in it."""
    problem = reaching_problem()
    if problem is not None:
        if os.environ.get("CI"):
            pytest.fail(problem)
        pytest.skip(problem)
    with alone("image"):
        if DockerSandbox().problem() is not None:
            make_image(DEFAULT_IMAGE)


def containers(owner: str) -> list[str]:
    """List the containers that belong to a process of the arena, by id."""
    found = engine().containers(all=True, filters={"label": [f"{LABEL}={owner}"]})
    return [container["Id"] for container in found]
