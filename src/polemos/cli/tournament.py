"""`polemos tournament GAME BOT BOT [BOT ...]`"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
import msgspec
from click.core import ParameterSource
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from polemos.arena.tournament import entrants, opening
from polemos.arena.tournament.batch import Setting
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.executor import Executor
from polemos.arena.tournament.journal import Journal
from polemos.arena.tournament.plan import Plan, Rating, Row, System
from polemos.arena.tournament.reporter import Reporter
from polemos.arena.tournament.run import Pace, Runner, sweep
from polemos.cli.common import budget_of, load, myself, option_set, options_of, seated
from polemos.hosts import specs
from polemos.kernel import dice
from polemos.kernel.orders import shown
from polemos.kernel.playing import require_nobody

if TYPE_CHECKING:
    from polemos.arena.tournament.ratings import Live as Skills

_REDRAW = 0.5  # seconds between two drawings of the table
_WIDE = 160  # columns where no terminal says how many there are
_HOW = ("resume", "workers", "ray", "as_json")  # what is not of the plan


@click.command()
@click.argument("game", required=False)
@click.argument("bots", metavar="BOT BOT [BOT ...]", nargs=-1)
@click.option(
    "--system", default="round-robin", show_default=True, type=click.Choice(get_args(System)), help="Who meets whom."
)
@click.option("--rounds", type=click.IntRange(1, 10_000), help="Rounds; all there are unless given, for Swiss log2.")
@click.option(
    "--games", "number", type=click.IntRange(1, 100_000), help="Games of a meeting; as many as seats unless given."
)
@click.option(
    "--seats", type=click.IntRange(2), help="Seats of a match, where a game leaves it open; the fewest if not."
)
@click.option("--seed", default=None, help="Makes the tournament repeatable; without it every one is new.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for journal, replays and report.")
@click.option("--resume", type=click.Path(file_okay=False, path_type=Path), help="Go on with the one in this folder.")
@click.option("--workers", type=click.IntRange(1, 1024), help="Processes at once; all cores unless given.")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster: HOST:PORT, or auto.")
@click.option(
    "--pause-after",
    default=3,
    show_default=True,
    type=click.IntRange(0),
    help="Pause a bot that drops out of so many games in a row; 0: never.",
)
@click.option("--trust", is_flag=True, help="Run programs without the box, with your rights.")
@click.option("--json", "as_json", is_flag=True, help="The final table as one JSON object.")
@option_set
@click.option("-b", "--budget", "limits", multiple=True, metavar="NAME=VALUE", help="A limit for programs: bank=60.")
@click.pass_context
def command(
    context: click.Context,
    game: str | None,
    bots: tuple[str, ...],
    system: System,
    rounds: int | None,
    number: int | None,
    seats: int | None,
    seed: str | None,
    out: Path | None,
    resume: Path | None,
    workers: int | None,
    ray: str | None,
    pause_after: int,
    trust: bool,
    as_json: bool,
    given: tuple[str, ...],
    limits: tuple[str, ...],
) -> None:
    """Many bots, one table: round robin, Swiss, knock-out.

    \b
    A BOT is given as for polemos match, and also as
      NAME=SPEC          with a name of its own in the table
      all                every bot of ours
      @FILE              a file with one bot a line

    The folder keeps a journal: after Ctrl-C, a crash or a power cut, --resume FOLDER goes on where it was. The same
    seed gives the same pairings and dice, on any number of cores or machines. The report is index.html in the folder.
    """
    if ray is not None and workers is not None:
        raise click.UsageError(
            "--workers is for this machine; with --ray the cluster decides how much is played at once."
        )
    if resume is not None:
        _nothing_else(context)
        journal = opening.resumed(resume)
    elif game is None:
        raise click.UsageError("Which game? polemos tournament GAME BOT BOT [BOT ...], or --resume FOLDER.")
    else:
        loaded = load(game)
        folder = out or Path("out") / f"tournament-{loaded.name}-{time.strftime('%Y%m%d-%H%M%S')}"
        options = seated(loaded, options_of(loaded, given), seats or loaded.facts.fewest)
        found = len(loaded.seats(loaded.setup(options, 0)))
        require_nobody(loaded, loaded.setup(options, 0))
        if seats is not None and seats != found:
            raise click.UsageError(f"--seats {seats} for a match of {loaded.title} that has {found} seats.")
        plan = Plan(
            game=loaded.name,
            edition=loaded.edition,
            options=options,
            seats=found,
            entrants=entrants.read(loaded, bots, trust=trust, out=folder),
            system=system,
            rounds=0,
            games=number or found,
            seed=dice.new_key() if seed is None else seed,
            pause_after=pause_after,
            budget=budget_of(limits),
            trust=trust,
        )
        journal = opening.begun(folder, opening.settled(plan, rounds), any_seed=seed is None)
    with journal:
        _play(journal, workers, ray, as_json)


def _nothing_else(context: click.Context) -> None:
    """The plan comes from the journal, all of it."""
    for name in context.params:
        if name not in _HOW and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                "--resume takes the whole plan from the folder; only --workers, --ray, --json go along."
            )


def _play(journal: Journal, workers: int | None, ray: str | None, as_json: bool) -> None:
    assert journal.plan is not None
    plan, folder = journal.plan, journal.folder
    game = load(plan.game)
    opening.checked(game, plan, folder)
    tournament = opening.caught_up(journal)
    _announce(game, tournament, len(journal.games), folder)
    sweep(folder)
    reporter = Reporter(folder)
    stopped, pace = False, Pace()
    if not tournament.is_over:
        stopped, pace = _run(tournament, journal, _executor(game, plan, folder, workers, ray), reporter)
    ratings = reporter.last(tournament)
    if as_json:
        click.echo(msgspec.json.encode(_plain(tournament, ratings, pace, folder)))
    else:
        _tell(tournament, ratings, pace, folder)
    if stopped:
        click.echo(f"Stopped. Go on with: {myself()} tournament --resume {folder}", err=True)
        sys.exit(130)


def _announce(game: Any, tournament: Tournament, known: int, folder: Path) -> None:
    plan = tournament.plan
    if any(specs.is_program(game, entrant.spec) for entrant in plan.entrants):
        click.echo(f"Budget: {plan.budget.words()}.", err=True)
    begin = f"{known} games are in the journal" if known else "Begins"
    click.echo(
        f"{begin}: {plan.system} of {len(plan.entrants)} bots, {plan.rounds} rounds, {plan.games} games a meeting,"
        f" in {folder}/",
        err=True,
    )


def _executor(game: Any, plan: Plan, folder: Path, workers: int | None, ray: str | None) -> Executor:
    bundles = {} if plan.trust else entrants.bundles(game, plan.entrants, folder)
    setting = Setting(plan, str(folder.resolve()), bundles)
    if ray is not None:
        from polemos.arena.tournament.on_ray import OnRay

        return OnRay(setting, ray)
    from polemos.arena.tournament.processes import Processes

    return Processes(setting, workers or os.cpu_count() or 1)


def _run(tournament: Tournament, journal: Journal, executor: Executor, reporter: Reporter) -> tuple[bool, Pace]:
    """Plays to the end, or to Ctrl-C; whether it was stopped."""
    watch = _Watch(reporter)
    runner = Runner(tournament, journal, executor, watch.show)
    try:
        with watch:
            runner.run()
    except KeyboardInterrupt:
        return True, runner.pace
    finally:
        executor.close()
    return False, runner.pace


# ---- while it runs


class _Watch:
    """What people see meanwhile: a table in its place on a terminal, else some lines."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
        self._drawn = 0.0
        self._noticed = self._rated = 0
        self._skills: Skills | None = None
        self._tenth = 0
        self._draw: Callable[[Tournament, Pace], None] = self._table if sys.stderr.isatty() else self._lines

    def __enter__(self) -> None:
        if sys.stderr.isatty():
            self._live.start()

    def __exit__(self, *error: Any) -> None:
        self._live.stop()

    def show(self, tournament: Tournament, pace: Pace) -> None:
        self._reporter.look(tournament)
        for notice in tournament.notices[self._noticed :]:
            self._live.console.print(notice.text, style="yellow", markup=False, highlight=False)
        self._noticed = len(tournament.notices)
        self._draw(tournament, pace)

    def _table(self, tournament: Tournament, pace: Pace) -> None:
        if (now := time.monotonic()) - self._drawn >= _REDRAW:
            self._drawn = now
            most = max(3, self._live.console.height - 6)
            table = _table(tournament.plan, tournament.rows()[:most], self._ratings(tournament))
            self._live.update(Group(Text(_progress(tournament, pace)), table), refresh=True)

    def _ratings(self, tournament: Tournament) -> list[Rating]:
        """openskill's, which follow the games."""
        from polemos.arena.tournament import ratings

        skills = self._skills = self._skills or ratings.Live(tournament.plan)
        for game in tournament.counted[self._rated :]:
            skills.take(game)
        self._rated = len(tournament.counted)
        return skills.ratings()

    def _lines(self, tournament: Tournament, pace: Pace) -> None:
        tenth = 10 * tournament.settled // max(1, tournament.expected)
        if tenth > self._tenth:
            self._tenth = tenth
            click.echo(_progress(tournament, pace), err=True)


def _progress(tournament: Tournament, pace: Pace) -> str:
    first = tournament.rows()[0]
    return (
        f"{tournament.settled} of {tournament.expected} games, round {tournament.round} of {tournament.plan.rounds},"
        f" {_pace(pace)}; {shown(tournament.plan.entrants[first.entrant].name)} leads with {first.points:g} points"
    )


def _pace(pace: Pace) -> str:
    rate = pace.games / pace.seconds if pace.seconds else 0.0
    return f"{rate:.1f} games/s, {pace.cores_busy:.1f} of {pace.cores} cores busy"


# ---- at the end

_COLUMNS = ("", "bot", "points", "tie-break", "games", "won", "drawn", "lost", "void lines", "forfeits")


def _table(plan: Plan, rows: list[Row], ratings: list[Rating]) -> Table:
    table = Table(box=None, pad_edge=False)
    fitted = any(rating.elo is not None for rating in ratings)
    for name in (*_COLUMNS, *(("Elo", "95 %") if fitted else ()), "openskill", ""):
        table.add_column(name, justify="left" if name in ("bot", "") else "right", no_wrap=True)
    for row in rows:
        figures = [row.played, row.wins, row.draws, row.losses, row.void_lines, row.forfeits]
        table.add_row(
            f"{row.place}",
            shown(plan.entrants[row.entrant].name).replace("[", "\\["),
            f"{row.points:.2f}".removesuffix(".00"),
            f"{row.tie_break:.2f}".removesuffix(".00"),
            *(str(figure) for figure in figures),
            *_rating(ratings[row.entrant])[0 if fitted else 2 :],
            _remarks(row),
        )
    return table


def _rating(rating: Rating) -> list[str]:
    if rating.elo is None or rating.low is None or rating.high is None:
        return ["", "", f"{rating.live:.1f}"]
    return [f"{rating.elo:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}", f"{rating.live:.1f}"]


def _remarks(row: Row) -> str:
    remarks = ["paused"] * row.paused
    remarks += [f"{row.byes} byes" if row.byes > 1 else "1 bye"] * bool(row.byes)
    remarks += [f"{row.walkovers} walkovers" if row.walkovers > 1 else "1 walkover"] * bool(row.walkovers)
    return ", ".join(remarks)


def _tell(tournament: Tournament, ratings: list[Rating], pace: Pace, folder: Path) -> None:
    plan = tournament.plan
    width = None if sys.stdout.isatty() else _WIDE
    Console(file=sys.stdout, highlight=False, width=width).print(_table(plan, tournament.rows(), ratings))
    for notice in tournament.notices:
        click.echo(f"notice: {notice.text}")
    click.echo(
        f"{tournament.settled} of {tournament.expected} games, {len(tournament.counted)} of them played and counted;"
        f" {pace.games} now in {pace.seconds:.1f} s, {_pace(pace)}, seed {plan.seed}"
    )
    click.echo(f"Report: {folder / 'index.html'}")


def _plain(tournament: Tournament, ratings: list[Rating], pace: Pace, folder: Path) -> dict[str, Any]:
    plan = tournament.plan
    by_entrant = {rating.entrant: msgspec.to_builtins(rating) for rating in ratings}
    return {
        "game": plan.game,
        "system": plan.system,
        "seats": plan.seats,
        "rounds": plan.rounds,
        "games_per_meeting": plan.games,
        "seed": plan.seed,
        "finished": tournament.is_over,
        "settled": tournament.settled,
        "expected": tournament.expected,
        "counted": len(tournament.counted),
        "table": [
            {
                "name": plan.entrants[row.entrant].name,
                "spec": plan.entrants[row.entrant].spec,
                **msgspec.to_builtins(row),
                "rating": by_entrant.get(row.entrant),
            }
            for row in tournament.rows()
        ],
        "notices": msgspec.to_builtins(tournament.notices),
        "games_now": pace.games,
        "seconds": round(pace.seconds, 3),
        "cores": pace.cores,
        "cores_busy": round(pace.cores_busy, 2),
        "at_work": round(pace.at_work, 3),
        "report": str(folder / "index.html"),
    }
