"""The Docker engine of this machine, and what its failures mean.

It knows the SDK and its errors; it never knows what a container is for. A connection is used by
one thread alone, as the SDK is not made for more.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from docker import APIClient
from docker.errors import APIError, DockerException, ImageNotFound, NotFound
from docker.transport import UnixHTTPAdapter

from arena.errors import HostFault, SandboxError
from arena.sandbox.docker.address import address, image_missing, reaching_problem
from arena.sandbox.docker.groups import may_freeze
from arena.sandbox.sandbox import Hold

_TIMEOUT = 60
"""Seconds that the engine has for an answer before it counts as gone."""
_ROOTLESS = ("name=rootless", "name=userns")

_connections: dict[threading.Thread, APIClient] = {}


def engine() -> APIClient:
    """Give this thread's connection. Raises `HostFault` where the engine does not answer."""
    thread = threading.current_thread()
    if thread not in _connections:
        with failures("answer"):
            client = APIClient(address(), version=_version(address()), timeout=_TIMEOUT)
        # By itself the SDK looks for a proxy at each request, through all of the environment, which
        # another thread may be changing.
        client.trust_env = False
        # By itself the SDK keeps up to 25 sockets open, one for each path that was asked for.
        path = address().replace("unix://", "http+unix://")
        adapter = UnixHTTPAdapter(path, _TIMEOUT, pool_connections=1)
        client.mount("http+docker://", adapter)
        _connections[thread] = client
    return _connections[thread]


@cache
def _version(place: str) -> str:
    """Ask the engine which version of its API is spoken."""
    client = APIClient(place, version="auto", timeout=_TIMEOUT)
    try:
        return str(client.api_version)
    finally:
        client.close()


def hang_up() -> None:
    """Close the connections of threads that have ended."""
    for thread in list(_connections):
        if not thread.is_alive():
            _connections.pop(thread).close()


@contextmanager
def failures(doing: str, image: str = "") -> Iterator[None]:
    """Raise what a failure of the engine is to the arena.

    A request that it refuses is for a person to mend, `SandboxError`; anything else that goes
    wrong, a container that someone else removed, and its silence, is a `HostFault`.
    """
    try:
        yield
    except ImageNotFound as error:
        raise SandboxError(image_missing(image)) from error
    except APIError as error:
        why = " ".join(str(error.explanation or error).split())
        if error.is_client_error() and not isinstance(error, NotFound):
            raise SandboxError(f"the Docker engine refuses to {doing}: {why}") from error
        raise HostFault(f"the Docker engine fails to {doing}: {why}") from error
    except (DockerException, OSError) as error:
        why = reaching_problem() or f"the Docker engine does not {doing}: {error}"
        raise HostFault(why) from error


def problem_with(image: str, runtime: str) -> str | None:
    """Say what keeps an image from being run by a runtime here; None if nothing does."""
    try:
        with failures("show an image", image):
            engine().inspect_image(image)
            known: list[str] = list(engine().info().get("Runtimes") or ())
    except (SandboxError, HostFault) as error:
        return str(error)
    if runtime and runtime not in known:
        return (
            f"the Docker engine has no runtime {runtime}, but {', '.join(sorted(known))}; "
            "install it and name it in the engine's daemon.json"
        )
    return None


def limits_held() -> tuple[Hold, ...]:
    """Tell which limits the engine says it keeps. Raises `HostFault`."""
    with failures("tell of itself"):
        told = engine().info()
    needed = {
        "memory": ("MemoryLimit", "SwapLimit"),
        "cpus": ("CpuCfsQuota",),
        "processes": ("PidsLimit",),
    }
    remedy = "the engine says that its kernel keeps no {}; boot it with these control groups"
    held = [
        Hold(limit, None if all(told.get(key) for key in keys) else remedy.format(limit))
        for limit, keys in needed.items()
    ]
    frozen = None if may_freeze() else "bots can think while others are asked; run it as root"
    return (*held, Hold("scratch"), Hold("freeze", frozen))


@cache
def cores() -> float:
    """Count the cores that the engine may give away."""
    with failures("tell of itself"):
        return float(engine().info()["NCPU"])


@cache
def maps_ids() -> bool:
    """Tell whether a user id in a container is another one outside, and few ids are to be had."""
    with failures("tell of itself"):
        options: list[str] = engine().info().get("SecurityOptions") or []
    return any(option.startswith(_ROOTLESS) for option in options)


@cache
def volumes(image: str) -> tuple[str, ...]:
    """List the folders that an image would have writable, and without bound."""
    with failures("show an image", image):
        config = engine().inspect_image(image).get("Config") or {}
    return tuple(config.get("Volumes") or ())
