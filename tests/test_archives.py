"""Bots that come packed: each trap an archive can be is refused by name, with nothing left."""

import gzip
import io
import os
import stat
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest

from arena.bots import digest_folder, load_bot, opened_bot, submit
from arena.bots.archive import MAX_ENTRIES
from arena.bots.judge import MAX_BYTES, MAX_DEPTH, MAX_FILES
from arena.errors import InputError
from tests.bot_folders import make_bot

MIB = 1024**2


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bot `anna`, where the arena's temporary folders lie in `temporary`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    make_bot(Path(), "anna")
    (tmp_path / "anna" / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "anna" / "run.sh").chmod(0o755)
    (tmp_path / "anna" / "again").symlink_to("bot.py")
    return tmp_path


def zipped(*more: zipfile.ZipInfo | tuple[zipfile.ZipInfo, bytes], top: str = "") -> Path:
    """Pack `anna` and more entries into a zip; `top` is put before the bot's names."""
    with zipfile.ZipFile("anna.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(Path("anna").iterdir()):
            entry = zipfile.ZipInfo(top + path.name)
            entry.external_attr = path.lstat().st_mode << 16
            content = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
            archive.writestr(entry, content)
        for one in more:
            entry, content = one if isinstance(one, tuple) else (one, b"text")
            archive.writestr(entry, content)
    return Path("anna.zip")


def entry(name: str, mode: int = stat.S_IFREG | 0o644) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    return made


def tarred(*more: tarfile.TarInfo, top: str = "") -> Path:
    """Pack `anna` and more entries, of `text` or so many zeros, into a tar.gz."""
    with tarfile.open("anna.tar.gz", "w:gz") as archive:
        for path in sorted(Path("anna").iterdir()):
            archive.add(path, top + path.name)
        for one in more:
            archive.addfile(one, io.BytesIO(bytes(one.size)))
    return Path("anna.tar.gz")


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", size: int = 0):  # type: ignore[no-untyped-def]  # noqa: ANN201
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, target, size
    return made


def refusal(archive: Path) -> str:
    """What is said of an archive that is refused, after which nothing is left of it."""
    with pytest.raises(InputError) as refused, opened_bot(archive):
        raise AssertionError
    assert list(Path("temporary").iterdir()) == []
    return str(refused.value)


@pytest.mark.parametrize("top", ["", "anna-1.0/", "./"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_is_the_bot_that_was_packed(
    home: Path, pack: Callable[..., Path], top: str
) -> None:
    with opened_bot(pack(top=top)) as bot:
        assert bot.ref == load_bot(Path("anna")).ref
        kept = submit(bot, Path("pool"))
    assert digest_folder(kept) == digest_folder(Path("anna"))
    assert (kept / "again").readlink() == Path("bot.py")
    assert os.access(kept / "run.sh", os.X_OK)
    assert list(Path("temporary").iterdir()) == []


@pytest.mark.parametrize("junk", ["__MACOSX/._bot.py", ".git/HEAD", "inner/.DS_Store"])
def test_what_is_no_part_of_a_bot_is_passed_over(home: Path, junk: str) -> None:
    digest = load_bot(Path("anna")).ref.digest
    for archive in (zipped(entry(junk)), tarred(member(junk))):
        with opened_bot(archive) as bot:
            assert bot.ref.digest == digest


def test_a_file_under_two_names_is_two_files(home: Path) -> None:
    with opened_bot(tarred(member("twin.py", tarfile.LNKTYPE, "bot.py"))) as bot:
        assert (bot.folder / "twin.py").read_bytes() == (bot.folder / "bot.py").read_bytes()


def test_what_is_wrong_with_the_bot_itself_has_its_place_in_the_archive(home: Path) -> None:
    Path("anna/bot.yaml").write_text("name: a b\n")
    for pack in (zipped, tarred):
        archive = pack(top="anna/")
        assert f"error: {refusal(archive)}".startswith(f"error: {archive}/bot.yaml:1: ")
    Path("anna/bot.yaml").unlink()
    assert refusal(zipped()).startswith("anna.zip: holds no bot.yaml; ")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("../evil", "leaves the folder; name it by its place in the folder"),
        ("inner/../../evil", "leaves the folder; name it by its place in the folder"),
        ("/etc/evil", "is an absolute path; name it by its place in the folder"),
        ("a\\..\\evil", "the name holds a backslash; rename it"),
        ("a\x1b[2Jb", "the name holds the control character U+001B; rename it"),
        ("x" * 256, "the name is too long; use 255 bytes, and 1024 for a whole path"),
        ("/".join(["x" * 100] * 11), "the name is too long; use 255 bytes, and 1024 for a whole"),
        ("d/" * (MAX_DEPTH + 1) + "x", f"lies more than {MAX_DEPTH} folders deep; put it higher"),
        ("bot.py", "stands there twice; leave one of them out"),
        ("BOT.PY", "only its case tells it from bot.py; rename one of them"),
        ("Bot.py/x", "only its case tells it from bot.py; rename one of them"),
        ("bot.py/x", "bot.py is both a file and a folder; rename one of them"),
        ("again/x", "again is both a file and a folder; rename one of them"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_a_name_that_may_not_be_there_is_refused(home: Path, name: str, what: str) -> None:
    for archive in (zipped(entry(name)), tarred(member(name))):
        assert what in refusal(archive)
        assert refusal(archive).startswith(f"{archive}: {name}: ")
    assert not any(home.rglob("evil"))


@pytest.mark.parametrize(
    ("target", "what"),
    [
        ("/etc/passwd", "the link to /etc/passwd leaves the folder"),
        ("../x", "the link to ../x leaves the folder"),
        ("again/../../x", "the link to again/../../x leaves the folder"),
        ("nowhere", "the link to nowhere leads nowhere"),
        ("x" * 300, "leads nowhere; remove it"),
    ],
)
def test_a_link_that_leaves_the_folder_is_refused(home: Path, target: str, what: str) -> None:
    link = entry("link", stat.S_IFLNK | 0o777)
    for archive in (
        zipped((link, target.encode())),
        tarred(member("link", tarfile.SYMTYPE, target)),
    ):
        assert what in refusal(archive)
        assert "link" in refusal(archive).split(": ")[1] or f"{archive}/link" in refusal(archive)


def test_nothing_is_written_through_a_link(home: Path) -> None:
    out = member("out", tarfile.SYMTYPE, "/" + str(home).strip("/"))
    assert "leaves the folder" in refusal(tarred(out, member("out/evil")))
    Path("anna/here").symlink_to(".")
    assert "here is both a file and a folder" in refusal(tarred(member("here/evil")))
    assert not any(home.rglob("evil"))


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        (tarfile.FIFOTYPE, stat.S_IFIFO),
        (tarfile.CHRTYPE, stat.S_IFCHR),
        (tarfile.BLKTYPE, stat.S_IFBLK),
        (b"Z", stat.S_IFSOCK),
    ],
)
def test_what_is_no_file_is_refused(home: Path, kind: bytes, mode: int) -> None:
    what = "odd: is neither a file nor a folder; remove it"
    assert refusal(zipped(entry("odd", mode | 0o644))) == f"anna.zip: {what}"
    if kind != b"Z":  # which tar has no socket for
        assert refusal(tarred(member("odd", kind))) == f"anna.tar.gz: {what}"


@pytest.mark.parametrize("target", ["/etc/passwd", "../evil", "nowhere", "again", "later.py"])
def test_a_second_name_of_what_is_no_file_before_it_is_refused(home: Path, target: str) -> None:
    said = refusal(tarred(member("twin", tarfile.LNKTYPE, target), member("later.py")))
    assert said == (
        f"anna.tar.gz: twin: is another name of {target}, which is no file before it; "
        "pack it with --hard-dereference"
    )


def test_an_archive_that_unpacks_to_gigabytes_is_stopped(home: Path) -> None:
    what = f"makes it more than {MAX_BYTES // MIB} MiB in all; leave out what is not played"
    assert refusal(zipped((entry("zeros"), bytes(MAX_BYTES)))) == f"anna.zip: zeros: {what}"
    big = member("zeros", size=MAX_BYTES)
    assert refusal(tarred(big)) == f"anna.tar.gz: zeros: {what}"


def test_bytes_are_counted_whatever_the_archive_says_of_them(home: Path) -> None:
    archive = zipped((entry("zeros"), bytes(MAX_BYTES)))
    raw = archive.read_bytes()
    size, small = struct.pack("<L", MAX_BYTES), struct.pack("<L", 5)
    assert size in raw
    archive.write_bytes(raw.replace(size, small))
    assert refusal(archive).startswith("anna.zip: zeros: is damaged (")
    twins = (member(f"twin{n}", tarfile.LNKTYPE, "part") for n in range(5))
    archive = tarred(member("part", size=MAX_BYTES // 4), *twins)
    assert "twin2: makes it more than 64 MiB in all" in refusal(archive)


def test_a_header_of_gigabytes_is_not_read(home: Path) -> None:
    header = tarfile.TarInfo("long")
    header.type, header.size = tarfile.XHDTYPE, 4 * 1024 * MIB
    with gzip.open("anna.tar.gz", "wb", compresslevel=1) as file:
        file.write(header.tobuf(tarfile.GNU_FORMAT))
        for _ in range(130):
            file.write(bytes(MIB))
    said = refusal(Path("anna.tar.gz"))
    assert said == (
        "anna.tar.gz: holds more than 64 MiB when it is unpacked; leave out what is not played"
    )


def many(count: int) -> Iterable[str]:
    return (f"inner/{number}" for number in range(count))


def test_too_many_files_are_refused(home: Path) -> None:
    what = f"holds more than {MAX_FILES} files and folders; leave out what is not played"
    assert refusal(zipped(*map(entry, many(MAX_FILES)))) == f"anna.zip: {what}"
    assert refusal(tarred(*map(member, many(MAX_FILES)))) == f"anna.tar.gz: {what}"
    junk = (f".git/{number}" for number in range(MAX_ENTRIES + 1))
    what = f"holds more than {MAX_ENTRIES} entries; pack less"
    assert refusal(zipped(*map(entry, junk))) == f"anna.zip: {what}"


def test_a_directory_that_is_too_large_to_read_is_not_read(home: Path) -> None:
    archive = zipped()
    raw = bytearray(archive.read_bytes())
    struct.pack_into("<L", raw, len(raw) - 10, 1 << 31)
    archive.write_bytes(raw)
    assert refusal(archive) == f"anna.zip: holds more than {MAX_ENTRIES} entries; pack less"
    raw[-22:-22] = struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1)
    archive.write_bytes(raw)
    assert refusal(archive).startswith("anna.zip: is a ZIP64 archive; ")


def test_an_encrypted_or_oddly_packed_entry_is_refused(home: Path) -> None:
    archive = zipped(entry("secret"))
    raw = bytearray(archive.read_bytes())
    at = raw.rindex(b"PK\x01\x02")
    raw[at + 8] |= 1
    archive.write_bytes(raw)
    what = "secret: is encrypted; pack it without a password"
    assert refusal(archive) == f"anna.zip: {what}"
    odd = entry("odd")
    odd.compress_type = zipfile.ZIP_LZMA
    said = refusal(zipped((odd, b"text")))
    assert said == "anna.zip: odd: is compressed in a rare way; pack it with deflate"


def test_a_file_with_holes_is_refused(home: Path) -> None:
    holes = tarfile.TarInfo("holes")
    holes.pax_headers = {"GNU.sparse.map": "0,1", "GNU.sparse.size": "99999999999"}
    with tarfile.open("anna.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(holes)
    said = refusal(Path("anna.tar.gz"))
    assert said == "anna.tar.gz: holes: is stored with holes; pack it without --sparse"


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_cut_anywhere_is_damaged(home: Path, pack: Callable[..., Path]) -> None:
    archive = pack()
    raw = archive.read_bytes()
    for at in range(5, len(raw), 211):
        archive.write_bytes(raw[:at])
        said = refusal(archive)
        assert said.startswith(f"{archive}: ")
        assert "damaged" in said


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_an_archive_with_a_byte_changed_is_the_bot_or_refused(
    home: Path, pack: Callable[..., Path]
) -> None:
    archive = pack()
    raw = archive.read_bytes()
    for at in range(0, len(raw), 31):
        changed = bytearray(raw)
        changed[at] ^= 0xFF
        archive.write_bytes(changed)
        with suppress(InputError), opened_bot(archive):
            pass
    assert list(Path("temporary").iterdir()) == []


def test_what_is_no_archive_is_told(home: Path) -> None:
    Path("anna.rar").write_bytes(b"Rar!\x1a\x07")
    assert refusal(Path("anna.rar")) == (
        "anna.rar: is neither a folder nor a .zip or .tar.gz archive; "
        "write the folder that holds bot.yaml, or an archive of it"
    )
    Path("anna.gz").write_bytes(gzip.compress(b"no tar" * 1000))
    assert refusal(Path("anna.gz")).startswith("anna.gz: is damaged (")
    os.truncate("anna.rar", 1 << 40)
    assert refusal(Path("anna.rar")).startswith("anna.rar: is larger than ")
    with pytest.raises(InputError, match=r"take it into the pool with: arena submit anna\.zip"):
        load_bot(zipped())
