"""random: makes legal moves at random, all drawn from the seed in `hello`.

The weakest bot that never breaks a rule: others are measured against it, and since it bids double
nil now and then, every kind of decision turns up in its games.
"""

import json
import sys
from random import Random

DOUBLE_NIL_ONE_IN = 16


def choose(request, memory):
    """Pick a move that the rules allow; `memory` is the random generator of the sitting."""
    decision, legal = request["decision"], request["legal"]
    if decision == "blind_nil":
        return memory.randrange(DOUBLE_NIL_ONE_IN) == 0
    if decision == "exchange":
        return memory.sample(legal, memory.randrange(min(3, len(legal)) + 1))
    if decision == "pass":
        return memory.sample(legal, 3)
    return memory.choice(legal)  # a bid, a draft or a card


def remember(hello):
    """Draw everything from this seat's own seed, so that a sitting can be repeated exactly."""
    return Random(hello["seed"])


def answer(message):
    """Write one line, and flush it: the referee waits for it."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main():
    """Answer each line until the referee says `end` or closes the input."""
    memory = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            memory = remember(message)
            answer({"type": "ready"})
        elif kind == "request":
            answer({"id": message["id"], "move": choose(message, memory)})
        elif kind == "end":
            return


if __name__ == "__main__":
    main()
