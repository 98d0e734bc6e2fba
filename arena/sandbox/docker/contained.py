"""A bot in its container, as the rest of the arena sees a running program.

It knows what to make of a bot's end; it never knows how a container is made.
"""

import os
from collections.abc import Callable

from arena.sandbox.docker.cell import Cell
from arena.sandbox.family import describe, is_readable
from arena.sandbox.sandbox import Ending, Launch

_MIB = 1024**2


class Contained:
    """A bot in a container; see `arena.sandbox.sandbox.Process`."""

    def __init__(self, cell: Cell, launch: Launch, give_back: Callable[[Cell], None]) -> None:
        """Let a bot into a cell, which is given back once it is empty again.

        Raises `HostFault` where the container is gone, and `OSError`.
        """
        self._cell = cell
        self._limits = launch.limits
        self._give_back = give_back
        self.stdin = cell.let_in(launch)
        self._has_input = True
        self.stdout, self.stderr, self.exited = cell.out, cell.log, cell.end
        self.can_freeze = launch.limits.freeze and cell.groups.can_freeze
        self._ending: Ending | None = None

    def freeze(self) -> None:
        """Have all that runs in the container stand still."""
        if self.can_freeze:
            self._cell.groups.freeze()

    def thaw(self) -> None:
        """Let it go on."""
        if self.can_freeze:
            self._cell.groups.thaw()

    def close_input(self) -> None:
        """Close our end of the bot's input, once."""
        if self._has_input:
            self._has_input = False
            os.close(self.stdin)

    def close(self) -> Ending:
        """End whatever runs in the container, and the container; say how the bot ended."""
        if self._ending is None:
            self._ending = Ending("it never ran")
            try:
                self._ending = self._judge()
            finally:
                self.close_input()
                self._give_back(self._cell)
        return self._ending

    def _judge(self) -> Ending:
        """Find out how the bot ended while the container is there to be asked."""
        if not is_readable(self.exited):
            return Ending("still running")
        killed, refused = (
            self._cell.groups.killed_for_memory(),
            self._cell.groups.refused_processes(),
        )
        code = self._cell.exit_code()
        if code is None:
            code, is_out_of_memory = self._cell.fate()
            killed += is_out_of_memory
        text = describe(code)
        if code == 0 or not (killed or refused):
            return Ending(text)
        if killed:
            return Ending(text, f"the memory limit of {self._limits.memory / _MIB:.4g} MiB")
        return Ending(text, f"the limit of {self._limits.processes} processes")
