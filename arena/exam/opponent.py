"""The reference opponent: plain, deterministic, and in need of no process.

It knows a request as any bot gets it; it never sees more.
"""

from arena.games.game import Decision, View
from arena.protocol import Request


def move_of(request: Request[View], *, is_partner: bool) -> object:
    """Choose a move as bots write it.

    The examined bot's partner bids double nil in every other hand, so that cards are passed.
    """
    decision, legal = request.decision, request.legal
    if decision is Decision.BLIND_NIL:
        return is_partner and request.hand % 2 == 0
    if decision is Decision.EXCHANGE:
        return []
    if decision is Decision.PASS:
        return legal[:3]
    if decision is Decision.BID:
        return legal[min(3, len(legal) - 1)]
    return legal[0] if decision is Decision.DRAFT else legal[-1]
