"""The warden of a bot that runs in no sandbox: starts it, and ends all that it started.

It knows how to become the parent of every orphan below it; it never knows the arena, and runs by
itself as a small program: it imports nothing of it, and little else, as every bot waits for that.

It lives as long as the bot does and no longer than the arena: descriptor 3 is a pipe that the
arena holds, and when that closes, however the arena ended, everything here goes. A bot's whole
family stays below this process, as orphans come to it, so that the family is gone when this
process has no child left. Source: prctl(2), PR_SET_CHILD_SUBREAPER.

What a build may write is bounded by looking: no file may be larger than all of it, and a few times
a second the folder is measured, so that the disk takes little more before the build is ended.
"""

import ctypes
import os
import resource
import select
import signal
import sys

_CONTROL = 3
_LOOK = 0.1
"""Seconds between two looks at what a build has written."""
_LEAST = 4096
"""Bytes that any file takes, as one without content takes room too."""
TOO_MUCH = 128 + signal.SIGXFSZ
"""The exit code where a build wrote more than it may: that of one that met a limit of files."""
_POLITE = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_CHILD_SUBREAPER = 36


def main(scratch: str, folder: str, memory: str, files: str, room: str, *command: str) -> int:
    """Run a command in a folder until it ends or the arena closes the pipe; give its exit code.

    Where `room` is not 0, it is the bytes that may be in `scratch`: more of it is the end.
    """
    for sign in _POLITE:
        signal.signal(sign, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    bot = os.fork()
    if bot == 0:
        _become(command, folder, int(memory), int(files), int(room))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    waiting = select.poll()
    waiting.register(_CONTROL, select.POLLIN)
    waiting.register(os.pidfd_open(bot), select.POLLIN)
    is_full = False
    while not is_full and not waiting.poll(_LOOK * 1000 if int(room) else None):
        is_full = _bytes_in(scratch) > int(room)
    code = _end_all(bot)
    import shutil

    try:
        shutil.rmtree(scratch, ignore_errors=True)
    except RecursionError:  # folders within folders, thousands deep: the arena sees to them
        pass
    return TOO_MUCH if is_full else code


def _bytes_in(folder: str) -> int:
    """Measure what a folder with all below it takes of the disk."""
    found, waiting = 0, [folder]
    for place in waiting:
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    found += max(_LEAST, entry.stat(follow_symlinks=False).st_blocks * 512)
        except OSError:
            continue  # it has gone meanwhile, or is closed, or too deep to be named
    return found


def _become(command: tuple[str, ...], folder: str, memory: int, files: int, room: int) -> None:
    """Turn this process into the bot; where that fails, say why as a shell would."""
    for sign in (*_POLITE, signal.SIGPIPE, signal.SIGXFSZ):  # the last two, Python ignores
        signal.signal(sign, signal.SIG_DFL)
    os.close(_CONTROL)
    code = 127
    try:
        os.setsid()
        os.chdir(folder)
        for kind, wanted in (
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_DATA, memory),
            (resource.RLIMIT_NOFILE, files),
            (resource.RLIMIT_FSIZE, room or resource.RLIM_INFINITY),
        ):
            hard = resource.getrlimit(kind)[1]
            limits = [limit for limit in (wanted, hard) if limit != resource.RLIM_INFINITY]
            most = min(limits, default=resource.RLIM_INFINITY)
            resource.setrlimit(kind, (most, most))
        os.execvp(command[0], command)
    except FileNotFoundError:
        os.write(2, f"arena: {command[0]}: not found\n".encode())
    except OSError as error:
        os.write(2, f"arena: {command[0]}: {error.strerror}\n".encode())
        code = 126
    finally:
        os._exit(code)


def _end_all(bot: int) -> int:
    """Kill every descendant and reap it, and give the bot's exit code, 128 + n for signal n.

    What forks faster than it is killed is stopped first, as what is stopped cannot fork.
    """
    code = 0
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code
        if pid == bot:
            code = os.waitstatus_to_exitcode(status)
            code = code if code >= 0 else 128 - code
        if pid:
            continue
        stopped: set[int] = set()
        while new := _descendants(os.getpid()) - stopped:
            _send(new, signal.SIGSTOP)
            stopped |= new
        _send(stopped, signal.SIGKILL)
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)


def _send(pids: set[int], number: int) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            pass  # it has gone, or is another user's by now, through a set-uid program


def _descendants(pid: int) -> set[int]:
    """List all processes below one, the dead that nobody has reaped left out."""
    parents: dict[int, list[int]] = {}
    for entry in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", "rb") as file:
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except OSError:
            continue
        if state != b"Z":
            parents.setdefault(int(parent), []).append(int(entry))
    found: set[int] = set()
    new = parents.get(pid, [])
    while new:
        found.update(new)
        new = [child for one in new for child in parents.get(one, [])]
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
