"""Writes to its scratch folder until it is full."""

import json
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def fill(place):
    with suppress(OSError), open(f"{place}/filled", "wb", buffering=0) as file:
        while True:
            file.write(bytes(2**16))


fill("/tmp")

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
