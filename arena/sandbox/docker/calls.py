"""The system calls that a container may make: all that programs need, and no others.

It knows names of calls and the engine's way of writing such a list; it never knows who gets it.
The engine has a list of its own, but before version 25 that lets calls through with which much of
the kernel can be reached (io_uring, ptrace, sockets to the host of a virtual machine).

Source: syscalls(2), seccomp(2); what is refused is told in `arena.sandbox.seccomp`.
"""

import errno
import json
import platform
from functools import cache

_MACHINES = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}
_NEW_NAMESPACES = 0x7E020080
"""The flags of clone(2) that make a namespace of any kind."""
_SOCKETS = (1, 2, 10, 16)
"""The kinds of sockets that are let be: local, IPv4, IPv6 and netlink; each has a namespace."""

_ALLOWED = """
accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod chown clock_getres
clock_gettime clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3
epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2
execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate fchdir fchmod
fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fork
fremovexattr fsetxattr fstat fstatfs fsync ftruncate futex futex_requeue futex_wait
futex_waitv futex_wake futimesat get_robust_list get_thread_area getcpu getcwd getdents
getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid
getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname
getsockopt gettid gettimeofday getuid getxattr inotify_add_watch inotify_init inotify_init1
inotify_rm_watch ioctl ioprio_get ioprio_set kill landlock_add_rule landlock_create_ruleset
landlock_restrict_self lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr
lseek lsetxattr lstat madvise map_shadow_stack membarrier memfd_create mincore mkdir mkdirat
mknod mknodat mlock mlock2 mlockall mmap mprotect mq_getsetattr mq_notify mq_open
mq_timedreceive mq_timedsend mq_unlink mremap mseal msgctl msgget msgrcv msgsnd msync
munlock munlockall munmap nanosleep newfstatat open openat openat2 pause pidfd_open
pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64
preadv preadv2 prlimit64 pselect6 pwrite64 pwritev pwritev2 read readahead readlink
readlinkat readv recvfrom recvmmsg recvmsg removexattr rename renameat renameat2
restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max
sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler
sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler
sched_yield seccomp select semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto
set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer
setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setsockopt setuid
setxattr shmat shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 socketpair splice
stat statfs statx symlink symlinkat sync_file_range sysinfo tee tgkill time timer_create
timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime
timerfd_settime times tkill truncate umask uname unlink unlinkat utime utimensat utimes vfork
vmsplice wait4 waitid write writev
"""


@cache
def security_options(machine: str | None = None) -> tuple[str, ...]:
    """Give the engine's options that hold a container to these calls.

    On a machine whose calls are not known the engine's own list holds.
    """
    machine = machine or platform.machine()
    rules = ("no-new-privileges",)
    if machine not in _MACHINES:
        return rules
    return (*rules, f"seccomp={json.dumps(_profile(_MACHINES[machine]))}")


def _profile(machine: str) -> dict[str, object]:
    """Write the list; what is not on it is refused, as it would be to one without rights.

    clone3 hides its flags from a filter, so it is said to be missing and libraries use clone.
    """
    no_namespace = {
        "index": 0,
        "value": _NEW_NAMESPACES,
        "valueTwo": 0,
        "op": "SCMP_CMP_MASKED_EQ",
    }
    families = [{"index": 0, "value": family, "op": "SCMP_CMP_EQ"} for family in _SOCKETS]
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": errno.EPERM,
        "architectures": [machine],
        "syscalls": [
            {"names": _ALLOWED.split(), "action": "SCMP_ACT_ALLOW"},
            {"names": ["clone"], "action": "SCMP_ACT_ALLOW", "args": [no_namespace]},
            {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": errno.ENOSYS},
            *(
                {"names": ["socket"], "action": "SCMP_ACT_ALLOW", "args": [family]}
                for family in families
            ),
        ],
    }
