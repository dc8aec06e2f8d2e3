"""`polemos games`"""

from __future__ import annotations

import click
import msgspec

from polemos import registry
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.rooms import bots_of, champion_of, levels_of


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """List the installed games."""
    games = [registry.load(name) for name in registry.names()]
    if as_json:
        facts = {g.name: {"title": g.title, "edition": g.edition, **msgspec.to_builtins(g.facts)} for g in games}
        click.echo(msgspec.json.encode(facts))
        return
    for game in games:
        facts = game.facts
        seats = ", ".join(facts.seats)
        number = (
            f"{facts.min_seats} to {len(facts.seats)}" if facts.min_seats < len(facts.seats) else f"{facts.min_seats}"
        )
        kind = ["simultaneous orders" if facts.simultaneous else "alternating turns"]
        kind += ["fog of war"] * facts.fog + ["dice"] * facts.dice + ["order by order"] * isinstance(game, OrderByOrder)
        options = ", ".join(f"{field.name}={field.default}" for field in msgspec.structs.fields(game.options_type))
        click.echo(f"{game.name}  {facts.summary}")
        click.echo(f"    seats    {number}: {seats}")
        click.echo(f"    kind     {', '.join(kind)}")
        click.echo(f"    options  {options}")
        click.echo(f"    bots     {', '.join(bots_of(game))}")
        if levels := levels_of(game):
            click.echo(f"    levels   {', '.join([*levels, *champion_of(game)])}")
        click.echo(f"    edition  {game.edition}, {game.setup({}, 0).extent()} bytes per state")
