"""A running bot under one absolute deadline: says hello, asks, says farewell, keeps its log.

It knows how a bot talks and every way in which it can fail to; it never knows what is asked or
how a sandbox works.
"""

from arena.session.player import Player
from arena.session.session import LOG_ENDS, ProcessLog, Session
from arena.session.whole import run_to_end

__all__ = ["LOG_ENDS", "Player", "ProcessLog", "Session", "run_to_end"]
