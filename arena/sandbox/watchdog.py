"""A watchdog over what the arena starts, for the case that the arena itself is killed outright.

It knows a mark that everything it watches over was started with; it never knows what that is.

The kernel ends `bwrap` with the arena, and `bwrap` what it started. But in the moment in which it
makes its namespaces, its child is not yet tied to it, and would wait for ever for a word that
never comes. A shell waits for the end of a pipe that the arena holds, and then kills whatever
still bears the mark, and removes the folders that were made for bots. It takes no time and next to
no memory until then.
"""

import os
import secrets
from contextlib import suppress

from arena.sandbox import leftovers
from arena.sandbox.descriptors import Handed, pipe
from arena.sandbox.family import Warden

VARIABLE = "ARENA_MARK"
"""The variable of the environment that bears the mark."""

_SCRIPT = """
read _
turns=0
while [ $turns -lt 100 ]; do
    found=$(grep -lFe "$1" /proc/[0-9]*/environ 2>/dev/null)
    [ -n "$found" ] || break
    for file in $found; do
        process=${file#/proc/}
        kill -KILL "${process%/environ}" 2>/dev/null
    done
    turns=$((turns + 1))
done
rm -rf -- "$2"*
"""

_marks: dict[int, str] = {}


def mark() -> str:
    """Give this process's mark, and see to it that a watchdog is there. Raises `OSError`."""
    own = _marks.get(os.getpid())
    if own is None:
        own = secrets.token_hex(16)
        _start(own)
        _marks[os.getpid()] = own
    return own


def _start(own: str) -> None:
    """Start a watchdog, and leave the end of its pipe open for as long as this process lives."""
    with Handed() as handed:
        read, held = pipe()
        handed.give(0, read)
        for number in (1, 2):
            handed.give(number, os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC))
        try:
            command = [
                *("/bin/sh", "-c", f"cd /; {_SCRIPT}", "arena-watchdog"),
                *(f"{VARIABLE}={own}", str(leftovers.beginning())),
            ]
            dog = Warden(command, {"PATH": os.defpath}, handed)
        except OSError:
            os.close(held)
            raise
    with suppress(OSError):
        os.close(dog.exited)  # nobody waits for it
