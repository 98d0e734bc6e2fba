"""The control groups that the engine keeps a container in, as far as this machine shows them.

It knows where the kernel's files are in both versions of control groups; it never changes a
limit. The container itself cannot write them. Source: cgroups(7), cgroup-v2.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

_UNIFIED = ""
"""The name under which /proc lists the one hierarchy of version 2."""


class Groups:
    """One container's groups: what it ran into, and a brake on all of its processes."""

    def __init__(self, first: int, container: str) -> None:
        """Find the groups of a container by the id of its first process.

        What is not there, or not this container's, is left out: its counts are 0.
        """
        self._places = dict(_places(first, container))
        self._brake, self._stop, self._go = self._find_brake()

    @property
    def are_known(self) -> bool:
        """Tell whether the first process's id is one of this machine, and the container's."""
        return bool(self._places)

    @property
    def can_freeze(self) -> bool:
        """Tell whether all of it can be made to stand still."""
        return self._brake is not None

    def freeze(self) -> None:
        """Have all processes stand still, soon; a container that is gone stands still already."""
        self._pull(self._stop)

    def thaw(self) -> None:
        """Let all processes go on."""
        self._pull(self._go)

    def killed_for_memory(self) -> int:
        """Count the processes that were killed because the container had no memory left."""
        return self._count("memory", "memory.oom_control", "memory.events", "oom_kill")

    def refused_processes(self) -> int:
        """Count the processes that were not started as there were too many."""
        return self._count("pids", "pids.events", "pids.events", "max")

    def close(self) -> None:
        """Let go of the brake."""
        brake, self._brake = self._brake, None
        if brake is not None:
            os.close(brake)

    def _find_brake(self) -> tuple[int | None, bytes, bytes]:
        for kind, name, stop, go in (
            (_UNIFIED, "cgroup.freeze", b"1", b"0"),
            ("freezer", "freezer.state", b"FROZEN", b"THAWED"),
        ):
            with suppress(OSError, KeyError):
                brake = os.open(self._places[kind] / name, os.O_WRONLY | os.O_CLOEXEC)
                return brake, stop, go
        return None, b"", b""

    def _pull(self, state: bytes) -> None:
        if self._brake is not None:
            with suppress(OSError):
                os.write(self._brake, state)

    def _count(self, kind: str, old: str, new: str, key: str) -> int:
        """Read one count of a file that has a name and a number a line."""
        for place, name in ((kind, old), (_UNIFIED, new)):
            with suppress(OSError, KeyError, ValueError):
                lines = (self._places[place] / name).read_text().splitlines()
                return int(dict(line.split() for line in lines)[key])
        return 0


def may_freeze() -> bool:
    """Tell whether this process may hold the engine's containers still, as far as can be seen."""
    places = (_mounts().get(kind) for kind in (_UNIFIED, "freezer"))
    return any(place is not None and os.access(place, os.W_OK) for place in places)


def _places(first: int, container: str) -> Iterator[tuple[str, Path]]:
    """List the folders of a process's groups by kind, where they are the container's own."""
    with suppress(OSError):
        for line in Path(f"/proc/{first}/cgroup").read_text().splitlines():
            _, kinds, path = line.split(":", 2)
            for kind in kinds.split(","):
                if container in path and kind in _mounts():
                    yield kind, _mounts()[kind] / path.lstrip("/")


@cache
def _mounts() -> Mapping[str, Path]:
    """List where each kind of group is mounted. Source: proc(5), mountinfo."""
    found: dict[str, Path] = {}
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        system, _, options = after.split(" ", 2)
        kinds = {"cgroup": options.split(","), "cgroup2": [_UNIFIED]}.get(system, [])
        for kind in kinds:
            found.setdefault(kind, Path(before.split()[4]))
    return found
