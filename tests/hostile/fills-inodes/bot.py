"""Makes empty files until it may make no more."""

import itertools
import json
import os
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        with suppress(OSError):
            for number in itertools.count():
                os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
