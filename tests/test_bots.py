"""A bot's folder is read, digested and kept, or refused with what to do about it."""

# ruff: noqa: E501 - in the tables a row is one line, message and all

import errno
import hashlib
import os
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots import (
    Bot,
    check_name,
    digest_folder,
    load_bot,
    plain_name,
    pool_versions,
    shelve,
    submit,
)
from arena.bots.folder import MAX_BYTES, MAX_FILES
from arena.bots.names import LONGEST_NAME
from arena.errors import InputError
from arena.record import BotRef
from tests.bot_folders import make_bot

MANIFEST = """\
name: anna
version: "1.0"
games: [two-player, partnership]
command: [python3, bot.py]
protocol: 1
"""


@pytest.fixture
def anna(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A good bot's folder, called `anna` from the current folder."""
    monkeypatch.chdir(tmp_path)
    folder = Path("anna")
    folder.mkdir()
    (folder / "bot.yaml").write_text(MANIFEST)
    (folder / "bot.py").write_text("print()\n")
    return folder


def told(folder: Path) -> str:
    """What is said of a folder that is refused."""
    with pytest.raises(InputError) as refused:
        load_bot(folder)
    return str(refused.value)


def with_key(folder: Path, key: str, value: str) -> None:
    """Set one key of the manifest, in its own line or behind the last."""
    lines = MANIFEST.splitlines()
    names = [line.partition(":")[0] for line in lines]
    at = names.index(key) if key in names else len(lines)
    lines[at : at + 1] = [f"{key}: {value}"]
    (folder / "bot.yaml").write_text("\n".join(lines))


def names_in(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir())


def program(folder: Path, name: str, text: str = "#!/bin/sh\n", mode: int = 0o755) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text, newline="")
    (folder / name).chmod(mode)


def test_a_bot_is_loaded_with_its_manifest_and_digest(anna: Path) -> None:
    bot = load_bot(anna)
    assert bot.ref == BotRef("anna", "1.0", digest_folder(anna))
    assert bot.folder == anna.absolute()
    assert bot.command == ("python3", "bot.py")
    assert bot.manifest.games == ("two-player", "partnership")
    assert bot.manifest.build is None


def test_a_bot_travels_as_plain_data(anna: Path) -> None:
    bot = load_bot(anna)
    raw = msgspec.msgpack.encode(bot, enc_hook=str)
    assert msgspec.msgpack.decode(raw, type=Bot, dec_hook=lambda kind, text: kind(text)) == bot


@pytest.mark.parametrize("slash", ["", "/", "//"])
def test_a_folder_may_have_any_name_and_a_slash_behind(anna: Path, slash: str) -> None:
    folder = anna.rename("zoë's [new] bot")
    assert load_bot(Path(f"{folder}{slash}")).ref.bot == "anna"


def test_all_that_a_manifest_may_say_is_read(anna: Path) -> None:
    extra = "build: [make]\nauthors: [Anna, Zoë]\ndescription: >\n  Plays\n  well.\nimage: python:3.12\n"
    (anna / "bot.yaml").write_text(MANIFEST + extra)
    manifest = load_bot(anna).manifest
    assert manifest.build == ("make",)
    assert manifest.authors == ("Anna", "Zoë")
    assert manifest.description == "Plays well.\n"
    assert manifest.image == "python:3.12"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("name", "", "1: name: there is no value; write one, or remove it"),
        ("name", "''", "1: name: is empty; use letters, digits and ._+-, a letter or digit first"),
        ("name", "a/b", "1: name: holds the character '/'; write a-b"),
        ("name", "'a:b'", "1: name: holds the character ':'; write a-b"),
        ("name", "my bot", "1: name: holds the character ' '; write my-bot"),
        ("name", "...", "1: name: begins with '.'; use letters, digits and ._+-, a letter or digit first"),
        ("name", ".hidden", "1: name: begins with '.'; write hidden"),
        ("name", "🂡", "1: name: holds the character '🂡'; use letters, digits and ._+-, a letter or digit first"),
        ("name", '"a\\u202Eb"', "1: name: holds the invisible character U+202E; write a-b"),
        ("name", '"a\\tb"', "1: name: holds the invisible character U+0009; write a-b"),
        ("name", '"a\\u3164b"', "1: name: holds the invisible character U+3164; write a-b"),
        ("name", "x" * 300, f"1: name: has 300 characters, and at most 40 are allowed; write {'x' * 40}"),
        ("name", "<b>bold</b>", "1: name: holds the character '<'; write b-bold-b"),
        ("version", '"1 0"', "2: version: holds the character ' '; write 1-0"),
        ("version", "1" * 21, f"2: version: has 21 characters, and at most 20 are allowed; write {'1' * 20}"),
        ("games", "[]", "3: games: 0 given, and at least 1 needed"),
        ("games", "two-player", "3: games: a list is expected, not two-player; write [two-player]"),
        ("games", "[two-player, two-player]", "3: games[1]: two-player stands twice; keep one of them"),
        ("games", "[two_player]", "3: games[0]: there is no game 'two_player'; did you mean 'two-player'?"),
        ("command", "python3 bot.py", "4: command: a list is expected, not python3 bot.py; write [python3, bot.py]"),
        ("command", "[]", "4: command: 0 given, and at least 1 needed"),
        ("command", "['']", "4: command[0]: names no program; write the program first, such as python3 or ./bot"),
        ("command", "[/usr/bin/python3]", "4: command[0]: /usr/bin/python3 is an absolute path, which the sandbox does not show; write python3, which is looked up on the PATH"),
        ("command", "[../other/bot]", "4: command[0]: ../other/bot leaves the folder; put the program into the folder"),
        ("command", "[bin/../../bot]", "4: command[0]: bin/../../bot leaves the folder; put the program into the folder"),
        ("command", "[bot.py]", "4: command[0]: bot.py would be looked up on the PATH; write ./bot.py"),
        ("command", "[./bot.sh]", "4: command[0]: there is no file ./bot.sh; did you mean 'bot.py'?"),
        ("command", "[./run/me]", "4: command[0]: there is no file ./run/me; put it there, or give a build"),
        ("command", "[./bot.py]", "4: command[0]: ./bot.py is not executable; chmod +x bot.py"),
        ("command", "[./]", "4: command[0]: ./ is a folder; name the program in it"),
        ("build", "[./make.sh]", "6: build[0]: there is no file ./make.sh; put it there, or give a build"),
        ("protocol", "2", "5: protocol: 1 is expected, not 2"),
        ("protocol", "'1'", "5: protocol: 1 is expected, not '1'; write it without quotation marks"),
        ("authors", "Anna", "6: authors: a list is expected, not Anna; write [Anna]"),
        ("description", "x" * 1001, "6: description: has 1001 characters, and at most 1000 are allowed"),
        ("comand", "[a]", "6: comand: unknown key; did you mean 'command'?"),
    ],
)  # fmt: skip
def test_a_fault_of_the_manifest_has_its_line(
    anna: Path, key: str, value: str, message: str
) -> None:
    with_key(anna, key, value)
    assert told(anna) == f"anna/bot.yaml:{message}"


def test_an_absolute_path_into_the_folder_has_a_remedy_that_works_elsewhere(anna: Path) -> None:
    path = anna.absolute() / "bot.py"
    with_key(anna, "command", f"[{path}]")
    assert told(anna).endswith(
        "is an absolute path, which the sandbox does not show; write ./bot.py"
    )


@pytest.mark.parametrize("key", ["name", "version", "games", "command", "protocol"])
def test_a_key_that_must_be_there_is_missed(anna: Path, key: str) -> None:
    lines = [line for line in MANIFEST.splitlines() if not line.startswith(key)]
    (anna / "bot.yaml").write_text("\n".join(lines))
    assert told(anna) == f"anna/bot.yaml:1: {key}: is missing"


def test_all_faults_of_a_manifest_are_told(anna: Path) -> None:
    (anna / "bot.yaml").write_text("name: a b\ncommand: [bot.py]\ngames: [whist]\nbild: [make]\n")
    assert told(anna).splitlines() == [
        "anna/bot.yaml:1: protocol: is missing",
        "anna/bot.yaml:1: version: is missing",
        "anna/bot.yaml:1: name: holds the character ' '; write a-b",
        "anna/bot.yaml:3: games[0]: there is no game 'whist'; known here: partnership, two-player",
        "anna/bot.yaml:4: bild: unknown key; did you mean 'build'?",
    ]


def test_a_program_of_the_folder_may_be_named(anna: Path) -> None:
    program(anna, "bin/bot")
    for word in ("./bin/bot", "bin/bot", "./bin//bot"):
        with_key(anna, "command", f"[{word}, --fast]")
        assert load_bot(anna).command == (word, "--fast")


def test_a_script_with_windows_line_ends_is_refused(anna: Path) -> None:
    program(anna, "bot.sh", "#!/bin/sh\r\necho\r\n")
    with_key(anna, "command", "[./bot.sh]")
    assert told(anna) == (
        "anna/bot.yaml:4: command[0]: ./bot.sh has lines that end in CRLF, "
        "and cannot be started so; save it with LF"
    )


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_so_is_one_that_a_shell_is_to_read(anna: Path, shell: str) -> None:
    (anna / "bot.sh").write_bytes(b"read line\r\n")
    with_key(anna, "command", f"[{shell}, ./bot.sh]")
    assert told(anna) == (
        "anna/bot.yaml:4: command[1]: ./bot.sh has lines that end in CRLF, "
        "and cannot be started so; save it with LF"
    )


def test_a_python_file_may_have_windows_line_ends(anna: Path) -> None:
    (anna / "bot.py").write_bytes(b"print()\r\n")
    assert load_bot(anna).command == ("python3", "bot.py")


def test_what_a_build_makes_need_not_be_there_yet(anna: Path) -> None:
    (anna / "bot.yaml").write_text(MANIFEST.replace("python3, bot.py", "./bot") + "build: [make]\n")
    assert load_bot(anna).command == ("./bot",)


def make_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe")


def make_manifest_a_pipe(folder: Path) -> None:
    (folder / "bot.yaml").unlink()
    os.mkfifo(folder / "bot.yaml")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (shutil.rmtree, "anna: no such folder; did you mean 'hanna'?"),
        (lambda anna: (anna / "bot.yaml").unlink(), "anna: holds no bot.yaml; write one with name, version, games, command and protocol"),
        (lambda anna: (anna / "bot.yaml").rename(anna / "bot.yml"), "anna: holds no bot.yaml; rename bot.yml"),
        (lambda anna: [(anna / "bot.yaml").unlink(), (anna / "bot.yaml").mkdir()], "anna/bot.yaml: is no plain file; write the file itself"),
        (make_manifest_a_pipe, "anna/bot.yaml: is no plain file; write the file itself"),
        (lambda anna: (anna / "bot.yaml").write_bytes(b"name: \xff"), "anna/bot.yaml:1: not UTF-8; save the file as UTF-8"),
        (lambda anna: (anna / "bot.yaml").write_bytes(b"x" * 10**7), "anna/bot.yaml: larger than 256 KiB, which no such file needs to be"),
        (make_a_pipe, "anna/pipe: is neither a file nor a folder; remove it"),
        (lambda anna: (anna / "l").symlink_to("/etc/passwd"), "anna/l: the link to /etc/passwd leaves the folder; put the file itself in its place"),
        (lambda anna: (anna / "l").symlink_to(anna.absolute() / "bot.py"), "leaves the folder; put the file itself in its place"),
        (lambda anna: (anna / "l").symlink_to("../hanna"), "anna/l: the link to ../hanna leaves the folder; put the file itself in its place"),
        (lambda anna: (anna / "l").symlink_to("../anna/bot.py"), "anna/l: the link to ../anna/bot.py leaves the folder; put the file itself in its place"),
        (lambda anna: [(anna / "d").symlink_to("."), (anna / "l").symlink_to("d/../hanna")], "anna/l: the link to d/../hanna leaves the folder; put the file itself in its place"),
        (lambda anna: (anna / "l").symlink_to("nowhere"), "anna/l: the link to nowhere leads nowhere; remove it"),
        (lambda anna: (anna / "l").symlink_to("l"), "anna/l: the link to l leads nowhere; remove it"),
        (lambda anna: [(anna / ".git").mkdir(), (anna / "l").symlink_to(".git")], "anna/l: the link to .git leads nowhere; remove it"),
        (lambda anna: (anna / os.fsdecode(b"\xff")).touch(), "anna/\udcff: the name is not UTF-8; rename it"),
        (lambda anna: os.truncate(anna / "bot.py", MAX_BYTES + 2**20), "anna: holds 65 MiB, and at most 64 are allowed; the largest file is bot.py"),
    ],
)  # fmt: skip
def test_a_folder_that_is_no_bot_or_would_break_elsewhere_is_refused(
    anna: Path, change: Callable[[Path], object], message: str
) -> None:
    Path("hanna").mkdir()
    change(anna)
    assert told(anna).endswith(message)


def test_a_file_is_no_folder(anna: Path) -> None:
    assert told(anna / "bot.py") == (
        "anna/bot.py: is no folder; write the folder that holds bot.yaml"
    )


def test_a_path_that_no_system_takes_is_refused(anna: Path) -> None:
    assert told(Path("x" * 300)) == f"{'x' * 300}: cannot be read: File name too long"


def test_too_many_files_are_refused_without_reading_on(anna: Path) -> None:
    (anna / "deep").mkdir()
    for number in range(MAX_FILES):
        (anna / "deep" / str(number)).touch()
    what = f"holds more than {MAX_FILES} files and folders"
    assert told(anna) == f"anna: {what}; leave out what is not played"


@pytest.mark.parametrize(("name", "kind"), [("bot.py", "file"), ("inner", "folder")])
def test_what_cannot_be_read_is_named(
    anna: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: str
) -> None:
    (anna / "inner").mkdir()
    allows = os.access  # the root of a container may read everything
    monkeypatch.setattr("os.access", lambda path, mode: path.name != name and allows(path, mode))
    assert told(anna).startswith(f"anna/{name}: the {kind} cannot be read; chmod u+r")


def test_links_within_the_folder_stay_links(anna: Path) -> None:
    (anna / "inner").mkdir()
    (anna / "inner" / "up").symlink_to("../bot.py")
    (anna / "round").symlink_to(".")
    bot = load_bot(anna)
    kept = submit(bot, Path("pool"))
    assert (kept / "inner" / "up").readlink() == Path("../bot.py")
    assert digest_folder(kept) == bot.ref.digest


def test_the_digest_can_be_computed_by_anyone(anna: Path) -> None:
    program(anna, "a b", "x")
    (anna / "l").symlink_to("bot.py")
    lines = [
        ("exec", b"x", "a b"),
        ("file", b"print()\n", "bot.py"),
        ("file", MANIFEST.encode(), "bot.yaml"),
        ("link", b"bot.py", "l"),
    ]
    text = "".join(
        f"{kind} {hashlib.sha256(raw).hexdigest()} {path}\0" for kind, raw, path in lines
    )
    assert digest_folder(anna) == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "change",
    [
        lambda anna: os.utime(anna / "bot.py", (1, 1)),
        lambda anna: [(anna / "__pycache__").mkdir(), (anna / "__pycache__" / "x.pyc").touch()],
        lambda anna: [(anna / ".git").mkdir(), (anna / ".git" / "HEAD").write_text("x")],
        lambda anna: (anna / "bot.py~").touch(),
        lambda anna: (anna / ".bot.py.swp").touch(),
        lambda anna: (anna / ".DS_Store").touch(),
        lambda anna: (anna / "empty").mkdir(),
        lambda anna: (anna / "bot.py").chmod(0o600),
    ],
)
def test_the_digest_minds_nothing_that_is_not_played(
    anna: Path, change: Callable[[Path], object]
) -> None:
    before = digest_folder(anna)
    change(anna)
    assert digest_folder(anna) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda anna: (anna / "bot.py").write_text("print(1)\n"),
        lambda anna: (anna / "bot.py").chmod(0o755),
        lambda anna: (anna / "bot.py").rename(anna / "bot2.py"),
        lambda anna: (anna / "more").touch(),
        lambda anna: [(anna / "bot.py").unlink(), (anna / "bot.py").symlink_to("bot.yaml")],
        lambda anna: (anna / "bot.pyc").touch(),
    ],
)
def test_the_digest_minds_everything_that_is_played(
    anna: Path, change: Callable[[Path], object]
) -> None:
    before = digest_folder(anna)
    change(anna)
    assert digest_folder(anna) != before


def test_the_digest_is_the_same_wherever_the_folder_lies(anna: Path, tmp_path: Path) -> None:
    before = digest_folder(anna)
    assert digest_folder(anna.rename(tmp_path / "elsewhere")) == before


def test_a_bot_is_kept_under_its_name_and_version(anna: Path) -> None:
    program(anna, "run.sh", mode=0o700)
    (anna / "inner").mkdir()
    (anna / "inner" / "table.txt").write_text("x")
    (anna / "__pycache__").mkdir()
    bot = load_bot(anna)
    kept = submit(bot, Path("pool"))
    assert kept == Path("pool/anna/1.0")
    assert load_bot(kept).ref == bot.ref
    assert names_in(kept) == ["bot.py", "bot.yaml", "inner", "run.sh"]
    assert [(kept / name).stat().st_mode & 0o777 for name in ("bot.py", "run.sh")] == [0o644, 0o755]
    assert names_in(Path("pool")) == ["anna"]


def test_handing_in_the_same_again_changes_nothing(anna: Path) -> None:
    kept = submit(load_bot(anna), Path("pool"))
    before = kept.stat().st_mtime_ns
    assert submit(load_bot(anna), Path("pool")) == kept
    assert submit(load_bot(kept), Path("pool")) == kept
    assert kept.stat().st_mtime_ns == before


def refused_by_pool(folder: Path, pool: Path) -> str:
    with pytest.raises(InputError) as refused:
        submit(load_bot(folder), pool)
    return str(refused.value)


def test_other_content_under_the_same_version_is_refused(anna: Path) -> None:
    kept = submit(load_bot(anna), Path("pool"))
    (anna / "bot.py").write_text("print(1)\n")
    assert refused_by_pool(anna, Path("pool")) == (
        "pool/anna/1.0: anna 1.0 is in the pool already, with other content; give it a new version"
    )
    assert (kept / "bot.py").read_text() == "print()\n"
    with_key(anna, "version", "1.1")
    assert submit(load_bot(anna), Path("pool")) == Path("pool/anna/1.1")


def test_a_pool_is_no_bot_s_folder(anna: Path) -> None:
    assert refused_by_pool(anna, anna / "pool") == (
        "anna/pool: the pool lies in the bot's own folder; name another with --pool"
    )
    assert refused_by_pool(anna, Path()) == (
        "anna: is a bot's folder itself; name another pool with --pool"
    )
    assert names_in(anna) == ["bot.py", "bot.yaml"]


def test_a_bot_that_changed_since_it_was_loaded_is_refused(anna: Path) -> None:
    bot = load_bot(anna)
    (anna / "bot.py").write_text("print(1)\n")
    with pytest.raises(InputError, match="changed while it was copied; try again"):
        submit(bot, Path("pool"))
    assert names_in(Path("pool")) == []


def test_a_pool_that_cannot_be_written_is_named(anna: Path) -> None:
    Path("pool").write_text("")
    assert refused_by_pool(anna, Path("pool")).startswith("pool: cannot be written: ")


def test_a_full_disk_leaves_no_part_of_a_bot(anna: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def fail(source: Path, target: Path) -> Path:
        if target.name == "1.0":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return rename(source, target)

    monkeypatch.setattr("pathlib.Path.rename", fail)
    assert refused_by_pool(anna, Path("pool")) == (
        "pool: cannot be written: No space left on device; make room there"
    )
    assert names_in(Path("pool")) == []


def test_of_two_that_hand_in_at_once_both_are_told_the_truth(
    anna: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = load_bot(anna)
    digest = digest_folder

    def digest_late(folder: Path) -> str:
        """Have another submission arrive after the copy was made, before it is put in place."""
        found = digest(folder)
        if not Path("pool/anna/1.0").exists():
            shutil.copytree(anna, "pool/anna/1.0")
        return found

    monkeypatch.setattr("arena.bots.pool.digest_folder", digest_late)
    assert submit(bot, Path("pool")) == Path("pool/anna/1.0")
    assert names_in(Path("pool")) == ["anna"]


def test_a_pool_knows_the_versions_of_a_bot(anna: Path) -> None:
    for version in ("1.0", "1.10", "1.9"):
        with_key(anna, "version", version)
        submit(load_bot(anna), Path("pool"))
    (Path("pool/anna") / "notes.txt").touch()
    (Path("pool/anna") / "empty").mkdir()
    assert [one.name for one in pool_versions(Path("pool/anna"))] == ["1.0", "1.10", "1.9"]
    assert pool_versions(Path("pool")) == []
    assert pool_versions(Path("nowhere")) == []
    Path("pool/anna/1.9/bot.yaml").write_text("[")
    assert [one.name for one in pool_versions(Path("pool/anna"))] == ["1.0", "1.10"]


def test_a_name_has_one_spelling(anna: Path) -> None:
    with_key(anna, "name", unicodedata.normalize("NFD", "zoë"))
    assert load_bot(anna).ref.bot == "zoë"
    assert load_bot(anna).manifest.name == "zoë"


@pytest.mark.parametrize("name", ["a", "Anna_2.0+b-c", "7", "zoë", "李", "Ωmega", "x" * 40])
def test_a_good_name_is_left_alone(name: str) -> None:
    assert check_name(name) is None


@given(st.text(max_size=300))
def test_a_name_suggested_is_a_good_one(text: str) -> None:
    fault = check_name(text)
    if fault is None:
        name = plain_name(text)
        assert 1 <= len(name) <= LONGEST_NAME
        assert name.isprintable()
        assert not set(name) & set(" /\\:<>&'\"|*?")
    elif fault[1].startswith("write "):
        assert check_name(fault[1].removeprefix("write ")) is None


def test_a_shelved_bot_stays_what_it_was_when_its_folder_changes(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "changes")
    kept = shelve(bot, tmp_path / "shelf")
    (bot.folder / "bot.py").write_text("other", encoding="utf-8")
    assert kept.ref == bot.ref
    assert digest_folder(kept.folder) == bot.ref.digest
    with pytest.raises(InputError, match="changed while it was copied"):
        shelve(bot, tmp_path / "another")


def test_a_shelved_copy_that_was_tampered_with_is_made_again(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "whole")
    kept = shelve(bot, tmp_path / "shelf")
    (kept.folder / "more.txt").write_text("slipped in", encoding="utf-8")
    again = shelve(bot, tmp_path / "shelf")
    assert again == kept
    assert not (kept.folder / "more.txt").exists()
    assert [one.name for one in (tmp_path / "shelf").iterdir()] == [kept.folder.name]
