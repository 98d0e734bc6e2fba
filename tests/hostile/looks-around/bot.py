"""Looks for the files, the seed, the home and the environment of others."""

import glob
import json
import os
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


for top, folders, files in os.walk("/", onerror=lambda error: None):
    if top == "/":
        folders[:] = [one for one in folders if one not in ("proc", "sys", "usr", "bot")]
    for name in (*folders, *files):
        if "arena-canary" in name or name in ("bot.yaml", "arena.sqlite"):
            reached(os.path.join(top, name))
for place in (
    "/proc/self/mountinfo",
    "/proc/mounts",
    *glob.glob("/proc/[0-9]*/environ"),
    *glob.glob("/proc/[0-9]*/cmdline"),
):
    with suppress(OSError), open(place, "rb") as file:
        if b"arena-canary" in file.read():
            reached(place)
for place in (
    *glob.glob("/proc/[0-9]*/root/*"),
    *glob.glob("/proc/[0-9]*/cwd/*"),
    *glob.glob("/proc/[0-9]*/fd/*"),
):
    with suppress(OSError):
        if "arena-canary" in os.readlink(place):
            reached(place)
for word in os.environ.values():
    if "arena-canary" in word:
        reached("the environment")
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
