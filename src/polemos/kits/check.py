"""Checks that a bot speaks the protocol: `python3 check.py COMMAND...` runs it on conversation.jsonl, a recorded match.

The umpire's lines come from the recording, whatever the bot orders. So this tells you whether the bot reads the lines,
answers in time and sticks to the options, but not how well it plays. It only needs Python.
"""

import contextlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

SECONDS = 20  # for the whole conversation


class Wrong(Exception):
    """The bot did something wrong."""


class Bot:
    """The bot as a process."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.timer = threading.Timer(SECONDS, self.process.kill)
        self.timer.start()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Sends one line and reads one line."""
        exited = None
        try:
            self.say(message)
        except Wrong as wrong:
            exited = wrong  # its last line may say more
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line and exited is not None:
            raise exited
        if not line:
            raise Wrong(f"no answer to this {message['type']} (the bot exited, or took more than {SECONDS} s in total)")
        try:
            answer = json.loads(line)
        except ValueError:
            raise Wrong(f"this line is not JSON: {line.decode(errors='replace').strip()}") from None
        if not isinstance(answer, dict):
            raise Wrong(f"this line is not a JSON object: {line.decode(errors='replace').strip()}")
        return answer

    def say(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Wrong(f"the bot exited before it could read this {message['type']}") from None

    def end(self) -> int:
        """Closes the bot's standard input and waits for it to exit."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        code = self.process.wait()
        self.process.stdout.close()
        self.timer.cancel()
        return code


def offered(order: Any, options: list[dict[str, Any]] | None) -> bool:
    """Whether an order is one of the options, with its number between least and most."""
    for option in options or []:
        pattern, least = dict(option["order"]), option.get("least")
        if least is not None and isinstance(order, dict):
            number = order.get("number")
            if not isinstance(number, int) or not least <= number <= option["most"]:
                continue
            pattern["number"] = number
        if pattern == order:
            return True
    return False


def turn(bot: Bot, view: dict[str, Any], updates: list[dict[str, Any]]) -> int:
    """One turn: the view, then an update for every single order. Returns how many orders there were."""
    heard, orders = view, 0
    while True:
        answer = bot.ask(heard)
        if answer.get("type") == "end":
            return orders
        if answer.get("type") == "orders" and isinstance(answer.get("orders"), list):
            return orders + len(answer["orders"])
        if answer.get("type") != "order" or "order" not in answer:
            raise Wrong(f"expected order, orders or end, not {json.dumps(answer)}")
        if isinstance(answer["order"], dict) and not offered(answer["order"], heard["options"]):
            raise Wrong(f"this order is not one of the options: {json.dumps(answer['order'])}")
        orders += 1
        if orders > 1000:
            raise Wrong("the bot gave a thousand orders without ending its turn")
        nothing: dict[str, Any] = {"type": "update", "fault": None, "options": [], "view": None}
        heard = updates.pop(0) if updates else nothing


def check(command: list[str]) -> str:
    """Plays through the recording and returns a summary."""
    record = Path(__file__).with_name("conversation.jsonl")
    messages = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    bot, turns, orders = Bot(command), 0, 0
    try:
        ready = bot.ask(messages[0])
        if ready.get("type") != "ready":
            raise Wrong(f"the answer to hello must be ready, not {json.dumps(ready)}")
        for at, message in enumerate(messages):
            if message["type"] == "view":
                rest = messages[at + 1 :]
                new = next(i for i, later in enumerate(rest) if later["type"] in ("view", "result"))
                orders += turn(bot, message, [later for later in rest[:new] if later["type"] == "update"])
                turns += 1
        bot.say(messages[-1])
        code = bot.end()
    except Wrong:
        bot.process.kill()
        bot.end()
        raise
    if code:
        raise Wrong(f"the bot exited with code {code}")
    return f"ok: {turns} turns, {orders} orders"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: python3 check.py COMMAND...")
    try:
        print(check(sys.argv[1:]))
    except (Wrong, OSError) as wrong:
        sys.exit(f"wrong: {wrong}")
