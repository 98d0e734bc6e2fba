"""Messages for bots in tests, and the usual ways of putting them."""

from arena.games.game import Decision, View
from arena.protocol import End, Fault, Hello, Ready, Reply, Request, TimeControl
from arena.session import Session

LONG = 20.0
"""Seconds that nothing here takes."""
SHORT = 0.05
"""Seconds for a bot that is known not to answer."""


class Nothing(View, frozen=True):
    """A view of nothing, padded to a size."""

    padding: str = ""


def hello() -> Hello:
    """The first line to a bot."""
    rules: dict[str, bool | int | str | None] = {"target": 500}
    return Hello(1, "two-player", 0, 2, 0, 1, rules, TimeControl(), freeze=False, seed=1)


def request(padding: int = 0) -> Request[View]:
    """A question of at least a size."""
    view = Nothing("x" * padding)
    return Request[View](0, 1, 1, Decision.BID, [], view, [0, 1], 5.0)


def get_ready(session: Session, seconds: float = LONG) -> Ready:
    """Have a bot get ready."""
    ready = session.start(hello(), seconds)
    assert isinstance(ready, Ready), ready
    return ready


def ask(session: Session, seconds: float = LONG, padding: int = 0) -> Reply | Fault:
    """Put a question."""
    return session.ask(request(padding), seconds)[0]


def fault_of(session: Session, seconds: float = LONG, padding: int = 0) -> Fault:
    """Put a question that is answered by a fault."""
    fault = ask(session, seconds, padding)
    assert isinstance(fault, Fault), fault
    return fault


def farewell() -> End:
    """The last line to a bot."""
    return End([])
