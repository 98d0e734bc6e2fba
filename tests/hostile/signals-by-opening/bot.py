"""Has a partner who sees which files are opened."""

import ctypes
import json
import os
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


SHARED = (
    "/bot/bot.py",
    "/bot",
    os.path.realpath(sys.executable),
    os.__file__,
    os.path.dirname(os.__file__),
)

libc = ctypes.CDLL(None, use_errno=True)
watch = libc.inotify_init1(os.O_NONBLOCK)
for place in SHARED:
    libc.inotify_add_watch(watch, place.encode(), 0xFFF)


def has_news():
    with suppress(OSError):
        return bool(os.read(watch, 2**20))
    return False


def tell():
    for place in SHARED:
        os.close(os.open(place, os.O_RDONLY))
    has_news()


print("tried", file=sys.stderr, flush=True)
asked = 0

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        asked += 1
        if asked > 1 and has_news():
            print("reached a partner", file=sys.stderr, flush=True)
        tell()
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
