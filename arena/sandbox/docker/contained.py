"""A bot in its container, as the rest of the arena sees a running program.

It knows what to make of a bot's end; it never knows how a container is made.
"""

import os
from typing import Protocol

from arena.sandbox.docker.cell import Cell
from arena.sandbox.family import describe, is_readable
from arena.sandbox.sandbox import Ending, Launch

_MIB = 1024**2


class GiveBack(Protocol):
    """What becomes of a cell when its bot has ended; one that is clean may be used again."""

    def __call__(self, cell: Cell, *, is_clean: bool) -> None:
        """Take a cell back; raise `HostFault` where something may still run in it."""


class Contained:
    """A bot in a container; see `arena.sandbox.sandbox.Process`."""

    def __init__(self, cell: Cell, launch: Launch, give_back: GiveBack) -> None:
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
        if self.can_freeze and self._ending is None:
            self._cell.groups.freeze()

    def thaw(self) -> None:
        """Let it go on."""
        if self.can_freeze and self._ending is None:
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
            is_clean = False
            try:
                self._ending = self._judge()
                is_clean = self._ending.resource is None
            finally:
                self.close_input()
                self._give_back(self._cell, is_clean=is_clean)
        return self._ending

    def _judge(self) -> Ending:
        """Find out how the bot ended while the container is there to be asked."""
        if not is_readable(self.exited):
            return Ending("still running", self._limit_met())
        met = self._limit_met()
        code = self._cell.exit_code()
        if code is None:
            code, is_out_of_memory = self._cell.fate()
            met = self._memory_limit() if is_out_of_memory else met
        return Ending(describe(code), met if code != 0 else None)

    def _limit_met(self) -> str | None:
        """Name the limit that something in the container ran into."""
        if self._cell.groups.killed_for_memory():
            return self._memory_limit()
        if self._cell.groups.refused_processes():
            return f"the limit of {self._limits.processes} processes"
        return None

    def _memory_limit(self) -> str:
        return f"the memory limit of {self._limits.memory / _MIB:.4g} MiB"
