"""A tournament's file becomes one checked value, or all that is wrong with it is told."""

# ruff: noqa: E501 - in the tables a row is one line, message and all

import json
import os
from collections.abc import Callable, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots import load_bot, submit
from arena.cards import NAMES
from arena.config import Overrides, Tournament, changes, load, resolved, schema
from arena.config.decks import MAX_BYTES, parse_decks
from arena.config.loading import GROUPS
from arena.errors import InputError
from arena.executors.cores import MANY_JOBS
from arena.executors.local import LocalOptions
from arena.formats.round_robin import RoundRobinOptions
from arena.games.partnership import PartnershipRules
from arena.games.two_player import TwoPlayerRules
from arena.plugins import FORMATS, SANDBOXES, load_plugin, plugins
from arena.protocol import TimeControl
from arena.ratings.trueskill import TrueSkillOptions
from arena.record import FaultPolicy, GivenBoard, Limits

ROOT = Path(__file__).resolve().parents[1]
CUP = "game: two-player\nbots: [bots/*]\n"


def make_bot(folder: Path, name: str, *, version: str = "1", games: str = "two-player") -> Path:
    folder.mkdir(parents=True)
    (folder / "bot.yaml").write_text(
        f"name: {name}\nversion: {version}\ngames: [{games}]\ncommand: [python3, bot.py]\nprotocol: 1\n"
    )
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with `bots/anna` and `bots/zoe`, which play the two-player game."""
    monkeypatch.chdir(tmp_path)
    for name in ("anna", "zoe"):
        make_bot(tmp_path / "bots" / name, name)
    return tmp_path


def cup(text: str = CUP, overrides: Overrides = Overrides(), name: str = "cup.yaml") -> Tournament:  # noqa: B008
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return load(path, overrides)


def told(text: str, overrides: Overrides = Overrides(), name: str = "cup.yaml") -> str:  # noqa: B008
    with pytest.raises(InputError) as refused:
        cup(text, overrides, name)
    return str(refused.value)


def names(tournament: Tournament) -> list[str]:
    return [bot.ref.bot for bot in tournament.bots]


def test_a_file_that_names_game_and_bots_alone_has_every_default(here: Path) -> None:
    found = cup()
    assert names(found) == ["anna", "zoe"]
    assert msgspec.structs.replace(found, bots=()) == Tournament(
        file=Path("cup.yaml"),
        name="cup",
        game="two-player",
        seed=None,
        bots=(),
        boards=20,
        duplicate=True,
        partners="same",
        given=(),
        rules=msgspec.to_builtins(TwoPlayerRules()),
        time=TimeControl(startup=10, move=1, hand=5),
        faults=FaultPolicy("forfeit", 10),
        sandbox="auto",
        limits=Limits(256 << 20, 1, 32, 16 << 20, 64 << 10, freeze=True),
        format=found.format,
        rating=found.rating,
        executor=found.executor,
        out=Path("results/cup"),
    )
    assert (found.format.kind, found.format.options) == ("round_robin", RoundRobinOptions())
    assert (found.rating.kind, found.rating.options) == ("trueskill", TrueSkillOptions())
    assert (found.executor.kind, found.executor.options) == ("local", LocalOptions("auto"))
    assert found.sittings == 2


def test_every_key_is_read(here: Path) -> None:
    make_bot(here / "bots" / "both", "both", games="two-player, partnership")
    make_bot(here / "guest", "guest", games="partnership")
    found = cup(
        """
        name: spring-cup
        game: partnership
        seed: 2026
        bots: [bots/both, ./guest/]
        format: {kind: round_robin}
        boards: 7
        duplicate: false
        partners: same
        rules: {target: 250, floor: -500, max_hands: null, pass_back_blind: true}
        time: {startup: 2.5, move: 1e-1, hand: 60}
        faults: {policy: substitute, limit: 3}
        sandbox: {kind: none, memory: 1GiB, cpus: 0.5, processes: 1, scratch: 0, log: 4096, freeze: false}
        rating: {kind: trueskill, mode: online, tau: 0.008}
        executor: {kind: local, jobs: 3}
        """
    )
    assert (found.name, found.seed, found.boards, found.sittings) == ("spring-cup", "2026", 7, 1)
    assert names(found) == ["both", "guest"]
    assert found.rules == msgspec.to_builtins(
        PartnershipRules(target=250, floor=-500, max_hands=None, pass_back_blind=True)
    )
    assert found.time == TimeControl(2.5, 0.1, 60.0)
    assert found.faults == FaultPolicy("substitute", 3)
    assert found.sandbox == "none"
    assert found.limits == Limits(1 << 30, 0.5, 1, 0, 4096, freeze=False)
    assert found.rating.options == TrueSkillOptions(mode="online", tau=0.008)
    assert found.executor.options == LocalOptions(3)


def test_the_command_line_goes_before_the_file(here: Path) -> None:
    text = CUP + "seed: 1\nsandbox: {kind: none}\nexecutor: {jobs: 1}\nname: x\n"
    over = Overrides(name="y", seed="007", sandbox="bubblewrap", jobs=2, out=Path("there"))
    found = cup(text, over)
    assert (found.name, found.seed, found.sandbox) == ("y", "007", "bubblewrap")
    assert found.executor.options == LocalOptions(2)
    assert found.out == Path("there")


def test_a_key_without_a_value_is_as_if_it_were_not_there(here: Path) -> None:
    assert cup(CUP + "name: ~\nseed:\ndeals: null\n") == cup()


@pytest.mark.parametrize(
    ("seed", "text"),
    [("12", "12"), ("-1", "-1"), ("abc", "abc"), ("'010'", "010"), ("", None), ("~", None)],
)
@pytest.mark.rule("D1")
def test_a_seed_is_taken_as_text(here: Path, seed: str, text: str | None) -> None:
    assert cup(CUP + f"seed: {seed}").seed == text


def test_nothing_is_made_on_disk(here: Path) -> None:
    cup()
    told(CUP + "boards: 0")
    assert sorted(path.name for path in here.iterdir()) == ["bots", "cup.yaml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("naem: x", "naem: unknown key; did you mean 'name'?"),
        ("bord: 3", "bord: unknown key; did you mean 'boards'?"),
        ("formt: {}", "formt: unknown key; did you mean 'format'?"),
        ("game: partnership", "game: stands twice, first on line 1; keep one of them"),
        ("name: a b", "name: holds the character ' '; write a-b"),
        ("name: ..", "name: begins with '.'; use letters, digits and ._+-, a letter or digit first"),
        ("name: [a]", "name: text is expected, not a list; write a without brackets"),
        ("seed: 010", "seed: 010 can be read in two ways; put it in quotation marks if it is text: '010'"),
        ("seed: ''", "seed: a seed has 1 to 200 characters that can be seen; leave it out to have one drawn"),
        ("boards: 0", "boards: a whole number from 1 to 100000 is expected, not 0"),
        ("boards: 100001", "boards: a whole number from 1 to 100000 is expected, not 100001"),
        ("boards: 1e3", "boards: a whole number from 1 to 100000 is expected, not 1e3; write 1000"),
        ("duplicate: yes", "duplicate: true or false is expected, not yes; write true"),
        ("partners: mixed", "partners: mixed partnerships are not played yet; write same, or leave it out"),
        ("partners: sme", "partners: no way to put partners together: 'sme'; write same"),
        ("teams: [[a, b]]", "teams: teams are not played yet; remove it; each bot plays both seats of its side"),
        ("format: round_robin", "format: a group of keys is expected; write {kind: round_robin}"),
        ("format: []", "format: a group of keys is expected; write {kind: round_robin}"),
        ("format: {kind: roundrobin}", "format.kind: there is no format 'roundrobin'; did you mean 'round_robin'?"),
        ("format: {kind: [swiss]}", "format.kind: one word is expected; known here: "),
        ("format: {kind: ~}", "format.kind: one word is expected; known here: "),
        ("format: {rounds: 3}", "format.rounds: unknown key; known here: kind"),
        ("rules: {targt: 3}", "rules.targt: unknown key; did you mean 'target'?"),
        ("rules: {target: 0}", "rules.target: a whole number from 1 to 1000000 is expected, not 0"),
        ("rules: {failed_nil: help}", "rules.failed_nil: bags or none is expected, not help"),
        ("rules: {pass_back_blind: true}", "rules.pass_back_blind: unknown key; known here: "),
        ("rules: {max_hands: null}", "rules: max_hands may be null only with a floor, else a game may never end"),
        ("rules: 500", "rules: a group of keys is expected, not 500; write {target: …}"),
        ("time: {move: 1e-320}", "time.move: a number from 0.01 to 86400 is expected, not 1e-320"),
        ("time: {move: 0}", "time.move: a number from 0.01 to 86400 is expected, not 0"),
        ("time: {hand: -1}", "time.hand: a number from 0.01 to 86400 is expected, not -1"),
        ("time: {startup: 10s}", "time.startup: a number from 0.01 to 86400 is expected, not 10s; write 10"),
        ("time: {mov: 1}", "time.mov: unknown key; did you mean 'move'?"),
        ("faults: {policy: forfiet}", "faults.policy: forfeit or substitute is expected, not forfiet; did you mean 'forfeit'?"),
        ("faults: {limit: 0}", "faults.limit: a whole number from 1 to 1000000 is expected, not 0"),
        ("sandbox: none", "sandbox: a group of keys is expected; write {kind: none}"),
        ("sandbox: {kind: zzz}", "sandbox.kind: there is no sandbox 'zzz'; known here: auto, "),
        ("sandbox: {kind: bubblewarp}", "sandbox.kind: there is no sandbox 'bubblewarp'; did you mean 'bubblewrap'?"),
        ("sandbox: {memory: 256MB}", "sandbox.memory: a size from 1MiB to 1024GiB is expected, not 256MB; write 256MiB"),
        ("sandbox: {memory: 1025GiB}", "sandbox.memory: a size from 1MiB to 1024GiB is expected, not 1025GiB"),
        ("sandbox: {cpus: 0}", "sandbox.cpus: a number above 0 to 1024 is expected, not 0"),
        ("sandbox: {processes: 0}", "sandbox.processes: a whole number from 1 to 10000 is expected, not 0"),
        ("sandbox: {freeze: on}", "sandbox.freeze: true or false is expected, not on; write true"),
        ("rating: {kind: zzz}", "rating.kind: there is no rating 'zzz'; known here: "),
        ("rating: {sigma: -1}", "rating.sigma: a number from 0.001 to 1000000 is expected, not -1"),
        ("executor: {jobs: 0}", "executor.jobs: a whole number from 1 to 1024 or auto is expected, not 0"),
        ("executor: {jobs: 100000}", "executor.jobs: a whole number from 1 to 1024 or auto is expected, not 100000"),
        ("executor: {kind: lcoal}", "executor.kind: there is no executor 'lcoal'; did you mean 'local'?"),
    ],
)  # fmt: skip
def test_a_fault_has_its_line_key_and_remedy(here: Path, text: str, message: str) -> None:
    said = told(CUP + text)
    assert said.startswith(f"cup.yaml:3: {message}")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cup.yaml:1: the file is empty"),
        ("- a", "cup.yaml:1: a group of keys is expected, not a list"),
        ("bots: [bots/*]", "cup.yaml:1: game: is missing"),
        ("game: two-palyer\nbots: [bots/*]", "cup.yaml:1: game: there is no game 'two-palyer'; did you mean 'two-player'?"),
        ("game: two-player", "cup.yaml:1: bots: is missing"),
        ("game: two-player\nbots: []", "cup.yaml:2: bots: 0 given, and at least 1 needed"),
        ("game: two-player\nbots: bots/*", "cup.yaml:2: bots: a list is expected, not bots/*; write [bots/*]"),
        ("game: two-player\nbots: [*]", "cup.yaml:2: not YAML: '*' begins an alias here; put text that starts with it in quotation marks"),
        ("game: two-player\nbots:\n- bots/anna", "cup.yaml:2: bots: at least two bots are needed, and there is only anna"),
        ("game: two-player\nbots: [bots/anna, bots/anna/, bots/a*]", "cup.yaml:2: bots: at least two bots are needed, and there is only anna"),
        ("game: two-player\nbots: [bots/?nna]", "cup.yaml:2: not YAML: '?' begins a key here; put a glob that holds '?' in quotation marks"),
        ("game: two-player\nbots: [bots/x*]", "cup.yaml:2: bots[0]: no bot's folder matches bots/x*; paths begin at the folder of this file"),
        ("game: two-player\nbots: [bots/*, c*]", "cup.yaml:2: bots[1]: no bot's folder matches c*; paths begin at the folder of this file"),
        ("game: two-player\nbots: [bots/*, bots/ana]", "cup.yaml:2: bots[1]: bots/ana: no such folder; did you mean 'anna'?"),
        ("game: two-player\nbots: [bots/*, bots]", "cup.yaml:2: bots[1]: bots: holds no bot.yaml; write one with name, version, games, command and protocol"),
        ("game: two-player\nbots: [bots/*, cup.yaml]", "cup.yaml:2: bots[1]: cup.yaml: is no folder; write the folder that holds bot.yaml"),
        ("game: two-player\nbots: [bots/*, '']", "cup.yaml:2: bots[1]: is empty"),
        (f"game: two-player\nbots: [bots/*, {'x' * 9000}]", "cup.yaml:2: bots[1]: has 9000 characters, and at most 4096 are allowed"),
        ("game: two-player\ndeals: ''\nbots: [bots/*]", "cup.yaml:2: deals: is empty"),
        ("game: partnership\nbots: [bots/anna, both]", "bots/anna/bot.yaml: games: anna does not play partnership; it plays two-player; leave it out of this tournament"),
        ("game: two-player\nformat: {kind: table, seats: [anna, ana]}\nbots: [bots/*]", "cup.yaml:2: format.seats: there is no bot 'ana'; did you mean 'anna'?"),
        ("game: two-player\nformat: {kind: table, seats: [anna, anna, anna]}\nbots: [bots/*]", "cup.yaml:2: format: 3 bots at one table, and two-player has 2 seats; seat at most 2"),
        ("game: two-player\nbots: [bots/*, also/anna]", "cup.yaml:2: bots: two bots are called Anna: bots/anna and also/anna; rename one in its bot.yaml"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_tournament_is_refused(here: Path, text: str, message: str) -> None:
    make_bot(here / "both", "both", games="two-player, partnership")
    make_bot(here / "also" / "anna", "Anna")
    said = told(text).splitlines()
    assert message in said
    assert len(said) == 1


def test_all_faults_of_file_and_bots_are_told_at_once(here: Path) -> None:
    (here / "bots" / "zoe" / "bot.yaml").write_text("name: zoe\n")
    known = ", ".join(sorted(["auto", *plugins(SANDBOXES)]))
    said = told("gmae: two-player\nbots: [bots/*]\nboards: x\nsandbox: {kind: x, cpus: x}\n")
    assert said.splitlines() == [
        "cup.yaml:1: gmae: unknown key; did you mean 'game'?",
        "cup.yaml:3: boards: a whole number from 1 to 100000 is expected, not x",
        f"cup.yaml:4: sandbox.kind: there is no sandbox 'x'; known here: {known}",
        "cup.yaml:4: sandbox.cpus: a number above 0 to 1024 is expected, not x",
        "bots/zoe/bot.yaml:1: command: is missing",
        "bots/zoe/bot.yaml:1: games: is missing",
        "bots/zoe/bot.yaml:1: protocol: is missing",
        "bots/zoe/bot.yaml:1: version: is missing",
    ]


@pytest.mark.parametrize(
    ("over", "message"),
    [
        (Overrides(jobs=0), f"--jobs: 0 is not from 1 to 1024; {MANY_JOBS}"),
        (Overrides(jobs=1025), f"--jobs: 1025 is not from 1 to 1024; {MANY_JOBS}"),
        (Overrides(sandbox="bubble"), "--sandbox: there is no sandbox 'bubble'; did you mean 'bubblewrap'?"),
        (Overrides(seed=""), "--seed: a seed has 1 to 200 characters that can be seen; leave it out to have one drawn"),
        (Overrides(seed="\udce9"), "--seed: a seed has 1 to 200 characters that can be seen; leave it out to have one drawn"),
        (Overrides(name="a/b"), "--name: holds the character '/'; write a-b"),
    ],
)  # fmt: skip
def test_a_fault_of_the_command_line_names_its_option(
    here: Path, over: Overrides, message: str
) -> None:
    assert told(CUP, over) == message


class Lonely:
    """An executor without options."""

    options_type = RoundRobinOptions


def test_jobs_are_for_executors_that_have_them(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_other(group: str, name: str) -> object:
        return Lonely if name == "local" else load_plugin(group, name)

    monkeypatch.setattr("arena.config.loading.load_plugin", load_other)
    assert told(CUP, Overrides(jobs=2)) == "--jobs: the executor local has no jobs"


def test_a_name_is_the_file_s_where_none_is_given(here: Path) -> None:
    assert cup(name="spring.yaml").name == "spring"
    assert told(CUP, name="spring cup.yaml") == (
        "spring cup.yaml:1: name: is missing, and the file's own name holds the character ' '; "
        "write spring-cup"
    )


@pytest.mark.parametrize(
    ("change", "name", "message"),
    [
        (None, "cpu.yaml", "cpu.yaml: no such file; did you mean 'cup.yaml'?"),
        (
            None,
            "bots/../cpu.yaml",
            "bots/../cpu.yaml: no such file; did you mean 'bots/../cup.yaml'?",
        ),
        (None, "no/cup.yaml", "no/cup.yaml: no such file"),
        (None, "bots", "bots: is a folder; name a tournament's YAML file"),
        (lambda: os.mkfifo("pipe"), "pipe", "pipe: is no file; name a tournament's YAML file"),
        (None, "x" * 300, f"{'x' * 300}: cannot be read: File name too long"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(
    here: Path, change: Callable[[], None] | None, name: str, message: str
) -> None:
    cup()
    if change:
        change()
    with pytest.raises(InputError) as refused:
        load(Path(name))
    assert str(refused.value) == message


def test_bots_are_looked_for_from_the_file_s_own_folder(here: Path) -> None:
    found = cup(CUP.replace("bots/*", "../bots/*"), name="configs/cup.yaml")
    assert names(found) == ["anna", "zoe"]
    assert found.bots[0].folder == here / "bots" / "anna"


def test_folders_may_have_slashes_spaces_signs_and_letters_of_any_script(here: Path) -> None:
    for folder, name in (("my bots/zoë", "zoë"), ("my bots/[x]", "x"), ("my bots/李", "li")):
        make_bot(here / folder, name)
    assert names(cup("game: two-player\nbots: ['my bots/zoë/', 'my bots/[x]', my bots/李]")) == [
        "zoë",
        "x",
        "li",
    ]
    absolute = f"game: two-player\nbots: ['{here}/my bots/*']"
    assert sorted(names(cup(absolute))) == ["li", "x", "zoë"]


def test_bots_enter_in_the_order_of_the_file_and_of_their_folders(here: Path) -> None:
    assert names(cup("game: two-player\nbots: [bots/zoe, bots/*]")) == ["zoe", "anna"]


def test_a_glob_passes_over_what_is_no_bot(here: Path) -> None:
    (here / "bots" / "notes.txt").touch()
    (here / "bots" / "old").mkdir()
    make_bot(here / "bots" / ".hidden", "hidden")
    assert names(cup()) == ["anna", "zoe"]


def test_a_link_to_a_bot_s_folder_is_the_folder(here: Path) -> None:
    make_bot(here / "elsewhere" / "eve", "eve")
    (here / "bots" / "eve").symlink_to("../elsewhere/eve")
    found = cup(CUP.replace("]", ", bots/eve/../../elsewhere/eve, elsewhere/eve]"))
    assert names(found) == ["anna", "eve", "zoe"]


def test_a_place_behind_a_link_is_shown_as_it_is(here: Path) -> None:
    make_bot(here / "deep" / "down" / "eve", "eve")
    (here / "link").symlink_to("deep/down")
    (here / "deep" / "bad").mkdir()
    said = told("game: two-player\nbots: [bots/*, link/../bad]")
    assert said.startswith("cup.yaml:2: bots[1]: deep/bad: holds no bot.yaml")


def test_a_link_that_goes_round_is_no_folder(here: Path) -> None:
    (here / "loop").symlink_to("loop")
    assert told(CUP.replace("]", ", loop]")).startswith("cup.yaml:2: bots[1]: loop: no such folder")


def test_of_a_pool_s_bot_the_newest_version_plays(here: Path) -> None:
    for version in ("1.9", "1.10", "1.2.3"):
        submit(load_bot(make_bot(here / version, "eve", version=version)), here / "pool")
    found = cup("game: two-player\nbots: [bots/anna, pool/*]")
    assert [(bot.ref.bot, bot.ref.version) for bot in found.bots[1:]] == [("eve", "1.10")]
    named = cup("game: two-player\nbots: [bots/anna, pool/eve/1.9]")
    assert named.bots[1].ref.version == "1.9"


def test_the_only_version_in_a_pool_may_be_called_anything(here: Path) -> None:
    submit(load_bot(make_bot(here / "eve", "eve", version="beta")), here / "pool")
    assert cup("game: two-player\nbots: [bots/anna, pool/eve]").bots[1].ref.version == "beta"


def test_versions_without_an_order_are_to_be_chosen_from(here: Path) -> None:
    for version in ("1.0", "1.0-beta"):
        submit(load_bot(make_bot(here / version, "eve", version=version)), here / "pool")
    what = "pool/eve has versions that are not plain numbers: 1.0, 1.0-beta"
    assert told("game: two-player\nbots: [bots/*, pool/eve]").splitlines()[0] == (
        f"cup.yaml:2: bots[1]: {what}; name one of them, such as eve/1.0"
    )


def test_a_plug_in_that_cannot_be_loaded_is_told_at_its_kind(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = {"broken": EntryPoint("broken", "arena.nowhere:Format", FORMATS)}

    def offered(group: str) -> Mapping[str, EntryPoint]:
        return broken if group == FORMATS else plugins(group)

    monkeypatch.setattr("arena.plugins.plugins", offered)
    monkeypatch.setattr("arena.config.loading.plugins", offered)
    assert told(CUP + "format: {kind: broken}") == (
        "cup.yaml:3: format.kind: the format 'broken' cannot be loaded from arena.nowhere:Format: "
        "No module named 'arena.nowhere'"
    )


def test_every_config_of_the_project_is_a_tournament() -> None:
    files = sorted((ROOT / "configs").glob("*.yaml"))
    assert len(files) >= 2
    for file in files:
        assert len(load(file).bots) >= 2


DECK = list(NAMES)
ORDER = list(NAMES[:26])


def board(**changed: object) -> str:
    return json.dumps({"board": 1, "first": 0, "decks": [DECK], **changed})


@pytest.mark.rule("D3")
def test_given_decks_are_read_in_the_order_of_their_boards(here: Path) -> None:
    lines = [
        board(board=3, first=1, exchange=[ORDER]),
        "",
        board(board=2, decks=[DECK, DECK[::-1]]),
    ]
    (here / "boards.jsonl").write_text("\ufeff" + "\r\n".join(lines) + "\n", encoding="utf-8")
    found = cup(CUP + "deals: boards.jsonl\nboards: 5")
    assert found.boards == 5
    assert found.given == (
        GivenBoard(2, 0, (tuple(DECK), tuple(DECK[::-1]))),
        GivenBoard(3, 1, (tuple(DECK),), (tuple(ORDER),)),
    )


@pytest.mark.rule("D3")
def test_where_decks_are_given_and_no_boards_the_last_board_given_is_the_last(here: Path) -> None:
    (here / "boards.jsonl").write_text(board(board=3))
    assert cup(CUP + "deals: boards.jsonl").boards == 3


@pytest.mark.rule("D3")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        (board(board=6), "board: board 6 is not among boards 1 to 5"),
        (board(board=0), "board: board 0 is not among boards 1 to 5"),
        (board(board="1"), "board: a whole number is expected, not text"),
        (board(first=2), "first: seat 2 is not among seats 0 to 1"),
        (board(decks=[]), "decks: holds no deck"),
        (board(decks=[DECK, DECK[:51]]), "decks[1]: has 51 cards, not 52"),
        (board(decks=[[*DECK[:51], "2C"]]), "decks[0]: 2C stands twice"),
        (board(decks=[[*DECK[:51], "10S"]]), "decks[0]: '10S' is no card; cards are rank then suit, such as 'TD'"),
        (board(decks=[[1]]), "decks[0][0]: text is expected, not a whole number"),
        (board(exchange=[ORDER[:25]]), "exchange[0]: has 25 cards, not 26"),
        (board(exchange=[ORDER, ORDER]), "exchange: 2 exchange orders for 1 decks"),
        (board(exchnge=[]), "exchnge: unknown key; did you mean 'exchange'?"),
        ('{"board": 1, "first": 0}', "decks: is missing"),
        ('{"board": 1, "board": 2}', "the key 'board' stands twice"),
        ("[]", 'an object is expected, not a list; write {"board": 1, '),
        ("{", "not JSON: Expecting property name enclosed in double quotes at character 2"),
        ("[" * 100_000, "brackets within brackets, too many of them"),
        ("1" * 5000, "a number of 5000 digits; a board's have few"),
        ("\udcff", "not UTF-8; save the file as UTF-8"),
    ],
)  # fmt: skip
def test_a_fault_of_the_given_decks_has_its_line(line: str, message: str) -> None:
    raw = f"\n{board(board=4)}\n{line}\n".encode(errors="surrogateescape")
    with pytest.raises(InputError) as refused:
        parse_decks(raw, "boards.jsonl", 2, 5)
    assert str(refused.value).startswith(f"boards.jsonl:3: {message}")


@pytest.mark.rule("D3")
def test_a_board_is_given_once() -> None:
    with pytest.raises(InputError) as refused:
        parse_decks(f"{board()}\n{board()}".encode(), "f", 2, 5)
    assert str(refused.value) == "f:2: board: board 1 stands twice, first on line 1"


@pytest.mark.rule("D3")
def test_only_the_two_player_game_has_an_exchange_order() -> None:
    line = board(exchange=[ORDER], first=3).encode()
    with pytest.raises(InputError) as refused:
        parse_decks(line, "f", 4, 5)
    assert str(refused.value) == "f:1: exchange: only the two-player game has an exchange order"


def make_large() -> None:
    Path("b").touch()
    os.truncate("b", MAX_BYTES + 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: None, "b: no such file; did you mean 'bb'?"),
        (lambda: Path("b").mkdir(), "b: is a folder; name a file of JSON Lines"),
        (lambda: os.mkfifo("b"), "b: is no file; name a file of JSON Lines"),
        (lambda: Path("b").touch(), "b: holds no board"),
        (make_large, "b: larger than 64 MiB"),
    ],
)
def test_a_file_of_decks_that_cannot_be_used_is_refused(
    here: Path, make: Callable[[], None], message: str
) -> None:
    Path("bb").touch()
    make()
    assert told(CUP + "deals: b") == f"cup.yaml:3: deals: {message}"
    assert told(CUP + "deals: " + "b" * 300).endswith("b: cannot be read: File name too long")


def test_a_file_of_decks_is_suggested_with_its_folder_and_few_are_listed(here: Path) -> None:
    (here / "decks").mkdir()
    for number in range(100):
        (here / "decks" / f"boards{number:02}.jsonl").touch()
    said = told(CUP + "deals: decks/boards04.json")
    assert said.endswith("no such file; did you mean 'decks/boards04.jsonl'?")
    said = told(CUP + "deals: decks/3")
    assert said.endswith("decks/boards18.jsonl, decks/boards19.jsonl, … (100 in all)")


def parse_or_refuse(raw: bytes) -> tuple[GivenBoard, ...] | InputError:
    try:
        return parse_decks(raw, "f", 2, 5)
    except InputError as refused:
        return refused


@given(st.lists(st.text() | st.sampled_from([board(), board(board=2), '{"board": 1}'])))
def test_any_file_of_decks_is_read_or_refused(lines: list[str]) -> None:
    raw = "\n".join(lines).encode()
    found = parse_or_refuse(raw)
    if isinstance(found, InputError):
        assert {problem.file for problem in found.problems} == {"f"}
    else:
        assert found


def test_what_decides_results_is_plain_data(here: Path) -> None:
    found = resolved(cup(CUP + "seed: 5\nexecutor: {jobs: 2}"))
    assert msgspec.json.decode(msgspec.json.encode(found)) == found
    assert list(found) == [
        "game", "format", "boards", "duplicate", "partners", "deals", "rules", "time", "faults", "sandbox", "rating",
    ]  # fmt: skip
    assert found == resolved(cup(CUP, Overrides(seed="6", jobs=1, name="other", out=Path("x"))))
    assert found["deals"] is None


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("boards: 5", "boards: 20, now 5"),
        ("rules: {target: 600}", "rules.target: 500, now 600"),
        ("rules: {floor: -200}", "rules.floor: nothing, now -200"),
        ("time: {move: 2}", "time.move: 1.0, now 2.0"),
        ("faults: {policy: substitute}", "faults.policy: forfeit, now substitute"),
        ("sandbox: {kind: none}", "sandbox.kind: auto, now none"),
        ("rating: {mode: online}", "rating.mode: batch, now online"),
        ("duplicate: false", "duplicate: true, now false"),
    ],
)
def test_each_change_is_named(here: Path, text: str, change: str) -> None:
    before = resolved(cup())
    assert changes(before, resolved(cup(CUP + text))) == [change]


def test_a_change_of_the_given_decks_is_named(here: Path) -> None:
    (here / "b").write_text(board())
    before = resolved(cup(CUP + "deals: b"))
    (here / "b").write_text(board(first=1))
    (change,) = changes(before, resolved(cup(CUP + "deals: b")))
    assert change.startswith("deals: sha256:")


def test_a_key_that_one_side_lacks_is_a_change() -> None:
    assert changes({"a": 1}, {"b": {"c": 2}}) == ["a: 1, now nothing", 'b: nothing, now {"c":2}']


def test_the_schema_has_every_key_kind_and_option(here: Path) -> None:
    found = schema()
    assert json.loads(json.dumps(found)) == found
    parts = found["$defs"]
    assert isinstance(parts, dict)
    file = parts["TournamentFile"]
    assert set(file["properties"]) >= {
        "name", "game", "seed", "bots", "format", "boards", "duplicate", "partners", "deals", "rules", "time", "faults",
        "sandbox", "rating", "executor",
    }  # fmt: skip
    assert file["additionalProperties"] is False
    assert parts["Limits"]["properties"]["kind"]["enum"] == ["auto", *plugins(SANDBOXES)]
    assert parts["RoundRobinOptions"]["properties"]["kind"]["enum"] == ["round_robin"]
    assert parts["RoundRobinOptions"]["required"] == []
    assert parts["Limits"]["properties"]["memory"]["type"] == ["integer", "string"]


def test_in_the_schema_a_kind_that_is_no_default_must_be_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GROUPS, "format", (FORMATS, "swiss"))
    parts = schema()["$defs"]
    assert isinstance(parts, dict)
    assert parts["RoundRobinOptions"]["required"] == ["kind"]


TEXTS = st.lists(st.text(max_size=20) | st.sampled_from(CUP.splitlines()), max_size=6).map(
    "\n".join
)


@given(st.data())
def test_any_file_is_a_tournament_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    path = folder / "cup.yaml"
    path.write_text(data.draw(TEXTS), encoding="utf-8", errors="surrogateescape")
    with pytest.raises(InputError) as refused:  # there are no bots
        load(path)
    assert refused.value.problems


IMAGES = "{kind: docker, image: own:1, images: [python:3.12, node:22]}"


def test_a_bot_gets_no_image_that_the_organiser_does_not_offer(here: Path) -> None:
    manifest = here / "bots" / "anna" / "bot.yaml"
    manifest.write_text(manifest.read_text() + "image: python:3.12\n")
    said = told(CUP)
    assert "bots/anna/bot.yaml: image: anna asks for the image python:3.12" in said
    assert "leave it out, or add it to `images` of the tournament's `sandbox`" in said
    said = told(CUP + "sandbox: {kind: docker, image: own:1, images: [node:22]}\n")
    assert "ask for one of own:1, node:22" in said
    assert names(cup(CUP + f"sandbox: {IMAGES}\n")) == ["anna", "zoe"]
    assert names(cup(CUP + "sandbox: {kind: bubblewrap}\n")) == ["anna", "zoe"]


def test_a_bot_runs_in_the_image_that_it_asks_for(here: Path) -> None:
    manifest = here / "bots" / "anna" / "bot.yaml"
    manifest.write_text(manifest.read_text() + "image: node:22\n")
    found = cup(CUP + f"sandbox: {IMAGES}\n")
    assert [bot.within(found.limits).image for bot in found.bots] == ["node:22", "own:1"]


def test_what_is_stored_of_a_tournament_is_what_is_compared(here: Path) -> None:
    found = resolved(cup(CUP + f"sandbox: {IMAGES}\n"))
    assert msgspec.json.decode(msgspec.json.encode(found)) == found
