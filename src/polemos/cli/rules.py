"""`polemos rules GAME [PARAGRAPH]`"""

from __future__ import annotations

import click

from polemos import registry
from polemos.cli.common import GAME
from polemos.kernel.book import Paragraph, captioned, paragraphs
from polemos.kernel.rooms import book_of


@click.command()
@GAME
@click.argument("number", metavar="[PARAGRAPH]", required=False)
@click.option("--rulings", is_flag=True, help="Show the rulings on doubtful points instead of the rules.")
def command(game: str, number: str | None, rulings: bool) -> None:
    """Show a game's rule book: all of it, a chapter (6), a paragraph (6.3) or a ruling (such as R21)."""
    book = book_of(registry.load(game))
    ruling = (number or "")[:1].isalpha()  # paragraphs have numbers, rulings start with a letter
    file = book / ("rulings.md" if rulings or ruling else "rules.md")
    if number is None:
        click.echo_via_pager(captioned(file.read_text(encoding="utf-8")))
        return
    found = paragraphs(file)
    wanted = number.strip().rstrip(".")
    wanted = wanted.upper() if wanted.upper() in found else wanted
    if wanted not in found:
        raise click.UsageError(f"The rule book of {game} has no paragraph {number!r}. It has {', '.join(found)}.")
    for paragraph in found.values():
        if paragraph.number == wanted or paragraph.number.startswith(f"{wanted}."):
            _show(paragraph)
    if not rulings and wanted[0].isdigit() and (book / "rulings.md").exists():
        _show_rulings_on(wanted, paragraphs(book / "rulings.md"))


def _show(paragraph: Paragraph) -> None:
    click.echo(f"{paragraph.number} {paragraph.title}\n")
    if paragraph.text:
        click.echo(f"{paragraph.text}\n")


def _show_rulings_on(number: str, rulings: dict[str, Paragraph]) -> None:
    cited = [
        ruling.number
        for ruling in rulings.values()
        for line in ruling.text.splitlines()
        if line.startswith("**Paragraph.**") and number in line.removeprefix("**Paragraph.**").replace(",", " ").split()
    ]
    if cited:
        click.echo(f"Rulings on {number}: {', '.join(cited)}")
