import zlib
from pathlib import Path

import msgspec
import pytest

from arena.bots import load_bot
from arena.errors import ArenaError, InputError
from arena.executors.parcels import Packed, ParcelError, pack, unpack
from tests.bot_folders import make_bot


def parcel_of(*files: Packed) -> bytes:
    return zlib.compress(msgspec.msgpack.encode(files))


def test_a_bot_is_the_same_where_it_is_unpacked(tmp_path: Path) -> None:
    bot = make_bot(tmp_path, "anna")
    (bot.folder / "deep" / "er").mkdir(parents=True)
    (bot.folder / "deep" / "er" / "table.bin").write_bytes(bytes(range(256)) * 1000)
    (bot.folder / "run.sh").write_text("#!/bin/sh\n")
    (bot.folder / "run.sh").chmod(0o755)
    (bot.folder / "link").symlink_to("deep/er/table.bin")
    (bot.folder / "__pycache__").mkdir()
    (bot.folder / "__pycache__" / "bot.pyc").write_text("no part of it")
    bot = load_bot(bot.folder)
    there = unpack(pack(bot.folder), bot.ref.digest, tmp_path / "far" / "away")
    assert (there.ref, there.manifest) == (bot.ref, bot.manifest)
    assert there.folder == tmp_path / "far" / "away"
    assert (there.folder / "link").readlink() == Path("deep/er/table.bin")
    assert (there.folder / "run.sh").stat().st_mode & 0o777 == 0o755
    assert not (there.folder / "__pycache__").exists()
    assert pack(there.folder) == pack(bot.folder)


def test_a_parcel_of_another_bot_is_refused(tmp_path: Path) -> None:
    anna, bob = make_bot(tmp_path, "anna"), make_bot(tmp_path, "bob")
    with pytest.raises(ParcelError, match="bot bob: its folder has changed since the run began"):
        unpack(pack(bob.folder), anna.ref.digest, tmp_path / "there")


@pytest.mark.parametrize("path", ["../out", "/out", "a/../../out", "."])
def test_nothing_is_unpacked_outside(path: str, tmp_path: Path) -> None:
    with pytest.raises(ParcelError, match="outside of its place"):
        unpack(parcel_of(Packed(path, "file", b"x")), "sha256:0", tmp_path / "in" / "there")
    assert not (tmp_path / "in" / "out").exists()
    assert not (tmp_path / "out").exists()


def test_no_file_is_put_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    parcel = parcel_of(Packed("door", "link", b"../other"), Packed("door/file", "file", b"x"))
    with pytest.raises((OSError, ArenaError)):
        unpack(parcel, "sha256:0", tmp_path / "there")
    assert list((tmp_path / "other").iterdir()) == []


def test_a_link_that_leaves_the_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        unpack(parcel_of(Packed("door", "link", b"../..")), "sha256:0", tmp_path / "there")


@pytest.mark.parametrize("raw", [b"", b"no parcel", zlib.compress(b"\xc1")])
def test_what_is_no_parcel_is_refused(raw: bytes, tmp_path: Path) -> None:
    with pytest.raises(ParcelError, match="arrived damaged"):
        unpack(raw, "sha256:0", tmp_path / "there")


def test_a_parcel_that_swells_is_not_opened_in_full(tmp_path: Path) -> None:
    swelling = zlib.compress(bytes(80 * 1024**2), 1)
    with pytest.raises(ParcelError, match="arrived damaged"):
        unpack(swelling, "sha256:0", tmp_path / "there")
