"""A dialogue at the terminal: a prompt, commands, and a sheet typed line by line. Knows no game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

import click

from polemos.cli.screen import show
from polemos.cli.words import counted
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
    """Reads one line; leaving with end of input or Ctrl-C loses nothing."""
    try:
        if sys.stdin is None:
            raise EOFError
        return input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        raise Leave from None


def agrees(question: str) -> bool:
    """Whether the person answers yes; anything else means no."""
    return ask(f"{question} (y/n) ").lower() in ("y", "yes")


Act = Callable[[str], None]


def converse(
    prompt: Callable[[], str], acts: dict[str, tuple[Act, str]], advise: Callable[[str], str | None] = lambda line: None
) -> None:
    """Reads and carries out commands until the person leaves. An unknown one gets a hint, if possible from `advise`."""
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
            click.echo(f"Unknown command {word!r}.{f' Did you mean {near[0]}?' if near else ''} Type help for a list.")
            continue
        try:
            act[0](rest.strip())
        except PolemosError as error:
            click.echo(str(error))
        except OSError as error:
            click.echo(f"{error.filename or 'file'}: {error.strerror or error}")
        except (ValueError, RuntimeError) as error:  # for example an impossible file name
            click.echo(f"That can't be done: {error}")
        except Leave:
            return


def show_sheet(sheet: Sheet[Any]) -> None:
    """Prints the numbered lines of a sheet, with the reason for each void line."""
    for number, line in enumerate(sheet.lines, 1):
        click.echo(f"  {number:2}  {line.text}" + (f"   void: {why(line)}" if line.fault else ""))
    if not sheet.lines:
        click.echo("  the sheet is empty")


def why(line: Line[Any]) -> str:
    fault = line.fault
    return f"{fault.why} Rule {fault.rule}." if fault else ""


SHEET_HELP = """  an order      type one order per line, in the notation of the game
  undo, redo    remove the last line, or put it back
  strike N      delete line N
  clear         delete all lines
  show          show the sheet
  map           show the position
  options TEXT  list further legal orders that begin with TEXT
  about NAME    show the figures of a unit or other thing
  done          file the sheet, including void lines (an empty line asks first)
  leave         save the draft without filing it
  quit          save the draft and end the program"""

TURN_HELP = """  an order      type one order per line; it is carried out at once
  undo, redo    undo the last order, or give it again
  strike N      undo order N, and any later orders that depend on it
  clear         undo all orders
  map           show the position now
  options TEXT  list the legal orders that begin with TEXT
  about NAME    show the figures of a unit or other thing
  show          list the orders so far
  done          end the turn (an empty line asks first)
  leave         save the orders without ending the turn
  quit          save the orders and end the program"""


def notes(desk: Desk, seat: str) -> list[str]:
    """Warnings about the draft, with their paragraphs."""
    orders = desk.game.check(desk.match.state, seat, desk.drafts.get(seat, [])).orders
    if not isinstance(desk.game, Advice):
        return []
    alerts = desk.game.alerts(desk.match.setting, desk.match.view(seat), orders)
    return [f"{alert.text} Rule {alert.rule}." for alert in alerts if alert.where is not None]


def about(game: AnyGame, setting: Any, name: str) -> str:
    """An explanation of something in the game."""
    if not name:
        return "Name something, such as: about NAME."
    known = game.about(setting, name) if isinstance(game, Glossary) else None
    return known or f"There is nothing called {name[:20]!r} in this game."


def type_turn(desk: Desk, seat: str) -> bool:
    """Lets the person play a turn order by order. Every order is saved at once. True if the turn was ended."""
    game, match = desk.game, desk.match
    lines, undone = list(desk.drafts.get(seat, [])), list[str]()
    if seat in match.filed:
        desk.reopen(seat)
    click.echo(f"{seat.capitalize()}'s turn. Type one order per line, then done. Type help for a list of commands.")
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
                click.echo(f"  undone: {undone[-1]}")
                lines = _kept(desk, seat, lines[:-1])
            case "redo" if undone:
                lines = _tried(desk, seat, lines, [undone.pop()])
            case "undo" | "redo":
                click.echo("There is nothing to redo.")
            case "strike":
                if rest in [str(number + 1) for number in range(len(lines))]:
                    lines, undone = _kept(desk, seat, [*lines[: int(rest) - 1], *lines[int(rest) :]]), []
                else:
                    click.echo(f"Say which order: strike 1 to strike {len(lines)}.")
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
    """Prints the options that begin with `start`, with the range of their numbers, or says that there are none."""
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
    """The lines with those of the added ones that are accepted; prints why the others are refused."""
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
    """The lines that are still legal; prints the others."""
    kept: list[str] = []
    for text in lines:
        line = desk.game.check(desk.match.state, seat, [*kept, text]).lines[-1]
        if line.fault:
            click.echo(f"  also undone: {line.text}   {why(line)}")
        else:
            kept.append(text)
    desk.draft(seat, kept)
    _show_board(desk, seat, kept)
    return kept


def _show_board(desk: Desk, seat: str, lines: list[str]) -> None:
    """Prints the position in the middle of the turn."""
    game, state = desk.game, desk.match.state.copy()
    for order in game.check(state, seat, lines).orders:
        game.apply(state, seat, order, SILENT)
    show(game, desk.match.setting, game.observe(state, seat))


def type_sheet(desk: Desk, seat: str) -> bool:
    """Lets the person type a sheet. Every line is saved at once. True if it was filed."""
    if isinstance(desk.game, OrderByOrder):
        return type_turn(desk, seat)
    lines, undone = list(desk.drafts.get(seat, [])), list[str]()
    if seat in desk.match.filed:
        desk.reopen(seat)
    click.echo(f"{seat.capitalize()}'s sheet. Type one order per line, then done. Type help for a list of commands.")
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
                stands = counted(stand, "valid line")
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
                    click.echo(f"Say which line: strike 1 to strike {len(lines)}.")
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
    """Clears the screen, so that nobody can read a sheet over your shoulder."""
    if sys.stdout.isatty():
        click.clear()
