"""Has children that each take a little less memory than it may have."""

import json
import os
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
        while True:
            if os.fork() == 0:
                kept = b"x" * 2**25
                time.sleep(1000)
            time.sleep(0.01)
