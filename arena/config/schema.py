"""The JSON Schema of a tournament's file, for editors.

It knows all kinds on offer, and loads each to ask for its options; it never reads a file.
"""

from typing import Any

import msgspec
from msgspec import inspect

from arena.config.loading import AUTO, GROUPS
from arena.config.tournament import TournamentFile
from arena.games.game import Game
from arena.plugins import GAMES, SANDBOXES, load_plugin, plugins
from arena.record import SIZE, Limits

_PLACE = "#/$defs/{name}"


def schema() -> dict[str, object]:
    """Make the schema of the file, with every kind and its options."""
    rules = []
    for name in plugins(GAMES):
        game: type[Game] = load_plugin(GAMES, name)
        rules.append(game.rules_type)
    options = {
        key: {kind: load_plugin(group, kind).options_type for kind in plugins(group)}
        for key, (group, _) in GROUPS.items()
    }
    types = [
        TournamentFile,
        Limits,
        *rules,
        *(one for kinds in options.values() for one in kinds.values()),
    ]
    _, made = msgspec.json.schema_components(types, ref_template=_PLACE)
    parts = msgspec.json.decode(msgspec.json.encode(made))  # a default may be a tuple
    keys = parts[TournamentFile.__name__]["properties"]
    keys["rules"] = {"anyOf": [_refer(one) for one in rules]}
    keys["sandbox"] = _refer(Limits)
    _let_sizes_have_units(parts[Limits.__name__])
    _add_kind(parts[Limits.__name__], [AUTO, *plugins(SANDBOXES)], AUTO)
    for key, kinds in options.items():
        for kind, type_ in kinds.items():
            _add_kind(parts[type_.__name__], [kind], GROUPS[key][1])
        keys[key] = {"anyOf": [_refer(type_) for type_ in kinds.values()]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_refer(TournamentFile),
        "$defs": parts,
    }


def _refer(type_: type[msgspec.Struct]) -> dict[str, object]:
    return {"$ref": _PLACE.format(name=type_.__name__)}


def _let_sizes_have_units(part: dict[str, Any]) -> None:
    """Allow text for sizes; msgspec cannot say so, and the bounds are for whole numbers alone."""
    info = inspect.type_info(Limits)
    assert isinstance(info, inspect.StructType)
    for field in info.fields:
        if isinstance(field.type, inspect.Metadata) and field.type.extra == SIZE:
            part["properties"][field.name]["type"] = ["integer", "string"]


def _add_kind(part: dict[str, Any], kinds: list[str], default: str) -> None:
    """Put the key that chooses a kind beside the options of the kind."""
    part["properties"]["kind"] = {"enum": kinds, "default": default}
    if default not in kinds:
        part["required"] = [*part.get("required", []), "kind"]
