"""Strict YAML: every trap does what its writer meant, or is refused with place and remedy."""

from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Meta

from arena.documents import MAX_BYTES, open_document, read
from arena.errors import InputError, Problem


def refuse_spaces(text: str) -> tuple[str, str] | None:
    return ("holds a space", f"write {text.replace(' ', '-')}") if " " in text else None


class Clock(msgspec.Struct, frozen=True):
    startup: Annotated[float, Meta(gt=0, le=3600)] = 10.0
    ratio: Annotated[float, Meta(lt=1)] = 0.5
    grace: float = 1.0


class Ends(msgspec.Struct, frozen=True):
    hands: int | None = 100
    floor: int | None = None

    def __post_init__(self) -> None:
        if self.hands is None and self.floor is None:
            raise ValueError("a game without an end")


class Cup(msgspec.Struct, frozen=True):
    name: Annotated[str, Meta(max_length=20, extra={"check": refuse_spaces})]
    boards: Annotated[int, Meta(ge=1, le=100_000)] = 20
    duplicate: bool = True
    seed: int | str | None = None
    policy: Literal["forfeit", "substitute"] = "forfeit"
    protocol: Literal[1] = 1
    strict: Literal[True] = True
    memory: Annotated[int, Meta(ge=1 << 20, le=1 << 40, extra={"unit": "bytes"})] = 1 << 28
    log: Annotated[int, Meta(ge=0, extra={"unit": "bytes"})] | None = None
    cache: Annotated[int, Meta(ge=0, extra={"unit": "bytes"})] | Literal["none"] = "none"
    jobs: Annotated[int, Meta(ge=1)] | Literal["auto"] = "auto"
    bots: Annotated[tuple[str, ...], Meta(min_length=1, max_length=3)] = ("a",)
    lists: list[list[int]] = []
    title: Annotated[str, Meta(min_length=3, pattern="^[a-z]*$")] = "cup"
    time: Clock = Clock()
    ends: Ends = Ends()


def told(text: str | bytes, type_: type[msgspec.Struct] = Cup) -> str:
    """What is said of a text that is refused."""
    with pytest.raises(InputError) as refused:
        read(text, "f.yaml", type_)
    return str(refused.value)


def value(key: str, text: str) -> object:
    """What is read for a key."""
    head = "" if key == "name" else "name: cup\n"
    return getattr(read(f"{head}{key}: {text}\n", "f.yaml", Cup), key)


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("name", "1.10", "1.10"),
        ("name", "010", "010"),
        ("name", "1e3", "1e3"),
        ("name", "no", "no"),
        ("name", "true", "true"),
        ("name", "2026-01-01", "2026-01-01"),
        ("name", "12:30", "12:30"),
        ("name", "'null'", "null"),
        ("name", "zoë  # who", "zoë"),
        ("boards", "+5", 5),
        ("boards", "0x10", 16),
        ("boards", "0o17", 15),
        ("duplicate", "false", False),
        ("duplicate", "False", False),
        ("duplicate", "TRUE", True),
        ("seed", "12", 12),
        ("seed", "-5", -5),
        ("seed", "340282366920938463463374607431768211455", (1 << 128) - 1),
        ("seed", "abc", "abc"),
        ("seed", "yes", "yes"),
        ("seed", "'010'", "010"),
        ("seed", "2026-01-01", "2026-01-01"),
        ("seed", "null", None),
        ("seed", "~", None),
        ("seed", "", None),
        ("policy", "substitute", "substitute"),
        ("policy", "'forfeit'", "forfeit"),
        ("protocol", "1", 1),
        ("strict", "true", True),
        ("memory", "256MiB", 256 << 20),
        ("memory", "'16 MiB'", 16 << 20),
        ("memory", "1.5GiB", 3 << 29),
        ("memory", "1048576", 1 << 20),
        ("log", "64KiB", 1 << 16),
        ("log", "12B", 12),
        ("log", "~", None),
        ("cache", "1KiB", 1024),
        ("cache", "none", "none"),
        ("jobs", "auto", "auto"),
        ("jobs", "4", 4),
        ("bots", "[a, '*', b]", ("a", "*", "b")),
        ("bots", "\n- a\n- b", ("a", "b")),
        ("lists", "[[1], []]", [[1], []]),
        ("time", "{startup: 5}", Clock(startup=5.0)),
        ("time", "{startup: 1e2, ratio: -.5}", Clock(startup=100.0, ratio=-0.5)),
        ("ends", "{hands: null, floor: -500}", Ends(None, -500)),
    ],
)
def test_a_word_is_read_as_the_type_that_is_wanted(key: str, text: str, expected: object) -> None:
    found = value(key, text)
    assert found == expected
    assert type(found) is type(expected)


# What PyYAML says, and what to do about it.
NO_TOKEN = "found character '@' that cannot start any token"
NO_MAPPING = "mapping values are not allowed here"
NO_COLON = "could not find expected ':'"
NO_SEQUENCE = "sequence entries are not allowed here"
OPEN_LIST = "expected ',' or ']', but got ':'"
OPEN_TEXT = "found unexpected end of stream"
ALIAS = "'*' begins an alias here; put text that starts with it in quotation marks"
NO_ALIASES = "aliases are not read here; write the value out, or '*a' if it is text"
SIGN = "put text that starts with a sign in quotation marks"
CLOSE = "close the bracket or quotation mark that is opened on line"
INDENT = "check the indentation, and put text that holds ': ' in quotation marks"
SPACE = "each line is `key: value`, with a space behind the colon"
OWN_LINE = "put each '- ' on a line of its own"

BOARDS = "a whole number from 1 to 100000 is expected, not "
SIZE = "a size from 1MiB to 1024GiB is expected, not "
START = "a number above 0 to 3600 is expected, not "
DUPLICATE = "true or false is expected, not "
POLICY = "forfeit or substitute is expected, not "
JOBS = "a whole number from 1 or auto is expected, not "
NOTHING = "there is no value; write one, or remove it"
QUOTE = "can be read in two ways; put it in quotation marks if it is text: "


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("boards", "0", BOARDS + "0"),
        ("boards", "100001", BOARDS + "100001"),
        ("boards", "9" * 5000, BOARDS + "'" + "9" * 39 + "…'"),
        ("boards", "1e3", BOARDS + "1e3; write 1000"),
        ("boards", "5.0", BOARDS + "5.0; write 5"),
        ("boards", "5.5", BOARDS + "5.5"),
        ("boards", "1e400", BOARDS + "1e400"),
        ("boards", "010", BOARDS + "010; write 10"),
        ("boards", "-3.0", BOARDS + "-3.0"),
        ("boards", "'0'", BOARDS + "'0'"),
        ("boards", "[0]", BOARDS + "a list"),
        ("memory", "0.5MiB", SIZE + "0.5MiB"),
        ("memory", "'1025gb'", SIZE + "'1025gb'"),
        ("boards", "1_000", BOARDS + "1_000; write 1000"),
        ("boards", "'1,000'", BOARDS + "'1,000'; write 1000"),
        ("boards", "1:30", BOARDS + "1:30; write 90"),
        ("boards", "2026-01-01", BOARDS + "2026-01-01"),
        ("boards", "'5'", BOARDS + "'5'; write it without quotation marks"),
        ("boards", "٣", BOARDS + "٣"),
        ("boards", "''", BOARDS + "''"),
        ("boards", "[5]", BOARDS + "a list; write 5 without brackets"),
        ("boards", "[5, 6]", BOARDS + "a list"),
        ("boards", "{a: 1}", BOARDS + "a group of keys"),
        ("boards", "", NOTHING),
        ("boards", "null", NOTHING),
        ("duplicate", "yes", "true or false is expected, not yes; write true"),
        ("duplicate", "Off", "true or false is expected, not Off; write false"),
        ("duplicate", "'true'", "true or false is expected, not 'true'; write true"),
        ("duplicate", "1", "true or false is expected, not 1; write true"),
        ("duplicate", "maybe", "true or false is expected, not maybe"),
        ("seed", "010", f"010 {QUOTE}'010'"),
        ("seed", "1e3", f"1e3 {QUOTE}'1e3'"),
        ("seed", ".nan", f".nan {QUOTE}'.nan'"),
        ("seed", "-.Inf", f"-.Inf {QUOTE}'-.Inf'"),
        ("seed", "true", f"true {QUOTE}'true'"),
        ("seed", "[1]", "a whole number or text is expected, not a list; write 1 without brackets"),
        ("policy", "forfiet", POLICY + "forfiet; did you mean 'forfeit'?"),
        ("policy", "[forfeit]", POLICY + "a list; write forfeit without brackets"),
        ("policy", "[forfiet]", POLICY + "a list; did you mean 'forfeit'?"),
        ("policy", "[a]", POLICY + "a list"),
        ("duplicate", "[yes]", DUPLICATE + "a list; write true"),
        ("duplicate", "[true]", DUPLICATE + "a list; write true without brackets"),
        ("boards", "[1e3]", BOARDS + "a list; write 1000"),
        ("boards", "[five]", BOARDS + "a list"),
        ("policy", "yes", POLICY + "yes"),
        ("protocol", "2", "1 is expected, not 2"),
        ("protocol", "'1'", "1 is expected, not '1'; write it without quotation marks"),
        ("strict", "yes", "True is expected, not yes"),
        ("memory", "256MB", SIZE + "256MB; write 256MiB"),
        ("memory", "256m", SIZE + "256m; write 256MiB"),
        ("memory", "5", SIZE + "5"),
        ("memory", "2TiB", SIZE + "2TiB"),
        ("memory", "", NOTHING),
        ("memory", "[2MiB]", SIZE + "a list; write 2MiB without brackets"),
        ("log", "0.3B", "a size from 0 is expected, not 0.3B"),
        ("cache", "1KB", "a size from 0 or none is expected, not 1KB; write 1KiB"),
        ("jobs", "0", JOBS + "0"),
        ("jobs", "atuo", JOBS + "atuo; did you mean 'auto'?"),
        ("jobs", "04", JOBS + "04; write 4"),
        ("bots", "a", "a list is expected, not a; write [a]"),
        ("bots", "node a.js", "a list is expected, not node a.js; write [node, a.js]"),
        ("bots", "[]", "0 given, and at least 1 needed"),
        ("bots", "[a, b, c, d]", "4 given, and at most 3 allowed"),
        ("title", "Cup", "'Cup' is not of the form ^[a-z]*$"),
        ("title", "cu", "has under 3 characters"),
        ("title", "''", "is empty"),
        ("time", "5", "a group of keys is expected, not 5; write {startup: …}"),
        ("time", "[]", "a group of keys is expected, not a list"),
        ("ends", "{hands: null}", "a game without an end"),
    ],
)  # fmt: skip
def test_what_fits_no_type_is_refused_with_its_remedy(key: str, text: str, message: str) -> None:
    assert told(f"name: cup\n{key}: {text}\n") == f"f.yaml:2: {key}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("startup: 0", f"startup: {START}0"),
        ("startup: 1s", f"startup: {START}1s; write 1"),
        ("startup: 100ms", f"startup: {START}100ms; write 0.1"),
        ("startup: 2 min", f"startup: {START}2 min; write 120"),
        ("startup: 1:30", f"startup: {START}1:30; write 90"),
        ("startup: 010", f"startup: {START}010; write 10"),
        ("startup: .inf", f"startup: {START}.inf"),
        ("startup: .nan", f"startup: {START}.nan"),
        ("startup: 1e999", f"startup: {START}1e999"),
        ("startup: 0.0", f"startup: {START}0.0"),
        ("startup: 61 min", f"startup: {START}61 min"),
        ("startup: '1'", f"startup: {START}'1'; write it without quotation marks"),
        ("ratio: 1", "ratio: a number below 1 is expected, not 1"),
        ("grace: x", "grace: a number is expected, not x"),
        ("grace: " + "9" * 101 + ".5x", "grace: a number is expected, not '" + "9" * 39 + "…'"),
        (
            "startup:5",
            "startup:5: unknown key; write startup: 5, with a space behind the colon",
        ),
        ("strtup: 5", "strtup: unknown key; did you mean 'startup'?"),
    ],
)
def test_a_fault_deep_inside_has_the_way_to_it(text: str, message: str) -> None:
    assert told(f"name: cup\ntime: {{{text}}}\n") == f"f.yaml:2: time.{message}"
    assert told(f"name: cup\ntime:\n  {text}\n").startswith("f.yaml:3: ") or ":5" in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1: the file is empty"),
        ("# nothing\n", ":2: the file is empty"),
        ("---\n...\n", ":2: the file is empty"),
        ("~", ":1: the file is empty"),
        ("cup", ":1: a group of keys is expected, not cup; write {name: …}"),
        ("[cup]", ":1: a group of keys is expected, not a list"),
        ("boards: 3", ":1: name: is missing"),
        ("name: a b", ":1: name: holds a space; write a-b"),
        ("name: " + "x" * 21, ":1: name: has 21 characters, and at most 20 are allowed"),
        ("name: [cup]", ":1: name: text is expected, not a list; write cup without brackets"),
        ("name:", f":1: name: {NOTHING}"),
        ("name: cup\nname: cup", ":2: name: stands twice, first on line 1; keep one of them"),
        ("name: cup\ntrue: 1", ":2: true is a value, where a key is expected; write `key: value`"),
        ("name: cup\n---\nname: cup", ":2: a second document begins; keep one"),
        ("%YAML 1.1\n---\nname: cup", ":1: directives are not read here; remove the line"),
        ("%TAG ! x\n---\nname: cup", ":1: directives are not read here; remove the line"),
        (f"%YAML 1.{'1' * 5000}\n---\n", ":1: not YAML: an escape or a number that means nothing"),
        ("name: &a cup", ":1: name: anchors are not read here; remove &a"),
        ("name: !!str cup", ":1: name: tags are not read here; remove what begins with '!'"),
        ("name: !x cup", ":1: name: tags are not read here; remove what begins with '!'"),
        ("name: cup\n<<: {boards: 3}", ":2: merge keys are not read here; write the keys out"),
        ("name: cup\n? [a]\n: b", ":2: a key is one word; put the value behind a key"),
        ("name: *a", f":1: name: {NO_ALIASES}"),
        ("name: *", f":1: not YAML: {ALIAS}"),
        ("name: @a", f":1: not YAML: {NO_TOKEN}; {SIGN}"),
        ("name: cup\n\tboards: 3", ":2: not YAML: a tab; write spaces instead"),
        ("name:\tcup", ":1: not YAML: a tab; write spaces instead"),
        ("name: 'cup\nboards: 3\n", f":3: not YAML: {OPEN_TEXT}; {CLOSE} 1"),
        ("name: cup\nbots: [a, b\nboards: 3", f":3: not YAML: {OPEN_LIST}; {CLOSE} 2"),
        ("name: a: b", f":1: not YAML: {NO_MAPPING}; {INDENT}"),
        ("name: cup\n  boards: 3", f":2: not YAML: {NO_MAPPING}; {INDENT}"),
        ("name: cup\nboards 3\nseed: 1", f":3: not YAML: {NO_COLON}; {SPACE}"),
        ("name: cup\nbots: - a", f":2: not YAML: {NO_SEQUENCE}; {OWN_LINE}"),
        ("- a\nb: c", ":2: not YAML: expected <block end>, but found '?'"),
        ('name: "\\q"', ":1: not YAML: found unknown escape character 'q'"),
        ('name: "\\0"', ":1: an escape for a character that is no text"),
        ('name: "\\ud800"', ":1: an escape for a character that is no text"),
        ('name: "\\UFFFFFFFF"', ":1: not YAML: an escape or a number that means nothing"),
        ("name: cup\nseed: a\0b", ":2: the character U+0000 may not stand in YAML; remove it"),
        ("name: cup\nseed: a\x1b[2J", ":2: the character U+001B may not stand in YAML; remove it"),
        ("name: cup\nseed: a\u2028b", ":2: the character U+2028 may not stand in YAML; remove it"),
        ("name: \udce9", ":1: the character U+DCE9 may not stand in YAML; remove it"),
        ("name: " + "[" * 100_000, ":1: nested too deeply"),
        ("{a: " * 50_000, ":1: nested too deeply"),
        ("- " * 100_000, ":1: nested too deeply"),
        ("x" * (MAX_BYTES + 1), ": larger than 256 KiB, which no such file needs to be"),
        (b"x" * 10_000_000, ": larger than 256 KiB, which no such file needs to be"),
        (b"name: cup\nseed: \xe9\n", ":2: not UTF-8; save the file as UTF-8"),
        ("name: cup".encode("utf-16"), ":1: not UTF-8; save the file as UTF-8"),
    ],
)  # fmt: skip
def test_what_of_yaml_surprises_people_is_refused(text: str | bytes, message: str) -> None:
    assert told(text) == f"f.yaml{message}"


def test_all_that_is_wrong_is_told_in_the_order_of_the_file() -> None:
    text = (
        "bords: 3\nduplicate: yes\nboards: 1\nboards: 2\ntime: {startup: 0}\nbots: [a, [b], c, d]"
    )
    assert told(text).splitlines() == [
        "f.yaml:1: bords: unknown key; did you mean 'boards'?",
        "f.yaml:1: name: is missing",
        "f.yaml:2: duplicate: true or false is expected, not yes; write true",
        "f.yaml:4: boards: stands twice, first on line 3; keep one of them",
        f"f.yaml:5: time.startup: {START}0",
        "f.yaml:6: bots: 4 given, and at most 3 allowed",
    ]


def test_every_item_of_a_list_that_is_wrong_is_told() -> None:
    assert told("name: cup\nlists: [[1, a], b, [c]]").splitlines() == [
        "f.yaml:2: lists[0][1]: a whole number is expected, not a",
        "f.yaml:2: lists[1]: a list is expected, not b; write [b]",
        "f.yaml:2: lists[2][0]: a whole number is expected, not c",
    ]


def test_a_key_that_is_misspelt_is_not_told_again_as_missing() -> None:
    assert told("naem: cup") == "f.yaml:1: naem: unknown key; did you mean 'name'?"


def test_an_unknown_key_like_no_other_lists_what_is_known() -> None:
    assert told("startup: 1\nxyzzy: 2", Clock).splitlines() == [
        "f.yaml:2: xyzzy: unknown key; known here: grace, ratio, startup"
    ]


def test_where_no_key_is_known_an_unknown_one_is_to_be_removed() -> None:
    class Nothing(msgspec.Struct):
        pass

    assert told("x: 1", Nothing) == "f.yaml:1: x: unknown key; remove it"
    assert told("x", Nothing) == "f.yaml:1: a group of keys is expected, not x"


def test_a_key_that_cannot_be_shown_is_quoted_and_cut() -> None:
    assert told('name: cup\n"a\\nb": 1').startswith(r"f.yaml:2: 'a\nb': unknown key")
    assert told(f"name: cup\n{'k' * 500}: 1").startswith(f"f.yaml:2: '{'k' * 39}…': unknown key")


def test_a_flood_of_faults_is_cut() -> None:
    unknown = told("name: cup\n" + "".join(f"k{i}: 1\n" for i in range(250))).splitlines()
    assert len(unknown) == 101
    assert unknown[-1] == "f.yaml: and 150 more"
    assert len(told("name: cup\n" * 5_000).splitlines()) == 100


def test_an_alias_bomb_is_never_expanded() -> None:
    lines = [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 30)]
    assert len(told("\n".join(["a0: &a0 [x]", *lines])).splitlines()) == 100


def test_a_file_with_windows_line_ends_and_a_byte_order_mark_is_read() -> None:
    raw = "name: cup\r\nboards: 3\r\n".encode("utf-8-sig")
    assert read(raw, "f.yaml", Cup) == Cup("cup", 3)
    assert told("\ufeffname: cup\r\nboards: x\r\n") == f"f.yaml:2: boards: {BOARDS}x"


def test_a_type_that_documents_cannot_hold_is_the_programmer_s_fault() -> None:
    class Odd(msgspec.Struct):
        when: bytes

    with pytest.raises(TypeError, match="when has a type"):
        read("when: x", "f.yaml", Odd)


def test_a_part_is_read_when_its_type_is_known() -> None:
    problems: list[Problem] = []
    root = open_document(
        "kind: x\ntime:\n  startup: 5\n  kind: fast\nbots: [a, [b]]", "f", problems
    )
    assert root.word("kind") == "x"
    assert (root.word("time"), root.word("none"), root.word()) == (None, None, None)
    assert open_document("a: ~", "f", []).word("a") is None
    assert root.words("bots") == {0: "a"}
    assert root.words("kind") == {}
    assert root.is_group
    part = root.part("time")
    assert part.read(Clock, problems, ("kind",)) == Clock(5)
    assert problems == []
    assert part.read(Clock, problems) is None
    assert str(problems.pop()).startswith("f:4: time.kind: unknown key; known here: ")


def test_a_part_that_is_not_there_is_an_empty_group() -> None:
    root = open_document("a: 1", "f", [])
    assert root.part("time").read(Clock, []) == Clock()
    assert not root.holds("time")
    word = root.part("a")
    assert (word.word(), word.word("b"), word.words("b"), word.is_group) == ("1", None, {}, False)
    assert word.part("b").read(Clock, []) == Clock()


@pytest.mark.parametrize(
    ("way", "place"),
    [
        ((), "f:1"),
        (("bots",), "f:2: bots"),
        (("bots", 1), "f:4: bots[1]"),
        (("bots", 7), "f:2: bots[7]"),
        (("name",), "f:1: name"),
        (("name", "deeper"), "f:1: name.deeper"),
        (("none",), "f:1: none"),
    ],
)
def test_a_problem_can_be_put_at_any_place(way: tuple[str | int, ...], place: str) -> None:
    root = open_document("name: x\nbots:\n  - a\n  - b\n", "f", [])
    assert str(root.problem("wrong", *way, remedy="mend it")) == f"{place}: wrong; mend it"


SIGNS = list("abn:-[]{},'\"\\#&*!|>%@`~?. \n\t0123")
TOKENS = st.sampled_from([*SIGNS, "\n  ", ": ", "- ", "name: ", "time: ", "0x", "{", "MiB"])


def read_or_refuse(text: str | bytes) -> Cup | InputError:
    try:
        return read(text, "f.yaml", Cup)
    except InputError as refused:
        return refused


@given(st.one_of(st.text(), st.binary(), st.lists(TOKENS).map("".join)))
@example("? ")
@example("name: !<")
@example('"\\x')
@example("%YAML 1.")
@example("a: |1-\n")
def test_anything_is_a_value_or_refused(text: str | bytes) -> None:
    found = read_or_refuse(text)
    if isinstance(found, Cup):
        assert msgspec.convert(msgspec.to_builtins(found), Cup) == found
    else:
        assert {problem.file for problem in found.problems} == {"f.yaml"}


@given(key=st.sampled_from(Cup.__struct_fields__), word=st.text() | st.integers().map(str))
def test_any_word_behind_any_key_is_a_value_or_refused_with_its_place(key: str, word: str) -> None:
    quoted = msgspec.json.encode(word).decode()
    for text in (quoted, word if word.isalnum() else quoted):
        found = read_or_refuse(f"name: cup\n{key}: {text}")
        if isinstance(found, InputError):
            assert {problem.line for problem in found.problems} == {2}
