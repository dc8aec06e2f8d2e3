"""A bot of protocol 1 whose log is the whole conversation. It chooses at random among what is lawful.

`talker.py HABIT ...`, of these habits:

    sheet       hands in the whole sheet at once, as texts and objects; otherwise one order after the other
    sloppy      now and then gives a line that makes no sense, or the same one twice
    blind       does not ask for options, and orders nothing
    resign=N    begins the answer to view N with resigning something, where that can be done
    mumble=N    answers the views from number N on with something that is no message
    die=N       ends with exit code 3 instead of answering view N
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

MAX_ORDERS = 6  # in one turn

habits = {name: value for name, _, value in (word.partition("=") for word in sys.argv[1:])}
dice = random.Random(0)


def log(word: str, text: str) -> None:
    print(word, text, file=sys.stderr, flush=True)


def say(text: str) -> None:
    log("says", text)
    print(text, flush=True)


def message(kind: str, **fields: Any) -> str:
    return json.dumps({"type": kind, **fields})


def choose(options: list[dict[str, Any]]) -> dict[str, Any] | None:
    """The next order, or None to end the turn."""
    options = [option for option in options if option["order"]["order"] != "resign"]
    if not options or dice.random() < 0.1:
        return None
    option = dice.choice(options)
    order: dict[str, Any] = option["order"]
    if option.get("least") is not None:
        order["number"] = dice.randint(option["least"], option["most"])
    return order


def nonsense() -> Any:
    return dice.choice(["dance", {"order": "dance"}, 7, "build castle 0,0", {"order": "move", "x": -1}])


def whole_sheet(options: list[dict[str, Any]]) -> str:
    orders: list[Any] = []
    for _ in range(dice.randrange(MAX_ORDERS)):
        order = choose(options)
        if order is not None:
            text = next(option["text"] for option in options if option["order"] is order)
            orders.append(text if "number" not in order and dice.random() < 0.5 else order)
    if "sloppy" in habits and dice.random() < 0.6:
        orders.insert(dice.randrange(len(orders) + 1), nonsense())
        orders += orders[:1]
    return message("orders", orders=orders)


def next_order(heard: dict[str, Any], given: int) -> str:
    """One order of a sheet that is given bit by bit."""
    if heard.get("fault") or given >= MAX_ORDERS:
        return message("end")
    if "sloppy" in habits and dice.random() < 0.15:
        return message("order", order=nonsense())
    resigning = [option["order"] for option in heard["options"] or [] if option["order"]["order"] == "resign"]
    if resigning and heard.get("step") == int(habits.get("resign", 0)):
        return message("order", order=resigning[0])
    order = choose(heard["options"] or [])
    return message("end") if order is None else message("order", order=order)


def answer(heard: dict[str, Any], given: int) -> str:
    step = heard.get("step", 0)
    if step and step == int(habits.get("die", 0)):
        log("dies", "")
        sys.exit(3)
    if step and step >= int(habits.get("mumble", 1 << 30)):
        return dice.choice(["what?", "[]", '{"type": "orders"}', '{"type": "view"}'])
    if "blind" in habits:
        return message("orders", orders=[])
    return whole_sheet(heard["options"] or []) if "sheet" in habits else next_order(heard, given)


def main() -> None:
    given = 0
    for line in sys.stdin:
        log("hears", line.rstrip("\n"))
        heard = json.loads(line)
        if heard["type"] == "hello":
            dice.seed(heard["seed"])
            say(message("ready", protocol=1, name="talker", options="blind" not in habits))
        elif heard["type"] == "result":
            return
        else:
            given = 0 if heard["type"] == "view" else given + 1
            say(answer(heard, given))


main()
