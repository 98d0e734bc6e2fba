"""Containers made ahead of the bots that will run in them, and removed behind their backs.

It knows how many containers a process of the arena is likely to need next; it never knows a bot.

Making a container takes the engine far longer than most bots take to start, and removing one
half as long again. So two threads do both while matches are played, each with a connection of its
own to the engine: as many are made ahead as were ever in use together, which is a sitting's worth.
"""

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from msgspec.structs import replace

from arena.errors import ArenaError, HostFault
from arena.record import Limits
from arena.sandbox import leftovers
from arena.sandbox.docker.address import Lifeline, reaching_problem
from arena.sandbox.docker.cell import Cell, remove_container
from arena.sandbox.docker.confinement import HOST, OWNER, this_host
from arena.sandbox.docker.contained import Contained
from arena.sandbox.docker.engine import engine, failures, hang_up
from arena.sandbox.family import folder_of
from arena.sandbox.sandbox import Launch

_HANDS = 2


class Stock:
    """The containers of this process, for the one thread that plays in it."""

    def __init__(self) -> None:
        """Make none yet."""
        self._hands = ThreadPoolExecutor(_HANDS, "containers")
        self._ready: deque[Future[Cell]] = deque()
        self._leaving: list[Future[None]] = []
        self._in_use: set[Cell] = set()
        self._limits: Limits | None = None
        self._lifeline: Lifeline | None = None
        self._most = 0

    @property
    def ahead(self) -> int:
        """Count the containers that are made, or being made, with no bot for them yet."""
        return len(self._ready)

    def launch(self, launch: Launch) -> Contained:
        """Start a program in a container.

        Raises `SandboxError` where the engine refuses, `HostFault` where it fails, and `OSError`.
        """
        launch = replace(launch, folder=folder_of(launch))
        cell = self._take(launch)
        try:
            return Contained(cell, launch, self.give_back)
        except BaseException:
            self.give_back(cell)
            raise

    def _take(self, launch: Launch) -> Cell:
        """Give a container for a bot, one that was made ahead where that can be."""
        lifeline, limits = self._hold_on(), launch.limits
        if launch.writable or limits.runtime:
            return Cell(limits, lifeline, launch)
        if self._limits != limits:
            self._empty()
            self._limits = limits
        cell = self._next() or Cell(limits, lifeline)
        self._in_use.add(cell)
        self._most = max(self._most, len(self._in_use))
        while len(self._ready) < self._most:
            self._ready.append(self._hands.submit(Cell, limits, lifeline))
        return cell

    def give_back(self, cell: Cell) -> None:
        """End all that runs in a container, and have it removed.

        Raises `HostFault` where something may still run.
        """
        self._in_use.discard(cell)
        try:
            cell.kill()
        finally:
            cell.close_pipes()
            self._leaving = [one for one in self._leaving if not one.done()]
            self._leaving.append(self._hands.submit(cell.remove))

    def settle(self) -> None:
        """Wait until what was given back is gone."""
        for one in self._leaving:
            with suppress(ArenaError, HostFault, OSError):
                one.result()
        self._leaving.clear()

    def close(self) -> None:
        """Have nothing left of this process's containers; those in use go too."""
        for cell in self._in_use:
            with suppress(ArenaError, HostFault, OSError):
                cell.remove()
        self._in_use.clear()
        self.settle()
        self._empty()
        self._hands.shutdown()
        hang_up()
        if self._lifeline is not None:
            self._lifeline.close()
            self._lifeline = None
            with suppress(ArenaError, HostFault):
                sweep(leftovers.owner())

    def _hold_on(self) -> Lifeline:
        """Take hold of the engine, again where it was started anew since."""
        if self._lifeline is None:
            sweep()
        if self._lifeline is None or self._lifeline.is_broken():
            try:
                self._lifeline = Lifeline()
            except OSError as error:
                raise HostFault(reaching_problem() or str(error)) from error
        return self._lifeline

    def _next(self) -> Cell | None:
        """Give the next container that was made ahead and is still there."""
        while self._ready:
            with suppress(ArenaError, HostFault, OSError):
                cell = self._ready.popleft().result()
                if cell.is_waiting:
                    return cell
                cell.remove()
        return None

    def _empty(self) -> None:
        """Remove what was made ahead."""
        while self._ready:
            made = self._ready.popleft()
            with suppress(ArenaError, HostFault, OSError):
                if not made.cancel():
                    made.result().remove()


def sweep(owner: str | None = None) -> None:
    """Remove what processes of the arena on this machine left that have ended, or one's own.

    Raises `HostFault` where the engine fails.
    """
    with failures("list containers"):
        found = engine().containers(all=True, filters={"label": [f"{HOST}={this_host()}"]})
    for container in found:
        name: str = container["Labels"].get(OWNER, "")
        if name == owner or leftovers.has_ended(name):
            with suppress(ArenaError):  # another process is at it
                remove_container(container["Id"])
