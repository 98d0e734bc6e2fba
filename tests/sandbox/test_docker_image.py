"""The image that is made without a registry: the same bytes each time, and all that bots need."""

import subprocess
from pathlib import Path

import pytest

from arena.cli.app import run_command
from arena.errors import SandboxError
from arena.record import Limits
from arena.sandbox.docker import DEFAULT_IMAGE, DockerSandbox, make_image
from arena.sandbox.docker.engine import engine
from tests.docker_engine import alone, docker
from tests.sandbox.containers import KIND
from tests.sandbox.running import output_of, python, shell

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
    assert {"node", "python", "python3"} == set(made.programs)
    assert made.size < 300 * 1024**2


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


def test_scripts_and_compiled_programs_find_what_they_need(folder: Path) -> None:
    (folder / "script").write_text("#!/usr/bin/env python3\nprint('script')\n")
    program = (
        '#include <math.h>\n#include <stdio.h>\nint main(int n) { printf("%g\\n", floor(n)); }\n'
    )
    (folder / "source.c").write_text(program)
    subprocess.run(
        ["gcc", folder / "source.c", "-o", folder / "compiled", "-lm", "-fno-builtin"], check=True
    )
    (folder / "script").chmod(0o755)
    command = "./script && ./compiled && node -p 40+2 && echo a b | cut -d ' ' -f 2 | sed s/b/c/"
    assert output_of(shell(KIND, folder, command)) == "script\n1\n42\nc\n"
