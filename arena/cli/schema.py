"""The command that prints JSON Schemas: `schema`.

It knows which types stand in which file or on the wire; it never reads one.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

import msgspec
import typer

from arena.bots.manifest import Manifest
from arena.cli.options import one_of
from arena.cli.terminal import write_bytes
from arena.config import schema as config_schema
from arena.games.game import Event
from arena.games.partnership import PartnershipView
from arena.games.two_player import TwoPlayerView
from arena.protocol import End, Hello, Ready, Reply, Request
from arena.record import GameRecord

_PLACE = "#/$defs/{name}"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_MESSAGES = (Hello, Request[TwoPlayerView], Request[PartnershipView], End, Ready, Reply)


_ANY = {"description": "any JSON value"}


def _of(*types: object, events: Sequence[type[Event]] = ()) -> dict[str, object]:
    """Make the schema of what is one of some types; an event in it is one of these."""
    places, parts = msgspec.json.schema_components(
        (*types, *events), schema_hook=lambda _: _ANY, ref_template=_PLACE
    )
    if events:
        parts[Event.__name__] = {"anyOf": list(places[len(types) :])}
    return {"$schema": _DIALECT, "anyOf": list(places[: len(types)]), "$defs": parts}


SCHEMAS: dict[str, Callable[[], dict[str, object]]] = {
    "bot": partial(_of, Manifest),
    "config": config_schema,
    "protocol": partial(_of, *_MESSAGES, events=Event.__subclasses__()),
    "record": partial(_of, GameRecord),
}
"""What there is a schema of, and how it is made."""


def schema(
    what: Annotated[
        str,
        typer.Argument(
            metavar="|".join(SCHEMAS),
            callback=one_of(tuple(SCHEMAS)),
            autocompletion=lambda: list(SCHEMAS),
            help="bot.yaml, a tournament's file, the messages, or a line of an export.",
        ),
    ] = "config",
) -> None:
    """Print the JSON Schema of a file or of the messages, for editors and programs."""
    write_bytes(msgspec.json.format(msgspec.json.encode(SCHEMAS[what]())) + b"\n")
