"""What becomes of each hostile bot: the fault it makes, or the words it may not write.

A bot that tries to get at something writes `reached` and what it got to its log, and plays on: it
has to play every game to its end and to have reached nothing.
"""

from dataclasses import dataclass

from arena.protocol import FaultKind, TimeControl

ALL = ("none", "bubblewrap", "docker")
HELD = ("bubblewrap", "docker")
"""The sandboxes that keep a bot from anything; `none` only ends what it starts."""


@dataclass(frozen=True)
class Expected:
    """What a bot is to do; without a fault it plays every game to its end."""

    fault: FaultKind | None = None
    words: str = ""
    """What the fault's detail has in it, or the log of a bot that makes no fault."""
    sandboxes: tuple[str, ...] = ALL
    faults_by_sandbox: tuple[tuple[str, FaultKind | None], ...] = ()
    limit: str = ""
    """The limit that stops it: a machine on which it does not hold promises nothing of it."""

    def fault_in(self, sandbox: str) -> FaultKind | None:
        """Give the fault, which may depend on the sandbox."""
        return dict(self.faults_by_sandbox).get(sandbox, self.fault)


@dataclass(frozen=True)
class Group:
    """Bots that are played together, against one honest opponent."""

    time: TimeControl
    bots: dict[str, Expected]
    opponent: str = "honest"
    game: str = "two-player"
    boards: int = 2

    def under(self, sandbox: str, lacking: frozenset[str] = frozenset()) -> dict[str, Expected]:
        """Give the bots that are held to something under a sandbox that may lack some limits."""
        return {
            bot: row
            for bot, row in self.bots.items()
            if sandbox in row.sandboxes and row.limit not in lacking
        }


PLAYS = Expected()
TRIES = Expected(words="tried", sandboxes=HELD)
STARTUP, CRASH, TIMEOUT = FaultKind.STARTUP, FaultKind.CRASH, FaultKind.TIMEOUT
MALFORMED, OVERSIZE = FaultKind.MALFORMED, FaultKind.OVERSIZE
UNSOLICITED, RESOURCE = FaultKind.UNSOLICITED, FaultKind.RESOURCE

SILENT = Group(
    TimeControl(startup=6, move=2, hand=30),
    {
        "never-ready": Expected(STARTUP, "nothing came"),
        "never-answers": Expected(TIMEOUT, "nothing came"),
        "never-reads": Expected(TIMEOUT, "nothing came"),
        "one-byte-a-second": Expected(TIMEOUT, "only part of a line came"),
        "stops-itself": Expected(TIMEOUT, "nothing came"),
        "late-with-the-old-answer": Expected(TIMEOUT, "nothing came"),
    },
    boards=1,
)
QUICK = Group(
    TimeControl(startup=30, move=20, hand=120),
    {
        # silence and pace
        "closes-output": Expected(CRASH, "it closed its output"),
        "ignores-sigterm": PLAYS,
        "gives-the-old-answer": Expected(UNSOLICITED, "was answered before"),
        "exits-in-mid-game": Expected(CRASH, "exit code 0"),
        "segfaults": Expected(CRASH, "killed by SIGSEGV"),
        "exits-after-ready": Expected(CRASH, "exit code 0"),
        "speaks-first": Expected(UNSOLICITED),
        "answers-twice": Expected(UNSOLICITED),
        # floods
        "endless-bytes": Expected(OVERSIZE),
        "endless-lines": Expected(UNSOLICITED),
        "floods-the-log": PLAYS,
        "floods-the-log-with-lines": PLAYS,
        "long-line": Expected(OVERSIZE),
        "nested-brackets": Expected(MALFORMED),
        "long-number": Expected(MALFORMED),
        "not-a-number": Expected(MALFORMED),
        "infinity": Expected(MALFORMED),
        "no-utf-8": Expected(MALFORMED),
        "a-key-twice": Expected(MALFORMED),
        "escapes-and-scripts": Expected(FaultKind.ILLEGAL),
        # resources
        "memory-bomb": Expected(RESOURCE, "the memory limit of 96 MiB", HELD, limit="memory"),
        "memory-bomb-in-children": Expected(
            RESOURCE, "the memory limit of 96 MiB", HELD, limit="memory"
        ),
        "fills-scratch": Expected(sandboxes=HELD),
        "fills-shared-memory": Expected(sandboxes=HELD),
        "fills-inodes": Expected(
            RESOURCE, sandboxes=HELD, faults_by_sandbox=(("docker", None),), limit="memory"
        ),
        # escape
        "looks-around": TRIES,
        "changes-itself": TRIES,
        "leaves-a-daemon": Expected(words="tried"),
        "signals-everyone": TRIES,
        "opens-others-memory": TRIES,
        "opens-descriptors": TRIES,
        "connects-out": TRIES,
        "types-on-the-terminal": TRIES,
        "calls-the-kernel": TRIES,
        "runs-set-uid-programs": TRIES,
        "dumps-core": Expected(CRASH, "killed by SIGABRT"),
        # builds
        "builds-for-ever": Expected(STARTUP, "no end after"),
        "builds-a-flood": Expected(STARTUP, "no end after"),
        "builds-from-the-network": Expected(STARTUP, "build: exit code 7", HELD),
        "builds-into-others": Expected(STARTUP, "what it left cannot be played", HELD),
    },
)
BOMBS = Group(
    TimeControl(startup=30, move=4, hand=60),
    {
        "fork-bomb": Expected(RESOURCE, "the limit of 16 processes", HELD, limit="processes"),
        "thread-bomb": Expected(RESOURCE, "the limit of 16 processes", HELD, limit="processes"),
    },
    boards=1,
)
PONDERING = Group(
    TimeControl(startup=30, move=20, hand=120),
    {
        "thinks-on-others-time": Expected(words="while others did", sandboxes=HELD, limit="freeze"),
        "wakes-itself": Expected(words="while others did", sandboxes=HELD, limit="freeze"),
    },
    opponent="honest-ponders",
    boards=1,
)
PARTNERS = Group(
    TimeControl(startup=30, move=20, hand=120),
    {"signals-by-locks": TRIES, "signals-by-opening": TRIES},
    game="partnership",
    boards=1,
)
GROUPS = {
    "silent": SILENT,
    "bombs": BOMBS,
    "quick": QUICK,
    "pondering": PONDERING,
    "partners": PARTNERS,
}
