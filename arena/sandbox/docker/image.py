"""A Docker image for bots made from this machine, where no registry is in reach.

It knows which programs bots are written for and how an image is written down; it never asks a
network for anything. The same machine gives the same image, to the byte.
"""

import hashlib
import json
import platform
import shutil
import tarfile
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

from docker.errors import ImageNotFound

from arena.errors import ArenaError, HostFault, SandboxError
from arena.sandbox.docker.compiler import add_compilers
from arena.sandbox.docker.engine import engine, failures
from arena.sandbox.docker.layer import Layer, MadeImage
from arena.sandbox.docker.python import add_python
from arena.sandbox.toolchain import SYSTEM_PATH, interpreters

TOOLS = (
    "sh", "env", "cat", "chmod", "cp", "cut", "date", "dirname", "echo", "expr", "false",
    "grep", "head", "id", "ls", "mkdir", "mv", "printf", "pwd", "rm", "rmdir", "sed", "sleep",
    "sort", "tail", "tar", "test", "touch", "tr", "true", "uname", "uniq", "wc",
)  # fmt: skip
"""The system's programs that scripts of bots may use."""
LIBRARIES = (
    "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0", "libresolv.so.2", "librt.so.1",
    "libstdc++.so.6", "libutil.so.1",
)  # fmt: skip
"""What a compiled bot may be linked with, and what the C library itself loads by name."""

_FOLDERS = {"bot": 0o755, "dev": 0o755, "proc": 0o555, "run": 0o755, "sys": 0o555, "tmp": 0o700}
"""What is mounted over keeps the mode of what was there: no one but the bot is in its /tmp."""
_ACCOUNTS = {
    "etc/passwd": "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/tmp:/bin/sh\n",
    "etc/group": "root:x:0:\nnogroup:x:65534:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}


def build(name: str) -> MadeImage:
    """Make an image of this machine's Python, Node and compilers, and hand it to the engine.

    Raises `SandboxError` where the engine refuses it, `HostFault` where it or this machine fails.
    """
    before = image_id(name)
    with tempfile.TemporaryDirectory(prefix="arena-image-") as folder:
        work = Path(folder)
        programs = _programs()
        with (work / "layer.tar").open("xb") as file, Layer(file) as layer:
            _fill(layer, programs, work)
            compilers = add_compilers(layer, work / "compiled")
        _write_archive(work, name)
        with (work / "image.tar").open("rb") as archive:
            _load(archive)
        size = (work / "layer.tar").stat().st_size
    made = image_id(name)
    if made is None:
        raise HostFault(f"the Docker engine took the image {name}, and does not have it")
    if before not in (None, made):
        with suppress(ArenaError, HostFault), failures("remove an image"):
            engine().remove_image(before)
    return MadeImage(name, made, size, (*sorted(programs), *compilers))


def image_id(name: str) -> str | None:
    """Give the id of an image; None where there is none of that name. Raises `HostFault`."""
    with failures("show an image", name):
        try:
            found: str = engine().inspect_image(name)["Id"]
        except ImageNotFound:
            return None
        return found


def _programs() -> dict[str, Path]:
    """List the interpreters by the names that bots call them by."""
    node = shutil.which("node")
    return interpreters() | ({"node": Path(node).resolve()} if node else {})


def _fill(layer: Layer, programs: dict[str, Path], work: Path) -> None:
    """Lay out what a bot finds in its container."""
    for name, mode in _FOLDERS.items():
        layer.add_folder(f"/{name}", mode)
    for name, text in _ACCOUNTS.items():
        layer.add_bytes(f"/{name}", text.encode())
    layer.add_system_links()
    for name in TOOLS:
        tool = shutil.which(name, path=SYSTEM_PATH)
        if tool is not None:
            layer.add_program(Path(tool))
    layer.add_libraries(LIBRARIES)
    add_python(layer, programs["python3"], work / "python")
    for name, program in programs.items():
        layer.add_program(program)
        layer.add_link(f"/usr/local/bin/{name}", str(program))


def _write_archive(work: Path, name: str) -> None:
    """Write the image as `docker load` reads it. Source: the OCI image specification."""
    with (work / "layer.tar").open("rb") as layer:
        content = hashlib.file_digest(layer, "sha256").hexdigest()
    machine = platform.machine()
    config = {
        "architecture": _MACHINES.get(machine, machine),
        "os": "linux",
        "created": "1970-01-01T00:00:00Z",
        "config": {
            "Cmd": ["python3"],
            "Env": [f"PATH={SYSTEM_PATH}", "LANG=C.UTF-8"],
            "User": "65534:65534",
            "WorkingDir": "/bot",
        },
        "history": [{"created_by": "arena image"}],
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{content}"]},
    }
    encoded = json.dumps(config, sort_keys=True).encode()
    config_name = f"{hashlib.sha256(encoded).hexdigest()}.json"
    tag = name if ":" in name.rpartition("/")[2] else f"{name}:latest"
    manifest = [{"Config": config_name, "RepoTags": [tag], "Layers": ["layer.tar"]}]
    (work / config_name).write_bytes(encoded)
    (work / "manifest.json").write_text(json.dumps(manifest))
    with tarfile.open(work / "image.tar", "x") as archive:
        for part in (config_name, "layer.tar", "manifest.json"):
            archive.add(work / part, part)


def _load(archive: IO[bytes]) -> None:
    """Hand an image to the engine."""
    with failures("take an image"):
        for told in engine().load_image(archive):
            if "error" in told:
                raise SandboxError(f"the Docker engine refuses the image: {told['error']}")
