"""Opens the terminal and types on it."""

import fcntl
import json
import os
import sys
import termios
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


for place in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/pts/0", "/dev/stdin"):
    with suppress(OSError):
        descriptor = os.open(place, os.O_RDWR | os.O_NOCTTY)
        if os.isatty(descriptor):
            reached(place)
for descriptor in range(3):
    with suppress(OSError):
        fcntl.ioctl(descriptor, termios.TIOCSTI, b"x")
        reached(f"the terminal by descriptor {descriptor}")
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
