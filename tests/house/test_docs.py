"""The documents say what the code does."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import msgspec
import pytest

from arena import builds, protocol, record
from arena.bots.judge import MAX_BYTES, MAX_DEPTH, MAX_FILES, MAX_NAME, MAX_PATH
from arena.bots.manifest import Manifest
from arena.bots.names import LONGEST_NAME, LONGEST_VERSION
from arena.cards import NAMES
from arena.config import load, resolved
from arena.config.loading import BY_KIND
from arena.config.reference import reference
from arena.config.tournament import TournamentFile
from arena.deals import SeededBoard
from arena.games.game import Decision, Event
from arena.games.partnership import PartnershipRules, PartnershipView
from arena.games.two_player import TwoPlayerRules, TwoPlayerView
from arena.ratings.trueskill import TrueSkillOptions
from tests.house.project import ROOT, Project


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)


def rows(text: str, heading: str) -> dict[str, list[str]]:
    """The table under a heading, by the words quoted in its first column."""
    section = re.split(rf"^#+ {re.escape(heading)}$", text, flags=re.MULTILINE)[1]
    section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
    found = {}
    for line in re.findall(r"^\|.*", section, re.MULTILINE):
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        for name in re.findall(r"`(\w+)`", cells[0]):
            found[name] = cells[1:]
    return found


def anchor(heading: str) -> str:
    """A heading's anchor, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_link_leads_somewhere(project: Project) -> None:
    broken = []
    for document in project.documents:
        prose = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.DOTALL | re.MULTILINE)
        for link in re.findall(r"\]\(([^)\s]+)\)", prose):
            if link.startswith("https://"):
                continue
            path, _, part = link.partition("#")
            target = (document.parent / path).resolve() if path else document
            if not target.exists():
                broken.append(f"{document.name}: {link}")
            elif part:
                headings = re.findall(r"^#+ (.*)$", target.read_text(), re.MULTILINE)
                if part not in map(anchor, headings):
                    broken.append(f"{document.name}: {link}")
    assert broken == []


def test_every_promise_is_held_by_tests_that_exist(project: Project) -> None:
    written = {function.name for source in project.tests for function in source.functions()}
    rows = [
        row.strip("|").split("|") for row in re.findall(r"^\| .*", page("testing.md"), re.MULTILINE)
    ]
    unheld = [
        what for what, tests in rows[1:] if not what.startswith(" **") and "`test_" not in tests
    ]
    assert unheld == []
    named = set(re.findall(r"`(test_\w+)`", page("testing.md")))
    assert named - written == set()


def test_every_kind_of_fault_has_its_row_and_its_advice() -> None:
    kinds = {kind.value for kind in protocol.FaultKind}
    assert set(rows(page("faults.md"), "Faults of a bot")) == kinds
    assert set(rows(page("protocol.md"), "Faults")) == kinds
    assert set(protocol.ADVICE) == set(protocol.FaultKind)


def test_every_option_has_its_row_with_its_default() -> None:
    options = rows(page("rules.md"), "Options")
    for rules, only in (
        (TwoPlayerRules, "two-player only"),
        (PartnershipRules, "partnership only"),
    ):
        other = PartnershipRules if rules is TwoPlayerRules else TwoPlayerRules
        for field in msgspec.structs.fields(rules):
            default, values = options[field.name][:2]
            spelt = json.dumps(field.default).strip('"')
            assert f"`{spelt}`" in default, field.name
            assert (only in values) == (field.name not in other.__struct_fields__), field.name
    assert set(options) == {*TwoPlayerRules.__struct_fields__, *PartnershipRules.__struct_fields__}


def test_every_decision_event_and_field_of_a_view_is_in_the_protocol_s_page() -> None:
    text = page("protocol.md")
    assert set(rows(text, "Decisions")) == {decision.value for decision in Decision}
    events = {kind.__struct_config__.tag: kind for kind in Event.__subclasses__()}
    told = rows(text, "Events")
    assert set(told) == set(events)
    for tag, kind in events.items():
        assert set(re.findall(r"`(\w+)`", told[str(tag)][0])) == set(kind.__struct_fields__), tag
    view = set(re.findall(r"`(\w+)`", text.split("## The view")[1].split("## Events")[0]))
    assert {*TwoPlayerView.__struct_fields__, *PartnershipView.__struct_fields__} <= view


def test_the_protocol_s_examples_are_messages_of_the_protocol() -> None:
    hello, request, end = blocks(page("protocol.md"), "json")
    told = msgspec.json.decode(hello, type=protocol.Hello, strict=True)
    assert told.rules == msgspec.to_builtins(TwoPlayerRules())
    assert told.time == protocol.TimeControl()
    asked = json.loads(request)
    assert set(asked) == {"type", *protocol.Request.__struct_fields__}
    assert set(asked["view"]) == set(TwoPlayerView.__struct_fields__) - {"drawn"}
    view = msgspec.convert(asked["view"], TwoPlayerView)
    assert asked["legal"] == [card for card in view.hand if card[1] == "H"]
    assert json.loads(end)["type"] == "end"


def test_the_limits_named_are_those_in_force() -> None:
    text = page("protocol.md")
    assert f"at most {protocol.MAX_LINE:,} bytes" in text
    assert f"of which {protocol.MAX_NOTE} characters are kept" in text
    assert f"`limit` faults, {record.FaultPolicy().limit} by default" in text
    assert f"| size | {MAX_BYTES >> 20} MiB |" in text
    assert f"| {MAX_FILES:,}, in at most {MAX_DEPTH} folders within each other |" in text
    assert f"UTF-8 of up to {MAX_NAME} bytes, {MAX_PATH:,} for a whole path" in text
    made = builds.LIMITS
    assert f"with {builds.ROOM >> 20} MiB for the copy, {made.scratch >> 20} MiB of `/tmp`" in text
    assert f"{made.memory >> 30} GiB of memory, {made.processes} processes" in text
    assert f"{builds.SECONDS:g} seconds" in text
    assert f"at most {LONGEST_NAME} and {LONGEST_VERSION} characters" in " ".join(text.split())
    limits = record.Limits()
    assert f"{limits.memory >> 20} MiB of memory, one core, {limits.processes} processes" in text
    assert f"{limits.scratch >> 20} MiB of scratch and {limits.log >> 10} KiB of log" in text
    assert limits.cpus == 1.0


def test_the_decks_printed_for_players_are_the_published_ones() -> None:
    printed = blocks(page("rules.md"), "text")[0].strip().split("\n\n")
    vectors = json.loads((ROOT / "tests" / "vectors" / "deals.json").read_text())
    assert len(printed) == len(vectors["decks"]) == 3
    for shown, given in zip(printed, vectors["decks"], strict=True):
        head, _, cards = shown.partition("\n")
        assert head == f"board {given['board']} hand {given['hand']}"
        assert cards.split() == given["deck"]


@pytest.mark.rule("D1")
def test_the_dealer_in_javascript_deals_the_first_published_deck(tmp_path: Path) -> None:
    script = tmp_path / "dealer.js"
    script.write_text(blocks(page("rules.md"), "javascript")[0])
    node = shutil.which("node")
    assert node is not None, "node is needed for this test, as for one of the bots"
    done = subprocess.run([node, script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [NAMES[card] for card in SeededBoard("2026", 1).deck(1)]


@pytest.mark.parametrize("document", ["README.md", "docs/protocol.md"])
def test_the_bots_printed_in_the_documents_answer_every_decision(document: str) -> None:
    (bot,) = blocks((ROOT / document).read_text(), "python")
    legal: dict[Decision, list[object]] = {
        Decision.BLIND_NIL: [False, True],
        Decision.DRAFT: [True, False],
        Decision.BID: list(range(14)),
        Decision.EXCHANGE: list(NAMES[:13]),
        Decision.PASS: list(NAMES[:13]),
        Decision.PLAY: list(NAMES[:2]),
    }
    asked = [
        {"type": "request", "id": number, "decision": decision.value, "legal": moves}
        for number, (decision, moves) in enumerate(legal.items(), 1)
    ]
    lines = [json.dumps(message) for message in [{"type": "hello"}, *asked, {"type": "end"}]]
    done = subprocess.run(
        [sys.executable, "-c", bot],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    ready, *replies = done.stdout.splitlines()
    assert protocol.parse_ready(ready.encode()) == protocol.Ready()
    for reply, (number, (decision, moves)) in zip(
        replies, enumerate(legal.items(), 1), strict=True
    ):
        answer = protocol.parse_reply(reply.encode(), number)
        assert isinstance(answer, protocol.Reply)
        if decision in (Decision.EXCHANGE, Decision.PASS):
            assert isinstance(answer.move, list)
            assert len(answer.move) == (3 if decision is Decision.PASS else 0)
        else:
            assert answer.move in moves


def test_every_key_of_a_manifest_has_its_row() -> None:
    told = rows(page("protocol.md"), "A bot's folder")
    assert set(told) == set(Manifest.__struct_fields__)
    for field in msgspec.structs.fields(Manifest):
        assert told[field.name][0] == ("yes" if field.required else "no"), field.name


def test_every_key_of_a_tournament_has_its_row_with_its_default() -> None:
    text = page("tournaments.md")
    assert set(rows(text, "Keys")) == {*TournamentFile.__struct_fields__, *BY_KIND}
    for heading, type_, more in (
        ("Keys", TournamentFile, set(BY_KIND)),
        ("Time", protocol.TimeControl, set()),
        ("Faults", record.FaultPolicy, set()),
        ("Sandbox", record.Limits, {"kind"}),
    ):
        told = rows(text, heading)
        assert set(told) == {*type_.__struct_fields__, *more}
        for field in msgspec.structs.fields(type_):
            default = told[field.name][0]
            if field.required:
                assert default == "needed", field.name
            elif isinstance(field.default, str | int | float):
                assert default == f"`{spelt(field.default)}`", field.name


def test_every_option_of_the_rating_has_its_row() -> None:
    assert set(rows(page("ratings.md"), "Options")) == set(TrueSkillOptions.__struct_fields__)


def test_every_promise_about_sandboxes_names_tests_that_are_there(project: Project) -> None:
    promises = re.findall(
        r"^\| (.*) \| (.*) \|$",
        page("security.md").split("## Promised")[1].split("## Not promised")[0],
        re.MULTILINE,
    )[2:]
    assert len(promises) >= 15
    for promise, tests in promises:
        named = re.findall(r"`(tests/\S+?)::(test_\w+)`", tests)
        assert named, promise
        for path, name in named:
            assert re.search(rf"\b{name}\b", (project.root / path).read_text()), f"{path}::{name}"


def spelt(value: float | str) -> str:
    """A default as people write it in YAML."""
    if isinstance(value, bool | str):
        return json.dumps(value).strip('"') or '""'
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if value >= size and value % size == 0:
            return f"{value // size}{unit}"
    return f"{value:g}"


def test_the_tournament_printed_for_organisers_has_all_keys_and_their_defaults(
    tmp_path: Path,
) -> None:
    (whole,) = blocks(page("tournaments.md"), "yaml")
    (short,) = (block for block in blocks(page_of_readme(), "yaml") if "format" in block)
    keys = re.findall(r"^(\w+):", whole, re.MULTILINE)
    assert set(keys) == set(rows(page("tournaments.md"), "Keys")) - {"seed", "deals"}
    tournaments = []
    for name, text in (("whole", whole), ("short", short)):
        for bot in ("anna", "bert"):
            folder = tmp_path / name / "bots" / bot
            folder.mkdir(parents=True)
            (folder / "bot.yaml").write_text(
                f"name: {bot}\nversion: '1'\ngames: [two-player]\ncommand: [python3]\nprotocol: 1\n"
            )
        file = tmp_path / name / "configs" / "cup.yaml"
        file.parent.mkdir()
        file.write_text(re.sub(r"^bots: .*$", "bots: [../bots/*]", text, flags=re.MULTILINE))
        tournaments.append(load(file))
    one, other = map(resolved, tournaments)
    assert one == other
    assert [tournament.name for tournament in tournaments] == ["spring-cup"] * 2


def page_of_readme() -> str:
    return (ROOT / "README.md").read_text()


def test_every_dependency_has_its_reason() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = [*wanted["dependencies"], *chain(*wanted["optional-dependencies"].values())]
    packages = {re.split(r"[^\w-]", one)[0] for one in named} - {"arena"}
    told = set(re.findall(r"^\| (.*?) \|", page("dependencies.md"), re.MULTILINE))
    assert packages - set(re.findall(r"`([\w-]+)`", " ".join(told))) == set()


def test_the_reference_of_all_keys_is_the_one_that_the_schema_makes() -> None:
    assert page("reference.md") == reference(), "make fix writes it anew"


def test_every_kind_of_fault_has_a_question_and_an_answer() -> None:
    asked = set(re.findall(r"^\*\*`(\w+)`", page("faq.md"), re.MULTILINE))
    assert asked == {kind.value for kind in protocol.FaultKind}
