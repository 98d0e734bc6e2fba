"""Answers with the first legal move and reads nothing else, so that the arena's cost shows."""

import os
import sys


def answer(line: bytes) -> bytes:
    """Cut the id and the first legal move out of a request's bytes."""
    number = line[line.index(b'"id":') + 5 : line.index(b',"board"')]
    legal = line[line.rindex(b'"legal":[') + 9 : line.rindex(b'],"time_left"')].split(b",")
    if b'"decision":"pass"' in line:
        move = b"[" + b",".join(legal[:3]) + b"]"
    elif b'"decision":"exchange"' in line:
        move = b"[]"
    elif b'"decision":"bid"' in line:
        move = legal[min(1, len(legal) - 1)]
    else:
        move = legal[0]
    return b'{"id":' + number + b',"move":' + move + b"}\n"


def main() -> None:
    """Answer until the referee says that it is over."""
    for line in sys.stdin.buffer:
        if line.startswith(b'{"type":"request"'):
            os.write(1, answer(line))
        elif line.startswith(b'{"type":"hello"'):
            os.write(1, b'{"type":"ready"}\n')


if __name__ == "__main__":
    main()
