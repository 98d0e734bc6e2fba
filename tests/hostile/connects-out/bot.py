"""Connects to the network, to this machine and to the Docker engine."""

import json
import socket
import sys
from contextlib import suppress


def first(request):
    legal, decision = request["legal"], request["decision"]
    return {"exchange": [], "pass": legal[:3]}.get(decision, legal[0])


def reached(what):
    print("reached", what, file=sys.stderr, flush=True)


for port in range(1, 65536):
    with suppress(OSError), socket.socket() as connection:
        connection.connect(("127.0.0.1", port))
        if connection.getsockname() != connection.getpeername():  # else it met itself
            reached(f"port {port}")
for family, place in (
    (socket.AF_INET, ("192.0.2.1", 80)),
    (socket.AF_INET, ("10.0.0.1", 53)),
    (socket.AF_INET6, ("2001:db8::1", 80)),
):
    with suppress(OSError), socket.socket(family) as connection:
        connection.settimeout(1)
        connection.connect(place)
        reached(place)
for place in (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "\0docker",
    "/run/systemd/private",
):
    with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place)
        reached(place)
with suppress(OSError):
    socket.getaddrinfo("localhost.example.org", 80)
    reached("a name server")
print("tried", file=sys.stderr, flush=True)

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif message["type"] == "request":
        print(json.dumps({"id": message["id"], "move": first(message)}), flush=True)
