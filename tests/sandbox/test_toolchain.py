"""Compilers beside the system's folders, as rustup and a tarball of Go put them."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.sandbox import toolchain
from tests.sandbox.running import KINDS, launch, read_to_end

NAME = "zzc"
"""A compiler that no system has."""


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's folder of programs, outside of /tmp, which a bot has for itself."""
    with TemporaryDirectory(dir="/var/tmp") as place:
        folder = Path(place)
        (folder / "programs").mkdir()
        monkeypatch.setenv("PATH", str(folder / "programs"), prepend=":")
        monkeypatch.setattr(toolchain, "COMPILERS", (NAME,))
        caches = (toolchain.compilers, toolchain.outside_system)
        for one in caches:
            one.cache_clear()
        yield folder
        for one in caches:
            one.cache_clear()


def add_program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_compiler_beside_the_system_s_folders_is_there_with_what_it_reads(
    kind: str, home: Path, tmp_path: Path
) -> None:
    script = 'cat "$(dirname "$(readlink -f "$0")")/../pkg/tool/words"'
    (home / f"programs/{NAME}").symlink_to(add_program(home / f"sdk/bin/{NAME}", script))
    (home / "sdk/pkg/tool").mkdir(parents=True)
    (home / "sdk/pkg/tool/words").write_text("its own files")
    process = launch(kind, tmp_path, NAME)
    try:
        assert (read_to_end(process.stdout), read_to_end(process.stderr)) == ("its own files", "")
    finally:
        process.close()


def test_behind_rustup_the_compiler_that_it_chooses_is_found(home: Path) -> None:
    chosen = add_program(home / f"stable/bin/{NAME}", "echo compiled")
    chooser = add_program(home / "programs/rustup", f"echo {home}/stable")
    (home / f"programs/{NAME}").symlink_to(chooser)
    assert toolchain.compilers() == {NAME: chosen}


def test_one_that_the_system_has_is_left_to_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "COMPILERS", ("sh",))
    add_program(home / "programs/sh", "echo mine")
    assert toolchain.compilers() == {}
