"""Containers made ahead of the bots that will run in them, and removed behind their backs.

It knows how many containers a process of the arena is likely to need next; it never knows a bot.

Making a container takes the engine far longer than most bots take to start, and removing one
half as long again. So two threads do both while matches are played, each with a connection of its
own to the engine, and a container whose bot met no limit is started anew instead, once another
sitting has begun: after the last one that would be in vain. There are twice as many of an image as
were ever in use together: for the sitting that is played, and the next one.
"""

from collections import Counter, deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain

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
        self._ready: dict[str, deque[Future[Cell]]] = {}
        self._clean: dict[str, list[Cell]] = {}
        self._leaving: list[Future[None]] = []
        self._in_use: dict[Cell, Limits] = {}
        self._limits: Limits | None = None
        self._lifeline: Lifeline | None = None
        self._most: Counter[str] = Counter()

    @property
    def ahead(self) -> int:
        """Count the containers that are ready, or being made so, with no bot for them yet."""
        return sum(map(len, self._ready.values()))

    def launch(self, launch: Launch) -> Contained:
        """Start a program in a container.

        Raises `SandboxError` where the engine refuses, `HostFault` where it fails, and `OSError`.
        """
        launch = replace(launch, folder=folder_of(launch))
        cell = self._take(launch)
        try:
            return Contained(cell, launch, self.give_back)
        except BaseException:
            self.give_back(cell, is_clean=False)
            raise

    def _take(self, launch: Launch) -> Cell:
        """Give a container for a bot, one that was made ahead where that can be."""
        lifeline, limits = self._hold_on(), launch.limits
        if launch.writable or limits.runtime:
            return Cell(limits, lifeline, launch)
        if launch.is_alone:
            return Cell(limits, lifeline)
        if self._limits != replace(limits, image=""):
            self._empty()
            self._limits = replace(limits, image="")
        ready = self._ready.setdefault(limits.image, deque())
        used = Counter(self._in_use.values())[limits] + 1
        self._most[limits.image] = max(self._most[limits.image], used)
        clean = self._clean.setdefault(limits.image, [])
        while used - 1 + len(ready) < 2 * self._most[limits.image]:
            make = clean.pop().renew if clean else partial(Cell, limits)
            ready.append(self._hands.submit(make, lifeline))
        cell = self._next(ready) or Cell(limits, lifeline)
        self._in_use[cell] = limits
        return cell

    def give_back(self, cell: Cell, *, is_clean: bool) -> None:
        """End all that runs in a container; have it removed, or keep it if it is clean.

        Raises `HostFault` where something may still run.
        """
        limits = self._in_use.pop(cell, None)
        try:
            cell.kill()
        except BaseException:
            is_clean = False
            raise
        finally:
            cell.close_pipes()
            if is_clean and limits is not None and self._limits == replace(limits, image=""):
                self._clean[limits.image].append(cell)
            else:
                self._leaving = [one for one in self._leaving if not one.done()]
                self._leaving.append(self._hands.submit(cell.remove))

    def settle(self) -> None:
        """Wait until what was given back is gone."""
        leaving, self._leaving = self._leaving, []
        for one in leaving:
            with suppress(ArenaError, HostFault, OSError):
                one.result()

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

    def _next(self, ready: deque[Future[Cell]]) -> Cell | None:
        """Give the next container that was made ahead and is still there."""
        while ready:
            with suppress(ArenaError, HostFault, OSError):
                cell = ready.popleft().result()
                if cell.is_waiting:
                    return cell
                cell.remove()
        return None

    def _empty(self) -> None:
        """Remove what was made ahead; all are killed first, so that they end beside each other."""
        made_ahead, self._ready = self._ready, {}
        cells = []
        for made in chain.from_iterable(made_ahead.values()):
            with suppress(ArenaError, HostFault, OSError):
                if not made.cancel():
                    cells.append(made.result())
                    cells[-1].kill()
        clean, self._clean = self._clean, {}
        for cell in chain(cells, *clean.values()):
            with suppress(ArenaError, HostFault, OSError):
                cell.remove()


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
