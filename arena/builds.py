"""A bot's build step: run once in the sandbox, under limits of its own, and kept by digest.

It knows the folder a build leaves behind, and whose fault it is that there is none; it never plays
a match.
"""

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from arena.bots import Bot, shelve
from arena.errors import HostFault
from arena.record import Limits
from arena.sandbox import Launch, Sandbox
from arena.session import run_to_end

SECONDS = 120.0
"""How long a build may take."""
LIMITS = Limits(memory=1024**3, processes=128, scratch=256 * 1024**2, freeze=False)
"""What a build may use: a compiler needs more than the bot it makes."""
_SUCCESS = "exit code 0"
_BUILT = "-built"


def ready_bot(bot: Bot, shelf: Path, sandbox: Sandbox, limits: Limits = Limits()) -> Bot:
    """Give a bot as it can be started: a copy on the shelf, built where it has a build step.

    It is built in the image and by the runtime that `limits` name for playing, once for each
    shelf and content. A bot whose build fails is given back `unbuilt`, as that is its own fault.
    Raises `HostFault` where this machine fails, `InputError` where the bot's folder is not what
    was loaded, and `OSError` where the shelf cannot be written.
    """
    kept = shelve(bot, shelf)
    if bot.manifest.build is None:
        return kept
    target = kept.folder.with_name(kept.folder.name + _BUILT)
    if not target.exists():
        with TemporaryDirectory(prefix=".building-", dir=shelf) as temporary:
            work = Path(temporary) / "bot"
            shutil.copytree(kept.folder, work, symlinks=True)
            build_limits = replace(LIMITS, image=limits.image, runtime=limits.runtime)
            launch = Launch(bot.manifest.build, work, build_limits, writable=True)
            output, ending = run_to_end(sandbox.launch(launch), SECONDS, LIMITS.log)
            if ending.text != _SUCCESS:
                late = f"no end after {SECONDS:g} s, {ending.text}"
                how = late if ending.text == "still running" else ending.text
                return replace(kept, unbuilt=(ending.resource or how, output))
            _check(work)
            work.rename(target)
    return replace(kept, folder=target)


def source_of(bot: Bot) -> Path:
    """Give the folder with the author's files of a bot that is ready, for another machine."""
    if bot.manifest.build is None:
        return bot.folder
    return bot.folder.with_name(bot.folder.name.removesuffix(_BUILT))


def _check(work: Path) -> None:
    """See that what a build left can be mounted: a folder, and not a link to another."""
    if work.is_symlink() or not work.is_dir():
        raise HostFault("a build took its own folder away")
