"""Bots in namespaces of their own, through the program `bwrap`: no root and no engine needed.

It knows what a bot may see (interpreters, libraries, its folder read-only, an empty scratch
folder) and how to end all of it; it never knows the protocol spoken over the pipes.

How it works. Everything is unshared, so a bot has its own process ids, and killing the first of
them kills the rest. That first one waits at a gate until we know its id and have put it into its
group; from then on we hold it by a descriptor, whatever becomes of `bwrap`.

`bwrap` keeps descriptors 0 to 2 open in two processes of its own, and a bot that closes its output
would look as if it were thinking: its input and output are handed over as 3 and 4, which `bwrap`
passes on and closes in its own processes, and a shell inside makes them the bot's 0 and 1.
Arguments go through a descriptor and the environment is clean from the start, so that nothing of
this machine shows in ``/proc/1``. `setpriv` has the kernel kill `bwrap` when the arena's thread
ends, a shell makes sure that it had not ended before, and a watchdog sees to what was not tied yet.

As root, `bwrap` runs as a user of the bot's own, and its namespace is given a map by which it may
still reach what lies in root's folders while it sets up; `stranger` says why.
"""

import os
import resource
import signal
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import ClassVar

from arena.errors import HostFault, SandboxError
from arena.record import Limits
from arena.sandbox import cores, leftovers, stranger, watchdog
from arena.sandbox.bwrap import FILTER, GATE, INFO, STATUS, Bwrap, Setup, find_bwrap
from arena.sandbox.descriptors import Handed, Pipes
from arena.sandbox.family import (
    PATIENCE,
    Family,
    Warden,
    as_host_fault,
    cannot_start,
    folder_of,
    is_readable,
    read_waiting,
)
from arena.sandbox.groups import Group, limits_held
from arena.sandbox.sandbox import Ending, Hold, Launch
from arena.sandbox.seccomp import seccomp_filter
from arena.sandbox.staging import stage
from arena.sandbox.toolchain import (
    LOADER,
    OPEN_FILES,
    SYSTEM,
    SYSTEM_PATH,
    outside_system,
    own_programs,
    settings,
)

_IN, _OUT, _ERR = 3, 4, 2
"""The numbers under which `bwrap` gets the bot's pipes."""
_PROGRAMS = "/run/arena"
"""Where a bot finds the interpreters, first in its PATH."""
_ENVIRONMENT = {
    "PATH": f"{_PROGRAMS}:{SYSTEM_PATH}",
    "HOME": "/tmp",
    "TMPDIR": "/tmp",
    "LANG": "C.UTF-8",
}
_SOURCE = "/source"
"""Where a bot that works in a copy of its folder finds the folder itself."""
_ROOT_SIZE = 64 * 1024
"""Bytes of the root folder, which holds a few links and is read-only anyway."""
_SHARED_MEMORY = 1024 * 1024
"""Bytes of /dev/shm: enough for semaphores, too little to be worth filling."""


class BubblewrapSandbox:
    """Runs bots under bubblewrap."""

    name: ClassVar[str] = "bubblewrap"

    def __init__(self) -> None:
        """Look for the program; whether it works is tried when someone asks."""
        self._bwrap = find_bwrap()
        self._tried = False
        self._problem: str | None = None
        self._with_group = True

    def problem(self, limits: Limits = Limits()) -> str | None:
        """Say what keeps bubblewrap from working here, by trying it once."""
        if not self._tried:
            self._tried = True
            if isinstance(self._bwrap, str):
                self._problem = self._bwrap
            else:
                self._problem = _try(self._bwrap, with_group=True)
                self._with_group = self._problem is None
                if self._problem is not None:
                    self._problem = _try(self._bwrap, with_group=False)
        return self._problem

    def holds(self) -> tuple[Hold, ...]:
        """Tell which limits hold here: that depends on the control groups that we may make."""
        self.problem()
        is_counted = _counts_by_namespace() or stranger.may_give_ids()
        return tuple(limits_held(with_group=self._with_group, counts_processes=is_counted))

    def launch(self, launch: Launch) -> "WrappedFamily":
        """Start a command in namespaces of its own."""
        problem = self.problem()
        if problem is not None or isinstance(self._bwrap, str):
            raise SandboxError(f"bubblewrap cannot be used: {problem}")
        with as_host_fault():
            return start_wrapped(self._bwrap, launch, with_group=self._with_group)


def _try(bwrap: Bwrap, *, with_group: bool) -> str | None:
    """Run a program that does nothing, and say why that fails."""
    nothing = Launch(("/bin/sh", "-c", ":"), Path(__file__).parent, Limits())
    try:
        family = start_wrapped(bwrap, nothing, with_group=with_group)
        is_readable(family.exited, PATIENCE)
        said = read_waiting(family.stderr)
        ending = family.close()
    except OSError as error:  # it came before any namespace
        return cannot_start(error)
    except HostFault as fault:
        return f"{fault}; {_remedy()}"
    return None if ending.text == "exit code 0" else f"{said or ending.text}; {_remedy()}"


def _remedy() -> str:
    """Say how to allow what bubblewrap needs."""
    return (
        "if this system forbids user namespaces, allow them with "
        "`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu) or "
        "`sysctl -w kernel.unprivileged_userns_clone=1` (older Debian); a container has to be "
        "started with the right to make them"
    )


def _view(folder: Path, limits: Limits, writable: int) -> Iterator[str]:
    """List the arguments of `bwrap` that lay out what a bot sees."""
    yield from ("--size", str(_ROOT_SIZE), "--tmpfs", "/")
    for place in SYSTEM:
        if Path(place).is_symlink():
            yield from ("--symlink", str(Path(place).readlink()), place)
        elif Path(place).exists():
            yield from ("--ro-bind", place, place)
    for place in (*LOADER, *map(str, settings())):
        yield from ("--ro-bind-try", place, place)
    for prefix in map(str, outside_system()):
        yield from ("--ro-bind", prefix, prefix)
    for name, program in own_programs().items():
        yield from ("--symlink", str(program), f"{_PROGRAMS}/{name}")
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--size", str(_SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev")
    # A tmpfs of size 0 would have no bound at all.
    yield from ("--perms", "0700", "--size", str(max(limits.scratch, 4096)), "--tmpfs", "/tmp")
    yield from ("--ro-bind", str(folder), _SOURCE if writable else "/bot")
    if writable:
        yield from ("--perms", "0755", "--size", str(writable), "--tmpfs", "/bot")
    yield from ("--remount-ro", "/", "--chdir", "/bot")


def _confinement(filter_: bytes | None) -> Iterator[str]:
    """List the arguments of `bwrap` that take everything else away."""
    for namespace in ("user", "ipc", "pid", "net", "uts", "cgroup"):
        yield f"--unshare-{namespace}"
    yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "arena")
    yield from ("--info-fd", str(INFO), "--json-status-fd", str(STATUS))
    if filter_ is not None:
        yield from ("--seccomp", str(FILTER))


def _inside(limits: Limits, group: Group | None, writable: int) -> str:
    """Write what the shell inside does before it becomes the bot.

    What no group limits for the whole family is limited for each process. RLIMIT_DATA counts what
    a process may write, and not the gigabytes of address space that V8 and the JVM reserve and
    never touch. Shells name the count of processes `-u` or `-p`.
    """
    rules = [f"ulimit -c 0 && ulimit -n {_clamped(resource.RLIMIT_NOFILE, OPEN_FILES)}"]
    if group is None or not group.bounds_memory:
        rules.append(f"ulimit -d {_clamped(resource.RLIMIT_DATA, limits.memory) // 1024}")
    is_counted = group is not None and group.bounds_processes
    if not is_counted and (_counts_by_namespace() or stranger.may_give_ids()):
        processes = _clamped(resource.RLIMIT_NPROC, limits.processes + 1)  # and bwrap's own
        rules.append(f"{{ ulimit -u {processes} 2>/dev/null || ulimit -p {processes}; }}")
    if writable:
        rules.append(f"cp -RPp {_SOURCE}/. /bot")
    return f'{" && ".join(rules)} && exec "$@" <&{_IN} >&{_OUT} {_IN}<&- {_OUT}>&- {GATE}<&-'


def _clamped(kind: int, wanted: int) -> int:
    """Lower a limit to what this process itself may have, as it cannot be raised above."""
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def _counts_by_namespace() -> bool:
    """Tell whether the kernel counts a user's processes apart in each namespace: since 5.14.

    Before, a bot's limit would be used up by whatever else its user runs on the machine.
    """
    major, minor = (int(part) for part in os.uname().release.split(".")[:2])
    return (major, minor) >= (5, 14)


def start_wrapped(bwrap: Bwrap, launch: Launch, *, with_group: bool) -> "WrappedFamily":
    """Start a command under `bwrap`. Raises `HostFault` and `OSError`."""
    user = stranger.next_id() if stranger.may_give_ids() else None
    environment = {**_ENVIRONMENT, watchdog.VARIABLE: watchdog.mark()}
    with ExitStack() as undo:
        group = Group(launch.limits) if with_group else None
        if group is not None:
            undo.callback(group.remove)
        script = _inside(launch.limits, group, launch.writable)
        inside = ("/bin/sh", "-c", script, "arena", *launch.command)
        folder = _prepared(launch, undo)
        with Handed() as handed:
            handed.give(1, os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC))
            pipes = Pipes(handed, (_IN, _OUT, _ERR))
            undo.callback(pipes.close)
            setup = Setup(handed)
            undo.callback(setup.close)
            warden = Warden(bwrap.command(user, inside), environment, handed)
        family = WrappedFamily(pipes, warden, setup, group, launch.limits.cpus, undo.pop_all())
    filter_ = seccomp_filter(plays=not launch.writable)
    view = _view(folder, launch.limits, launch.writable)
    family.let_in((*_confinement(filter_), *bwrap.gate(user), *view), filter_, user)
    return family


def _prepared(launch: Launch, undo: ExitStack) -> Path:
    """Give a copy of the bot's folder that its user can read.

    So no bot sees where the arena keeps its folder, or shares a file with another.
    """
    copy = leftovers.new_folder()
    undo.callback(leftovers.remove, copy)
    copy.chmod(0o755)
    stage(folder_of(launch), copy)
    return copy


class WrappedFamily(Family):
    """A bot under bubblewrap; see `arena.sandbox.sandbox.Process`."""

    def __init__(
        self,
        pipes: Pipes,
        warden: Warden,
        setup: Setup,
        group: Group | None,
        cpus: float,
        belongings: ExitStack,
    ) -> None:
        """Take over what was started; `belongings` are cleared away at the end."""
        super().__init__(pipes, warden)
        self._setup = setup
        self._group = group
        self._cpus = cpus
        self.can_freeze = group is not None and group.can_freeze
        self._belongings = belongings
        self._first: int | None = None

    def let_in(self, arguments: tuple[str, ...], filter_: bytes | None, user: int | None) -> None:
        """Have the sandbox set up, and hold its first process before anything runs in it.

        Raises `HostFault`, and then nothing is left of it.
        """
        try:
            self._setup.send(arguments, filter_ or b"")
            pid = self._setup.first_pid(PATIENCE)
            self._first = os.pidfd_open(pid)
            if user is not None:
                for kind in ("gid_map", "uid_map"):
                    Path(f"/proc/{pid}/{kind}").write_text(stranger.id_map(user))
            self._setup.say_mapped()
            if self._group is not None:  # which takes as long as laying the sandbox out
                self._group.add(pid)
            if self._group is None or not self._group.bounds_cores:
                cores.pin(pid, self._cpus)
            self._setup.open_gate()
        except (HostFault, OSError) as error:
            self._warden.kill()
            said = read_waiting(self.stderr)
            with suppress(HostFault):
                self.close()
            raise HostFault(f"{error}: {said}") from error

    def _kill(self) -> None:
        """Kill the namespace's first process, and with it all others, then wait for both."""
        if self._first is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._first, signal.SIGKILL)
        if self._first is None or not self._warden.is_over(PATIENCE):
            self._warden.kill()
        if self._first is not None:
            if not is_readable(self._first, PATIENCE):
                raise HostFault("a killed sandbox does not go away")
            with suppress(ChildProcessError):  # it is ours to reap where orphans come to us
                os.waitid(os.P_PIDFD, self._first, os.WEXITED | os.WNOHANG)

    def _judge(self, code: int | None) -> Ending:
        """Take the program's own exit code, which only `bwrap` knows to be its."""
        if code is not None:
            code = self._setup.exit_code()
            if code is None:
                said = read_waiting(self.stderr)
                raise HostFault(f"bubblewrap could not set a sandbox up: {said}")
        ending = super()._judge(code)
        met = self._group.limit_met() if self._group is not None and code != 0 else None
        return Ending(ending.text, met)

    def freeze(self) -> None:
        """Have the whole family stand still, where a group holds it."""
        if self._group is not None:
            self._group.freeze()

    def thaw(self) -> None:
        """Let the whole family go on."""
        if self._group is not None:
            self._group.thaw()

    def _clear_away(self) -> None:
        if self._first is not None:
            os.close(self._first)
        self._belongings.close()
