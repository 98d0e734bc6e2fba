"""The keys of a tournament's file as a page, made from the schema: ``python -m`` prints it.

It knows how a schema is put in words; what the keys mean, the page for organisers says.
"""

import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from arena.config.loading import GROUPS
from arena.config.schema import schema

_HEAD = """\
# Every key of a tournament's file

Made from the schema that the arena reads files by; `make fix` makes it again. What the keys mean
is told in [A tournament's file](tournaments.md), the options in [The rules](rules.md#options).
"""
_COLUMNS = "| key | takes | default |\n|---|---|---|"
_SIZES = (("MiB", 1 << 20), ("KiB", 1 << 10))


def reference() -> str:
    """Write the page."""
    found = schema()
    parts = msgspec.convert(found["$defs"], dict[str, dict[str, Any]])
    blocks = [_HEAD, _section("The file", parts["TournamentFile"])]
    for key in ("time", "faults", "sandbox", "rules", *GROUPS):
        for name in _named(parts["TournamentFile"]["properties"][key]):
            part = parts[name]
            kind = part["properties"].get("kind", {}).get("enum", [""])
            title = f"`{key}`: {kind[0]}" if key in GROUPS else f"`{key}`"
            if key == "rules":
                title = "`rules`, partnership" if "Partnership" in name else "`rules`, two-player"
            blocks.append(_section(title, part))
    return "\n".join(blocks).rstrip() + "\n"


def _named(node: Mapping[str, Any]) -> list[str]:
    """Give the names of the parts that a key refers to."""
    options = node.get("anyOf", [node])
    return [option["$ref"].rpartition("/")[2] for option in options]


def _section(title: str, part: Mapping[str, Any]) -> str:
    rows = [
        f"| `{key}` | {_takes(node)} | {_default(key, node, part)} |"
        for key, node in part["properties"].items()
    ]
    return f"## {title}\n\n{_COLUMNS}\n" + "\n".join(rows) + "\n"


def _takes(node: Mapping[str, Any]) -> str:
    """Say in words what a key takes."""
    if "enum" in node:
        return " or ".join(f"`{value}`" for value in node["enum"])
    if "anyOf" in node and "$ref" not in node["anyOf"][0]:
        return " or ".join(map(_takes, node["anyOf"]))
    kind = node.get("type")
    if kind is None:
        return "a group of keys, below"
    if kind == "array":
        return f"a list, each {_takes(node['items'])}"
    names = {
        "boolean": "`true` or `false`",
        "null": "`null`",
        "string": "a text",
        "integer": "a whole number",
        "number": "a number",
    }
    words = "a size such as `256MiB`" if isinstance(kind, list) else names[kind]
    return words + _bounds(node)


def _bounds(node: Mapping[str, Any]) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    above = node.get("exclusiveMinimum")
    if above is not None:
        return f" above {above:,}, at most {high:,}"
    if low is None or isinstance(node.get("type"), list):
        return ""
    return f" from {low:,} to {high:,}" if high is not None else f" from {low:,}"


def _default(key: str, node: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    if key in part.get("required", ()):
        return "needed"
    if "default" not in node or isinstance(node["default"], dict):
        return ""
    value = node["default"]
    if isinstance(node.get("type"), list):
        unit, size = next(one for one in _SIZES if value >= one[1] and value % one[1] == 0)
        return f"`{value // size}{unit}`"
    return f"`{msgspec.json.encode(value).decode()}`"


if __name__ == "__main__":
    sys.stdout.write(reference())
