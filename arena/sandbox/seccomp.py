"""A filter of system calls for bots, as the kernel reads it: what no bot needs is refused.

It knows the numbers of system calls on two kinds of machine and the filter's small language; it
never knows who loads it. The kernel's attack surface is what it is for: namespaces and the lack
of any capability already keep a bot from what these calls would do.

Source: seccomp(2), linux/filter.h, linux/audit.h, and the lists of systems calls of the kernel.
"""

import errno
import platform
import struct
from functools import cache

_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM
_MISSING = 0x00050000 | errno.ENOSYS
_KILL = 0x80000000

_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER, _ARCH, _FIRST, _SECOND = 0, 4, 16, 24
"""Where a call's number, the machine, and the lower halves of its arguments lie. Little-endian."""

_NEW_NAMESPACES = 0x7E020080
"""The flags of clone(2) that make a namespace of any kind."""
_SOCKETS = (1, 2, 10, 16)
"""The kinds of sockets that are let be: local, IPv4, IPv6 and netlink; each has a namespace."""

_ARCHES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMNS = ("x86_64", "aarch64")
_CALLS: dict[str, tuple[int | None, int | None]] = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "uselib": (134, None),
    "vhangup": (153, 58),
}
_CLONE, _CLONE3, _SOCKET = (56, 220), (435, 435), (41, 198)
_ABOUT_FILES: dict[str, tuple[int | None, int | None]] = {
    "flock": (73, 32),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "mincore": (27, 232),
    "preadv2": (327, 286),
    "cachestat": (451, 451),
}
"""What tells others that a file is used: bots share the system's, and two may be partners."""
_FCNTL = (72, 25)
_LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1025, 1026, 1035, 1036, 1037, 1038)
"""What fcntl(2) can do to a file for others to see: locks, leases, notices and hints."""
_ITS_CORES = (203, 122)
"""The call that would undo what cores a bot was given."""
_X32 = 0x40000000
"""Calls of the other ABI of x86_64 have this bit; nothing uses them."""


@cache
def seccomp_filter(machine: str | None = None, *, plays: bool = True) -> bytes | None:
    """Write the filter for a machine, by default this one; None for one that is not known.

    A program that `plays` may not lock or watch files either, which a compiler may, nor choose the
    cores that it runs on.
    """
    machine = machine or platform.machine()
    if machine not in _ARCHES:
        return None
    column = _COLUMNS.index(machine)
    refused = [*_CALLS.values(), *(_ABOUT_FILES.values() if plays else ()), _ITS_CORES]
    numbers = [call[column] for call in refused]
    locks = _if(_EQUAL, _FCNTL[column], _judge_command()) if plays else []
    filter_ = [
        _step(_LOAD, _ARCH),
        *_unless(_EQUAL, _ARCHES[machine], _KILL),
        _step(_LOAD, _NUMBER),
        *_if(_AT_LEAST, _X32, [_step(_RETURN, _REFUSE)]),
        *_if(_EQUAL, _CLONE3[column], [_step(_RETURN, _MISSING)]),
        *_if(_EQUAL, _CLONE[column], _judge_flags()),
        *_if(_EQUAL, _SOCKET[column], _judge_family()),
        *locks,
    ]
    for number in sorted(number for number in numbers if number is not None):
        filter_ += _if(_EQUAL, number, [_step(_RETURN, _REFUSE)])
    return b"".join([*filter_, _step(_RETURN, _ALLOW)])


def _step(code: int, value: int, when: int = 0, otherwise: int = 0) -> bytes:
    """Write one instruction: `when` and `otherwise` count the steps that a test skips."""
    return struct.pack("=HBBI", code, when, otherwise, value)


def _if(test: int, value: int, then: list[bytes]) -> list[bytes]:
    return [_step(test, value, 0, len(then)), *then]


def _unless(test: int, value: int, outcome: int) -> list[bytes]:
    return [_step(test, value, 1, 0), _step(_RETURN, outcome)]


def _judge_flags() -> list[bytes]:
    """Refuse a clone into a new namespace; threads and children are let be.

    clone3 hides its flags from a filter, so it is said to be missing and libraries use this one.
    """
    masked = [_step(_LOAD, _FIRST), _step(_AND, _NEW_NAMESPACES)]
    return [*masked, *_unless(_EQUAL, 0, _REFUSE), _step(_RETURN, _ALLOW)]


def _judge_family() -> list[bytes]:
    """Refuse sockets of the kinds that no namespace holds, such as those to a virtual host."""
    steps = [_step(_LOAD, _FIRST)]
    for family in _SOCKETS:
        steps += _if(_EQUAL, family, [_step(_RETURN, _ALLOW)])
    return [*steps, _step(_RETURN, _REFUSE)]


def _judge_command() -> list[bytes]:
    """Refuse what fcntl(2) does to a file that others see, not what it does to a descriptor."""
    steps = [_step(_LOAD, _SECOND)]
    for command in _LOCKS:
        steps += _if(_EQUAL, command, [_step(_RETURN, _REFUSE)])
    return [*steps, _step(_RETURN, _ALLOW)]
