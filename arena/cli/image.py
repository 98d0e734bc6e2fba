"""The command that makes an image for bots: `image`.

It knows how to say what was made; how it is made, the sandbox's room knows.
"""

from typing import Annotated

import typer

from arena.cli.terminal import print_line, say
from arena.errors import HostFault, SandboxError
from arena.sandbox.docker import DEFAULT_IMAGE, make_image

MIB = 1024**2


def image(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="What to call it; a tournament's file says it after `image:`.",
        ),
    ] = DEFAULT_IMAGE,
) -> None:
    """Make a Docker image for bots from this machine's programs; no registry is asked."""
    say(f"making the image {name} …")
    try:
        made = make_image(name)
    except HostFault as fault:
        raise SandboxError(str(fault)) from fault
    say(f"{made.size / MIB:.0f} MiB, with {', '.join(made.programs)}")
    print_line(f"{made.name} {made.id}")
