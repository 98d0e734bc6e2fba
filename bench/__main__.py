"""The figures that speed is judged by: ``python -m bench [NAME …]``, by the names below.

Most are a ratio between two ways of doing the same work, timed in turns within this one run, so
that a slow or busy machine slows both. `store` and `site` have seconds and bytes, and `scaling`
wants idle cores.
"""

import sys
from collections.abc import Callable

from bench import helper, match, playouts, sandboxes, scaling, site, store

BENCHMARKS: dict[str, Callable[[], None]] = {
    "playouts": playouts.main,
    "match": match.main,
    "sandboxes": sandboxes.main,
    "helper": helper.main,
    "store": store.main,
    "site": site.main,
    "scaling": scaling.main,
}


def main() -> None:
    """Run the benchmarks named on the command line, or all."""
    for name in sys.argv[1:] or BENCHMARKS:
        BENCHMARKS[name]()


if __name__ == "__main__":
    main()
