"""The static site of a results folder, and its tables for programs.

It knows how standings, matches and games are shown; it never computes a rating, and never runs a
bot. The pages of all that is played stay within bounded memory: a match is read, cut down, told,
and let go.
"""

from arena.report.building import GAME_PAGES, GamePages, build, game_page
from arena.report.front import render

__all__ = ["GAME_PAGES", "GamePages", "build", "game_page", "render"]
