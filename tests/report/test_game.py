"""A game's page: every move in words and in the replay's data, and nothing of it is markup."""

import json
from collections.abc import Callable, Iterator

import msgspec
import pytest

from arena.cards import NAMES
from arena.deals import Board
from arena.games.game import Decision, Game
from arena.match import start_game
from arena.protocol import Fault, FaultKind, Reply
from arena.record import FaultRecord, GameRecord
from arena.referee import Answer, Ask, unplayed
from arena.report import game as page
from arena.report.page import Page, Site
from tests.playing import GAMES, choose, picker, start
from tests.referee.test_play import honest, referee, setup_of
from tests.report.pages import HOSTILE, Reader

every_game = pytest.mark.parametrize("name", sorted(GAMES))
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
replace = msgspec.structs.replace


def render(record: GameRecord) -> bytes:
    def begin(board: Board) -> Game:
        return start_game(record.game, record.rules, board)

    site = Site("cup", (Page("index.html", "Leaderboard"),))
    content = {**page.content(record, begin), "links": []}
    return site.render("game.html", Page("games/1-1-0.html", "ann and bob"), content)


def read_moves(text: str, seats: int) -> Iterator[tuple[int, str, str]]:
    """Read the script's alphabet again: seat, sign and what follows; a card's sign is itself."""
    at = played = 0
    while at < len(text):
        seat, sign = int(text[at]), text[at + 1]
        played += sign.isalpha()
        follow = {"+": 2, "-": 2, "=": 1, ">": 4, "!": 0, ".": 0}.get(sign)
        if sign == "*":
            follow = 1 + 2 * int(text[at + 2])
        elif follow is None:
            follow = int(played % seats == 0)
        yield seat, sign, text[at + 2 : at + 2 + follow]
        at += 2 + follow


def play(
    name: str, bot: Callable[[Ask, Game], Answer], policy: str = "forfeit", hands: int = 2
) -> GameRecord:
    record = referee(setup_of(name, policy), start(name, max_hands=hands), bot).record
    return replace(record, rules={"max_hands": hands})


def saying(note: str) -> Callable[[Ask, Game], Answer]:
    pick = picker("notes")

    def bot(_: Ask, game: Game) -> Answer:
        return Answer(Reply(1, game.move_on_wire(choose(game, pick)), note), 1234)

    return bot


@every_game
def test_every_card_that_was_played_stands_in_the_text(name: str) -> None:
    record = play(name, honest(picker("page")))
    text = Reader(render(record)).text
    for hand in record.hands:
        part = text.split(f" Hand {hand.number} ")[-1].split(" Hand ")[0]
        for move in hand.moves:
            if move.decision is Decision.PLAY:
                assert isinstance(move.move, str)
                assert move.move in part
        assert part.count("*") == 13


@every_game
def test_the_replay_reads_back_as_the_moves_of_the_record(name: str) -> None:
    record = play(name, honest(picker("page")))
    data = json.loads(Reader(render(record)).data)
    assert len(data["names"]) == len(record.seats)
    for shown, hand in zip(data["hands"], record.hands, strict=True):
        assert shown["f"] == hand.first
        assert len(shown["t"]) == len(hand.moves)
        assert shown["e"] == [list(side or ()) for side in (hand.points, hand.bags, hand.scores)]
        moves = list(read_moves(shown["m"], len(record.seats)))
        assert [seat for seat, _, _ in moves] == [move.seat for move in hand.moves]
        won = [int(follow) for _, sign, follow in moves if sign.isalpha() and follow]
        assert tuple(won.count(seat) for seat in range(len(record.seats))) == hand.tricks
        for (_, sign, follow), move in zip(moves, hand.moves, strict=True):
            assert as_recorded(sign, follow) == move.move


def as_recorded(sign: str, follow: str) -> bool | int | str | list[str]:
    cards = [NAMES[LETTERS.index(letter)] for letter in (sign + follow) if letter.isalpha()]
    match sign:
        case "!" | "+":
            return True
        case "." | "-":
            return False
        case "=":
            return int(follow, 16)
        case "*":
            return cards[: int(follow[0])]
        case ">":
            return cards
    return cards[0]


@every_game
def test_the_replay_s_data_takes_half_a_kilobyte_a_hand(name: str) -> None:
    record = play(name, saying(""))
    assert len(Reader(render(record)).data) < 512 * len(record.hands)


@pytest.mark.parametrize(("name", "most"), [("two-player", 1000), ("partnership", 1250)])
def test_a_page_takes_about_a_kilobyte_a_hand_and_few_for_what_all_have(
    name: str, most: int
) -> None:
    short, long = (len(render(play(name, saying(""), hands=hands))) for hands in (2, 12))
    each = (long - short) / 10
    assert each < most
    assert short - 2 * each < 5000


@every_game
def test_a_page_stays_small_however_much_its_bots_write(name: str) -> None:
    note, short = (play(name, saying(said), hands=12) for said in ("w\x1b" * 250, "plain"))
    assert len(render(note)) < len(render(short)) + 100_000
    faulty = play(name, illegal("w\x1b" * 100), policy="substitute", hands=12)
    assert len(faulty.faults) > 500
    assert len(render(faulty)) < len(render(short)) + 150_000


def illegal(said: str) -> Callable[[Ask, Game], Answer]:
    fault = Fault(FaultKind.ILLEGAL, "one of KH, QH, JH", said, "it is not in the hand")
    return lambda _ask, _game: Answer(fault, 1234)


@every_game
@pytest.mark.parametrize("note", HOSTILE)
def test_a_hostile_note_is_shown_and_makes_no_element(name: str, note: str) -> None:
    honest_page, page = (Reader(render(play(name, saying(said)))) for said in ("plain", note))
    assert [tag for tag, _ in page.elements] == [tag for tag, _ in honest_page.elements]
    assert page.text.isprintable()
    assert page.data.isprintable()
    assert "<" not in page.data
    notes = json.loads(page.data)["hands"][0]["n"]
    assert all(len(shown) <= 6 * 500 for shown in notes.values())


@every_game
def test_a_fault_that_ended_the_game_is_told_above_and_in_its_hand(name: str) -> None:
    pick = picker("lost")

    def bot(_: Ask, game: Game) -> Answer:
        if pick(50) == 0:
            return Answer(Fault(FaultKind.ILLEGAL, "one of <2C>", "<b>", "no"), 5)
        return Answer(Reply(1, game.move_on_wire(choose(game, pick))), 5)

    record = play(name, bot)
    shown = Reader(render(record))
    assert record.result.reason == "fault"
    assert shown.text.count("expected one of <2C>; it said <b> (no)") == 2
    assert "by a fault of" in shown.text
    assert "The hand was cut short." in shown.text
    hand = json.loads(shown.data)["hands"][-1]
    assert list(hand["x"]) == [str(len(hand["t"]) + 1)]
    assert "e" not in hand


@every_game
def test_a_move_made_in_a_bot_s_place_says_so(name: str) -> None:
    pick = picker("moved on")

    def bot(_: Ask, game: Game) -> Answer:
        if pick(20) == 0:
            return Answer(Fault(FaultKind.TIMEOUT, "a move", "", ""), 5)
        return Answer(Reply(1, game.move_on_wire(choose(game, pick))), 5)

    record = play(name, bot, "substitute")
    data = json.loads(Reader(render(record)).data)
    for shown, hand in zip(data["hands"], record.hands, strict=True):
        substituted = [n for n, move in enumerate(hand.moves, 1) if move.substituted]
        assert shown.get("s", []) == substituted
        assert list(map(int, shown.get("x", {}))) == substituted


def test_equal_faults_of_a_seat_are_told_once_with_how_many_there_were() -> None:
    record = play("two-player", honest(picker("page")))
    faults = [
        FaultRecord(seat, FaultKind.ILLEGAL, decision, hand, "one of AS", f"  {hand}\n    KH", "")
        for hand in (2, 3, 3)
        for seat, decision in ((0, Decision.PLAY), (1, Decision.BID))
    ]
    shown = render(replace(record, faults=tuple(faults[:-1])))
    text = Reader(shown).text
    assert "illegal when asked for play, 3 times, first in hand 2: expected one of AS" in text
    assert "illegal when asked for bid, 2 times, first in hand 2:" in text
    assert text.split("Score sheet")[0].count("expected one of AS") == 2
    assert b'<span class="said">expected one of AS; it said   2\n    KH</span>' in shown


def test_a_game_that_never_started_has_a_page_without_a_replay() -> None:
    fault = Fault(FaultKind.STARTUP, "ready", "Traceback", "it never starts")
    setup = setup_of("two-player")
    void = unplayed(setup, "two-player", [(0, fault), (1, fault)]).record
    shown = Reader(render(void))
    assert "Void: both sides failed" in shown.text
    assert shown.text.count("startup at the start: expected ready; it said Traceback") == 2
    assert shown.data == ""
    lost = unplayed(setup, "two-player", [(0, fault)]).record
    assert "by a fault of" in Reader(render(lost)).text


def test_ends_of_a_game_are_told_in_words() -> None:
    record = play("two-player", honest(picker("page")))
    for winner, reason, words in (
        (0, "target", "won, 510 to −20, reaching the target in hand 2"),
        (1, "floor", "won, −20 to 510, at the floor in hand 2"),
        (None, "max_hands", "A draw, 510 to −20, in hand 2, the last."),
    ):
        result = replace(record.result, scores=(510, -20), winner=winner, reason=reason)
        assert words in page.outcome(replace(record, result=result))
