"""Control groups of our own that hold a bot's whole family: its memory, its number, its standstill.

It knows where this machine lets us make groups, in both versions of them; it never knows what runs
in one. Limits of a single process do not bound what it starts, and a stop signal can be undone
from inside: only a group does both. Where none may be made, a bot goes without.

Source: cgroups(7), cgroup-v1/memory, cgroup-v2.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

from arena.record import Limits
from arena.sandbox import leftovers
from arena.sandbox.sandbox import Hold

_PREFIX = "arena-bot-"
_MIB = 1024**2
_PERIOD = 20_000
"""Microseconds for which a share of the cores is reckoned: how long a bot may have to wait for
its next share, once it had its own."""
_REMEDY = (
    "let the arena make control groups: run it as root, or by "
    "`systemd-run --user --scope --property=Delegate=yes arena run …`"
)
_numbers = count(1)


class Group:
    """A group for one bot, in every hierarchy where we may make one."""

    def __init__(self, limits: Limits) -> None:
        """Make it, with its limits; what cannot be made is gone without."""
        name = f"{_PREFIX}{leftovers.owner()}-{next(_numbers)}"
        self._limits = limits
        self._places: dict[str, Path] = {}
        for kind, parent in _parents().items():
            with suppress(OSError):
                place = parent / name
                place.mkdir(exist_ok=True)
                self._places[kind] = place
                for file, value in _settings(kind, limits):
                    (place / file).write_text(value)
        self._brake: int | None = None
        with suppress(OSError, KeyError):
            brake = self._places["freezer"] / "cgroup.freeze"
            self._brake = os.open(brake, os.O_WRONLY | os.O_CLOEXEC) if limits.freeze else None

    @property
    def can_freeze(self) -> bool:
        """Tell whether all in it can be made to stand still, and are meant to be."""
        return self._brake is not None

    @property
    def bounds_memory(self) -> bool:
        """Tell whether the memory of all in it is limited together."""
        return not self._places.keys().isdisjoint(("memory", "memory2"))

    @property
    def bounds_cores(self) -> bool:
        """Tell whether the time that all in it take on the processors is limited together."""
        return not self._places.keys().isdisjoint(("cpu", "cpu2"))

    @property
    def bounds_processes(self) -> bool:
        """Tell whether the number of all in it is limited."""
        return not self._places.keys().isdisjoint(("pids", "pids2"))

    def add(self, pid: int) -> None:
        """Put a process into it, and with it all that it will start. Raises `OSError`."""
        for place in dict.fromkeys(self._places.values()):
            (place / "cgroup.procs").write_text(str(pid))

    def freeze(self) -> None:
        """Have all in it stand still."""
        if self._brake is not None:
            with suppress(OSError):  # a group that is empty stands still anyway
                os.write(self._brake, b"1")

    def thaw(self) -> None:
        """Let all in it go on."""
        if self._brake is not None:
            with suppress(OSError):
                os.write(self._brake, b"0")

    def limit_met(self) -> str | None:
        """Name the limit that something in it was stopped at."""
        killed = (("memory", "memory.oom_control"), ("memory2", "memory.events"))
        if any(self._count(kind, file, "oom_kill") for kind, file in killed):
            return f"the memory limit of {self._limits.memory / _MIB:g} MiB"
        if any(self._count(kind, "pids.events", "max") for kind in ("pids", "pids2")):
            return f"the limit of {self._limits.processes} processes"
        return None

    def remove(self) -> None:
        """Remove it; nothing runs in it any more."""
        if self._brake is not None:
            os.close(self._brake)
            self._brake = None
        for place in dict.fromkeys(self._places.values()):
            with suppress(OSError):
                place.rmdir()
        self._places.clear()

    def _count(self, kind: str, file: str, key: str) -> int:
        """Read one count of a file that has a name and a number a line; 0 without it."""
        with suppress(OSError, KeyError, ValueError):
            lines = (self._places[kind] / file).read_text().splitlines()
            return int(dict(line.split() for line in lines)[key])
        return 0


def limits_held(*, with_group: bool, counts_processes: bool) -> Iterator[Hold]:
    """Tell which limits hold with a group, or as much of one as this machine lets us make.

    `counts_processes`: the kernel counts them for each bot even without one.
    """
    group = Group(Limits()) if with_group else None
    try:
        for limit, holds, instead in (
            ("memory", group and group.bounds_memory, "limited for each process alone"),
            ("cpus", group and group.bounds_cores, "kept on whole cores, a part counts as one"),
            ("processes", counts_processes or (group and group.bounds_processes), "not limited"),
            ("scratch", True, ""),
            ("freeze", group and group.can_freeze, "bots can think while others are asked"),
        ):
            yield Hold(limit, None if holds else f"{instead}; {_REMEDY}")
    finally:
        if group is not None:
            group.remove()


def _settings(kind: str, limits: Limits) -> Iterator[tuple[str, str]]:
    """List what is to be written into a group's files. A limit on swap is there or is not."""
    memory, processes = str(limits.memory), str(limits.processes + 1)  # and bwrap's own
    if kind == "memory":
        yield "memory.limit_in_bytes", memory
        yield "memory.memsw.limit_in_bytes", memory
    elif kind == "memory2":
        yield "memory.max", memory
        yield "memory.oom.group", "1"
        yield "memory.swap.max", "0"
    elif kind == "cpu":
        yield "cpu.cfs_period_us", str(_PERIOD)
        yield "cpu.cfs_quota_us", str(_quota(limits))
    elif kind == "cpu2":
        yield "cpu.max", f"{_quota(limits)} {_PERIOD}"
    elif kind in ("pids", "pids2"):
        yield "pids.max", processes


def _quota(limits: Limits) -> int:
    """Give the microseconds that a bot may run in a period; the kernel wants a thousand."""
    return max(1000, int(limits.cpus * _PERIOD))


@cache
def _parents() -> dict[str, Path]:
    """List where groups may be made, by what they do; remove what a killed arena left there."""
    found = {}
    for kind, mount, own in _hierarchies():
        if kind:
            found[kind] = own if own.is_dir() else mount
            continue
        ancestors = [own, *(up for up in own.parents if up.is_relative_to(mount))]
        found["freezer"] = own
        for place in reversed([up for up in ancestors if _is_ours(up)]):
            with suppress(OSError):
                granted = (place / "cgroup.subtree_control").read_text().split()
                found |= {
                    f"{name}2": place for name in ("memory", "pids", "cpu") if name in granted
                }
    found = {kind: place for kind, place in found.items() if _is_ours(place)}
    if "memory2" in found:  # a process is in one group only of this hierarchy
        found["freezer"] = found["memory2"]
        found |= {kind: found["memory2"] for kind in ("pids2", "cpu2") if kind in found}
    for place in set(found.values()):
        for left in place.glob(f"{_PREFIX}*-*-*"):
            if leftovers.has_ended(left.name.removeprefix(_PREFIX).rpartition("-")[0]):
                with suppress(OSError):
                    left.rmdir()
    return found


def _is_ours(place: Path) -> bool:
    return os.access(place, os.W_OK) and os.access(place / "cgroup.procs", os.W_OK)


def _hierarchies() -> Iterator[tuple[str, Path, Path]]:
    """List the hierarchies: what each limits, where it is, and our own group in it.

    What it limits is empty for the one of version 2. Source: proc(5), mountinfo and cgroup.
    """
    own: dict[str, str] = {}
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, kinds, path = line.split(":", 2)
        own |= dict.fromkeys(kinds.split(","), path.lstrip("/"))
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        system, _, options = after.split(" ", 2)
        mount = Path(before.split()[4])
        limited = {"cgroup": {"memory", "pids", "cpu"} & set(options.split(",")), "cgroup2": {""}}
        for kind in limited.get(system, set()) & own.keys():
            yield kind, mount, mount / own[kind]
