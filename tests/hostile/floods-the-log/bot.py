"""Writes hundreds of megabytes to its log, without a newline."""

import json
import os
import sys


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        for _ in range(16):
            os.write(2, b"x" * 2**20)
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
