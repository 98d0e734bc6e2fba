"""Has a child that thinks on while others are asked."""

import json
import os
import signal
import sys


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def think():
    while True:
        pass


child = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        child = child or os.fork() or think()
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
    else:
        os.kill(child, signal.SIGKILL)
        used = os.wait3(0)[2]
        thought = 1000 * (used.ru_utime + used.ru_stime)
        print(f"thought for {thought:.0f} ms while others did", file=sys.stderr)
