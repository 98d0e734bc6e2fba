"""Puts terminal escapes and scripts wherever its words may be shown."""

import json
import sys


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


ODD = "\x1b[2J\x1b]0;hostile\x07<script>hostile()</script><img src=x onerror=hostile()>\u202e"
print(ODD, file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "name": ODD, "version": ODD}), flush=True)
    elif message["type"] == "request":
        move = ODD if message["decision"] == "play" else first(message)
        print(json.dumps({"id": message["id"], "move": move, "note": ODD}), flush=True)
