"""What becomes of containers, whoever dies first: the bot, the arena or the engine."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import HostFault, SandboxError
from arena.record import Limits
from arena.sandbox import Launch, leftovers, open_sandbox
from arena.sandbox.docker import DEFAULT_IMAGE, DockerSandbox
from arena.sandbox.docker.address import address, image_missing
from arena.sandbox.docker.cell import Cell
from arena.sandbox.docker.engine import engine
from arena.sandbox.docker.stock import Stock, sweep
from tests.docker_engine import containers, docker
from tests.sandbox.containers import KIND, SPINS, name_of, start, stock, wait_for_all
from tests.sandbox.running import (
    SECONDS,
    alive,
    all_end,
    held,
    open_descriptors,
    read_line,
    scratch_folders,
    shell,
    wait_for_end,
)

pytestmark = pytest.mark.usefixtures("docker")
__all__ = ["docker", "stock"]


# -- what is left ---------------------------------------------------------------------------------


def test_ten_in_a_row_leave_nothing(folder: Path, token: str, stock: Stock) -> None:
    start(stock, folder, "true").close()
    stock.settle()
    threads = threading.active_count()
    before = open_descriptors(), containers(leftovers.owner()), scratch_folders()
    for turn in range(10):
        pair = [
            start(stock, folder, "sh", "-c", f"setsid sh -c 'read a; : {token}' & echo up; read b")
            for _ in range(2)
        ]
        for process in pair:
            if turn % 2:
                assert read_line(process.stdout) == "up"
            process.close()
    assert alive(token) == []
    assert threading.active_count() <= threads + 2
    stock.close()
    assert set(containers(leftovers.owner())) <= set(before[1])
    assert scratch_folders() <= before[2]
    assert open_descriptors() <= before[0]


def test_containers_are_there_for_two_sittings(folder: Path, stock: Stock) -> None:
    for _ in range(3):
        for process in [start(stock, folder, "echo", "up") for _ in range(2)]:
            assert read_line(process.stdout) == "up"
            process.close()
        assert stock.ahead == 2
    other = start(stock, folder, "echo", "up", limits=Limits(memory=64 * 1024**2))
    assert read_line(other.stdout) == "up"
    other.close()
    assert stock.ahead == 3


LEAVES = """
import os
found = [place for place in ("/tmp", "/dev/shm") if os.listdir(place)]
for place in ("/tmp", "/dev/shm"):
    open(f"{place}/left", "w").close()
if os.fork() == 0:
    os.setsid()
    os.read(0, 1)
print(len(os.listdir("/bot")), sum(map(str.isdecimal, os.listdir("/proc"))), found, flush=True)
os.read(0, 1)
"""


def test_a_container_is_used_again_and_nothing_of_its_bot_is_in_it(
    folder: Path, stock: Stock
) -> None:
    used = []
    for _ in range(4):
        for name in ("one", "other"):
            home = folder / name
            home.mkdir(exist_ok=True)
            (home / name).touch()
            process = start(stock, home, "python3", "-c", LEAVES)
            used += containers(leftovers.owner())
            assert read_line(process.stdout) == "1 3 []"
            process.close()
    assert len(set(used)) == 2


def test_a_container_whose_bot_met_a_limit_is_not_used_again(folder: Path, stock: Stock) -> None:
    start(stock, folder, "true").close()
    stock.settle()
    code = "kept = b'x' * 2**30"
    process = start(stock, folder, "python3", "-c", code, limits=Limits(memory=32 * 1024**2))
    wait_for_end(process)
    before = set(containers(leftovers.owner()))
    assert process.close().resource is not None
    stock.settle()
    assert len(before - set(containers(leftovers.owner()))) == 1


def test_containers_of_several_images_are_made_ahead(folder: Path, stock: Stock) -> None:
    engine().tag(DEFAULT_IMAGE, "arena-tests-other")
    limits = (Limits(), Limits(image="arena-tests-other"))
    for _ in range(2):
        pair = [start(stock, folder, "echo", "up", limits=one) for one in limits]
        assert [read_line(process.stdout) for process in pair] == ["up", "up"]
        for process in pair:
            process.close()
        assert stock.ahead == 2
    stock.close()
    engine().remove_image("arena-tests-other")


def test_a_container_that_was_made_ahead_and_died_is_not_used(folder: Path, stock: Stock) -> None:
    start(stock, folder, "true").close()
    wait_for_all(stock)
    for made in stock._ready[Limits().image]:
        engine().kill(made.result()._home.name)
    process = start(stock, folder, "echo", "up")
    assert read_line(process.stdout) == "up"
    process.close()


def test_a_container_that_went_wrong_unforeseen_is_told_once(folder: Path, stock: Stock) -> None:
    start(stock, folder, "true").close()
    wait_for_all(stock)
    wrong: Future[Cell] = Future()
    wrong.set_exception(KeyError("unforeseen"))
    stock._ready[Limits().image].appendleft(wrong)
    other = Limits(memory=64 * 1024**2)
    with pytest.raises(KeyError, match="unforeseen"):
        start(stock, folder, "true", limits=other)
    process = start(stock, folder, "echo", "up", limits=other)
    assert read_line(process.stdout) == "up"
    process.close()


def test_what_runs_alone_has_no_container_made_ahead(folder: Path, stock: Stock) -> None:
    process = stock.launch(Launch(("echo", "up"), folder, Limits(), is_alone=True))
    assert read_line(process.stdout) == "up"
    assert stock.ahead == 0
    process.close()
    stock.settle()
    assert containers(leftovers.owner()) == []


def test_the_engine_is_asked_whatever_becomes_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_PROXY", "")
    done = threading.Event()

    def change() -> None:
        while not done.is_set():
            os.environ["ARENA_TESTS"] = "there"
            del os.environ["ARENA_TESTS"]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    changing = threading.Thread(target=change)
    changing.start()
    try:
        for _ in range(50):
            assert engine().ping()
    finally:
        done.set()
        changing.join()
        sys.setswitchinterval(interval)


KILLED = """
import os, signal, sys
from pathlib import Path
from arena.sandbox import leftovers
from tests.sandbox.running import python, read_line
process = python("docker", Path(sys.argv[1]), sys.argv[2])
read_line(process.stdout)
process.freeze()
print(leftovers.owner(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_arena_left_is_removed_by_the_next(folder: Path, token: str) -> None:
    command = [sys.executable, "-c", KILLED, str(folder), SPINS.format(token=token)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as arena:
        assert arena.stdout is not None
        owner = arena.stdout.readline().strip()
        arena.wait(SECONDS)
    with held(alive(token)) as family:
        assert len(family) == 2
        assert containers(owner)
        sweep()
        assert all_end(family)
    # What the engine was still making as the arena was killed may have come after that.
    while containers(owner):
        sweep()
    leftovers._sweep.__wrapped__()
    assert scratch_folders(arena.pid) == set()


def test_an_arena_that_ends_takes_its_containers_along(folder: Path) -> None:
    code = f"""
from pathlib import Path
from arena.sandbox import leftovers
from tests.sandbox.running import shell
for _ in range(4):
    kept = shell("docker", Path({str(folder)!r}), "read line")
    kept.close()
kept = shell("docker", Path({str(folder)!r}), "read line")
print(leftovers.owner())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stderr == ""
    assert containers(done.stdout.strip()) == []
    assert scratch_folders(int(done.stdout.split("-")[0])) == set()


# -- engines that are not there, or no longer -----------------------------------------------------


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("unix://{tmp}/nowhere.sock", "no Docker engine is at"),
        ("unix://{tmp}/deaf.sock", "no Docker engine answers at"),
        ("tcp://192.0.2.1:2375", "is not on this machine"),
    ],
)
def test_an_engine_out_of_reach_is_told_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, words: str
) -> None:
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(str(tmp_path / "deaf.sock"))
    monkeypatch.setenv("DOCKER_HOST", place.format(tmp=tmp_path))
    problem = DockerSandbox().problem()
    assert problem is not None
    assert words in problem


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become someone else")
def test_a_socket_that_is_not_open_to_the_user_is_told_with_a_remedy(tmp_path: Path) -> None:
    code = """
import os
from arena.sandbox.docker.address import reaching_problem
os.setresuid(65534, 65534, 65534)
print(reaching_problem())
"""
    with socket.socket(socket.AF_UNIX) as closed:
        closed.bind(str(tmp_path / "closed.sock"))
        closed.listen()
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/closed.sock"},
        )
    assert "usermod -aG docker" in done.stdout


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(image="no-such-image"), "docker pull no-such-image"),
        (Limits(runtime="no-such-runtime"), "no runtime no-such-runtime"),
    ],
)
def test_an_image_or_runtime_that_is_not_there_is_named(
    folder: Path, limits: Limits, words: str
) -> None:
    problem = DockerSandbox().problem(limits)
    assert problem is not None
    assert words in problem
    with pytest.raises(SandboxError, match=words if limits.image else "no-such-runtime"):
        DockerSandbox().launch(Launch(("true",), folder, limits))


def test_what_makes_or_fetches_a_missing_image_is_told() -> None:
    assert image_missing(DEFAULT_IMAGE).endswith("`arena image`")
    assert image_missing("python:3.12-slim").endswith("`docker pull python:3.12-slim`")


def test_auto_takes_docker_where_an_engine_has_the_image() -> None:
    look = open_sandbox.__wrapped__
    assert look("auto").name == "docker"
    assert look("auto", Limits(image="no-such-image")).name == "bubblewrap"


def test_a_container_that_someone_removes_is_the_host_s_fault(folder: Path, token: str) -> None:
    process = shell(KIND, folder, f"echo up; read line; : {token}")
    assert read_line(process.stdout) == "up"
    engine().remove_container(name_of(token), force=True)
    wait_for_end(process)
    with pytest.raises(HostFault):
        process.close()
    assert process.close().text == "it never ran"


DIES = """
import os, sys
from pathlib import Path
from arena.errors import HostFault
from tests.sandbox.running import read_line, shell, wait_for_end
process = shell("docker", Path(sys.argv[1]), "echo up; read line; : " + sys.argv[2])
print(read_line(process.stdout), flush=True)
sys.stdin.readline()
wait_for_end(process)
try:
    print(process.close())
except HostFault as fault:
    print("HostFault:", fault)
"""


class Passage:
    """A way to the engine that can be cut off, as an engine's end cuts it off."""

    def __init__(self, place: Path) -> None:
        self._door = socket.socket(socket.AF_UNIX)
        self._door.bind(str(place))
        self._door.listen()
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._run(self._serve)

    def _run(self, target: Callable[..., None], *arguments: socket.socket) -> None:
        thread = threading.Thread(target=target, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _serve(self) -> None:
        while True:
            try:
                caller, _ = self._door.accept()
            except OSError:
                return
            callee = socket.socket(socket.AF_UNIX)
            callee.connect(address().removeprefix("unix://"))
            self._ends += [caller, callee]
            for source, target in ((caller, callee), (callee, caller)):
                self._run(_pump, source, target)

    def close(self) -> None:
        """Cut everyone off, and let nobody in any more."""
        with suppress(OSError):  # it may be closed already
            self._door.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()  # whoever came in meanwhile is among the ends now
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        for end in (self._door, *self._ends):
            end.close()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while chunk := source.recv(65_536):
            target.sendall(chunk)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("comes_back", [False, True], ids=["gone", "started anew"])
def test_an_engine_that_ends_in_a_match_is_the_host_s_fault(
    folder: Path, token: str, tmp_path: Path, comes_back: bool
) -> None:
    place = tmp_path / "docker.sock"
    passage = Passage(place)
    environment = {**os.environ, "DOCKER_HOST": f"unix://{place}"}
    with subprocess.Popen(
        [sys.executable, "-c", DIES, str(folder), token],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as arena:
        assert arena.stdin is not None
        assert arena.stdout is not None
        assert arena.stdout.readline() == "up\n"
        container = name_of(token)
        passage.close()
        place.unlink()
        if comes_back:
            passage = Passage(place)
        engine().kill(container)
        said, _ = arena.communicate("\n", SECONDS)
    words = "the Docker engine went away" if comes_back else "no Docker engine is at"
    assert said.startswith(f"HostFault: {words}")
    engine().remove_container(container, force=True) if not comes_back else None
    passage.close()
