"""A match between live bots: opens them, asks them what the referee wants to know, closes them.

It is the only room that holds running bots, and it knows nothing of who meets whom next or of
where records go. Protocol: transport, from the referee, faults.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from types import MappingProxyType, TracebackType
from typing import Self

import msgspec

from arena.bots import Bot
from arena.cards import parse_card
from arena.deals import Board, FixedBoard, SeededBoard, bot_seed
from arena.errors import InputError
from arena.games.game import Event, Game
from arena.plugins import GAMES, load_plugin
from arena.protocol import MAX_SAID, VERSION, End, Fault, FaultKind, Hello, Ready, readable
from arena.record import GameRecord, GivenBoard, MatchRecord, MatchSpec, SeatLog
from arena.referee import Answer, Ask, Asking, Played, Setup, UnplayableRecord, play_game, unplayed
from arena.sandbox import Launch, Sandbox, open_sandbox
from arena.session import Player, Session

GRACE = 1.0
"""Seconds that a bot has to go by itself after the `end` message."""


def play_match(
    spec: MatchSpec,
    bots: Mapping[str, Bot],
    sandbox: Sandbox | None = None,
    people: Mapping[int, Player] = MappingProxyType({}),
    *,
    after_game: Callable[[], None] = lambda: None,
) -> MatchRecord:
    """Play all boards of a match in all its sittings; `bots` are by digest, `people` by seat.

    `after_game` is called after each game, for whoever watches. Raises `HostFault` where this
    machine fails, and then nothing of the match counts.
    """
    sandbox = sandbox or open_sandbox(spec.sandbox, spec.limits)
    games: list[GameRecord] = []
    logs: list[SeatLog] = []
    for sitting in range(spec.sittings):
        with Sitting(spec, sitting, bots, sandbox, people) as table:
            for number in spec.boards:
                games.append(table.play(number))
                after_game()
        logs += table.logs
    games.sort(key=lambda game: (game.board, game.sitting))
    return MatchRecord(spec.match, spec.round, tuple(games), tuple(logs), sandbox.name, spec.limits)


def game_type(name: str) -> type[Game]:
    """Find a game by its name. Raises `InputError` for one that is not known."""
    found: type[Game] = load_plugin(GAMES, name)
    return found


def start_game(name: str, rules: Mapping[str, object], board: Board) -> Game:
    """Start a game by name, with its rules as plain values. Raises `InputError`."""
    game = game_type(name)
    return game(msgspec.convert(rules, game.rules_type), board)


def start_again(record: GameRecord, board: Board) -> Game:
    """Start a recorded game on a board. Raises `UnplayableRecord` where there is no such game."""
    try:
        return start_game(record.game, record.rules, board)
    except (InputError, msgspec.ValidationError) as error:
        raise UnplayableRecord(f"no such game: {error}") from error


def hello_to(spec: MatchSpec, sitting: int, seat: int, *, can_freeze: bool) -> Hello:
    """Write the first line to a seat's process."""
    return Hello(
        protocol=VERSION,
        game=spec.game,
        seat=seat,
        seats=len(spec.seats),
        sitting=sitting,
        boards=len(spec.boards),
        rules=_full_rules(spec),
        time=spec.time,
        freeze=spec.limits.freeze and can_freeze,
        seed=bot_seed(spec.seed, spec.boards[0], sitting, seat),
    )


def lay_out(seed: str, number: int, given: GivenBoard | None) -> Board:
    """Lay out a board: the given decks first, then the seed's. Rules: D1, D3."""
    seeded = SeededBoard(seed, number)
    if given is None:
        return seeded
    decks = [tuple(map(parse_card, deck)) for deck in given.decks]
    orders = [tuple(map(parse_card, order)) for order in given.exchange]
    return FixedBoard(number, given.first, decks, orders, seeded)


class Sitting:
    """All boards of a match in one seating, with a process for every seat.

    A process plays game after game until it is at fault; a fresh one then takes its place, for
    the next game, or at once where the referee moves in a bot's place.
    """

    def __init__(
        self,
        spec: MatchSpec,
        number: int,
        bots: Mapping[str, Bot],
        sandbox: Sandbox,
        people: Mapping[int, Player] = MappingProxyType({}),
    ) -> None:
        """Lay the table; nothing is started before the first game."""
        self._spec = spec
        self._number = number
        self._bots = bots
        self._sandbox = sandbox
        self._people = people
        self._refs = spec.seated(number)
        self._given = {given.board: given for given in spec.given}
        self._rules = _full_rules(spec)
        self._sessions: list[Player | None] = [None for _ in self._refs]
        self._started_on = [0 for _ in self._refs]
        self._said = [Ready() for _ in self._refs]
        self._untold: list[list[Event]] = [[] for _ in self._refs]
        self.logs: list[SeatLog] = []

    def __enter__(self) -> Self:
        """Give the table itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Send everyone home: with a farewell after a whole sitting, at once after a failure.

        All hear it before the first is waited for, so that they go at the same time. One that
        cannot be brought down, which is a host fault, keeps nobody else here.
        """
        seated = [(seat, session) for seat, session in enumerate(self._sessions) if session]
        with ExitStack() as everyone:
            for seat, _ in reversed(seated):
                everyone.callback(self._close, seat, GRACE if kind is None else 0.0)
            if kind is None:
                for seat, session in seated:
                    everyone.callback(session.farewell, End(self._untold[seat]), GRACE)

    def play(self, board: int) -> GameRecord:
        """Play one game, to its end or to the fault that ends it."""
        setup = Setup(
            match=self._spec.match,
            board=board,
            sitting=self._number,
            seats=self._refs,
            rules=self._rules,
            time=self._spec.time,
            policy=self._spec.faults.policy,
        )
        empty = [seat for seat, session in enumerate(self._sessions) if session is None]
        faults = self._seat(empty, board)
        if faults:
            played = unplayed(setup, self._spec.game, faults)
            told = [old + new for old, new in zip(self._untold, played.untold, strict=True)]
            self._untold = told
            return played.record
        laid_out = lay_out(self._spec.seed, board, self._given.get(board))
        game = start_game(self._spec.game, self._rules, laid_out)
        played = self._answer_all(play_game(setup, game, self._untold), board)
        self._untold = played.untold
        if self._spec.faults.policy == "forfeit":
            for fault in played.record.faults:
                self._close(fault.seat)
        return played.record

    def _answer_all(self, asking: Asking, board: int) -> Played:
        """Put the referee's questions to the bots until the game is over."""
        try:
            question = next(asking)
            while True:
                question = asking.send(self._answer(question, board))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]

    def _answer(self, question: Ask, board: int) -> Answer:
        seat = question.seat
        session = self._sessions[seat]
        if session is None:
            faults = self._seat([seat], board)
            if faults:
                return Answer(faults[0][1], 0)
            session = self._sessions[seat]
            assert session is not None
        reply, us = session.ask(question.request, question.seconds)
        if isinstance(reply, Fault) and not reply.kind.keeps_process:
            self._close(seat)
        return Answer(reply, us)

    def _seat(self, seats: Sequence[int], board: int) -> list[tuple[int, Fault]]:
        """Start processes for these seats, together; give those that do not get ready.

        Each has its own time from its own start, however long the others take.
        """
        faults = [fault for seat in seats for fault in self._unbuilt(seat)]
        seats = [seat for seat in seats if not self._unbuilt(seat)]
        for seat in seats:
            started = self._people.get(seat) or self._launch(seat)
            self._sessions[seat] = started
            self._started_on[seat] = board
            self._untold[seat] = []
            started.greet(self._hello(seat, started), self._spec.time.startup)
        for seat in seats:
            session = self._sessions[seat]
            assert session is not None
            ready = session.await_ready()
            if isinstance(ready, Fault):
                faults.append((seat, ready))
                self._close(seat)
            else:
                self._said[seat] = ready
        return faults

    def _launch(self, seat: int) -> Session:
        bot = self._bots[self._refs[seat].digest]
        launch = Launch(bot.command, bot.folder, bot.within(self._spec.limits))
        return Session(self._sandbox.launch(launch), self._spec.limits.log)

    def _unbuilt(self, seat: int) -> list[tuple[int, Fault]]:
        """Give the fault of a bot whose build failed, which is not even started."""
        unbuilt = self._bots[self._refs[seat].digest].unbuilt
        if unbuilt is None:
            return []
        ending, output = unbuilt
        said = readable(output.encode()[-MAX_SAID:])
        return [(seat, Fault(FaultKind.STARTUP, "a build that succeeds", said, f"build: {ending}"))]

    def _hello(self, seat: int, session: Player) -> Hello:
        return hello_to(self._spec, self._number, seat, can_freeze=session.can_freeze)

    def _close(self, seat: int, grace: float = 0.0) -> None:
        """End a seat's process and keep what it wrote to its log."""
        session = self._sessions[seat]
        if session is None:
            return
        self._sessions[seat] = None
        log = session.close(grace)
        said = self._said[seat]
        self.logs.append(
            SeatLog(
                sitting=self._number,
                seat=seat,
                bot=self._refs[seat].bot,
                board=self._started_on[seat],
                text=log.text,
                says_name=said.name,
                says_version=said.version,
            )
        )
        self._said[seat] = Ready()


def _full_rules(spec: MatchSpec) -> dict[str, bool | int | str | None]:
    """Spell every option in force out, defaults included."""
    rules = msgspec.convert(spec.rules, game_type(spec.game).rules_type)
    return msgspec.to_builtins(rules)  # type: ignore[no-any-return]
