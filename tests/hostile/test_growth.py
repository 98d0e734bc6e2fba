"""Matches in a row leave no trace that grows with their number."""

import subprocess
import sys

import msgspec
import pytest

from tests.docker_engine import docker
from tests.hostile.gauntlet import BOTS
from tests.hostile.growth import Traces

__all__ = ["docker"]
MEMORY = 4 * 1024**2
"""Bytes of the allocator's own that may come and go."""


@pytest.mark.parametrize(("sandbox", "matches"), [("bubblewrap", 100), ("docker", 30)])
def test_many_matches_leave_nothing_that_grows(
    request: pytest.FixtureRequest, sandbox: str, matches: int
) -> None:
    if sandbox == "docker":
        request.getfixturevalue("docker")
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.growth", sandbox, str(matches)],
        cwd=BOTS.parents[1],
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr.decode()
    early, late = msgspec.json.decode(done.stdout, type=list[Traces])
    for kind in ("processes", "descriptors", "folders", "groups", "containers"):
        assert getattr(late, kind) <= getattr(early, kind), (early, late)
    assert late.memory <= early.memory + MEMORY, (early, late)
