"""The exam itself: one stage after another, until a bot cannot go on.

It knows the order of the stages and what each asks of a bot; it never prints.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from arena.bots import Bot
from arena.builds import ready_bot
from arena.deals import SeededBoard
from arena.exam.findings import Finding, finding
from arena.exam.live import Examinee, ask_in_halves, launched
from arena.exam.opponent import move_of
from arena.exam.speed import Speed, speed
from arena.games.game import Game, View
from arena.match import game_type, start_game
from arena.protocol import VERSION, Fault, FaultKind, Hello, Reply, Request, TimeControl
from arena.record import BotRef, Limits
from arena.referee import Answer, Ask, Setup, play_game
from arena.sandbox import Sandbox

HANDS = 4
"""Hands of the game that is played in each game a bot claims."""
MOST_FINDINGS = 3
"""Faults of one game that are told; the rest would be more of the same."""
SEED = "00000000000000000000000000000001"
BOT_SEED = 1


class Stage(msgspec.Struct, frozen=True):
    """One stage: passed without findings."""

    name: str
    findings: tuple[Finding, ...] = ()


class Report(msgspec.Struct, frozen=True):
    """What the exam found, `speed` where anything was answered, and the bot's own log."""

    bot: BotRef
    stages: tuple[Stage, ...]
    speed: Speed | None
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
        return _Exam(ready_bot(bot, Path(shelf), sandbox), sandbox, time, limits).run()


class _Exam:
    def __init__(self, bot: Bot, sandbox: Sandbox, time: TimeControl, limits: Limits) -> None:
        self._bot, self._sandbox = bot, sandbox
        self._time, self._limits = time, limits
        self._stages = [Stage("manifest")]
        self._times: list[int] = []
        self._hands = 0
        self._log = ""

    def run(self) -> Report:
        if self._built():
            for name in self._bot.manifest.games:
                self._examine_in(name)
        times = speed(self._times, self._hands, self._time.move)
        return Report(self._bot.ref, tuple(self._stages), times, self._log)

    def _built(self) -> bool:
        if self._bot.unbuilt is not None:
            ending, output = self._bot.unbuilt
            fix = "run the build of bot.yaml by hand in the bot's folder; without network"
            end = output.strip()[-800:]
            found = Finding("build", "startup", "a build that succeeds", end, ending, fix)
            self._stages.append(Stage("build", (found,)))
        elif self._bot.manifest.build is not None:
            self._stages.append(Stage("build"))
        return self._bot.unbuilt is None

    def _examine_in(self, name: str) -> None:
        """Play a game, and where that went well ask once more in halves of lines."""
        faults, first = self._play(name)
        self._stages.append(Stage(name, tuple(faults)))
        if faults or first is None:
            return
        first.id = 1
        with launched(self._bot, self._sandbox, self._limits) as process:
            fault = ask_in_halves(process, self._hello(name, process.can_freeze), first)
        stage = f"{name}, lines in halves"
        told = () if fault is None else (finding("a line that came in two halves", fault),)
        self._stages.append(Stage(stage, told))

    def _play(self, name: str) -> tuple[list[Finding], Request[View] | None]:
        """Play against the reference opponent; give what went wrong, and the first request."""
        examinee = Examinee(self._bot, self._sandbox, self._limits)
        try:
            hello = self._hello(name, examinee.can_freeze)
            ready = examinee.start(hello)
            if isinstance(ready, Fault):
                kept_back = ready.detail == "nothing came" and examinee.kept_back()
                return [finding("start-up", ready, kept_back)], None
            game = start_game(name, hello.rules, SeededBoard(SEED, 1))
            return self._answer_all(examinee, game)
        finally:
            log = examinee.close()
            self._log = log or self._log

    def _answer_all(
        self, examinee: Examinee, game: Game
    ) -> tuple[list[Finding], Request[View] | None]:
        setup = Setup(0, 1, 0, (self._bot.ref,) * game.seats, {}, self._time, "substitute")
        found: list[Finding] = []
        first: Request[View] | None = None
        asking = play_game(setup, game)
        try:
            question = next(asking)
            while len(found) < MOST_FINDINGS:
                if question.seat:
                    move = move_of(question.request, question.seat)
                    question = asking.send(Answer(Reply(0, move), 0))
                    continue
                first = first or question.request
                reply, us = examinee.ask(question.request, question.seconds)
                self._times.append(us)
                fault = reply if isinstance(reply, Fault) else _illegal(game, reply)
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

    def _hello(self, name: str, can_freeze: bool) -> Hello:
        game = game_type(name)
        rules = msgspec.to_builtins(game.rules_type())
        rules["max_hands"] = HANDS
        freeze = can_freeze and self._limits.freeze
        return Hello(VERSION, name, 0, game.seats, 0, 1, rules, self._time, freeze, BOT_SEED)


def _illegal(game: Game, reply: Reply) -> Fault | None:
    """Give the fault of a move that the rules do not allow here."""
    try:
        game.parse_move(reply.move)
    except ValueError as error:
        said = msgspec.json.encode(reply.move).decode()
        expected = f"one of {_listed(game.legal_on_wire())}"
        return Fault(FaultKind.ILLEGAL, expected, said, str(error))
    return None


def _listed(moves: Sequence[object]) -> str:
    return " ".join(msgspec.json.encode(move).decode() for move in moves)


def _tell(examinee: Examinee, question: Ask, fault: Fault) -> Finding:
    request = question.request
    where = f"hand {request.hand}, {request.decision.value}, request {request.id}"
    is_silent = fault.kind is FaultKind.TIMEOUT and fault.detail == "nothing came"
    return finding(where, fault, is_silent and examinee.kept_back())
