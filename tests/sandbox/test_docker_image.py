"""The image that is made without a registry: the same bytes each time, and all that bots need."""

import shutil
from pathlib import Path

import pytest

from arena.builds import LIMITS
from arena.cli.app import run_command
from arena.errors import SandboxError
from arena.record import Limits
from arena.sandbox import Process
from arena.sandbox.docker import DEFAULT_IMAGE, DockerSandbox, make_image
from arena.sandbox.docker.engine import engine
from tests.docker_engine import alone, docker
from tests.sandbox.containers import KIND
from tests.sandbox.running import launch, output_of, python, shell

pytestmark = pytest.mark.usefixtures("docker")
__all__ = ["docker"]

SECOND = "arena-bots-of-a-test"


def test_an_image_is_the_same_each_time_and_small(capfd: pytest.CaptureFixture[str]) -> None:
    with alone("image"):
        made = make_image(DEFAULT_IMAGE)
    try:
        assert run_command(["image", SECOND]) == 0
        printed, told = capfd.readouterr()
        assert printed.split() == [SECOND, made.id]
        assert "python3" in told
        assert DockerSandbox().problem(Limits(image=SECOND)) is None
    finally:
        engine().remove_image(SECOND)
    assert {"node", "python", "python3", "cc"} <= set(made.programs)
    assert made.size < 400 * 1024**2


@pytest.mark.parametrize("name", ["", "no such: name"])
def test_a_name_that_no_image_may_have_is_refused(name: str) -> None:
    with pytest.raises(SandboxError, match=r"name|reference"):
        make_image(name)


def test_python_comes_with_its_library_compiled(folder: Path) -> None:
    code = """
import asyncio, bz2, ctypes, decimal, hashlib, json, lzma, sqlite3, ssl, sys, zoneinfo
print(json.__cached__.endswith(".pyc"), json.decoder.__spec__.loader.path_stats is not None)
print(hashlib.sha256(b"").hexdigest()[:8], sys.flags.dont_write_bytecode)
"""
    said = output_of(python(KIND, folder, code))
    assert said == "True True\ne3b0c442 0\n"


def test_scripts_find_what_they_need(folder: Path) -> None:
    (folder / "script").write_text("#!/usr/bin/env python3\nprint('script')\n")
    (folder / "script").chmod(0o755)
    command = "./script && node -p 40+2 && echo a b | cut -d ' ' -f 2 | sed s/b/c/"
    assert output_of(shell(KIND, folder, command)) == "script\n42\nc\n"


C = """
#include <math.h>
#include <pthread.h>
#include <stdio.h>
int main(int count, char **all) { printf("%g\\n", floor(count + 0.5)); return 0; }
"""
CPP = """
#include <iostream>
#include <vector>
int main() { std::vector<int> all{1}; std::cout << all.size() << std::endl; }
"""
PROGRAMS = {"c": ("cc", C), "cpp": ("c++", CPP)}


@pytest.mark.parametrize("options", ["-O2", "-O2 -static", "-g -no-pie -pthread"])
@pytest.mark.parametrize("language", PROGRAMS)
def test_compilers_of_this_machine_work_in_it(folder: Path, language: str, options: str) -> None:
    compiler, source = PROGRAMS[language]
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    (folder / f"source.{language}").write_text(source)
    command = f"{compiler} {options} source.{language} -lm -o made && ./made"
    assert output_of(build(folder, "sh", "-c", command)) == "1\n"


def test_make_and_several_files_work_too(folder: Path) -> None:
    (folder / "Makefile").write_text("made: one.o two.o\n\tcc -o $@ one.o two.o\n")
    (folder / "one.c").write_text("int two(void); int main(void) { return two(); }\n")
    (folder / "two.c").write_text("int two(void) { return 0; }\n")
    assert "cc" in output_of(build(folder, "sh", "-c", "make && ./made"))


def build(folder: Path, *command: str) -> Process:
    """Start a build step under the limits that build steps have."""
    return launch(KIND, folder, *command, limits=LIMITS, writable=1 << 26)
