"""Answers after its time is over, then answers the next request with that answer."""

import json
import sys
import time


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        time.sleep(4)
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
