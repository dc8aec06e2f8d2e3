"""`polemos tournament GAME BOT BOT [BOT ...]`"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
import msgspec
from click.core import ParameterSource
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from polemos.arena.times import COLUMNS, Used, cells
from polemos.arena.tournament import entrants, opening
from polemos.arena.tournament.batch import Setting
from polemos.arena.tournament.engine import Tournament
from polemos.arena.tournament.executor import Executor
from polemos.arena.tournament.journal import Journal
from polemos.arena.tournament.plan import Plan, Rating, Row, System
from polemos.arena.tournament.report_words import plural
from polemos.arena.tournament.reporter import Reporter
from polemos.arena.tournament.run import Pace, Runner, sweep
from polemos.cli.common import budget_of, load, myself, option_set, options_of, seated
from polemos.hosts import specs
from polemos.kernel import dice
from polemos.kernel.orders import shown
from polemos.kernel.playing import require_no_umpire

if TYPE_CHECKING:
    from polemos.arena.tournament.ratings import Live as Skills

_REDRAW = 0.5  # seconds between updates of the table
_WIDE = 200  # columns, if there is no terminal
_HOW = ("resume", "workers", "ray", "as_json")  # options that are not part of the plan


@click.command()
@click.argument("game", required=False)
@click.argument("bots", metavar="BOT BOT [BOT ...]", nargs=-1)
@click.option(
    "--system",
    default="round-robin",
    show_default=True,
    type=click.Choice(get_args(System)),
    help="The pairing system.",
)
@click.option(
    "--rounds", type=click.IntRange(1, 10_000), help="Number of rounds. Default: all, or log2 of the bots for Swiss."
)
@click.option(
    "--games", "number", type=click.IntRange(1, 100_000), help="Games per meeting. Default: the number of seats."
)
@click.option(
    "--seats", type=click.IntRange(2), help="Number of seats, if the game lets you choose. Default: as few as possible."
)
@click.option("--seed", default=None, help="Makes the tournament repeatable; without it every one is new.")
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder for the journal, replays and report."
)
@click.option(
    "--resume", type=click.Path(file_okay=False, path_type=Path), help="Resume the tournament in this folder."
)
@click.option("--workers", type=click.IntRange(1, 1024), help="Number of processes. Default: all cores.")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster: HOST:PORT, or auto.")
@click.option(
    "--pause-after",
    default=3,
    show_default=True,
    type=click.IntRange(0),
    help="Pause a bot that drops out of this many games in a row; 0 means never.",
)
@click.option("--trust", is_flag=True, help="Run programs without the box, with your permissions.")
@click.option("--json", "as_json", is_flag=True, help="Print the final table as one JSON object.")
@option_set
@click.option(
    "-b", "--budget", "limits", multiple=True, metavar="NAME=VALUE", help="A limit for programs, such as bank=60."
)
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
    Name a BOT as for polemos match, or as
      NAME=SPEC          a bot with this name in the table
      all                all of our bots
      @FILE              a file with one bot per line

    The folder keeps a journal: after Ctrl-C, a crash or a power cut, --resume FOLDER picks up where it stopped. The
    same seed gives the same pairings and dice, on any number of cores or machines. The report is index.html in the
    folder.
    """
    if ray is not None and workers is not None:
        raise click.UsageError(
            "--workers is only for this machine; with --ray the cluster decides how many games run at once."
        )
    if resume is not None:
        _nothing_else(context)
        journal = opening.resumed(resume)
    elif game is None:
        raise click.UsageError("Name a game: polemos tournament GAME BOT BOT [BOT ...], or use --resume FOLDER.")
    else:
        loaded = load(game)
        folder = out or _new_folder(loaded.name)
        options = seated(loaded, options_of(loaded, given), seats or loaded.facts.min_seats)
        found = len(loaded.seats(loaded.setup(options, 0)))
        require_no_umpire(loaded, loaded.setup(options, 0))
        if seats is not None and seats != found:
            raise click.UsageError(
                f"You asked for --seats {seats}, but this match of {loaded.title} has {found} seats."
            )
        budget = budget_of(limits)
        plan = Plan(
            game=loaded.name,
            edition=loaded.edition,
            options=options,
            seats=found,
            entrants=entrants.read(
                loaded,
                bots,
                trust=trust,
                out=folder,
                ask=lambda spec: entrants.asked(loaded, spec, options, budget, trust=trust),
            ),
            system=system,
            rounds=0,
            games=number or found,
            seed=dice.new_key() if seed is None else seed,
            pause_after=pause_after,
            budget=budget,
            trust=trust,
        )
        journal = opening.begun(folder, opening.settled(plan, rounds), any_seed=seed is None)
    with journal:
        _play(journal, workers, ray, as_json)


def _new_folder(game: str) -> Path:
    """Named after this moment. Another one may have begun in the same second, and would be resumed."""
    first = Path("out") / f"tournament-{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    others = (first.with_name(f"{first.name}-{number}") for number in count(2))
    return first if not first.exists() else next(folder for folder in others if not folder.exists())


def _nothing_else(context: click.Context) -> None:
    """Refuses other options with --resume: the whole plan comes from the journal."""
    for name in context.params:
        if name not in _HOW and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                "--resume takes the whole plan from the folder. You can only add --workers, --ray and --json."
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
        click.echo(f"Stopped. To resume: {myself()} tournament --resume {folder}", err=True)
        sys.exit(130)


def _announce(game: Any, tournament: Tournament, known: int, folder: Path) -> None:
    plan = tournament.plan
    if any(specs.is_program(game, entrant.spec) for entrant in plan.entrants):
        click.echo(f"Limits for programs: {plan.budget.words()}.", err=True)
    begin = f"Resuming after {plural(known, 'game')}" if known else "Starting"
    click.echo(
        f"{begin}: {plan.system} of {len(plan.entrants)} bots, {plural(plan.rounds, 'round')},"
        f" {plural(plan.games, 'game')} per meeting, in {folder}/",
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
    """Plays to the end or to Ctrl-C; returns whether it was stopped."""
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
    """The display while it runs: a table redrawn in place on a terminal, otherwise a few lines."""

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
            table = _table(tournament.plan, tournament.rows()[:most], self._ratings(tournament), tournament.used())
            self._live.update(Group(Text(_progress(tournament, pace)), table), refresh=True)

    def _ratings(self, tournament: Tournament) -> list[Rating]:
        """openskill's ratings, which are updated after every game."""
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
        f"{tournament.settled} of {plural(tournament.expected, 'game')},"
        f" round {tournament.round} of {tournament.plan.rounds}, {_pace(pace)};"
        f" {shown(tournament.plan.entrants[first.entrant].name)} leads with {first.points:g}"
        f" {'point' if first.points == 1 else 'points'}"
    )


def _pace(pace: Pace) -> str:
    rate = pace.games / pace.seconds if pace.seconds else 0.0
    return f"{rate:.1f} games/s, {pace.cores_busy:.1f} of {pace.cores} cores busy"


# ---- at the end

_COLUMNS = ("", "bot", "points", "tie-break", "games", "won", "drawn", "lost", "void lines", "strikes", "forfeits")


def _table(plan: Plan, rows: list[Row], ratings: list[Rating], used: list[Used]) -> Table:
    table = Table(box=None, pad_edge=False)
    fitted = any(rating.elo is not None for rating in ratings)
    timed = any(one.answers for one in used)
    times = COLUMNS if timed else ()
    for name in (*_COLUMNS, *times, *(("Elo", "95 %") if fitted else ()), "openskill", ""):
        table.add_column(name, justify="left" if name in ("bot", "") else "right", no_wrap=True)
    for row in rows:
        figures = [row.played, row.wins, row.draws, row.losses, row.void_lines, row.strikes, row.forfeits]
        table.add_row(
            f"{row.place}",
            shown(plan.entrants[row.entrant].name).replace("[", "\\["),
            f"{row.points:.2f}".removesuffix(".00"),
            f"{row.tie_break:.2f}".removesuffix(".00"),
            *(str(figure) for figure in figures),
            *(cells(used[row.entrant]) if timed else ()),
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
    remarks += [f"gone and passing in {plural(row.gone, 'game')}"] * bool(row.gone)
    return ", ".join(remarks)


def _tell(tournament: Tournament, ratings: list[Rating], pace: Pace, folder: Path) -> None:
    plan = tournament.plan
    width = None if sys.stdout.isatty() else _WIDE
    Console(file=sys.stdout, highlight=False, width=width).print(
        _table(plan, tournament.rows(), ratings, tournament.used())
    )
    for notice in tournament.notices:
        click.echo(f"notice: {notice.text}")
    click.echo(
        f"{tournament.settled} of {plural(tournament.expected, 'game')} settled,"
        f" {len(tournament.counted)} of them played; {pace.games} in this run in {pace.seconds:.1f} s,"
        f" {_pace(pace)}, seed {plan.seed}"
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
        "used": [
            {"name": entrant.name, **msgspec.to_builtins(used)}
            for entrant, used in zip(plan.entrants, tournament.used(), strict=True)
        ],
        "notices": msgspec.to_builtins(tournament.notices),
        "games_now": pace.games,
        "seconds": round(pace.seconds, 3),
        "cores": pace.cores,
        "cores_busy": round(pace.cores_busy, 2),
        "at_work": round(pace.at_work, 3),
        "report": str(folder / "index.html"),
    }
