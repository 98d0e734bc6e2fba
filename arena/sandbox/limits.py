"""Limits as `prlimit` sets them on one process, and those that it starts inherit.

It knows the kernel's resource limits; it never knows what bounds a whole family of processes.
"""

from arena.record import Limits

OPEN_FILES = 256
"""Descriptors that one process of a bot may have."""


def limited(command: tuple[str, ...], limits: Limits, *, processes: bool) -> list[str]:
    """Put a command behind `prlimit`; `processes` where the user id is the bot's alone.

    The memory limit is RLIMIT_DATA: it counts what a process may write, and not the gigabytes of
    address space that V8 and the JVM reserve and never touch. Source: getrlimit(2), prlimit(1).
    """
    count = [f"--nproc={limits.processes}"] if processes else []
    return [
        "prlimit",
        f"--data={limits.memory}",
        f"--fsize={limits.scratch}",
        f"--nofile={OPEN_FILES}",
        "--core=0",
        *count,
        "--",
        *command,
    ]
