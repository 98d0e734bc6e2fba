"""Golden playthroughs: a text file a game and option, read by people and compared by a test.

``python -m tests.golden`` writes them anew; read the difference before you keep it.
"""

from pathlib import Path

from arena.cards import NAMES
from arena.games.game import Game
from tests.playing import choose, picker, start

FOLDER = Path(__file__).parent / "playthroughs"
_COMMON: dict[str, dict[str, object]] = {
    "default": {},
    "target": {"target": 60, "max_hands": 4},
    "floor": {"floor": -100, "max_hands": 4},
    "nil_points": {"nil_points": 50, "double_nil_points": 150},
    "no_double_nil": {"double_nil": False},
    "double_nil_deficit": {"double_nil_deficit": 30, "max_hands": 3},
    "bags": {"bag_points": 0, "bag_limit": 2, "bag_penalty": 30},
    "no_bag_limit": {"bag_limit": 0},
    "lead_spades_anytime": {"lead_spades": "anytime"},
}
_OWN: dict[str, dict[str, dict[str, object]]] = {
    "two-player": {"peek": {"peek": True}, "failed_nil_bags": {"failed_nil": "bags"}},
    "partnership": {
        "pass_back_blind": {"pass_back_blind": True},
        "max_side_bid": {"max_side_bid": 4},
        "failed_nil_none": {"failed_nil": "none"},
        "failed_nil_help": {"failed_nil": "help"},
    },
}
CASES = {
    f"{game}-{option}": (game, {"max_hands": 2, **rules})
    for game, own in _OWN.items()
    for option, rules in {**_COMMON, **own}.items()
}


def render(name: str) -> str:
    """Play a case through and write every question, choice and event down."""
    game_name, rules = CASES[name]
    game = start(game_name, None, **rules)
    lines = [f"{game_name}, board 1 of seed 2026", f"options: {rules}"]
    pick = picker(name)
    written = _write_events(game, 0, lines)
    while game.outcome is None:
        legal = " ".join(str(choice) for choice in game.legal_on_wire())
        move = choose(game, pick)
        wire = game.move_on_wire(move)
        lines.append(f"? seat {game.seat} {game.decision.value}: {legal} -> {wire}")
        game.apply(move)
        written = _write_events(game, written, lines)
    return "\n".join(lines) + "\n"


def _write_events(game: Game, start_at: int, lines: list[str]) -> int:
    for event in game.log[start_at:]:
        if type(event).__name__ == "HandStart":
            lines.append(f"\ndeck: {' '.join(NAMES[card] for card in game.deck)}")
        lines.append(str(event))
    return len(game.log)


def main() -> None:
    """Write every playthrough."""
    FOLDER.mkdir(exist_ok=True)
    for name in CASES:
        (FOLDER / f"{name}.txt").write_text(render(name), encoding="utf-8")


if __name__ == "__main__":
    main()
