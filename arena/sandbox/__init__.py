"""Running strangers' programs: launched under limits, frozen off turn, the whole tree gone.

It knows processes and this machine; it never knows the protocol or a game.
"""

from functools import cache

from arena.errors import SandboxError
from arena.plugins import SANDBOXES, load_plugin
from arena.record import Limits
from arena.sandbox.sandbox import Ending, Hold, Launch, Process, Sandbox

__all__ = ["AUTO", "Ending", "Hold", "Launch", "Process", "Sandbox", "open_sandbox"]

AUTO = ("docker", "bubblewrap")
"""What `auto` tries, in this order; `none` is never among them."""


@cache
def open_sandbox(kind: str, limits: Limits = Limits()) -> Sandbox:
    """Find a sandbox by its name, or by `auto` the first that this machine offers.

    `limits` are those that bots will run under. Raises `SandboxError` with what to install, and
    `InputError` for a name that is not known.
    """
    tried = []
    for name in AUTO if kind == "auto" else (kind,):
        sandbox: Sandbox = load_plugin(SANDBOXES, name)()
        problem = sandbox.problem(limits)
        if problem is None:
            return sandbox
        tried.append(f"{name}: {problem}")
    raise SandboxError("no sandbox can be used here: " + "; ".join(tried))
