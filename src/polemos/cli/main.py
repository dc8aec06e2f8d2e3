"""`polemos COMMAND`. Commands are loaded when they are used, so that `--help` is fast."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from typing import Any

import click

from polemos import __version__, registry
from polemos.kernel.errors import PolemosError

# command: its module, and its line in the help
VERBS = {
    "games": ("games", "List the installed games."),
    "rules": ("rules", "Show a game's rule book, or one paragraph of it."),
    "serve": ("serve", "Play and watch in a browser."),
    "play": ("play", "Play at the terminal, or run an evening as gamerunner."),
    "desk": ("desk", "Run a party from the gamerunners' desk in a browser."),
    "new-bot": ("new_bot", "Write a starter bot in one of six languages."),
    "kit": ("kit", "Build the rules as a C library, for your own bots."),
    "match": ("match", "Let bots play, and count the wins."),
    "series": ("series", "Is the new bot better? Play until we know."),
    "tournament": ("tournament", "Many bots, one table: round robin, Swiss, knock-out."),
    "upload": ("upload", "Upload a bot to a ladder, and watch its trial."),
    "bot": ("bot", "Run one of our bots as a program, for an umpire elsewhere."),
    "debug": ("debug", "Ask a bot again about a turn of a recorded game."),
    "replay": ("replay", "Verify a replay and show the game."),
    "analyse": ("analyse", "See where a recorded game turned, and which orders would have been better."),
    "draw": ("draw", "Draw a position: SVG, PNG, PDF."),
    "adjudicate": ("adjudicate", "Adjudicate JSON lines, for programs in any language."),
    "schema": ("schema", "Print the JSON Schema of a game's messages."),
    "bench": ("bench", "Measure random play in compiled code."),
    "train": ("train", "Learn to judge positions of a game, from nothing."),
    "check-gpu": ("check_gpu", "Compare games played on a GPU with the same games on the CPU."),
    "worker": ("worker", "Play games of a server's ladders on this machine."),
    "backup": ("backup", "Back up a server, while it runs."),
    "restore": ("restore", "Fill an empty folder or database from a backup."),
    "operator": ("operator", "People, tables, bots, reports, bans and announcements of a server."),
    "doctor": ("doctor", "Check which protections against untrusted bots work on this machine."),
    "prepare": ("prepare", "Compile the rules of all games, once."),
}


class Verbs(click.Group):
    """A group that only imports a command's module when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*VERBS, *registry.verbs()]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            brought = registry.verbs().get(name)
            return None if brought is None else brought.load()
        command: click.Command = import_module(f"polemos.cli.{VERBS[name][0]}").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            known = self.list_commands(ctx)
            near = get_close_matches(args[0], known, n=1)
            hint = f" Did you mean {near[0]}?" if near else f" The commands are {', '.join(known)}."
            raise click.UsageError(f"{error.message.rstrip('.')}.{hint}", ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in VERBS.items()])
            formatter.write_dl([(name, "A command added by a game.") for name in registry.verbs()])


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="polemos")
def polemos() -> None:
    """Polemos, an umpire for war games.

    It adjudicates orders by the rule book, shows each player only what they may see, lets bots play, and draws maps.

    \b
    First steps:
      polemos games                                   list the games
      polemos play monarchs --as red                  play red against our bots
      polemos play monarchs                           run an evening as gamerunner
      polemos match monarchs steady holder raider     let bots play
      polemos rules monarchs 6                        read a chapter of the rule book
    """


def main() -> None:
    """Runs a command. Errors that Polemos raises on purpose become one line and exit code 1 (usage errors: 2)."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an odd byte or a limited terminal must not end an evening
    try:
        code = polemos(standalone_mode=False)  # click returns the code of `ctx.exit` instead of raising it
        if isinstance(code, int):
            sys.exit(code)
    except click.exceptions.Abort:
        click.echo("\nStopped.", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except PolemosError as error:
        click.echo(f"polemos: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # a reader such as `head` has exited
        sys.exit(1)
    except OSError as error:
        click.echo(f"polemos: {error.filename or 'file'}: {error.strerror or error}", err=True)
        sys.exit(1)
