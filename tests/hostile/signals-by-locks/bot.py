"""Has a partner who sees which files are locked."""

import fcntl
import json
import os
import struct
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


SHARED = (
    "/bot/bot.py",
    "/bot",
    os.path.realpath(sys.executable),
    os.__file__,
    os.path.dirname(os.__file__),
)

kept = [os.open(place, os.O_RDONLY) for place in SHARED]
READ_LOCK = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 0, 0, 0)
WRITE_LOCK = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
for place, descriptor in zip(SHARED, kept):
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        reached(f"a partner by a lock of {place}")
    except OSError:
        pass
    with suppress(OSError):
        fcntl.fcntl(descriptor, fcntl.F_SETLK, READ_LOCK)
    with suppress(OSError):
        if fcntl.fcntl(descriptor, fcntl.F_GETLK, WRITE_LOCK)[:2] != WRITE_LOCK[:2]:
            continue
        reached(f"a partner by a read lock of {place}")
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
