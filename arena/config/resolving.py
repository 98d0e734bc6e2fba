"""A tournament as plain data, to be stored with its results and compared when it is resumed.

It knows which settings decide results; it never knows a store.
"""

import hashlib

import msgspec

from arena.config.tournament import Choice, Tournament


def resolved(tournament: Tournament) -> dict[str, object]:
    """Write all that decides the results as plain JSON, with every default spelt out.

    Left out are the seed, which is kept apart; the bots, which are entrants with a digest; the
    given decks, of which the digest stands there; and what may change between two sittings at the
    machine: the executor, the name and the folder of the results.
    """
    given = msgspec.json.encode(tournament.given)
    return {
        "game": tournament.game,
        "format": _choice(tournament.format),
        "boards": tournament.boards,
        "duplicate": tournament.duplicate,
        "partners": tournament.partners,
        "deals": "sha256:" + hashlib.sha256(given).hexdigest() if tournament.given else None,
        "rules": dict(tournament.rules),
        "time": msgspec.to_builtins(tournament.time),
        "faults": msgspec.to_builtins(tournament.faults),
        "sandbox": {
            "kind": tournament.sandbox,
            **msgspec.structs.asdict(tournament.limits),
            "images": list(tournament.limits.images),
        },
        "rating": _choice(tournament.rating),
    }


def _choice(choice: Choice) -> dict[str, object]:
    return {"kind": choice.kind, **msgspec.to_builtins(choice.options)}


def changes(before: dict[str, object], now: dict[str, object], path: str = "") -> list[str]:
    """Name each setting that differs, as ``rules.target: 500, now 600``."""
    found = []
    for key in dict.fromkeys([*before, *now]):
        old, new, name = before.get(key), now.get(key), f"{path}{key}"
        if isinstance(old, dict) and isinstance(new, dict):
            found += changes(old, new, f"{name}.")
        elif old != new:
            found.append(f"{name}: {_spelt(old)}, now {_spelt(new)}")
    return found


def _spelt(value: object) -> str:
    return "nothing" if value is None else msgspec.json.encode(value).decode().strip('"')
