"""A fault as an author reads it: what was expected, what came, and how to mend it.

It knows what only the exam can see, an answer that was kept back; it never asks a bot.
"""

import msgspec

from arena.advice import advice_on, mistake
from arena.protocol import ADVICE, Fault

_KEPT_BACK = (
    "the answer came only once the input was closed: read line by line and answer each at once, "
    "where sys.stdin.read(), readlines() and readFileSync(0) wait for the end; and flush standard "
    "output after each line, such as print(…, flush=True), fflush(stdout) or a language's "
    "unbuffered output"
)


class Finding(msgspec.Struct, frozen=True):
    """One fault: where it happened, what was expected, the exact line that came, and the fix."""

    where: str
    kind: str
    expected: str
    said: str
    detail: str
    fix: str

    @property
    def mistake(self) -> tuple[str, str]:
        """Name what findings with one cause share, however the words of each differ."""
        general = self.fix in ADVICE.values()
        return self.kind, self.detail if general else mistake(self.fix)


def finding(where: str, fault: Fault, kept_back: bool = False) -> Finding:
    """Tell a fault to its author; `kept_back`: the answer came once the input was closed."""
    fix = _KEPT_BACK if kept_back else advice_on(fault.kind, fault.said, fault.detail)
    return Finding(where, fault.kind.value, fault.expected, fault.said, fault.detail, fix)
