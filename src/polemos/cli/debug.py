"""`polemos debug REPLAY --turn N --seat S BOT`"""

from __future__ import annotations

import re
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, Final

import click

from polemos.arena import again
from polemos.arena.again import Answer, Past
from polemos.arena.tournament.entrants import digest_of
from polemos.cli.common import budget_of, load, tell_budget, trust_flag
from polemos.hosts import specs
from polemos.kernel import replay as replays
from polemos.kernel.capabilities.pictures import text_of
from polemos.kernel.errors import BotFault
from polemos.kernel.orders import printable, shown
from polemos.kernel.rooms import built_in
from polemos.wire.bot import Budget

_LOOK: Final = 0.5  # seconds between looks at the bot's files
_MAX_LOG: Final = 40  # lines that are shown
_MAX_REPLAY: Final = 16 << 20  # bytes
_PATIENCE: Final = 30.0  # seconds for a server to answer


@click.command()
@click.argument("file", metavar="REPLAY")
@click.argument("bot", metavar="BOT")
@click.option("--turn", required=True, type=click.IntRange(1), help="The turn to order, counted from 1.")
@click.option("--seat", required=True, help="The seat that the bot takes.")
@click.option("--once", is_flag=True, help="Ask once, even at a terminal, instead of after every change of the files.")
@trust_flag
@click.option("-b", "--budget", "limits", multiple=True, metavar="NAME=VALUE", help="A limit for programs: bank=60.")
def command(file: str, bot: str, turn: int, seat: str, once: bool, trust: bool, limits: tuple[str, ...]) -> None:
    """Ask a bot again about a turn of a recorded game. REPLAY is a file, or the address of a ladder game's page.

    The bot is restarted and gets exactly what its seat was told in the game: the same setting, the same seed, every
    view up to the turn. You see the board, its answer with every void line marked, its log and its time, and what was
    ordered in the game. At a terminal it is asked again whenever its files change; Ctrl-C ends that.

    \b
    polemos match demons mybot/bot.py keeper --out replays
    polemos debug replays/game-00001.jsonl.gz --turn 12 --seat red mybot/bot.py
    """
    replay = _fetched(file) if file.startswith(("http://", "https://")) else replays.read(Path(file))
    game = load(replay.header.game)
    specs.check(game, bot, trust=trust)
    if bot == specs.PERSON:
        raise click.UsageError("You are not a bot. polemos replay shows you the game.")
    past = again.past(replay, game, seat, turn)
    budget = budget_of(limits)
    tell_budget(game, [bot], budget, trust)
    if not replay.end.seeds:
        click.echo("This replay does not say which seeds the bots had: it gets 0.", err=True)
    _show_question(past)
    _ask(past, bot, budget, trust)
    if once or not sys.stdout.isatty() or bot in built_in(game):
        return
    _ask_after_changes(past, bot, budget, trust)


def _fetched(address: str) -> replays.Replay:
    """The replay of a game on a ladder, from the address of its page."""
    found = re.fullmatch(r"(https?://[^/?#]+)/match/([0-9]{1,15})/?(?:[?#].*)?", address)
    if found is None:
        raise click.UsageError(
            "Give the address of a ladder game's page, such as https://play.example.org/match/48213."
        )
    url = f"{found[1]}/api/ladder/games/{found[2]}/replay.jsonl.gz"
    try:
        with urllib.request.urlopen(url, timeout=_PATIENCE) as answer:
            data = answer.read(_MAX_REPLAY + 1)
    except urllib.error.HTTPError as error:
        raise click.ClickException(
            f"{found[1]} has no replay of this game that everyone can read (error {error.code}). If it's one of a"
            " group, download the replay from its page, and give the file instead of the address."
        ) from None
    except OSError as error:
        raise click.ClickException(f"{found[1]} can't be reached: {printable(str(error))}") from None
    if len(data) > _MAX_REPLAY:
        raise click.ClickException("That is too large to be a replay.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"ladder-{found[2]}.jsonl.gz"
        path.write_bytes(data)
        return replays.read(path)


def _ask_after_changes(past: Past, bot: str, budget: Budget, trust: bool) -> None:
    click.echo("\nWaiting for changes of its files; Ctrl-C ends this.")
    known = _digest(past.game, bot, trust)
    try:
        while True:
            time.sleep(_LOOK)
            now = _digest(past.game, bot, trust)
            if now != known and now is not None:
                known = now
                click.echo(f"\n---- {time.strftime('%H:%M:%S')}: its files have changed\n")
                _ask(past, bot, budget, trust)
    except KeyboardInterrupt:
        click.echo()


def _digest(game: Any, bot: str, trust: bool) -> str | None:
    """None while the files are being written, or are gone."""
    try:
        return digest_of(game, bot, trust=trust, out=None)
    except (BotFault, OSError):
        return None


def _ask(past: Past, bot: str, budget: Budget, trust: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            answer = again.answer(past, bot, budget=budget, trust=trust, log=Path(folder) / "bot.log")
        except BotFault as fault:
            click.echo(f"Cannot be asked: {fault}")
            return
    _show_answer(past, answer)


# ---- showing


def _show_question(past: Past) -> None:
    question = past.questions[-1]
    click.echo(f"{past.game.title}, {past.seat}, turn {question.step}. The seat sees:\n")
    click.echo(text_of(past.game, past.setting, question.view, sys.stdout.isatty()))
    for fault in question.faults:
        click.echo(f"Told: line {fault.line} of its last sheet was void: {shown(fault.order)}: {fault.why}")


def _show_answer(past: Past, answer: Answer) -> None:
    click.echo(f"\nAnswer: {answer.cpu:.3f} s of CPU time, {answer.seconds:.3f} s on the clock.")
    if answer.verdict:
        click.echo(f"  {shown(answer.verdict)}")
    for line in answer.sheet.lines:
        fault = line.fault
        click.echo(f"  {shown(line.text)}" + ("" if fault is None else f"   void: {fault.why} Rule {fault.rule}."))
    if not answer.sheet.lines and not answer.verdict:
        click.echo("  an empty sheet")
    was = past.questions[-1].answer
    if was == answer.sheet.texts and not answer.verdict:
        click.echo("The same as in the game.")
    else:
        click.echo("In the game:")
        for text in was or ("no sheet" if was is None else "an empty sheet",):
            click.echo(f"  {shown(text)}")
    if answer.others:
        turns = ", ".join(map(str, answer.others[:10])) + (", ..." if len(answer.others) > 10 else "")
        click.echo(f"On the way it answered otherwise than in the game, at turn {turns}.")
    if answer.log.strip():
        lines = answer.log.splitlines()
        click.echo(f"Log of this turn{f', the last {_MAX_LOG} lines' if len(lines) > _MAX_LOG else ''}:")
        for text in lines[-_MAX_LOG:]:
            click.echo(f"  {printable(text)[:2000]}")
