"""Plays well, ignores every signal it can, and does not end when it is over."""

import json
import signal
import sys
import time
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


for number in range(1, 65):
    with suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
time.sleep(1000)
