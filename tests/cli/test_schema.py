"""The schemas that are printed are of what is really written and read."""

import json
import re
from typing import Any

import pytest

from arena.games.game import Event
from tests.cli.conftest import Call
from tests.cli.workspace import ROOT, Workspace


def printed(call: Call, workspace: Workspace, what: str) -> dict[str, Any]:
    code, out, errors = call(workspace, "schema", what)
    assert (code, errors) == (0, "")
    found: dict[str, Any] = json.loads(out)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    return found


@pytest.mark.parametrize("what", ["bot", "config", "protocol", "record"])
def test_every_reference_of_a_schema_leads_to_a_part(
    call: Call, workspace: Workspace, what: str
) -> None:
    found = printed(call, workspace, what)
    for name in re.findall(r'"#/\$defs/([^"]+)"', json.dumps(found)):
        assert name in found["$defs"]


def test_the_messages_of_the_documents_are_as_the_schema_has_them(
    call: Call, workspace: Workspace
) -> None:
    found = printed(call, workspace, "protocol")
    parts = found["$defs"]
    page = (ROOT / "docs" / "protocol.md").read_text()
    for text in re.findall(r'```json\n(\{"type".*?)```', page, re.DOTALL):
        message = json.loads(text)
        fits = [
            part
            for part in parts.values()
            if part.get("properties", {}).get("type", {}).get("enum") == [message["type"]]
            and message.keys() <= part["properties"].keys()
            and set(part["required"]) <= message.keys()
        ]
        assert fits, message
    assert parts["Reply"]["required"] == ["id", "move"]
    assert len(parts["Event"]["anyOf"]) == len(Event.__subclasses__())


def test_an_unknown_schema_is_answered_with_the_nearest(call: Call, workspace: Workspace) -> None:
    code, out, errors = call(workspace, "schema", "protocl")
    assert (code, out) == (2, "")
    assert "protocol" in errors
