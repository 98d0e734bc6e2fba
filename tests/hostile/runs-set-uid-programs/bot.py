"""Runs programs that make their users root."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


for command in (
    ["su", "-c", "id -u"],
    ["sudo", "-n", "id", "-u"],
    ["passwd", "-S"],
    ["mount"],
    ["newgrp"],
    ["unshare", "-r", "id", "-u"],
    ["ping", "-c1", "127.0.0.1"],
):
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=5
        )
        if done.stdout.strip() == "0":
            reached(command)
with suppress(OSError):
    shutil.copy("/bin/sh", "/tmp/sh")
    os.chmod("/tmp/sh", 0o4755)
    subprocess.run(["/tmp/sh", "-c", "echo $$"], capture_output=True)
if 0 in (os.getuid(), os.geteuid(), os.getgid(), os.getegid()) or int(
    open("/proc/self/status").read().split("CapEff:")[1].split()[0], 16
):
    reached("a right")
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
