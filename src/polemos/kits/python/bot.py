"""A starter bot. It plays every game in Polemos by choosing legal orders at random.

The umpire writes one JSON object per line to our standard input, and we answer with one JSON object per line on
standard output. Anything we write to standard error goes to our log.
"""

import json
import random
import sys
from typing import Any

MAX_ORDERS = 40  # in one turn
ENOUGH = 0.1  # the chance to stop before each order


def say(**message: Any) -> None:
    """Sends one line to the umpire at once: a line left in a buffer arrives too late."""
    print(json.dumps(message), flush=True)


def choose(options: list[dict[str, Any]], dice: random.Random) -> dict[str, Any] | None:
    """The order to give next, or None to end the turn. This is where to add your strategy."""
    options = [option for option in options if option["order"]["order"] != "resign"]
    if not options or dice.random() < ENOUGH:
        return None
    option = dice.choice(options)
    order: dict[str, Any] = option["order"]
    if option.get("least") is not None:  # we can choose the order's number
        order["number"] = dice.randint(option["least"], option["most"])
    return order


def main() -> None:
    dice = random.Random()
    given = 0  # orders in this turn
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":  # once: our seat, and everything that never changes in this match
            dice = random.Random(message["seed"])  # the same seed gives the same game, which helps with debugging
            say(type="ready", protocol=1, name="__NAME__", options=True)
        elif message["type"] in ("view", "update"):
            if message["type"] == "view":  # a new turn; message["view"] is everything we can see
                given = 0
            fault = message.get("fault")  # set in an update if our last order was refused
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
