"""A bot's folder as one piece of bytes, for another machine to unpack.

It knows what belongs to a bot and that a parcel may come from anyone; it never knows how parcels
travel. What a folder is called where it is unpacked has no say in its digest.
"""

import zlib
from pathlib import Path, PurePosixPath
from typing import Literal

import msgspec

from arena.bots import Bot, load_bot
from arena.bots.folder import MAX_BYTES, list_folder, open_file
from arena.errors import ArenaError

_ROOM = 8 * 1024**2
"""What paths and the like may add to the contents of a parcel, in bytes."""


class ParcelError(ArenaError):
    """A parcel that is not the bot it should be."""


class Packed(msgspec.Struct, frozen=True, array_like=True):
    """A file or a link of a bot's folder; a link's content is where it leads."""

    path: str
    kind: Literal["file", "exec", "link"]
    content: bytes


def pack(folder: Path) -> bytes:
    """Put all that belongs to a bot into one parcel."""
    contents = []
    for entry in list_folder(folder):
        if entry.kind == "link":
            contents.append(Packed(entry.path, "link", entry.target.encode()))
            continue
        with open_file(folder / entry.path) as file:
            kind: Literal["exec", "file"] = "exec" if entry.kind == "exec" else "file"
            contents.append(Packed(entry.path, kind, file.read()))
    return zlib.compress(msgspec.msgpack.encode(contents), 1)


def unpack(parcel: bytes, digest: str, folder: Path) -> Bot:
    """Unpack a parcel into a new folder, and load the bot whose digest it must have.

    Raises `ParcelError` for another bot's parcel and for what is none.
    """
    files = _open(parcel)
    folder.mkdir(mode=0o700, parents=True)
    links_last = sorted(files, key=lambda one: one.kind == "link")  # no file is put through a link
    for one in links_last:
        _put(one, folder)
    bot = load_bot(folder)
    if bot.ref.digest != digest:
        raise ParcelError(f"bot {bot.ref.bot}: its folder has changed since the run began")
    return bot


def _open(parcel: bytes) -> list[Packed]:
    try:
        opening = zlib.decompressobj()
        text = opening.decompress(parcel, MAX_BYTES + _ROOM)
        files = msgspec.msgpack.decode(text, type=list[Packed])
    except (zlib.error, msgspec.DecodeError) as error:
        raise ParcelError(f"a bot's folder arrived damaged ({error})") from error
    return files


def _put(one: Packed, folder: Path) -> None:
    path = PurePosixPath(one.path)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ParcelError(f"a bot's folder would be unpacked outside of its place: {one.path!r}")
    target = folder / path
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    if one.kind == "link":
        target.symlink_to(one.content.decode())
        return
    with target.open("xb") as file:
        file.write(one.content)
    target.chmod(0o755 if one.kind == "exec" else 0o644)
