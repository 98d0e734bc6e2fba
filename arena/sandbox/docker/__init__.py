"""Bots in containers of a Docker engine: the stronger sandbox, for those who have one.

It knows whether this machine offers it; it never knows what a bot says. The SDK takes a quarter of
a second to import, and may be missing: so nothing of it is, before an engine is there.
"""

import atexit
from functools import cache
from importlib.util import find_spec
from typing import ClassVar, Protocol

from arena.errors import SandboxError
from arena.record import Limits
from arena.sandbox.docker.address import DEFAULT_IMAGE, reaching_problem
from arena.sandbox.docker.layer import MadeImage
from arena.sandbox.family import as_host_fault
from arena.sandbox.sandbox import Hold, Launch, Process

__all__ = ["DEFAULT_IMAGE", "DockerSandbox", "MadeImage", "make_image"]


class DockerSandbox:
    """Runs bots under Docker."""

    name: ClassVar[str] = "docker"

    def problem(self, limits: Limits = Limits()) -> str | None:
        """Say what keeps the engine from running bots in the images that the limits name."""
        problem = _problem()
        if problem is not None:
            return problem
        from arena.sandbox.docker.engine import problem_with  # noqa: PLC0415 - see above

        images = dict.fromkeys((limits.image or DEFAULT_IMAGE, *limits.images))
        problems = (problem_with(image, limits.runtime) for image in images)
        return next(filter(None, problems), None)

    def holds(self) -> tuple[Hold, ...]:
        """Tell which limits the engine and its kernel keep."""
        _check()
        from arena.sandbox.docker.engine import limits_held  # noqa: PLC0415 - see above

        return limits_held()

    def launch(self, launch: Launch) -> Process:
        """Start a command in a container of its own."""
        with as_host_fault():
            return _containers().launch(launch)


def make_image(name: str = DEFAULT_IMAGE) -> MadeImage:
    """Make an image for bots from this machine's programs, and hand it to the engine.

    Raises `SandboxError` where the engine is out of reach or refuses it, `HostFault` where it or
    this machine fails.
    """
    if not name:
        raise SandboxError("an image has to have a name")
    _check()
    from arena.sandbox.docker.image import build  # noqa: PLC0415 - see above

    with as_host_fault():
        return build(name)


class _Containers(Protocol):
    def launch(self, launch: Launch) -> Process: ...
    def close(self) -> None: ...


@cache
def _containers() -> _Containers:
    """Give the containers of this process, which end with it."""
    _check()
    from arena.sandbox.docker.stock import Stock  # noqa: PLC0415 - see above

    stock = Stock()
    atexit.register(stock.close)
    return stock


def _check() -> None:
    problem = _problem()
    if problem is not None:
        raise SandboxError(f"Docker cannot be used: {problem}")


def _problem() -> str | None:
    """Say what keeps the engine out of reach."""
    problem = reaching_problem()
    if problem is None and find_spec("docker") is None:
        return "the Python package docker is missing; install it with `pip install docker`"
    return problem
