"""Answers with the same key twice."""

import json
import sys


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        line = b'{"id":%d,"move":0,"move":1}' % message["id"]
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.flush()
