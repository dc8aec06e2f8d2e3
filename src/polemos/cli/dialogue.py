"""A dialogue at the terminal: a prompt, words that do things, and a sheet typed line by line. Knows no game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

import click

from polemos.cli.screen import show
from polemos.desk.desk import Desk
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.glossary import Glossary
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.errors import PolemosError
from polemos.kernel.game import AnyGame, Option
from polemos.kernel.log import SILENT
from polemos.kernel.orders import Line, Sheet


class Leave(Exception):
    """The dialogue is over."""


def ask(prompt: str) -> str:
    """One line from the person; leaving by end of input or Ctrl-C loses nothing."""
    try:
        if sys.stdin is None:
            raise EOFError
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        raise Leave from None


def agrees(question: str) -> bool:
    """Whether the person says yes; anything else is no."""
    return ask(f"{question} (y/n) ").lower() in ("y", "yes")


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "line"), counted(2, "line")
    ('1 line', '2 lines')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


Act = Callable[[str], None]


def converse(
    prompt: Callable[[], str], acts: dict[str, tuple[Act, str]], advise: Callable[[str], str | None] = lambda line: None
) -> None:
    """Asks and acts until the person leaves. A first word that is no act gets a hint, from `advise` if it has one."""
    while True:
        try:
            word, _, rest = (line := ask(prompt())).partition(" ")
        except Leave:
            return
        if not word:
            continue
        act = acts.get(word.lower())
        if act is None:
            near = get_close_matches(word.lower(), acts, n=1)
            if hint := advise(line):
                click.echo(hint)
                continue
            click.echo(f"{word!r} is no word here.{f' Did you mean {near[0]}?' if near else ''} Type help.")
            continue
        try:
            act[0](rest.strip())
        except PolemosError as error:
            click.echo(str(error))
        except OSError as error:
            click.echo(f"{error.filename or 'file'}: {error.strerror or error}")
        except (ValueError, RuntimeError) as error:  # such as a file name that no file can have
            click.echo(f"That cannot be done: {error}")
        except Leave:
            return


def show_sheet(sheet: Sheet[Any]) -> None:
    """The lines of a sheet, numbered, void ones with their reason."""
    for number, line in enumerate(sheet.lines, 1):
        click.echo(f"  {number:2}  {line.text}" + (f"   void: {why(line)}" if line.fault else ""))
    if not sheet.lines:
        click.echo("  an empty sheet")


def why(line: Line[Any]) -> str:
    fault = line.fault
    return f"{fault.why} Rule {fault.rule}." if fault else ""


SHEET_HELP = """  an order      one line each, as in the notation of the game
  undo, redo    takes the last line off, puts it back
  strike N      takes line N off the sheet
  clear         takes all lines off
  show          shows the sheet
  map           the position
  options TEXT  what may be ordered besides, those that begin so
  about NAME    the figures of a unit, and the like
  done          files the sheet, void lines and all (an empty line asks whether to)
  leave         keeps the draft without filing it
  quit          the same, and ends the program"""

TURN_HELP = """  an order      one line each, carried out at once
  undo, redo    takes the last order back, gives it again
  strike N      takes order N back; what no longer fits drops out and is named
  clear         takes all orders back
  map           the position as it now stands
  options TEXT  what may be ordered now, those that begin so
  about NAME    the figures of a unit, and the like
  show          the orders so far
  done          ends the turn (an empty line asks whether to)
  leave         keeps the orders without ending the turn
  quit          the same, and ends the program"""


def notes(desk: Desk, seat: str) -> list[str]:
    """What the player would want to know of the draft, by the paragraph."""
    orders = desk.game.check(desk.match.state, seat, desk.drafts.get(seat, [])).orders
    if not isinstance(desk.game, Advice):
        return []
    alerts = desk.game.alerts(desk.match.setting, desk.match.view(seat), orders)
    return [f"{alert.text} Rule {alert.rule}." for alert in alerts if alert.where is not None]


def about(game: AnyGame, setting: Any, name: str) -> str:
    """What there is to know of something in the game."""
    if not name:
        return "Say about what, such as: about NAME."
    known = game.about(setting, name) if isinstance(game, Glossary) else None
    return known or f"Nothing here is called {name[:20]!r}."


def type_turn(desk: Desk, seat: str) -> bool:
    """Lets the person play a turn order by order. Every order is kept at once. True when the turn was ended."""
    game, match = desk.game, desk.match
    lines, undone = list(desk.drafts.get(seat, [])), list[str]()
    if seat in match.filed:
        desk.reopen(seat)
    click.echo(f"Turn of {seat}. One order a line; done ends the turn, help lists the words.")
    if lines:
        show_sheet(desk.draft(seat, lines))
    while True:
        text = ask(f"{seat}> ")
        word, _, rest = text.partition(" ")
        match word.lower():
            case "" if not agrees(f"End the turn? {counted(len(lines), 'order')} so far."):
                pass
            case "" | "done":
                desk.file(seat)
                return True
            case "leave":
                return False
            case "quit" | "exit":
                raise Leave
            case "help":
                click.echo(TURN_HELP)
            case "show":
                show_sheet(game.check(match.state, seat, lines))
            case "clear":
                lines, undone = _kept(desk, seat, []), []
            case "undo" if lines:
                undone.append(lines[-1])
                click.echo(f"  taken back: {undone[-1]}")
                lines = _kept(desk, seat, lines[:-1])
            case "redo" if undone:
                lines = _tried(desk, seat, lines, [undone.pop()])
            case "undo" | "redo":
                click.echo("There is none.")
            case "strike":
                if rest in [str(number + 1) for number in range(len(lines))]:
                    lines, undone = _kept(desk, seat, [*lines[: int(rest) - 1], *lines[int(rest) :]]), []
                else:
                    click.echo(f"Say which order, from 1 to {len(lines)}.")
            case "map":
                _show_board(desk, seat, lines)
            case "about":
                click.echo(about(game, match.setting, rest))
            case "options":
                orders = game.check(match.state, seat, lines).orders
                show_options(game.options(match.setting, match.view(seat), orders), rest)
            case _:
                lines = _tried(desk, seat, lines, [part.strip() for part in text.split(";") if part.strip()])
                undone = []


def show_options(options: Sequence[Option], start: str) -> None:
    """The options that begin so, with how far their number goes; or that there are none."""
    shown = [option for option in options if option.text.lower().startswith(start.lower())]
    for option in shown:
        number = f" to {option.most}" if (option.most or 0) > 1 else ""
        plain = {name: value for name, value in option.figures.items() if isinstance(value, int | float | str)}
        figures = "; ".join(f"{name} {value}" for name, value in plain.items())
        click.echo(f"  {option.text}{number}" + (f"   ({figures})" if figures else ""))
    if not options:
        click.echo("You have no legal orders now.")
    elif not shown:
        click.echo(f"No legal order begins with {start!r}.")


def _tried(desk: Desk, seat: str, lines: list[str], added: list[str]) -> list[str]:
    """The lines with those of the added ones that are accepted; the others are refused in words."""
    before = len(lines)
    for text in added:
        line = desk.game.check(desk.match.state, seat, [*lines, text]).lines[-1]
        if line.fault:
            click.echo(f"  refused: {line.text}   {why(line)}")
        else:
            lines = [*lines, line.text]
            click.echo(f"  {len(lines):2}  {line.text}")
    desk.draft(seat, lines)
    if len(lines) > before:
        _show_board(desk, seat, lines)
    return lines


def _kept(desk: Desk, seat: str, lines: list[str]) -> list[str]:
    """The lines that still fit; the others drop out and are named."""
    kept: list[str] = []
    for text in lines:
        line = desk.game.check(desk.match.state, seat, [*kept, text]).lines[-1]
        if line.fault:
            click.echo(f"  drops out: {line.text}   {why(line)}")
        else:
            kept.append(text)
    desk.draft(seat, kept)
    _show_board(desk, seat, kept)
    return kept


def _show_board(desk: Desk, seat: str, lines: list[str]) -> None:
    """The position as it stands in the middle of the turn."""
    game, state = desk.game, desk.match.state.copy()
    for order in game.check(state, seat, lines).orders:
        game.apply(state, seat, order, SILENT)
    show(game, desk.match.setting, game.observe(state, seat))


def type_sheet(desk: Desk, seat: str) -> bool:
    """Lets the person type a sheet. Every line is kept at once. True when it was filed."""
    if isinstance(desk.game, OrderByOrder):
        return type_turn(desk, seat)
    lines, undone = list(desk.drafts.get(seat, [])), list[str]()
    if seat in desk.match.filed:
        desk.reopen(seat)
    click.echo(f"Sheet of {seat}. One order a line; done files it, help lists the words.")
    told: set[str] = set()
    if lines:
        show_sheet(desk.draft(seat, lines))
    while True:
        text = ask(f"{seat}> ")
        word, _, rest = text.partition(" ")
        match word.lower():
            case "" if not agrees(f"File this sheet? It has {counted(len(lines), 'line')}."):
                pass
            case "" | "done":
                void = len(desk.file(seat).faults)
                stand = len(lines) - void
                stands = "1 line stands" if stand == 1 else f"{stand} lines stand"
                click.echo(f"Filed: {stands}{f', {void} void' if void else ''}.")
                return True
            case "leave":
                return False
            case "quit" | "exit":
                raise Leave
            case "help":
                click.echo(SHEET_HELP)
            case "show":
                show_sheet(desk.game.check(desk.match.state, seat, lines))
            case "map" if not rest:
                show(desk.game, desk.match.setting, desk.match.view(seat))
            case "options":
                orders = desk.game.check(desk.match.state, seat, lines).orders
                show_options(desk.game.options(desk.match.setting, desk.match.view(seat), orders), rest)
            case "about":
                click.echo(about(desk.game, desk.match.setting, rest))
            case "clear":
                lines, undone = [], []
                desk.draft(seat, lines)
            case "undo" if lines and not rest:
                undone.append(lines.pop())
                click.echo(f"  taken back: {undone[-1]}")
                show_sheet(desk.draft(seat, lines))
            case "redo" if undone and not rest:
                lines.append(undone.pop())
                show_sheet(desk.draft(seat, lines))
            case "undo" | "redo" if not rest:
                click.echo(f"There is nothing to {word.lower()}.")
            case "strike":
                if rest in [str(number + 1) for number in range(len(lines))]:
                    del lines[int(rest) - 1]
                    undone = []
                    show_sheet(desk.draft(seat, lines))
                else:
                    click.echo(f"Say which line, from 1 to {len(lines)}.")
            case _:
                added = [part.strip() for part in text.split(";") if part.strip()]
                lines, undone = [*lines, *added], []
                sheet = desk.draft(seat, lines)
                for number in range(len(lines) - len(added), len(lines)):
                    line = sheet.lines[number]
                    click.echo(f"  {number + 1:2}  {line.text}" + (f"   void: {why(line)}" if line.fault else ""))
                for note in notes(desk, seat):
                    if note not in told:
                        click.echo(f"      note: {note}")
                    told.add(note)


def cover() -> None:
    """Clears the screen, so that nobody reads a sheet over a shoulder."""
    if sys.stdout.isatty():
        click.clear()
