"""What a bot's container may see and use: all that the engine is told of it.

It knows limits, mounts and the script of the container's first process; it never knows which bot
will run, nor when.
"""

import socket
from pathlib import Path

from docker.types import LogConfig, Mount, Ulimit

from arena.record import Limits
from arena.sandbox import leftovers, stranger
from arena.sandbox.docker.address import DEFAULT_IMAGE
from arena.sandbox.docker.calls import security_options
from arena.sandbox.docker.engine import cores, engine, failures, maps_ids, volumes
from arena.sandbox.toolchain import OPEN_FILES

OWNER, HOST = "arena.owner", "arena.host"
"""The labels that say which process of the arena a container belongs to, and where that runs."""

RUN, BOT = "run", "bot"
"""Folders of a container's home: one for the FIFOs, one for the bot."""
SOURCE = "/source"
"""Where a bot that works in a copy of its folder finds the folder itself."""
PLACE = "/run/arena"
"""Where the container finds the FIFOs."""

_SCRIPT = f"""
trap '' HUP INT QUIT TERM
exec </dev/null >/dev/null 2>&1 3>{PLACE}/end
( trap - HUP INT QUIT TERM; exec <{PLACE}/in >{PLACE}/out 2>{PLACE}/log 3>&-; . {PLACE}/start )
echo $? >&3
: <{PLACE}/hold
"""
_READ_BY_BOT, _WRITTEN_BY_BOT = 0o644, 0o622
FIFOS = {
    "in": _READ_BY_BOT,
    "hold": _READ_BY_BOT,
    "out": _WRITTEN_BY_BOT,
    "log": _WRITTEN_BY_BOT,
    "end": _WRITTEN_BY_BOT,
}
"""The FIFOs that the script opens, with their modes: a bot is none of those who own them."""
START = "start"
"""The file beside the FIFOs that has the line by which a child of the script becomes the bot."""

_ENVIRONMENT = {"HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8"}
_NOBODY = 65_534
_LEAST_MEMORY = 6 * 1024**2
"""Bytes below which the engine makes no container."""
_LEAST_SCRATCH = 4096
"""A tmpfs of size 0 would have no bound at all."""
_SCRATCH_FILE = 4096
"""Bytes of scratch to each file that may lie in it: small files cost more than they hold."""
_SHARED_MEMORY = 1024**2
"""Bytes of /dev/shm: enough for semaphores, too little to be worth filling."""
_OF_A_RUNTIME = 512
"""Threads that a runtime may need itself; gVisor's are many, and in the bot's own group."""
_FIRST_TO_GO = 500
"""How much sooner than others a bot is killed when the whole machine has no memory left."""


def choose_user() -> int:
    """Choose the user id that a bot gets.

    Each bot has its own, as the kernel bounds some things by user, such as pending signals and
    what pipes hold. An engine that maps ids has few of them.
    """
    return _NOBODY if maps_ids() else stranger.next_id()


def create_container(home: Path, limits: Limits, writable: int) -> None:
    """Have the engine make a container of the name of `home`, in which FIFOs and bot lie.

    One with room to write, in bytes, has the bot's folder at `SOURCE`. Raises `SandboxError` where
    the engine refuses, `HostFault` where it fails.
    """
    image = limits.image or DEFAULT_IMAGE
    # gVisor opens no FIFO for writing that it is given read-only; a bot may not write the folder.
    mounts = [
        Mount(PLACE, str(home / RUN), type="bind", read_only=not limits.runtime),
        Mount(SOURCE if writable else "/bot", str(home / BOT), type="bind", read_only=True),
    ]
    user = choose_user()
    masked = volumes(image)
    with failures("make a container", image):
        engine().create_container(
            image,
            name=home.name,
            entrypoint=["/bin/sh", "-c", _SCRIPT],
            environment=_ENVIRONMENT,
            healthcheck={"test": ["NONE"]},
            host_config=_confinement(limits, user, mounts, masked, writable),
            hostname="arena",
            labels={OWNER: leftovers.owner(), HOST: this_host()},
            network_disabled=True,  # even a network of none takes half of the engine's work
            stop_signal="SIGKILL",
            use_config_proxy=False,  # a proxy's password is nobody's business
            user=f"{user}:{user}",
            working_dir="/bot",
        )


def _confinement(
    limits: Limits, user: int, mounts: list[Mount], masked: tuple[str, ...], writable: int
) -> dict[str, object]:
    memory = max(limits.memory, _LEAST_MEMORY)
    processes = limits.processes + (_OF_A_RUNTIME if limits.runtime else 1)  # and the shell
    tmpfs = dict.fromkeys(masked, f"size={_LEAST_SCRATCH},ro")
    tmpfs["/tmp"] = _room(limits.scratch, user, "0700")
    if writable:
        tmpfs["/bot"] = _room(writable, user, "0755")
    confinement: dict[str, object] = engine().create_host_config(
        cap_drop=["ALL"],
        cgroupns="private",
        ipc_mode="private",
        log_config=LogConfig(type=LogConfig.types.NONE),
        mem_limit=memory,
        memswap_limit=memory,
        mounts=mounts,
        nano_cpus=int(min(limits.cpus, cores()) * 1e9),
        network_mode="none",
        oom_score_adj=_FIRST_TO_GO,
        pids_limit=processes,
        read_only=True,
        runtime=limits.runtime or None,
        security_opt=list(security_options()),
        shm_size=_SHARED_MEMORY,
        tmpfs=tmpfs,
        ulimits=[
            Ulimit(name=kind, soft=most, hard=most)
            for kind, most in (("core", 0), ("nofile", OPEN_FILES), ("fsize", memory))
        ],
    )
    return confinement


def _room(size: int, user: int, mode: str) -> str:
    """Give the options of a tmpfs that a user may write so many bytes to."""
    size = max(size, _LEAST_SCRATCH)
    files = max(16, size // _SCRATCH_FILE)
    return f"size={size},nr_inodes={files},mode={mode},uid={user},gid={user},exec"


def this_host() -> str:
    """Name this machine, or the container that the arena itself runs in."""
    return f"{socket.gethostname()} {Path('/proc/self/ns/pid').readlink()}"
