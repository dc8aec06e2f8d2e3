"""A small umpire for bots that speak the protocol: real games, lines in and lines out, no clock and no box.

`.venv/bin/python tests/unit/kits/driver.py` records the conversation of the kits anew.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from polemos import registry
from polemos.kernel import dice
from polemos.kernel.game import SPECTATOR
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.outcome import Outcome
from polemos.kernel.playing import ask
from polemos.kernel.rooms import bots_of
from polemos.wire.bot import PROTOCOL, Budget, End, Hello, OneOrder, Ready, Result, Said, Seen, Update

RECORD = Path(registry.__file__).parent / "kits" / "conversation.jsonl"

Talk = Generator[Struct, bytes, Outcome]


def umpire(game: Any, options: dict[str, Any], seed: object, number: int = 0, bot_seed: int | None = None) -> Talk:
    """What a bot is told in one match: yields messages, is sent the bot's lines. Others play at random.

    An order that is refused is an error here: the kits choose among what is lawful.
    """
    match = Match(game, options, seed=seed)
    seat = match.seats[number]
    others = {
        other: bots_of(game)["random"](match.setting, other, dice.number(seed, "bot", other))
        for other in match.seats
        if other != seat
    }
    own = dice.number(seed, "bot", seat) if bot_seed is None else bot_seed
    hello = Hello(PROTOCOL, game.name, game.edition, seat, match.seats, own, match.setting, Budget())
    ready = msgspec.json.decode((yield hello), type=Ready)
    assert ready.options
    assert ready.protocol == PROTOCOL
    step = 0
    while (outcome := match.outcome) is None:
        for other in set(others) & set(match.to_act):
            match.submit(other, ask(others[other], match.view(other)))
        if seat in match.to_act:
            step += 1
            match.submit(seat, (yield from _turn(game, match, seat, step)))
        match.run()
    assert not any(one.faults.get(seat) for one in match.steps)
    assert match.view(SPECTATOR).outcome == outcome
    yield Result(outcome)
    return outcome


def _turn(game: Any, match: AnyMatch, seat: str, step: int) -> Generator[Struct, bytes, list[Any]]:
    view, draft = match.view(seat), list[Any]()
    heard = yield Seen(step, view, 1.0, game.options(match.setting, view))
    while not isinstance(said := msgspec.json.decode(heard, type=Said), End):
        assert isinstance(said, OneOrder), said
        line = game.check(match.state, seat, [*draft, said.order]).lines[-1]
        assert line.fault is None, line
        draft.append(line.order)
        assert len(draft) <= 40
        heard = yield Update(None, game.options(match.setting, view, draft))
    return draft


def lines_with(talk: Generator[Struct, bytes, Any], answer: Any) -> list[bytes]:
    """All lines of a conversation, in order; `answer(line)` is the bot's line."""
    said: list[bytes] = []
    heard = None
    while True:
        try:
            message = next(talk) if heard is None else talk.send(heard)
        except StopIteration:
            return said
        said.append(msgspec.json.encode(message))
        if isinstance(message, Result):
            heard = None
            continue
        heard = answer(said[-1])
        assert heard.strip(), f"no answer to {said[-1][:200]!r}"
        said.append(heard.strip())


class Process:
    """A bot as a process; `with Process(command) as bot: bot.answer(line)`."""

    def __init__(self, command: Sequence[str], seconds: float = 60) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._timer = threading.Timer(seconds, self._process.kill)

    def __enter__(self) -> Process:
        self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Whatever happened, nothing is left running."""
        self._timer.cancel()
        self._process.kill()
        self._process.communicate()

    def answer(self, line: bytes) -> bytes:
        self.tell(line)
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def tell(self, line: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()

    def end(self) -> tuple[int, bytes]:
        """Closes the bot's input. Its exit code, and what it wrote since."""
        out, err = self._process.communicate(timeout=60)
        return self._process.returncode, out + err

    def wait(self) -> int:
        """The exit code of a bot that ends by itself."""
        return self._process.wait(timeout=60)


def play(command: Sequence[str], talk: Talk) -> list[bytes]:
    """Plays a match with a bot; all lines of it. The bot ends in peace, without a word on standard error."""
    with Process(command) as bot:
        said = lines_with(talk, bot.answer)
        bot.tell(said[-1])
        assert bot.wait() == 0
        assert bot.end() == (0, b"")
    return said


def recorded() -> Talk:
    """The match that the kits bring along: small, with free numbers, short."""
    return umpire(registry.load("monad"), {"map": "duel", "turns": 5, "units": 9}, seed="kits")


if __name__ == "__main__":
    bot = RECORD.parent / "python" / "bot.py"
    RECORD.write_bytes(b"".join(line + b"\n" for line in play([sys.executable, str(bot)], recorded())))
    kinds = [json.loads(line)["type"] for line in RECORD.read_bytes().splitlines()]
    print(f"{RECORD.name}: {RECORD.stat().st_size} bytes, {kinds.count('view')} turns, {kinds.count('order')} orders")
