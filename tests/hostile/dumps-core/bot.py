"""Has itself killed so that its memory is written to a file."""

import json
import os
import resource
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


with suppress(OSError, ValueError):
    resource.setrlimit(resource.RLIMIT_CORE, (-1, -1))
os.chdir("/tmp")

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        os.abort()
