"""Reads and writes the memory of other processes."""

import json
import os
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


for other in filter(str.isdecimal, os.listdir("/proc")):
    if int(other) in (os.getpid(), os.getppid()):
        continue
    for name in ("mem", "oom_score_adj", "comm"):
        with suppress(OSError):
            os.close(os.open(f"/proc/{other}/{name}", os.O_RDWR))
            reached(f"/proc/{other}/{name}" if other != "1" or name == "mem" else "")
for place in (
    "/proc/sysrq-trigger",
    "/proc/kcore",
    "/proc/kmsg",
    "/proc/sys/kernel/core_pattern",
    "/sys/kernel/uevent_helper",
    "/sys/fs/cgroup/cgroup.procs",
):
    with suppress(OSError):
        os.close(os.open(place, os.O_RDWR))
        reached(place)
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
