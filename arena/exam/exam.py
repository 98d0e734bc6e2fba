"""The exam itself: one stage after another, until a bot cannot go on.

It knows the order of the stages and what each asks of a bot; it never prints.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from arena.advice import start_advice
from arena.bots import Bot
from arena.builds import ready_bot
from arena.deals import SeededBoard
from arena.exam.findings import Finding, finding
from arena.exam.live import Examinee, ask_in_halves, launched
from arena.exam.opponent import move_of
from arena.exam.speed import Speed, speed
from arena.games.game import Decision, Event, Game, View
from arena.match import game_type, start_game
from arena.protocol import VERSION, Fault, FaultKind, Hello, Reply, Request, TimeControl
from arena.record import BotRef, Limits
from arena.referee import Answer, Ask, Setup, expected_moves, move_words, play_game
from arena.sandbox import Sandbox

MOST_FINDINGS = 3
"""Faults of one game that are told; the rest would be more of the same."""
SEED = "00000000000000000000000000000001"
BOT_SEED = 1


class Paper(msgspec.Struct, frozen=True):
    """One game of the exam: the bot's seat, the hands, and how it comes to the table.

    With `after_double_nil` its process takes a lost one's place, which had bid double nil.
    """

    seat: int
    hands: int
    after_double_nil: bool = False

    def instead(self, question: Ask) -> object | None:
        """Give the move that is not the bot's to make; None where it is to be asked."""
        if question.seat != self.seat:
            return move_of(question.request, is_partner=question.seat == self.seat + 2)
        is_bid_before = self.after_double_nil and question.request.decision is Decision.BLIND_NIL
        return True if is_bid_before else None


PAPERS = (
    ("", (Paper(0, 2), Paper(1, 2))),
    (
        ", after a double nil",
        (Paper(0, 1, after_double_nil=True), Paper(1, 1, after_double_nil=True)),
    ),
)
"""The games of each stage. Every decision comes up in them, and in partnership both sides of a
pass: the partner bids double nil in the second hand."""


class Stage(msgspec.Struct, frozen=True):
    """One stage: passed without findings."""

    name: str
    findings: tuple[Finding, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """What the exam found, `speed` where anything was answered, and the bot's own log.

    `late` are the requests that were not answered in time, which have no reply time.
    """

    bot: BotRef
    stages: tuple[Stage, ...]
    speed: Speed | None
    late: int
    log: str

    @property
    def passed(self) -> bool:
        """Tell whether nothing was found."""
        return not any(stage.findings for stage in self.stages)


def examine(
    bot: Bot, sandbox: Sandbox, time: TimeControl = TimeControl(), limits: Limits = Limits()
) -> Report:
    """Examine a bot whose folder was loaded. Raises `HostFault`, `InputError`, `OSError`."""
    with TemporaryDirectory(prefix="arena-exam-") as shelf:
        return _Exam(ready_bot(bot, Path(shelf), sandbox, limits), sandbox, time, limits).run()


class _Exam:
    def __init__(self, bot: Bot, sandbox: Sandbox, time: TimeControl, limits: Limits) -> None:
        self._bot, self._sandbox = bot, sandbox
        self._time, self._limits = time, limits
        self._stages = [Stage("manifest")]
        self._times: list[int] = []
        self._late = 0
        self._hands = 0
        self._log = ""

    def run(self) -> Report:
        if self._built():
            for name in self._bot.manifest.games:
                self._examine_in(name)
        times = speed(self._times, self._hands, self._time.move)
        return Report(self._bot.ref, tuple(self._stages), times, self._late, self._log)

    def _built(self) -> bool:
        if self._bot.unbuilt is not None:
            ending, output = self._bot.unbuilt
            by_hand = "run the build of bot.yaml by hand in the bot's folder; without network"
            fix = start_advice(output) or by_hand
            end = output.strip()[-800:]
            found = Finding("build", "startup", "a build that succeeds", end, ending, fix)
            self._stages.append(Stage("build", (found,)))
        elif self._bot.manifest.build is not None:
            self._stages.append(Stage("build"))
        return self._bot.unbuilt is None

    def _examine_in(self, name: str) -> None:
        """Play a game from each seat, and where that went well try what games seldom bring."""
        first = None
        for title, papers in PAPERS:
            found: list[Finding] = []
            for paper in papers:
                if not found:
                    found, asked = self._play(name, paper)
                    first = first or asked
            self._stages.append(Stage(f"{name}{title}", tuple(found)))
            if found:
                return
        if first is not None:
            self._halve(name, first)

    def _halve(self, name: str, request: Request[View]) -> None:
        """Ask once more, in halves of lines."""
        request.id = 1
        with launched(self._bot, self._sandbox, self._limits) as process:
            hello = self._hello(name, PAPERS[0][1][0], process.can_freeze)
            fault = ask_in_halves(process, hello, request)
        told = () if fault is None else (finding("a line that came in two halves", fault),)
        self._stages.append(Stage(f"{name}, lines in halves", told))

    def _play(self, name: str, paper: Paper) -> tuple[list[Finding], Request[View] | None]:
        """Play against the reference opponent; give what went wrong, and the first request."""
        examinee = Examinee(self._bot, self._sandbox, self._limits)
        try:
            hello = self._hello(name, paper, examinee.can_freeze)
            ready = examinee.start(hello)
            if isinstance(ready, Fault):
                return [finding("start-up", ready, examinee.kept_back)], None
            game = start_game(name, hello.rules, SeededBoard(SEED, 1))
            return self._answer_all(examinee, game, paper)
        finally:
            log = examinee.close()
            self._log = log or self._log

    def _answer_all(
        self, examinee: Examinee, game: Game, paper: Paper
    ) -> tuple[list[Finding], Request[View] | None]:
        setup = Setup(0, 1, 0, (self._bot.ref,) * game.seats, {}, self._time, "substitute")
        found: list[Finding] = []
        first: Request[View] | None = None
        untold: list[Event] = []
        asking = play_game(setup, game)
        try:
            question = next(asking)
            while len(found) < MOST_FINDINGS:
                move = paper.instead(question)
                if move is not None:
                    if question.seat == paper.seat:
                        untold += question.request.events
                    question = asking.send(Answer(Reply(0, move), 0))
                    continue
                question.request.events[:0] = untold
                untold = []
                first = first or question.request
                reply, us = examinee.ask(question.request, question.seconds)
                fault = reply if isinstance(reply, Fault) else _illegal(game, reply)
                self._note_time(fault, us)
                if fault is not None:
                    if found and fault.kind is FaultKind.UNSOLICITED:
                        break  # the rest of what was found before
                    found.append(_tell(examinee, question, fault))
                    if not fault.kind.keeps_process:
                        break
                question = asking.send(Answer(reply, us))
        except StopIteration:
            pass
        self._hands += game.hand
        return found, first

    def _note_time(self, fault: Fault | None, us: int) -> None:
        """Keep the time of an answer; where none came in time, there is none to keep."""
        if fault is None or fault.kind.keeps_process:
            self._times.append(us)
        elif fault.kind is FaultKind.TIMEOUT:
            self._late += 1

    def _hello(self, name: str, paper: Paper, can_freeze: bool) -> Hello:
        game = game_type(name)
        rules = msgspec.to_builtins(game.rules_type())
        rules |= {"max_hands": paper.hands}
        if "peek" in rules:
            rules["peek"] = paper.seat == 1
        freeze = can_freeze and self._limits.freeze
        sitting = paper.seat
        return Hello(
            VERSION, name, paper.seat, game.seats, sitting, 1, rules, self._time, freeze, BOT_SEED
        )


def _illegal(game: Game, reply: Reply) -> Fault | None:
    """Give the fault of a move that the rules do not allow here."""
    try:
        game.parse_move(reply.move)
    except ValueError as error:
        return Fault(FaultKind.ILLEGAL, expected_moves(game), move_words(reply.move), str(error))
    return None


def _tell(examinee: Examinee, question: Ask, fault: Fault) -> Finding:
    request = question.request
    where = (
        f"seat {question.seat}, hand {request.hand}, {request.decision.value}, request {request.id}"
    )
    return finding(where, fault, examinee.kept_back)
