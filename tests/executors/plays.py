"""Functions that workers call in place of playing; a spec's seed says what is to happen."""

import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

from arena.bots import Bot
from arena.errors import HostFault
from arena.protocol import TimeControl
from arena.record import FaultPolicy, Limits, MatchRecord, MatchSpec


def spec(match: int, does: str = "play") -> MatchSpec:
    """A spec that makes its worker do something."""
    return MatchSpec(
        match=match, round=1, game="", rules={}, seed=does, boards=(), sittings=0, seats=(),
        time=TimeControl(), faults=FaultPolicy(), sandbox="", limits=Limits(),
    )  # fmt: skip


def act(spec: MatchSpec, bots: Mapping[str, Bot], *, after_game: Callable[[], None]) -> MatchRecord:
    """Do what the spec says; the record's sandbox tells the process and the bots it knows."""
    match spec.seed.split():
        case ["exit"]:
            os._exit(7)
        case ["kill"]:
            os.kill(os.getpid(), signal.SIGKILL)
        case ["fault"]:
            raise HostFault("there is no memory left")
        case ["mistake"]:
            raise ZeroDivisionError
        case ["babble"]:
            os.write(_pipe(), b"\0\0\0\3\xc1\xc1\xc1")
            signal.pause()
        case ["linger", games, path]:
            _linger(int(games), Path(path), after_game)
        case ["hang", path]:
            try:
                Path(path).write_text(str(os.getpid()))
                signal.pause()
            finally:
                Path(path).with_suffix(".ended").touch()
        case ["stick", path]:
            _stick(Path(path))
    return _record(spec, _text(spec.seed, bots))


def _linger(games: int, until: Path, after_game: Callable[[], None]) -> None:
    for _ in range(games):
        after_game()
    while not until.exists():
        pass


def _stick(told: Path) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    told.write_text(str(os.getpid()))
    while True:
        signal.pause()


def _text(does: str, bots: Mapping[str, Bot]) -> str:
    if does == "large":
        return "x" * 5_000_000
    if does == "descriptors":
        return _inheritable()
    return f"{os.getpid()} {' '.join(str(bot.folder) for bot in bots.values())}"


def _record(spec: MatchSpec, text: str) -> MatchRecord:
    return MatchRecord(spec.match, spec.round, (), (), text, spec.limits)


def _pipe() -> int:
    """The descriptor that leads to the executor."""
    return next(number for number in range(3, 100) if _is_socket(number))


def _is_socket(number: int) -> bool:
    try:
        return str(Path(f"/proc/self/fd/{number}").readlink()).startswith("socket:")
    except OSError:
        return False


def _inheritable() -> str:
    numbers = [int(path.name) for path in Path("/proc/self/fd").iterdir()]
    return " ".join(str(number) for number in numbers if number > 2 and _passes_on(number))


def _passes_on(number: int) -> bool:
    try:
        return os.get_inheritable(number)
    except OSError:
        return False
