from pathlib import Path

import pytest

from arena.cli import machine


def write(root: Path, place: str, text: str) -> None:
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_user_namespaces_are_allowed_where_nothing_forbids_them(tmp_path: Path) -> None:
    assert machine.user_namespaces(tmp_path) == "allowed"
    write(tmp_path, "sys/kernel/apparmor_restrict_unprivileged_userns", "0\n")
    write(tmp_path, "sys/user/max_user_namespaces", "15000\n")
    assert machine.user_namespaces(tmp_path) == "allowed"


@pytest.mark.parametrize(
    ("place", "value", "remedy"),
    [
        ("sys/kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        (
            "sys/kernel/apparmor_restrict_unprivileged_userns",
            "1",
            "kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        ("sys/user/max_user_namespaces", "0", "user.max_user_namespaces=15000"),
    ],
)
def test_what_forbids_user_namespaces_is_told_with_the_remedy(
    tmp_path: Path, place: str, value: str, remedy: str
) -> None:
    write(tmp_path, place, value + "\n")
    assert machine.user_namespaces(tmp_path).endswith(f"sysctl -w {remedy}")


def test_control_groups_are_told_by_version(tmp_path: Path) -> None:
    assert machine.cgroups(tmp_path).startswith("none mounted")
    (tmp_path / "memory").mkdir()
    assert machine.cgroups(tmp_path) == "version 1, groups may be made"
    write(tmp_path, "cgroup.controllers", "cpu memory")
    assert machine.cgroups(tmp_path).startswith("version 2")


def test_memory_is_told_in_gibibytes_or_as_unknown(tmp_path: Path) -> None:
    assert machine.memory(tmp_path) == "unknown"
    write(tmp_path, "meminfo", "MemTotal: 2097152 kB\nMemAvailable: 1048576 kB\n")
    assert machine.memory(tmp_path) == "2.0 GiB, 1.0 GiB free"


def test_packages_are_listed_with_versions() -> None:
    assert "msgspec " in machine.packages()
    assert int(machine.cores().split()[0]) >= 1
