"""Sends signals to every process that there is."""

import json
import os
import signal
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


for number in (signal.SIGSTOP, signal.SIGTERM, signal.SIGKILL):
    with suppress(OSError):
        os.kill(-1, number)
    for other in range(1, 500):
        if other != os.getpid():
            with suppress(OSError):
                os.kill(other, number)
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
