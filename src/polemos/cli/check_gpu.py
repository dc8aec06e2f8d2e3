"""`polemos check-gpu [GAME]`"""

from __future__ import annotations

import click

from polemos import registry
from polemos.batch.check import compare, options_of
from polemos.batch.kits import kit_of
from polemos.kernel.errors import NoSimulation


@click.command()
@click.argument("game", required=False)
@click.option("--count", default=256, show_default=True, type=click.IntRange(1), help="Games side by side.")
@click.option("--steps", default=400, show_default=True, type=click.IntRange(0), help="Steps by each policy.")
@click.option(
    "--seconds", default=20.0, show_default=True, type=click.FloatRange(0), help="For each policy that takes long."
)
@click.option(
    "--rounds", default=40, show_default=True, type=click.IntRange(0), help="Orders by number for every seat."
)
@click.option("--seed", default="0", show_default=True)
def command(game: str | None, count: int, steps: int, seconds: float, rounds: int, seed: str) -> None:
    """Compare the games that a GPU plays with those of the CPU, byte for byte.

    States, sights, observations, limits and rewards of the same seeds: with the options of the bench and some others,
    with orders of every policy and with lawful orders drawn at random. Exit code 1 if a byte differs.
    """
    passed = True
    for name in [game] if game else registry.names():
        chosen = registry.load(name)
        try:
            kit = kit_of(chosen)
        except NoSimulation as error:
            click.echo(f"{name}: {error}")
            continue
        for options in options_of(chosen, kit.checks):
            shown = " ".join(f"{key}={value}" for key, value in options.items()) or "default options"
            click.echo(f"{name}, {shown}")
            for found in compare(
                chosen, options, count=count, steps=steps, seconds=seconds, rounds=rounds, device="cuda", seed=seed
            ):
                verdict = "equal" if found.passed else "DIFFERENT"
                click.echo(
                    f"  {found.what:32} {found.equal:8,} of {found.of:8,} records {verdict}; "
                    f"{found.games:,} games ended; {found.seconds:.1f} s"
                )
                passed = passed and found.passed
    click.echo("All equal." if passed else "Some records differ.")
    if not passed:
        raise SystemExit(1)
