"""The reference opponent: plain, deterministic, and in need of no process.

It knows a request as any bot gets it; it never sees more.
"""

from arena.games.game import Decision, View
from arena.protocol import Request

PARTNER = 2
"""The seat of the examined bot's partner, who bids double nil so that cards are passed."""


def move_of(request: Request[View], seat: int) -> object:
    """Choose a move as bots write it."""
    decision, legal = request.decision, request.legal
    if decision is Decision.BLIND_NIL:
        return seat == PARTNER and request.hand % 2 == 0
    if decision is Decision.EXCHANGE:
        return []
    if decision is Decision.PASS:
        return legal[:3]
    if decision is Decision.BID:
        return legal[min(3, len(legal) - 1)]
    return legal[0] if decision is Decision.DRAFT else legal[-1]
