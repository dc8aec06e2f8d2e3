"""`polemos series GAME NEW OLD`"""

from __future__ import annotations

import math
import sys
import time
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.live import Live
from rich.table import Table

from polemos.arena import series, sprt
from polemos.arena.series import NEW, OLD, Pace, Plan, Standing, elo_text
from polemos.arena.sprt import Hypotheses
from polemos.arena.times import COLUMNS, cells
from polemos.cli.common import GAME, budget_of, load, option_set, options_of, seated, tell_budget, trust_flag
from polemos.hosts import specs
from polemos.kernel import dice
from polemos.kernel.playing import require_no_umpire
from polemos.kernel.tame import tame

_REDRAW = 0.1  # seconds between updates of the table
MAX_NOTE = 280  # characters of a verdict with its bot: it ends with the useful line of the bot's log
_RATE = click.FloatRange(0, 0.5, min_open=True, max_open=True)


@click.command()
@GAME
@click.argument("new")
@click.argument("old")
@click.option("--elo0", default=0.0, show_default=True, help="Elo difference that counts as not better.")
@click.option("--elo1", default=10.0, show_default=True, help="Elo difference that counts as better.")
@click.option("--alpha", default=0.05, show_default=True, type=_RATE, help="Rate of saying better when it is not.")
@click.option("--beta", default=0.05, show_default=True, type=_RATE, help="Rate of saying not better when it is.")
@click.option(
    "--max-games",
    default=20_000,
    show_default=True,
    type=click.IntRange(2, 10_000_000),
    help="Give up after this many.",
)
@click.option(
    "--seats", type=click.IntRange(2), help="Number of seats, if the game lets you choose. Default: as few as possible."
)
@click.option("--seed", default=None, help="Makes the series repeatable; without it every series is new.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.option("--workers", type=click.IntRange(1), help="Number of processes. Default: all cores.")
@option_set
@trust_flag
@click.option(
    "-b", "--budget", "limits", multiple=True, metavar="NAME=VALUE", help="A limit for programs, such as bank=60."
)
def command(
    game: str,
    new: str,
    old: str,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    max_games: int,
    seats: int | None,
    seed: str | None,
    as_json: bool,
    workers: int | None,
    given: tuple[str, ...],
    trust: bool,
    limits: tuple[str, ...],
) -> None:
    """Is the new bot better? Play until we know.

    Name NEW and OLD as for polemos match. With two seats they play pairs of games with the same start and the same
    dice, swapping seats. With more seats, a block contains every seating of both bots. After each pair or block, a
    sequential test looks at the scores and stops as soon as one of the two answers is certain enough. Identical games
    count once. With --seed the verdict is always the same, on any number of cores. Ctrl-C stops and prints the result
    so far.
    """
    if not (math.isfinite(elo0) and math.isfinite(elo1) and -1000 <= elo0 < elo1 <= 1000):
        raise click.UsageError("--elo0 must be below --elo1, and both between -1000 and 1000.")
    loaded = load(game)
    for bot in (new, old):
        if bot == specs.PERSON:
            raise click.UsageError(
                "A person can't play in a series, because many games are played at once. Name bots only."
            )
        specs.check(loaded, bot, trust=trust)  # report a misspelt name before the first game
    options = options_of(loaded, given)
    options = seated(loaded, options, seats or loaded.facts.min_seats)
    found = len(loaded.seats(loaded.setup(options, 0)))
    require_no_umpire(loaded, loaded.setup(options, 0))
    if seats is not None and seats != found:
        raise click.UsageError(f"You asked for --seats {seats}, but this match of {loaded.title} has {found} seats.")
    plan = Plan(
        game=loaded.name,
        options=options,
        new=new,
        old=old,
        seats=found,
        seed=dice.new_key() if seed is None else seed,
        hypotheses=Hypotheses(elo0, elo1, alpha, beta),
        max_games=max_games,
        budget=budget_of(limits),
        trust=trust,
    )
    tell_budget(loaded, (new, old), plan.budget, trust)
    if sys.stderr.isatty():
        with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
            standing, pace = series.run(plan, workers, _Redraw(live).show)
    else:
        standing, pace = series.run(plan, workers, _Lines().show)
    if as_json:
        click.echo(msgspec.json.encode(_plain(standing, pace)))
        return
    Console(file=sys.stdout, highlight=False).print(_table(standing, pace))
    for note in standing.notes:
        click.echo(f"forfeit: {tame(note, MAX_NOTE)}")
    for note in standing.passed:
        click.echo(f"passed to the end: {tame(note, MAX_NOTE)}")
    click.echo(f"seed {plan.seed}")
    click.echo(standing.sentence())


# ---- while it runs


class _Redraw:
    """The table, redrawn in place."""

    def __init__(self, live: Live) -> None:
        self._live = live
        self._drawn = 0.0

    def show(self, standing: Standing, pace: Pace) -> None:
        if (now := time.monotonic()) - self._drawn >= _REDRAW:
            self._drawn = now
            self._live.update(_table(standing, pace), refresh=True)


class _Lines:
    """A line after 1, 2, 5, 10, 20, 50 ... blocks."""

    def __init__(self) -> None:
        self._told = 0

    def show(self, standing: Standing, pace: Pace) -> None:
        if standing.blocks > self._told:
            self._told = standing.blocks
            if str(standing.blocks).rstrip("0") in ("1", "2", "5"):
                low, middle, high = standing.elo
                click.echo(
                    f"{standing.games} games: {standing.wins} won, {standing.draws} drawn, {standing.losses} lost,"
                    f" {elo_text(middle)} Elo ({elo_text(low)} to {elo_text(high)}), LLR {standing.llr:z.2f}",
                    err=True,
                )


def _rows(standing: Standing, pace: Pace) -> list[tuple[str, str]]:
    plan, test = standing.plan, standing.plan.hypotheses
    low, middle, high = standing.elo
    below, above = sprt.bounds(test.alpha, test.beta)
    same = standing.blocks - standing.counted
    unit = "pairs" if plan.seats == 2 else f"blocks of {plan.games}"
    rows = [
        ("games", f"{standing.games}, {standing.distinct} distinct"),
        (unit, f"{standing.counted}" + (f", plus {same} that only repeat games" if same else "")),
        ("NEW", f"{standing.wins} won, {standing.draws} drawn, {standing.losses} lost"),
        (
            "Elo",
            f"{elo_text(middle)} ({elo_text(low)} to {elo_text(high)}, 95% interval)"
            if standing.counted
            else "unknown",
        ),
        ("LLR", f"{standing.llr:z.2f} ({below:.2f} not better, {above:.2f} better)"),
        ("void lines", f"NEW {standing.faults[NEW]}, OLD {standing.faults[OLD]}"),
        ("strikes", f"NEW {standing.strikes[NEW]}, OLD {standing.strikes[OLD]}"),
        ("forfeits", f"NEW {standing.forfeits[NEW]}, OLD {standing.forfeits[OLD]}"),
        *_times(standing),
        ("pace", f"{pace.steps_per_second:,.0f} turns/s, {pace.cores_busy:.1f} cores busy, {pace.seconds:.1f} s"),
    ]
    if plan.seats == 2:
        rows.insert(
            2, ("points per pair", "  ".join(f"{i / 2:g}: {number}" for i, number in enumerate(standing.pairs)))
        )
    return rows


def _times(standing: Standing) -> list[tuple[str, str]]:
    """The time that both bots used, a row for each figure."""
    new, old = cells(standing.used[NEW]), cells(standing.used[OLD])
    return [
        (name, f"NEW {one}, OLD {other}") for name, one, other in zip(COLUMNS, new, old, strict=True) if one and other
    ]


def _table(standing: Standing, pace: Pace) -> Table:
    title = f"{standing.name_of(NEW)}  against  {standing.name_of(OLD)}"
    table = Table.grid(padding=(0, 2))
    table.title, table.title_justify = tame(title, 200).replace("[", "\\["), "left"
    for name, value in _rows(standing, pace):
        table.add_row(name, value)
    return table


# ---- at the end


def _plain(standing: Standing, pace: Pace) -> dict[str, Any]:
    plan, test = standing.plan, standing.plan.hypotheses
    low, middle, high = (elo if math.isfinite(elo) else None for elo in standing.elo)
    return {
        "game": plan.game,
        "new": plan.new,
        "old": plan.old,
        "seats": plan.seats,
        "seed": plan.seed,
        "verdict": standing.verdict,
        "sentence": standing.sentence(),
        "interrupted": standing.interrupted,
        "games": standing.games,
        "distinct": standing.distinct,
        "blocks": standing.blocks,
        "counted": standing.counted,
        "games_per_block": plan.games,
        "pentanomial": standing.pairs if plan.seats == 2 else None,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "score": standing.sums.total / standing.counted if standing.counted else None,
        "elo": middle if standing.counted else None,
        "elo_interval": [low, high] if standing.counted else None,
        "llr": standing.llr,
        "llr_bounds": sprt.bounds(test.alpha, test.beta),
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "void_lines": standing.faults,
        "names": standing.names,
        "strikes": standing.strikes,
        "used": msgspec.to_builtins(standing.used),
        "forfeits": standing.forfeits,
        "forfeit_notes": standing.notes,
        "passed_notes": standing.passed,
        "steps": standing.steps,
        "seconds": round(pace.seconds, 3),
        "turns_per_second": round(pace.steps_per_second, 1),
        "cores_busy": round(pace.cores_busy, 2),
    }
