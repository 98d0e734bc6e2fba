"""Starts threads that stay."""

import json
import sys
import threading
import time
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        while True:
            with suppress(RuntimeError):
                threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
