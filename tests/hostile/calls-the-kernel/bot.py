"""Makes system calls that no bot needs."""

import ctypes
import errno
import json
import os
import sys


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


COLUMN = os.uname().machine == "aarch64"
CALLS = {
    "mount": ((165, 40), (b"none", b"/tmp", b"tmpfs", 0, 0)),
    "umount": ((166, 39), (b"/tmp", 2)),
    "ptrace": ((101, 117), (16, os.getppid(), 0, 0)),
    "unshare a user": ((272, 97), (0x10000000,)),
    "unshare mounts": ((272, 97), (0x00020000,)),
    "setns": ((308, 268), (0, 0)),
    "keyctl": ((250, 219), (0, -3, 1)),
    "add_key": ((248, 217), (b"user", b"hostile", b"x", 1, -3)),
    "bpf": ((321, 280), (0, 0, 0)),
    "perf_event_open": ((298, 241), (0, 0, -1, -1, 0)),
    "userfaultfd": ((323, 282), (0,)),
    "io_uring_setup": ((425, 425), (1, ctypes.create_string_buffer(200))),
    "chroot": ((161, 51), (b"/tmp",)),
    "reboot": ((169, 142), (0, 0, 0, 0)),
    "init_module": ((175, 105), (0, 0, b"")),
    "settimeofday": ((164, 170), (0, 0)),
    "open_by_handle_at": ((304, 265), (0, 0, 0)),
    "clone into a user": ((56, 220), (0x10000000 | 17, 0, 0, 0, 0)),
    "setuid": ((105, 146), (0,)),
}
libc = ctypes.CDLL(None, use_errno=True)
for name, (numbers, arguments) in CALLS.items():
    found = libc.syscall(numbers[COLUMN], *arguments)
    if found >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS, errno.EACCES):
        reached(f"{name}: {found} {errno.errorcode.get(ctypes.get_errno())}")
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
