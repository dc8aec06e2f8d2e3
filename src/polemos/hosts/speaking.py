"""One of our own bots as a program: it talks to an umpire as any other program does (`polemos.wire.bot`).

`polemos bot GAME NAME` starts it. In the box it is `python -m polemos.hosts.speaking GAME NAME` (see `ours`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Raw, Struct

from polemos import registry
from polemos.hosts import inprocess
from polemos.wire.bot import Orders, Ready


class _Hello(Struct, tag_field="type", tag="hello"):
    game: str
    seat: str
    seed: int
    setting: Raw


class _Seen(Struct, tag_field="type", tag="view"):
    view: Raw
    time_left: float


class _Result(Struct, tag_field="type", tag="result"):
    pass


def speak(game: Any, name: str, heard: Iterable[bytes], say: Callable[[bytes], object]) -> None:
    """Answers one match. Whatever takes long, such as loading compiled rules, is done before the clock runs."""
    heard_type = msgspec.json.Decoder(_Hello | _Seen | _Result)
    views = msgspec.json.Decoder(game.view_type)
    bot: Any = None
    for line in heard:
        message = heard_type.decode(line)
        if isinstance(message, _Hello):
            setting = msgspec.json.decode(message.setting, type=game.setting_type)
            bot = inprocess.maker(game, name)(setting, message.seat, message.seed)
            _ready(say, Ready(name=f"{name} program"))
        elif isinstance(message, _Seen):
            found = bot.orders(views.decode(message.view), message.time_left)
            _ready(say, Orders([game.write(order) for order in found]))
        else:
            return


def _ready(say: Callable[[bytes], object], message: Struct) -> None:
    say(msgspec.json.encode(message) + b"\n")


def main(game: str, name: str) -> None:
    def say(line: bytes) -> None:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    speak(registry.load(game), name, sys.stdin.buffer, say)


if __name__ == "__main__":
    main(*sys.argv[1:])
