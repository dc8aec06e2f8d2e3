"""`polemos draw GAME`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from polemos.cli.common import GAME, audience_called, load, option_set, options_of
from polemos.cli.words import counted
from polemos.kernel import replay as replays
from polemos.kernel.capabilities.pictures import Form, picture_of
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match

FORMATS = ("svg", "png", "pdf")


@click.command()
@GAME
@click.option("--position", help="A position as text, or a file with one. Default: the starting position.")
@click.option("--replay", "file", type=click.Path(dir_okay=False, path_type=Path), help="Draw from a replay.")
@click.option("--turn", type=click.IntRange(0), help="With --replay: the position after this turn. Default: the last.")
@click.option(
    "--who", multiple=True, help="A seat, spectator or umpire; repeat for more. Default: all seats and umpire."
)
@click.option(
    "--form",
    type=click.Choice(["page", "board"]),
    default="page",
    show_default=True,
    help="A page to print, or just the board.",
)
@click.option(
    "--format", "formats", multiple=True, type=click.Choice(FORMATS), help="File format; repeat for more. Default: svg."
)
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), default="a4", show_default=True, help="Paper size of a page."
)
@click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="Colours of a board."
)
@click.option("--title", default="", help="Printed on a page.")
@click.option("--width", type=click.IntRange(64, 8192), help="Width of a PNG, in pixels.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Folder for the files.")
@option_set
def command(
    game: str,
    position: str | None,
    file: Path | None,
    turn: int | None,
    who: tuple[str, ...],
    form: Form,
    formats: tuple[str, ...],
    paper: str,
    theme: str,
    title: str,
    width: int | None,
    out: Path,
    given: tuple[str, ...],
) -> None:
    """Draw a position as each audience may see it: SVG, PNG, PDF.

    \b
    polemos draw monarchs --format pdf --out maps
    polemos draw monarchs --replay game.jsonl.gz --turn 3 --who red --form board --format png
    """
    loaded = load(game)
    if (position is not None) + (file is not None) + bool(given) > 1:
        raise click.UsageError("Give only one of these: a position, a replay, or options for a starting position.")
    match = _match(loaded, position, file, turn, options_of(loaded, given))
    named = [audience_called(match.seats, name) for name in who]
    how: dict[str, Any] = {"paper": paper, "title": title} if form == "page" else {"theme": theme}
    out.mkdir(parents=True, exist_ok=True)
    for name in named or (*match.seats, UMPIRE):
        svg = picture_of(loaded, match.setting, match.view(name), form, **how)
        for kind in formats or ("svg",):
            number = match.view(name).turn if file is None else len(match.steps)
            path = out / f"{game}-{name}-{number:02d}.{kind}"
            path.write_bytes(_converted(svg, kind, paper, width, form))
            click.echo(path)


def _match(game: Any, position: str | None, file: Path | None, turn: int | None, options: dict[str, Any]) -> AnyMatch:
    if file is not None:
        return _from_replay(game, file, turn)
    if turn is not None:
        raise click.UsageError("--turn only works with --replay.")
    if position is None:
        return Match(game, options)
    if len(position) < 200 and Path(position).is_file():
        position = Path(position).read_text(encoding="utf-8", errors="replace")
    return Match(game, position=position)


def _from_replay(game: Any, file: Path, turn: int | None) -> AnyMatch:
    replay = replays.read(file)
    if replay.header.game != game.name:
        raise click.UsageError(f"{file.name} is a replay of {replay.header.game}, not of {game.name}.")
    if turn is not None and turn > len(replay.steps):
        raise click.UsageError(f"There is no turn {turn}: the match has {counted(len(replay.steps), 'turn')}.")
    last: AnyMatch | None = None
    for match in replays.replayed(replay, game):
        last = match
        if len(match.steps) == turn:
            break
    assert last is not None
    return last


def _converted(svg: str, kind: str, paper: str, width: int | None, form: str) -> bytes:
    from polemos.pictures import convert

    if kind == "png":
        return convert.png(svg, width or (1240 if form == "page" else None))
    if kind == "pdf":
        return convert.pdf([svg], paper)
    return svg.encode()
