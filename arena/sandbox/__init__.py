"""Launches strangers' programs under limits, freezes them, and has their whole tree gone.

It knows how a machine holds a program; it never knows what a program says or what it is for.
"""

from functools import cache

from arena.errors import SandboxError
from arena.plugins import SANDBOXES, load_plugin
from arena.sandbox.sandbox import Ending, Launch, Process, Sandbox

__all__ = ["AUTO", "Ending", "Launch", "Process", "Sandbox", "candidates", "open_sandbox"]

AUTO = ("bubblewrap",)
"""What `auto` tries, the best first; never a sandbox that is none."""


@cache
def open_sandbox(kind: str) -> Sandbox:
    """Find a sandbox by its name, or the best that this machine offers for `auto`.

    Raises `SandboxError` where this machine does not offer it, `InputError` for an unknown name.
    """
    reasons = []
    for name in AUTO if kind == "auto" else (kind,):
        sandbox = _load(name)
        reason = sandbox.problem()
        if reason is None:
            return sandbox
        reasons.append(f"{name}: {reason}")
    raise SandboxError("no sandbox to run bots in; " + "; ".join(reasons))


def candidates() -> dict[str, str | None]:
    """List what `auto` tries, by name, with why this machine does not offer it, or None."""
    return {name: _load(name).problem() for name in AUTO}


@cache
def _load(name: str) -> Sandbox:
    found: Sandbox = load_plugin(SANDBOXES, name)()
    return found
