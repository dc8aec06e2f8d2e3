"""A bot to begin with. It plays any game of Polemos: it chooses at random among what is lawful.

The umpire writes one JSON object a line to our standard input; we answer with one JSON object a line on standard
output. Whatever we write to standard error is our log.
"""

import json
import random
import sys
from typing import Any

MAX_ORDERS = 40  # in one turn
ENOUGH = 0.1  # the chance to stop before each order


def say(**message: Any) -> None:
    """One line to the umpire, at once: a line that waits in a buffer is a line too late."""
    print(json.dumps(message), flush=True)


def choose(options: list[dict[str, Any]], dice: random.Random) -> dict[str, Any] | None:
    """The order to give next, or None to end the turn. This is the place to become clever."""
    options = [option for option in options if option["order"]["order"] != "resign"]
    if not options or dice.random() < ENOUGH:
        return None
    option = dice.choice(options)
    order: dict[str, Any] = option["order"]
    if option.get("least") is not None:  # the order has a number that we may choose
        order["number"] = dice.randint(option["least"], option["most"])
    return order


def main() -> None:
    dice = random.Random()
    given = 0  # orders in this turn
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":  # once: who we are, and what never changes in this match
            dice = random.Random(message["seed"])  # the same seed, the same game: good for finding mistakes
            say(type="ready", protocol=1, name="starter", options=True)
        elif message["type"] in ("view", "update"):
            if message["type"] == "view":  # a new turn; message["view"] is all that we may know
                given = 0
            fault = message.get("fault")  # an update says so if our last order was refused
            if fault:
                print("refused:", fault["why"], file=sys.stderr)
            order = None if fault or given == MAX_ORDERS else choose(message["options"] or [], dice)
            if order is None:
                say(type="end")
            else:
                given += 1
                say(type="order", order=order)
        elif message["type"] == "result":
            break


if __name__ == "__main__":
    main()
