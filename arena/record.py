"""What travels and what is kept: the match spec, game and match records, results, their encoding.

It knows the shape of each and how to write it to the same bytes everywhere; it never knows how a
game is played or where a record is stored. A spec is plain data, so that a worker anywhere can
play it, and the same spec with deterministic bots gives the same record but for `us`.
"""

import hashlib
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from arena.games.game import Decision, WireMove
from arena.protocol import FaultKind, TimeControl

MOST = 10**9 - 1
"""The largest number of a match, a board, a round and a hand: nine digits, as in games' names."""
Number = Annotated[int, Meta(ge=0, le=MOST)]
Points = Annotated[int, Meta(ge=-MOST, le=MOST)]
Seat = Annotated[int, Meta(ge=0, le=3)]
Side = Annotated[int, Meta(ge=0, le=1)]
BothSides = Annotated[tuple[Points, ...], Meta(min_length=2, max_length=2)]
_A_YEAR = 10**6 * 3600 * 24 * 366
FORMAT = 1
"""The version of the game record's format."""
SIZE = {"unit": "bytes"}
"""Marks a whole number that people may write as a size: ``256MiB``."""


class BotRef(msgspec.Struct, frozen=True):
    """A bot by name, version and the digest of its folder (``sha256:…``)."""

    bot: str
    version: str
    digest: str


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one bot's sandbox may use. Bytes, cores, processes; `log` bytes of stderr are kept.

    `image`, `images` and `runtime` are Docker's: the image that bots run in, empty for the arena's
    own, the others that a bot may ask for, and the runtime that runs containers, empty for the
    engine's usual one (``runsc`` is gVisor).
    """

    memory: Annotated[int, Meta(ge=1024**2, le=1024**4, extra=SIZE)] = 256 * 1024**2
    cpus: Annotated[float, Meta(gt=0, le=1024)] = 1.0
    processes: Annotated[int, Meta(ge=1, le=10_000)] = 32
    scratch: Annotated[int, Meta(ge=0, le=1024**4, extra=SIZE)] = 16 * 1024**2
    log: Annotated[int, Meta(ge=0, le=32 * 1024**2, extra=SIZE)] = 64 * 1024
    freeze: bool = True
    image: Annotated[str, Meta(max_length=200)] = ""
    images: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=200)], ...], Meta(max_length=100)
    ] = ()
    runtime: Annotated[str, Meta(max_length=100)] = ""


class GivenBoard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Decks given in a file, for one board. Rules: D3."""

    board: int
    first: int
    decks: tuple[tuple[str, ...], ...]
    exchange: tuple[tuple[str, ...], ...] = ()


class FaultPolicy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a fault costs. Protocol: faults."""

    policy: Literal["forfeit", "substitute"] = "forfeit"
    limit: Annotated[int, Meta(ge=1, le=1_000_000)] = 10


class MatchSpec(msgspec.Struct, frozen=True):
    """One match to be played: `entrants` by side as they sit in sitting 0, over some boards.

    `seats` are the bots by seat in sitting 0; in sitting s every bot sits s seats further on.
    """

    match: int
    round: int
    game: str
    rules: dict[str, bool | int | str | None]
    seed: str
    boards: tuple[int, ...]
    sittings: int
    seats: tuple[BotRef, ...]
    time: TimeControl
    faults: FaultPolicy
    sandbox: str
    limits: Limits
    given: tuple[GivenBoard, ...] = ()

    def seated(self, sitting: int) -> tuple[BotRef, ...]:
        """Give the bots by seat in a sitting. Rules: D2. Protocol: transport."""
        turn = sitting % len(self.seats)
        return self.seats[-turn:] + self.seats[:-turn] if turn else self.seats


class MoveRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move as made; `us` are the bot's microseconds, `drawn` the cards an exchange brought."""

    seat: Seat
    decision: Decision
    move: WireMove
    us: Annotated[int, Meta(ge=0, le=_A_YEAR)] | None = None
    note: str = ""
    substituted: bool = False
    drawn: tuple[str, ...] | None = None


class HandRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A hand: `tricks` by seat, the rest by side; one cut short has moves and no results."""

    number: Number
    first: Seat
    deck: tuple[str, ...]
    moves: tuple[MoveRecord, ...]
    tricks: tuple[Number, ...] | None = None
    points: BothSides | None = None
    bags: BothSides | None = None
    scores: BothSides | None = None


class GameResult(msgspec.Struct, frozen=True):
    """How a game ended; `winner` is a side, None for a draw or a void game."""

    scores: BothSides
    winner: Side | None
    reason: str


class FaultRecord(msgspec.Struct, frozen=True):
    """A fault with the seat and the request it happened at; `decision` None: at start-up."""

    seat: Seat
    kind: FaultKind
    decision: Decision | None
    hand: Number
    expected: str
    said: str
    detail: str


class GameRecord(msgspec.Struct, frozen=True):
    """One game, enough to replay and to verify it."""

    format: int
    game: str
    rules: dict[str, bool | int | str | None]
    match: Number
    board: Number
    sitting: Seat
    seats: Annotated[tuple[BotRef, ...], Meta(min_length=2, max_length=4)]
    hands: tuple[HandRecord, ...]
    result: GameResult
    faults: tuple[FaultRecord, ...]


class SeatLog(msgspec.Struct, frozen=True):
    """What one process wrote to standard error, cut in the middle, with what it called itself."""

    sitting: int
    seat: int
    bot: str
    board: int
    """The board on which the process was started."""
    text: str
    says_name: str = ""
    says_version: str = ""


class MatchRecord(msgspec.Struct, frozen=True):
    """A played match: its games by board and sitting, its logs, and the sandbox it ran in."""

    match: int
    round: int
    games: tuple[GameRecord, ...]
    logs: tuple[SeatLog, ...]
    sandbox: str
    limits: Limits


class Result(msgspec.Struct, frozen=True):
    """One game's outcome for the ratings: the entrants of each side, and side 0's score.

    `score` is 1, 0.5 or 0 for side 0, None for a void game. `margin` is side 0's points less side
    1's in a finished game, None where a fault ended it. `faults` are (entrant, kind) pairs.
    """

    match: int
    round: int
    board: int
    sitting: int
    sides: tuple[tuple[str, ...], tuple[str, ...]]
    score: float | None
    margin: int | None
    faults: tuple[tuple[str, FaultKind], ...] = ()


class Delay(msgspec.Struct, frozen=True):
    """What a bot that answers at once was charged for `moves` moves, in microseconds.

    `jobs` matches were played at a time. Half of the moves took `p50` or less, 99 of 100 `p99`.
    """

    jobs: int
    moves: int
    p50: int
    p99: int
    most: int


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(GameRecord)


def encode_game(game: GameRecord, times: bool = True) -> bytes:
    """Write a game record as one JSON line without its newline; `times` False leaves `us` out."""
    return _ENCODER.encode(game if times else without_times(game))


def decode_game(line: bytes) -> GameRecord:
    """Read a game record. Raises `msgspec.ValidationError` with the place of what is wrong."""
    game = _DECODER.decode(line)
    for problem in _contradictions(game):
        raise msgspec.ValidationError(problem)
    return game


def _contradictions(game: GameRecord) -> Iterator[str]:
    """Say what of a record cannot be, whatever was played: readers go by seat and by side."""
    seats = len(game.seats)
    told = [fault.seat for fault in game.faults]
    for number, hand in enumerate(game.hands):
        told += [hand.first, *(move.seat for move in hand.moves)]
        results = (hand.tricks, hand.points, hand.bags, hand.scores)
        if len({result is None for result in results}) > 1:
            yield f"some of the results are missing - at `$.hands[{number}]`"
        elif hand.tricks is not None and len(hand.tricks) != seats:
            yield f"{len(hand.tricks)} for {seats} seats - at `$.hands[{number}].tricks`"
    if max(told, default=0) >= seats:
        yield f"seat {max(told)} is told of, and there are {seats} - at `$.seats`"
    if not game.hands and not game.faults:
        yield "neither a hand nor a fault is recorded - at `$.hands`"


def without_times(game: GameRecord) -> GameRecord:
    """Give the same record without the bots' microseconds, which no two runs share."""
    replace = msgspec.structs.replace
    hands = tuple(
        replace(hand, moves=tuple(replace(move, us=None) for move in hand.moves))
        for hand in game.hands
    )
    return replace(game, hands=hands)


def digest_game(game: GameRecord) -> str:
    """Give the SHA-256 of the record without `us`, as ``sha256:…``."""
    return "sha256:" + hashlib.sha256(encode_game(game, times=False)).hexdigest()


def to_result(game: GameRecord, round_number: int) -> Result:
    """Reduce a game to what the ratings need."""
    seats = game.seats
    sides = (_entrants(seats[0::2]), _entrants(seats[1::2]))
    winner, reason = game.result.winner, game.result.reason
    score = None if reason == "void" else {0: 1.0, 1: 0.0, None: 0.5}[winner]
    finished = reason not in ("fault", "void")
    margin = game.result.scores[0] - game.result.scores[1] if finished else None
    faults = tuple((seats[fault.seat].bot, fault.kind) for fault in game.faults)
    return Result(game.match, round_number, game.board, game.sitting, sides, score, margin, faults)


def _entrants(seats: tuple[BotRef, ...]) -> tuple[str, ...]:
    return tuple(sorted({ref.bot for ref in seats}))
