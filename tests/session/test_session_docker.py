"""A session asks a bot in a container just as it asks any other: the same tests again."""

from collections.abc import Iterator

import pytest

from tests.docker_engine import docker
from tests.session import test_session

pytestmark = pytest.mark.usefixtures("docker")
__all__ = ["docker"]

ELSEWHERE = {
    "test_fifty_bots_in_a_row_leave_nothing",  # the sandbox's own tests tell what is left, and when
    "test_a_sandbox_that_fails_is_nobody_s_fault_and_closes_once",  # runs in none
}


@pytest.fixture
def kind() -> str:
    """The name of the sandbox, for the tests that all share."""
    return "docker"


def shared() -> Iterator[tuple[str, object]]:
    """The tests that hold for every sandbox."""
    for name, test in vars(test_session).items():
        if name.startswith("test_") and name not in ELSEWHERE:
            yield name, test


globals().update(shared())
