"""What Docker holds a bot to, and what becomes of its containers."""

import os
import select
import socket
from pathlib import Path

import pytest

from arena.record import Limits
from arena.sandbox import Ending, leftovers
from arena.sandbox.docker.confinement import HOST, OWNER
from arena.sandbox.docker.engine import engine
from tests.docker_engine import docker
from tests.sandbox.containers import KIND, SPINS, name_of
from tests.sandbox.running import (
    FILLS,
    alive,
    launch,
    outcome_of_call,
    output_of,
    python,
    read_line,
    read_to_end,
    shell,
    wait_for_end,
)

# What every sandbox does, Docker does too.
from tests.sandbox.test_launching import (  # noqa: F401
    test_a_closed_output_is_seen_though_the_program_runs_on,
    test_a_command_may_be_a_file_of_the_folder,
    test_a_command_that_cannot_be_started_ends_and_says_why,
    test_a_folder_that_is_not_there_is_no_fault_of_the_bot,
    test_a_program_hears_and_speaks_over_its_pipes,
    test_an_end_is_seen_though_a_child_holds_the_output_open,
    test_broken_pipes_and_interrupts_have_their_usual_meaning,
    test_how_it_ended_is_told,
    test_it_runs_in_the_bot_s_folder,
    test_its_scratch_folder_is_its_own_and_empty,
    test_memory_is_limited,
    test_no_core_is_dumped_and_descriptors_are_few,
    test_only_the_three_pipes_are_open,
    test_python_is_the_one_that_runs_the_arena,
    test_the_end_of_input_is_the_end_of_input,
    test_the_environment_is_not_the_arena_s,
    test_what_still_runs_when_it_is_closed_is_told_as_that,
)
from tests.sandbox.test_leaving import (  # noqa: F401
    test_a_daemon_in_a_session_of_its_own_is_gone,
    test_a_tree_of_processes_is_gone,
    test_what_forks_while_it_is_killed_is_gone,
    test_what_stopped_itself_is_gone,
)

pytestmark = pytest.mark.usefixtures("docker")
__all__ = ["docker"]


@pytest.fixture
def kind() -> str:
    """The name of the sandbox, for the tests that all share."""
    return KIND


# -- what it may use ------------------------------------------------------------------------------


def test_the_engine_is_told_every_limit(folder: Path, token: str) -> None:
    limits = Limits(memory=96 * 1024**2, cpus=0.5, processes=7, scratch=1024**2)
    process = launch(KIND, folder, "sh", "-c", f"echo up; read line; : {token}", limits=limits)
    assert read_line(process.stdout) == "up"
    told = engine().inspect_container(name_of(token))
    process.close()
    host, config = told["HostConfig"], told["Config"]
    assert host["NetworkMode"] == "none"
    assert config["NetworkDisabled"] is True
    assert host["ReadonlyRootfs"] is True
    assert host["CapDrop"] == ["ALL"]
    assert "no-new-privileges" in host["SecurityOpt"]
    assert host["Memory"] == host["MemorySwap"] == limits.memory
    assert host["NanoCpus"] == 5e8
    assert host["PidsLimit"] == 8
    assert host["IpcMode"] == "private"
    assert host["LogConfig"]["Type"] == "none"
    assert host["Privileged"] is False
    assert {limit["Name"]: limit["Hard"] for limit in host["Ulimits"]} == {
        "core": 0, "nofile": 256, "fsize": limits.memory,
    }  # fmt: skip
    assert [mount["RW"] for mount in told["Mounts"]] == [False, False]
    assert config["User"].split(":")[0] not in ("", "0")
    assert config["Labels"][OWNER] == leftovers.owner()
    assert config["Labels"][HOST]
    assert not any("proxy" in variable.lower() for variable in config["Env"])


def test_memory_is_limited_for_a_whole_family(folder: Path) -> None:
    code = """
import os
for _ in range(4):
    if os.fork() == 0:
        waste = b"x" * 40 * 1024**2
        os.read(0, 1)
        os._exit(0)
os.wait()
os._exit(1)
"""
    process = python(KIND, folder, code, Limits(memory=64 * 1024**2))
    wait_for_end(process)
    assert process.close() == Ending("exit code 1", "the memory limit of 64 MiB")


def test_processes_are_limited_and_that_is_told(folder: Path) -> None:
    code = """
import os
made = 0
try:
    while True:
        if os.fork() == 0:
            os.read(0, 1)
            os._exit(0)
        made += 1
except BlockingIOError:
    print(made, flush=True)
    raise
"""
    process = python(KIND, folder, code, Limits(processes=12))
    assert read_line(process.stdout) == "11"
    wait_for_end(process)
    assert process.close() == Ending("exit code 1", "the limit of 12 processes")


def test_threads_count_as_processes(folder: Path) -> None:
    code = """
import threading
made = 0
try:
    while True:
        threading.Thread(target=input, daemon=True).start()
        made += 1
except RuntimeError:
    print(made)
"""
    process = python(KIND, folder, code, Limits(processes=12))
    assert read_line(process.stdout) == "11"
    process.close()


def test_a_bot_that_goes_well_has_met_no_limit(folder: Path) -> None:
    code = """
import os
try:
    while os.fork(): pass
    os.read(0, 1)
except BlockingIOError:
    os._exit(0)
"""
    process = python(KIND, folder, code, Limits(processes=8))
    wait_for_end(process)
    assert process.close() == Ending("exit code 0")


@pytest.mark.parametrize(
    ("place", "room"), [("/tmp", 2 * 1024**2), ("/dev/shm", 1024**2)], ids=["scratch", "shared"]
)
def test_what_may_be_written_is_bounded(folder: Path, place: str, room: int) -> None:
    code = f"""
import errno
written = 0
try:
    with open("{place}/big", "wb", buffering=0) as file:
        while True:
            written += file.write(bytes(65536))
except OSError as error:
    print(errno.errorcode[error.errno], written)
"""
    limits = Limits(scratch=2 * 1024**2)
    assert output_of(python(KIND, folder, code, limits)) == f"ENOSPC {room}\n"


def test_files_in_scratch_are_counted(folder: Path) -> None:
    code = """
import errno
made = 0
try:
    while True:
        open(f"/tmp/{made}", "x").close()
        made += 1
except OSError as error:
    print(errno.errorcode[error.errno], made < 1000)
"""
    assert output_of(python(KIND, folder, code, Limits(scratch=1024**2))) == "ENOSPC True\n"


def test_nothing_else_can_be_written(folder: Path) -> None:
    code = """
import os
found = []
for place, folders, _ in os.walk("/"):
    folders[:] = [one for one in folders if os.path.join(place, one) not in ("/proc", "/sys")]
    try:
        open(os.path.join(place, "mine"), "x").close()
        found.append(place)
    except OSError:
        pass
print(sorted(found))
"""
    assert output_of(python(KIND, folder, code)) == "['/dev/mqueue', '/dev/shm', '/tmp']\n"


def test_a_runtime_of_the_organiser_s_is_used(folder: Path, token: str) -> None:
    limits = Limits(runtime="runc")
    script = f"echo up; read line; echo $line; : {token}"
    process = launch(KIND, folder, "sh", "-c", script, limits=limits)
    assert read_line(process.stdout) == "up"
    assert engine().inspect_container(name_of(token))["HostConfig"]["Runtime"] == "runc"
    os.write(process.stdin, b"heard\n")
    process.close_input()
    assert output_of(process) == "heard\n"


# -- what it may see ------------------------------------------------------------------------------


def test_its_folder_is_read_only_and_its_own(folder: Path) -> None:
    (folder / "mine.txt").write_text("kept")
    (folder / "mine.txt").chmod(0o600)
    code = """
import os
print(os.getcwd(), open("mine.txt").read())
for attempt in (lambda: open("mine.txt", "w"), lambda: os.chmod("mine.txt", 0o777),
                lambda: os.remove("mine.txt"), lambda: os.mkdir("new")):
    try:
        attempt()
        print("done")
    except OSError:
        pass
"""
    assert output_of(python(KIND, folder, code)) == "/bot kept\n"
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


SIGNALS = """
import ctypes, fcntl, os, select, sys
watching = ctypes.CDLL(None).inotify_init()
ctypes.CDLL(None).inotify_add_watch(watching, b"/usr/bin/env", 0x20)
fcntl.flock(os.open("mine.txt", os.O_RDONLY), fcntl.LOCK_EX)
print("up", flush=True)
sys.stdin.readline()
print("seen" if select.select([watching], [], [], 0)[0] else "nothing", flush=True)
"""
ANSWERS = """
import fcntl, os
os.close(os.open("/usr/bin/env", os.O_RDONLY))
fcntl.flock(os.open("mine.txt", os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
"""


def test_partners_cannot_signal_by_locking_or_watching_files(folder: Path) -> None:
    (folder / "mine.txt").write_text("kept")
    partner = python(KIND, folder, SIGNALS)
    assert read_line(partner.stdout) == "up"
    assert output_of(python(KIND, folder, ANSWERS)) == ""
    os.write(partner.stdin, b"\n")
    assert read_line(partner.stdout) == "nothing"
    partner.close()


def test_a_build_has_a_bounded_copy_of_its_folder_and_never_the_folder(folder: Path) -> None:
    (folder / "source").write_text("text")
    (folder / "link").symlink_to("source")
    (folder / "run").touch(0o755)
    before = set(folder.iterdir())
    code = f"""{FILLS}
try:
    for number in range(1000):
        open(f"made/{{number}}", "w").close()
except OSError as error:
    print(error.strerror)
"""
    process = python(KIND, folder, code, writable=1 << 20)
    assert output_of(process).splitlines() == [
        "/bot text source True",
        "No space left on device True",
        "Read-only file system",
        "No space left on device",
    ]
    assert set(folder.iterdir()) == before


def test_nothing_of_the_machine_is_seen(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "seed"
    secret.write_text("secret")
    code = f"""
import os
print(os.path.exists({str(secret)!r}), os.path.exists("/var/run/docker.sock"))
print(sum(name.isdecimal() for name in os.listdir("/proc")))
print(os.environ.get("DOCKER_HOST"), os.uname().nodename, os.listdir("/tmp"))
"""
    assert output_of(python(KIND, folder, code)).splitlines() == [
        "False False",
        "2",
        "None arena []",
    ]


def test_the_first_process_holds_no_stream_of_the_engine(folder: Path) -> None:
    code = """
import os
print([os.readlink(f"/proc/1/fd/{number}") for number in range(3)])
print(sorted(os.listdir("/proc/1/fd")))
"""
    first, all_ = output_of(python(KIND, folder, code)).splitlines()
    assert first == "['/dev/null', '/dev/null', '/dev/null']"
    assert all_ == "['0', '1', '2', '3']"


def test_the_first_process_is_out_of_a_bot_s_reach(folder: Path) -> None:
    code = """
import os, signal
for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT):
    os.kill(1, number)
print("up", flush=True)
try:
    os.kill(-1, signal.SIGKILL)
except ProcessLookupError:
    pass
print("alone", flush=True)
os._exit(5)
"""
    process = python(KIND, folder, code)
    assert read_to_end(process.stdout) == "up\nalone\n"
    wait_for_end(process)
    assert process.close() == Ending("exit code 5")


def test_there_is_no_network(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import socket
for place in (("127.0.0.1", {server.getsockname()[1]}), ("192.0.2.1", 80), ("172.17.0.1", 80)):
    try:
        socket.create_connection(place, timeout=5)
        print("connected")
    except OSError as error:
        print(type(error).__name__)
print(sorted(name for _, name in socket.if_nameindex()))
"""
        said = output_of(python(KIND, folder, code)).splitlines()
    assert said == ["ConnectionRefusedError", "OSError", "OSError", "['lo']"]


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("ptrace", "16, 1, 0, 0"),
        ("process_vm_writev", "1, 0, 0, 0, 0, 0"),
        ("unshare", "0x10000000"),
        ("setns", "0, 0"),
        ("mount", "b'none', b'/tmp', b'tmpfs', 0, 0"),
        ("keyctl", "0, -3, 1"),
        ("bpf", "0, 0, 0"),
        ("io_uring_setup", "1, 0"),
        ("io_setup", "1, 0"),
        ("clone", "0x10000000 | 17, 0, 0, 0, 0"),
    ],
)
def test_calls_that_no_bot_needs_are_refused(folder: Path, call: str, arguments: str) -> None:
    assert outcome_of_call(KIND, folder, call, arguments) == "-1 EPERM\n"


def test_sockets_to_the_host_of_a_virtual_machine_are_refused(folder: Path) -> None:
    code = """
import socket
for family in (40, 38, 17, 21):
    try:
        socket.socket(family, socket.SOCK_STREAM)
        print("made")
    except PermissionError:
        print("refused")
"""
    assert output_of(python(KIND, folder, code)).split() == ["refused"] * 4


def test_threads_and_children_and_node_are_let_be(folder: Path) -> None:
    code = """
import multiprocessing, subprocess, threading
thread = threading.Thread(target=print, args=("thread",))
thread.start()
thread.join()
print(subprocess.run(["node", "-p", "6 * 7"], capture_output=True, text=True).stdout.strip())
with multiprocessing.Pool(2) as pool:
    print(pool.map(abs, [-1, -2]))
"""
    assert output_of(python(KIND, folder, code)).split("\n") == ["thread", "42", "[1, 2]", ""]


# -- standing still -------------------------------------------------------------------------------


def work_of(pids: list[int]) -> int:
    """How long processes have run so far, in the kernel's ticks."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats)


def pause(seconds: float) -> None:
    """Let time go by, in which something is to happen or not."""
    select.select([], [], [], seconds)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can have a container stand still")
def test_a_frozen_bot_stands_still_with_all_it_started(folder: Path, token: str) -> None:
    process = python(KIND, folder, SPINS.format(token=token))
    assert process.can_freeze
    assert read_line(process.stdout) == "up"
    family = alive(token)
    assert len(family) == 2
    process.freeze()
    pause(0.1)
    before = work_of(family)
    pause(0.3)
    assert work_of(family) == before
    process.thaw()
    while work_of(family) == before:
        pause(0.01)
    process.freeze()
    assert process.close().text == "still running"
    assert alive(token) == []


def test_a_bot_goes_on_where_the_limits_say_so(folder: Path) -> None:
    process = shell(KIND, folder, "read line", Limits(freeze=False))
    assert not process.can_freeze
    process.freeze()
    process.close_input()
    wait_for_end(process)
    assert process.close().text == "exit code 1"
