"""Playing a match between bots from start to finish: asking them for orders and penalising their faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from polemos.kernel.capabilities.umpire_calls import UmpireCalls
from polemos.kernel.errors import BadOptions, BotFault, BotGone, BotStrike
from polemos.kernel.game import AnyGame, Bot
from polemos.kernel.hosted import Hosted, Stopwatch
from polemos.kernel.match import AnyMatch, Step
from polemos.kernel.orders import shown
from polemos.kernel.outcome import Outcome
from polemos.kernel.strikes import Strikes
from polemos.kernel.verdict import Verdict


def play(match: AnyMatch, bots: Mapping[str, Bot[Any]], on_step: Callable[[Step], None] | None = None) -> Outcome:
    """Plays a match to its end with bots.

    A late or unreadable answer costs the turn and is a strike; the third strike, or any other fault, forfeits. The
    seat of a guest that is gone may stay and pass: see BotGone.
    """
    strikes, gone = Strikes(), dict[str, Verdict]()
    while (outcome := match.outcome) is None:
        cpu: dict[str, float] = {}
        wall: dict[str, float] = {}
        before = set(gone)
        for seat in match.to_act:
            watch = Stopwatch()
            verdict = _asked(match, seat, bots[seat], strikes, gone)
            cpu[seat], wall[seat] = watch.read(bots[seat]), watch.wall(bots[seat])
            if verdict is not None:
                _drop(match, seat, bots[seat], verdict)
        passing = {seat: why for seat, why in gone.items() if seat not in before}
        step = match.run(cpu, strikes.next_step(), wall, passing)
        for seat in step.orders:
            bot = bots[seat]
            if isinstance(bot, Hosted):
                bot.told(step.faults.get(seat, ()))
        if on_step is not None:
            on_step(step)
    return outcome


def require_no_umpire(game: AnyGame, state: Any) -> None:
    """Raises BadOptions where play can come to wait for a call: bots alone have nobody who could make it."""
    if isinstance(game, UmpireCalls) and game.may_wait(state):
        raise BadOptions(
            f"With these options a game of {game.title} can wait for a call of the umpire, and nobody is here to make"
            " it. Choose other options, or run the game with polemos play."
        )


def _asked(match: AnyMatch, seat: str, bot: Bot[Any], strikes: Strikes, gone: dict[str, Verdict]) -> Verdict | None:
    """Asks one bot and files its sheet. Returns the verdict if the bot drops out; notes it if it is gone and stays."""
    try:
        _file(match, seat, ask(bot, match.view(seat)))
    except BotGone as fault:
        gone.setdefault(seat, fault.verdict)
        _file(match, seat, ())
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
    except BaseException:  # a bot may return any object, which may raise anything when it is read
        raise BotStrike(Verdict("unreadable")) from None


def _drop(match: AnyMatch, seat: str, bot: Bot[Any], verdict: Verdict) -> None:
    match.forfeit(seat, verdict)
    if isinstance(bot, Hosted):
        bot.drop(verdict)


def ask(bot: Bot[Any], view: Any) -> Sequence[object]:
    """A bot's answer. Anything it raises counts as a crash and is the bot's fault."""
    try:
        return bot.orders(view, float("inf"))
    except (KeyboardInterrupt, BotFault):
        raise
    except BaseException as error:
        raise BotFault(Verdict("crash", f"{type(error).__name__}: {shown(str(error))}".rstrip(": "))) from None
