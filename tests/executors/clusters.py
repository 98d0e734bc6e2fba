"""Dask clusters for tests: a real scheduler and real workers, each in a folder.

They are on loopback, or each on a machine of its own as far as the network can tell.
"""

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


class Network:
    """Network namespaces on one bridge: that of the scheduler, and one for each worker.

    None has a way to the machine's own network, or to another test's.
    """

    host = "10.213.0.1"
    """The address of the scheduler."""

    def __init__(self) -> None:
        self._token = f"arena-{os.getpid()}"
        self._names: list[str] = []
        try:
            self._add("hub")
            self._ip("hub", "link", "add", "bridge", "type", "bridge")
            self._bring_up("hub", "bridge")
        except BaseException:
            self.close()
            raise

    def connect(self, name: str) -> None:
        """Give a worker its own machine, with a cable to the bridge."""
        end = f"port{len(self._names)}"
        self._add(name)
        there = self._path(name)
        self._ip("hub", "link", "add", end, "type", "veth", "peer", "eth", "netns", there.name)
        self._ip("hub", "link", "set", end, "master", "bridge", "up")
        self._bring_up(name, "eth")

    def within(self, name: str) -> tuple[str, ...]:
        """The words before a command that is to run there, as the same process."""
        return ("nsenter", f"--net={self._path(name)}")

    def _path(self, name: str) -> Path:
        return Path("/run/netns") / f"{self._token}-{name}"

    def _add(self, name: str) -> None:
        subprocess.run(["ip", "netns", "add", self._path(name).name], check=True)
        self._names.append(name)
        self._ip(name, "link", "set", "lo", "up")

    def _bring_up(self, name: str, device: str) -> None:
        self._ip(name, "address", "add", f"10.213.0.{len(self._names)}/24", "dev", device)
        self._ip(name, "link", "set", device, "up")

    def _ip(self, name: str, *words: str) -> None:
        subprocess.run(["ip", "-n", self._path(name).name, *words], check=True)

    def close(self) -> None:
        """Take them away, cables and all."""
        while self._names:
            subprocess.run(["ip", "netns", "del", self._path(self._names.pop()).name], check=False)


class Cluster:
    """A scheduler, which finds no arena, with workers that come and go."""

    def __init__(self, folder: Path, network: Network | None = None) -> None:
        self._folder = folder
        self._network = network
        file = folder / "scheduler.json"
        host = network.host if network else "127.0.0.1"
        self._scheduler = self._start(
            "scheduler", "--port", "0", "--host", host, "--scheduler-file", str(file),
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
        before = (
            self._network.within("hub" if name == "scheduler" else name) if self._network else ()
        )
        program = (sys.executable, "-m", f"distributed.cli.dask_{role}", "--no-dashboard")
        command = [*before, *program, *words]
        environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(path)}
        with (home / "log").open("wb") as log:
            return subprocess.Popen(command, cwd=home, env=environment, stdout=log, stderr=log)

    def add(self, name: str, *, threads: int = 1, path: Path = ROOT) -> int:
        """Start a worker, which is there some time later; its process is told."""
        if self._network:
            self._network.connect(name)
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
