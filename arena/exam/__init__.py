"""The entrance exam: a bot is built, started and played against a plain opponent, in the sandbox.

It knows how to find out what a bot does wrong and how its author mends it; it never ranks one.
"""

from arena.exam.exam import Report, Stage, examine
from arena.exam.findings import Finding
from arena.exam.speed import Speed

__all__ = ["Finding", "Report", "Speed", "Stage", "examine"]
