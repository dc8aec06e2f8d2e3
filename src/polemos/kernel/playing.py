"""Bots at play: asking them, what a fault of theirs costs, and a match from its beginning to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.game import Bot
from polemos.kernel.hosted import Hosted, Stopwatch
from polemos.kernel.match import AnyMatch, Step
from polemos.kernel.orders import shown
from polemos.kernel.outcome import Outcome
from polemos.kernel.strikes import Strikes
from polemos.kernel.verdict import Verdict


def play(match: AnyMatch, bots: Mapping[str, Bot[Any]], on_step: Callable[[Step], None] | None = None) -> Outcome:
    """Plays a match to its end with bots.

    A late or unreadable answer costs the turn and is a strike; the third strike, or any other fault, forfeits.
    """
    strikes = Strikes()
    while (outcome := match.outcome) is None:
        cpu: dict[str, float] = {}
        for seat in match.to_act:
            watch = Stopwatch()
            verdict = _asked(match, seat, bots[seat], strikes)
            if verdict is not None:
                _drop(match, seat, bots[seat], verdict)
            cpu[seat] = watch.read(bots[seat])
        step = match.run(cpu, strikes.next_step())
        for seat in step.orders:
            bot = bots[seat]
            if isinstance(bot, Hosted):
                bot.told(step.faults.get(seat, ()))
        if on_step is not None:
            on_step(step)
    return outcome


def _asked(match: AnyMatch, seat: str, bot: Bot[Any], strikes: Strikes) -> Verdict | None:
    """Asks one bot and files its sheet. If it drops out over that, the verdict."""
    try:
        _file(match, seat, ask(bot, match.view(seat)))
    except BotStrike as strike:
        return strikes.strike(seat, strike.verdict) if strike.counts else None
    except BotFault as fault:
        return fault.verdict
    return None


def _file(match: AnyMatch, seat: str, answer: Sequence[object]) -> None:
    try:
        match.submit(seat, answer)
    except KeyboardInterrupt:
        raise
    except BaseException:  # what a bot hands in may be any object, and raise anything when it is read
        raise BotStrike(Verdict("unreadable")) from None


def _drop(match: AnyMatch, seat: str, bot: Bot[Any], verdict: Verdict) -> None:
    match.forfeit(seat, verdict)
    if isinstance(bot, Hosted):
        bot.drop(verdict)


def ask(bot: Bot[Any], view: Any) -> Sequence[object]:
    """A bot's answer. Whatever it raises is a crash, and the bot's fault."""
    try:
        return bot.orders(view, float("inf"))
    except (KeyboardInterrupt, BotFault):
        raise
    except BaseException as error:
        raise BotFault(Verdict("crash", f"{type(error).__name__}: {shown(str(error))}".rstrip(": "))) from None
