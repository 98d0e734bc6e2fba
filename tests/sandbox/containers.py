"""Containers of tests: made from a stock of a test's own, and found by what runs in them."""

from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path

import pytest

from arena.record import Limits
from arena.sandbox import Launch
from arena.sandbox.docker.contained import Contained
from arena.sandbox.docker.stock import Stock
from tests.sandbox.running import alive

KIND = "docker"

SPINS = """
import os, signal
parent = os.getpid()
if os.fork() == 0:
    os.setsid()
    while True: os.kill(parent, signal.SIGCONT)
print("up", flush=True)
while True: pass
# {token}
"""


@pytest.fixture
def stock() -> Iterator[Stock]:
    """Containers of a test's own, of which nothing is left after it."""
    made = Stock()
    yield made
    made.close()


def start(stock: Stock, folder: Path, *command: str, limits: Limits | None = None) -> Contained:
    """Start a command in one of a stock's containers."""
    return stock.launch(Launch(command, folder, limits or Limits()))


def wait_for_all(stock: Stock) -> None:
    """Wait until what was given back is gone, and what is made ahead is there."""
    stock.settle()
    for ready in stock._ready.values():
        wait(ready)


def name_of(token: str) -> str:
    """Find the container that a process with a token runs in."""
    (found,) = {
        line.rpartition("/")[2].removeprefix("docker-").removesuffix(".scope")
        for pid in alive(token)
        for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines()
        if "docker" in line
    }
    return found
