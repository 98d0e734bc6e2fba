"""What every bot of `bots/` keeps to: legal moves only, the protocol's letter, the same again."""

import json
import shutil

import pytest

from arena.bots import load_bot
from arena.deals import SeededBoard
from arena.games.game import Decision, Game
from tests.bots.reference import BOTS, Json, converse, hello, load, play_game, request
from tests.playing import GAMES, start

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
PYTHON = ["random", "cautious"]
ALL = [*PYTHON, "brisk", pytest.param("counter", marks=needs_node)]

OPTIONS: list[tuple[str, dict[str, object]]] = [
    ("two-player", {}),
    ("two-player", {"peek": True, "bag_limit": 0, "failed_nil": "bags"}),
    ("two-player", {"lead_spades": "anytime", "double_nil": False, "bag_points": 0}),
    ("partnership", {}),
    ("partnership", {"pass_back_blind": True, "max_side_bid": 3, "failed_nil": "none"}),
    ("partnership", {"failed_nil": "help", "double_nil_deficit": 100, "nil_points": 0}),
]


def conversation(name: str, rules: dict[str, object], boards: range, seat: int = 0) -> list[Json]:
    """What a seat is told and asked over some games in which everyone plays at random."""
    random = load("random")
    messages: list[Json] = []
    for board in boards:
        game = start(name, SeededBoard("reference", board), **{"max_hands": 3, **rules})
        if not messages:
            messages.append(hello(game, seat, rules=rules))
        memories = [random.remember(hello(game, one, board + one)) for one in range(game.seats)]
        told = 0
        while game.outcome is None:
            if game.seat == seat:
                messages.append(request(game, len(messages), told))
                told = len(game.log)
            move = random.choose(request(game), memories[game.seat])
            game.apply(game.parse_move(move))
    return messages


def is_legal(asked: Json, move: object) -> bool:
    """Judge a move by the request alone."""
    legal = asked["legal"]
    assert isinstance(legal, list)
    if asked["decision"] in ("exchange", "pass"):
        sizes = (3,) if asked["decision"] == "pass" else (0, 1, 2, 3)
        return (
            isinstance(move, list)
            and len(move) in sizes
            and len(set(move)) == len(move)
            and set(move) <= set(legal)
        )
    return move in legal and type(move) is type(legal[0])


@pytest.mark.parametrize("bot", sorted(path.name for path in BOTS.iterdir() if path.is_dir()))
def test_a_reference_bot_is_a_folder_that_a_stranger_could_have_sent(bot: str) -> None:
    manifest = load_bot(BOTS / bot).manifest
    assert manifest.name == bot
    assert set(manifest.games) == set(GAMES)
    assert (BOTS / bot / "README.md").is_file()


@pytest.mark.parametrize("bot", PYTHON)
@pytest.mark.parametrize(("name", "rules"), OPTIONS)
def test_any_position_is_answered_with_a_legal_move(
    bot: str, name: str, rules: dict[str, object]
) -> None:
    """Everyone plays at random, so positions come up that no careful bot gets into."""
    asked, random = load(bot), load("random")
    decisions = set()
    for board in range(1, 4):
        game = start(name, SeededBoard("reference", board), **{"max_hands": 5, **rules})
        seats = range(game.seats)
        memories = [asked.remember(hello(game, seat, rules=rules)) for seat in seats]
        chances = [random.remember(hello(game, seat, 50 * board + seat)) for seat in seats]
        while game.outcome is None:
            asking = request(game)
            decisions.add(game.decision)
            game.parse_move(asked.choose(asking, memories[game.seat]))  # raises where illegal
            game.apply(game.parse_move(random.choose(asking, chances[game.seat])))
    assert {Decision.BID, Decision.PLAY} <= decisions


@pytest.mark.parametrize("bot", ALL)
@pytest.mark.parametrize(("name", "rules"), OPTIONS)
def test_a_bot_answers_each_line_with_one_legal_line_and_nothing_else(
    bot: str, name: str, rules: dict[str, object]
) -> None:
    messages = conversation(name, rules, range(1, 3))
    done = converse(bot, [*messages, {"type": "end", "events": []}])
    assert (done.returncode, done.stderr) == (0, "")
    ready, *replies = map(json.loads, done.stdout.splitlines())
    assert ready["type"] == "ready"
    assert len(replies) == len(messages) - 1
    for asked, reply in zip(messages[1:], replies, strict=True):
        assert reply["id"] == asked["id"]
        assert is_legal(asked, reply["move"]), (asked, reply)


@pytest.mark.parametrize("bot", ALL)
def test_a_bot_goes_when_its_input_closes(bot: str) -> None:
    done = converse(bot, conversation("two-player", {"max_hands": 1}, range(1, 2)))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("bot", ALL)
@pytest.mark.parametrize("name", GAMES)
def test_a_bot_passes_over_what_a_later_version_may_add(bot: str, name: str) -> None:
    plain = conversation(name, {}, range(1, 2))
    richer = json.loads(json.dumps(plain))
    richer[0]["weather"] = richer[0]["rules"]["moon_points"] = 500
    for message in richer[1:]:
        message["colour"] = message["view"]["weather"] = {"a": [1]}
        message["events"] = [
            {"event": "thunder", "seat": 9, "cards": ["XX"]},
            *({**event, "mood": None} for event in message["events"]),
        ]
    richer.insert(1, {"type": "greeting", "text": "hello"})
    assert converse(bot, richer).stdout == converse(bot, plain).stdout


@pytest.mark.parametrize("bot", ALL)
@pytest.mark.parametrize("name", GAMES)
def test_the_same_sitting_gets_the_same_moves(bot: str, name: str) -> None:
    messages = conversation(name, {}, range(1, 2), seat=1)
    assert converse(bot, messages).stdout == converse(bot, messages).stdout


@pytest.mark.parametrize("name", GAMES)
def test_random_makes_every_kind_of_decision_come_up(name: str) -> None:
    met = set()

    def look(game: Game) -> None:
        met.add(game.decision)

    bot = load("random")
    play_game(name, 1, (bot, bot), look)
    other = Decision.PASS if name == "two-player" else Decision.EXCHANGE
    without = {other} if name == "two-player" else {other, Decision.DRAFT}
    assert met == set(Decision) - without


@pytest.mark.parametrize("name", GAMES)
def test_cautious_beats_random(name: str) -> None:
    cautious, random = load("cautious"), load("random")
    for board in range(1, 6):
        for sitting in (0, 1):
            sides = (cautious, random) if sitting == 0 else (random, cautious)
            outcome = play_game(name, board, sides).outcome
            assert outcome is not None
            assert outcome.winner == sitting
