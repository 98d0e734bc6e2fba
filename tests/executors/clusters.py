"""Dask clusters for tests: a real scheduler and real workers on loopback, each in a folder."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 30.0


def wait_until(condition: str, *words: object) -> None:
    """Wait until a shell's condition on "$1" and so on holds."""
    loop = f"until {condition}; do read -t 0.02 <> <(:) || :; done"
    command = ["bash", "-c", loop, "bash", *map(str, words)]
    subprocess.run(command, check=True, timeout=PATIENCE)


class Cluster:
    """A scheduler, which finds no arena, with workers that come and go."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        file = folder / "scheduler.json"
        self._scheduler = self._start(
            "scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(file),
            path=folder,
        )  # fmt: skip
        wait_until('[ -s "$1" ]', file)
        self.address: str = json.loads(file.read_text())["address"]
        self.workers: dict[str, subprocess.Popen[bytes]] = {}

    def _start(self, role: str, *words: str, path: Path = ROOT) -> subprocess.Popen[bytes]:
        """Start a program of Dask in a folder of its own, which finds the arena in `path`."""
        name = words[words.index("--name") + 1] if "--name" in words else role
        home = self._folder / name
        home.mkdir()
        command = [sys.executable, "-m", f"distributed.cli.dask_{role}", "--no-dashboard", *words]
        environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(path)}
        with (home / "log").open("wb") as log:
            return subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log)

    def add(self, name: str, *, threads: int = 1, path: Path = ROOT) -> int:
        """Start a worker, which is there some time later; its process is told."""
        more = ("--nthreads", str(threads), "--no-nanny", "--local-directory", ".")
        worker = self._start("worker", self.address, "--name", name, *more, path=path)
        self.workers[name] = worker
        return worker.pid

    def wait_for(self, name: str) -> None:
        """Wait until a worker has registered."""
        wait_until('grep -q "Registered to" "$1"', self._folder / name / "log")

    def kill(self, name: str) -> None:
        """Kill a worker as a power cut would."""
        worker = self.workers.pop(name)
        worker.send_signal(signal.SIGKILL)
        worker.wait()

    def close(self) -> None:
        """End all of it."""
        for name in list(self.workers):
            self.kill(name)
        self._scheduler.kill()
        self._scheduler.wait()


@contextmanager
def cluster(folder: Path, *names: str) -> Iterator[Cluster]:
    """A cluster whose workers are all there."""
    opened = Cluster(folder)
    try:
        for name in names:
            opened.add(name)
        for name in names:
            opened.wait_for(name)
        yield opened
    finally:
        opened.close()
