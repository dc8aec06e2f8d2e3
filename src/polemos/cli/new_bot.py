"""`polemos new-bot GAME DIR --language LANGUAGE`"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from msgspec.structs import replace

from polemos import registry
from polemos.cli.common import GAME, load
from polemos.hosts.names import MANIFEST, announced
from polemos.kernel.rooms import bots_of, helpers_of
from polemos.uploads.manifest import Manifest

KITS = Path(__file__).parents[1] / "kits"
SHARED = ("check.py", "conversation.jsonl")  # files in every kit
READING = "reading.md"  # the end of every README
HELPER = "helper.md"  # the part of it about the game's helper
OPPONENT = "random"  # or the game's first bot, if it has none of this name


class Kit(Struct, frozen=True):
    """How to build and run a kit. In commands, {} stands for the folder."""

    title: str
    needs: tuple[str, ...]  # programs
    install: str  # what to install to get them
    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    link: tuple[str, ...] = ()  # words that the build needs besides, with the rules as a library


LANGUAGES = {
    "python": Kit("Python", ("python3",), "Python 3.10 or newer", ("python3", "{}/bot.py")),
    "javascript": Kit("JavaScript", ("node",), "Node.js 18 or newer", ("node", "{}/bot.js")),
    "c": Kit("C", ("gcc",), "gcc", ("{}/bot",), ("gcc", "-O2", "-o", "{}/bot", "{}/bot.c"), ("{}/libpolemos.a",)),
    "java": Kit(
        "Java",
        ("javac", "java"),
        "JDK 17 or newer",
        ("java", "@{}/java.options", "-cp", "{}", "Bot"),
        ("javac", "-cp", "{}", "-d", "{}", "{}/Bot.java"),
    ),
    "rust": Kit(
        "Rust",
        ("rustc",),
        "Rust 1.65 or newer",
        ("{}/bot",),
        ("rustc", "--edition", "2021", "-O", "-o", "{}/bot", "{}/bot.rs"),
        ("-L", "{}", "-l", "static=polemos"),
    ),
    "go": Kit("Go", ("go",), "Go 1.18 or newer", ("{}/bot",), ("go", "build", "-o", "{}/bot", "{}/bot.go")),
}

LOOKAHEAD = Kit(
    "C", ("gcc",), "gcc", ("{}/lookahead",), ("gcc", "-O2", "-o", "{}/lookahead", "{}/lookahead.c", "{}/libpolemos.a")
)

# How the names of a game's helpers end.
HELPERS = {"python": ".py", "javascript": ".js", "c": ".h", "java": ".java", "rust": ".rs", "go": ".go"}
LISTED = ("go",)  # languages in which the command to build must name the helper


def words_of(command: tuple[str, ...], folder: Path) -> list[str]:
    """The words of a command for this folder."""
    return [word.replace("{}", str(folder)) for word in command]


def helper_of(language: str, game: object) -> Path | None:
    """The game's helper in a language."""
    return next(iter(sorted(helpers_of(game).glob(f"*{HELPERS[language]}"))), None)


def missing(kit: Kit) -> list[str]:
    """The programs that a kit needs but that are not installed."""
    return [program for program in kit.needs if shutil.which(program) is None]


def write_kit(language: str, game: Any, folder: Path, with_lib: bool = False) -> dict[str, str]:
    """Copies a kit and fills in its placeholders. Returns the commands to type, by name, with the full folder path.

    `with_lib` also puts the rules beside it as a C library.
    """
    folder = folder.resolve()
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"{folder} is a file. Name a folder.")
    if folder.is_dir() and any(folder.iterdir()):
        raise click.UsageError(f"{folder} is not empty. Name a new folder, or an empty one.")
    helper, kit = helper_of(language, game), LANGUAGES[language]
    words = kit.link if with_lib else ()
    if helper is not None and language in LISTED:
        words = (*words, f"{{}}/{helper.name}")
    kit = replace(kit, build=(*kit.build, *words)) if words else kit
    commands = _commands(kit, game, folder)
    library = _put_library(language, game, folder, commands) if with_lib else ""
    blanks = {f"__{name.upper()}__": text for name, text in commands.items()}
    blanks |= {"__GAME__": game.name, "__TITLE__": game.title, "__POLEMOS__": _myself(), "__NAME__": _name(folder)}
    reading = (KITS / READING).read_text(encoding="utf-8").rstrip("\n")
    about = "" if helper is None else (KITS / HELPER).read_text(encoding="utf-8").replace("__FILE__", helper.name)
    reading = reading.replace("__HELPER__\n", about)
    folder.mkdir(parents=True, exist_ok=True)
    also = [*(KITS / name for name in SHARED), *([helper] if helper else [])]
    for source in [*sorted((KITS / language).iterdir()), *also]:
        if source.is_file():
            text = source.read_text(encoding="utf-8").replace("__READING__", reading)
            text += library if source.name == "README.md" else ""
            for blank, filling in blanks.items():
                text = text.replace(blank, filling)
            (folder / source.name).write_text(text, encoding="utf-8")
    (folder / MANIFEST).write_text(_manifest(language, kit, game, folder).text(), encoding="utf-8")
    return commands


def _manifest(language: str, kit: Kit, game: Any, folder: Path) -> Manifest:
    """How a ladder builds and starts it, in whichever folder that is."""

    def typed_there(command: tuple[str, ...]) -> str:
        return shlex.join(word.replace("{}/", "").replace("{}", ".") for word in command)

    own = kit.run[0].startswith("{}/")
    run = (kit.run[0].replace("{}/", "./"), *kit.run[1:]) if own else kit.run
    name = announced(_name(folder)) or "bot"
    return Manifest(name, language, typed_there(kit.build), typed_there(run), (game.name,))


def _name(folder: Path) -> str:
    """What the bot calls itself: its folder, as far as that can stand in a text of any language."""
    return re.sub(r"[^\w .-]", "", folder.name).strip() or "bot"


def _commands(kit: Kit, game: Any, folder: Path) -> dict[str, str]:
    """Command lines that work from any folder."""
    run = words_of(kit.run, folder)
    bots = bots_of(game)
    others = [OPPONENT if OPPONENT in bots else next(iter(bots))] * (game.facts.min_seats - 1)

    def match(bot: str) -> str:
        return f"{_myself()} match {game.name} {_quoted(bot)} {' '.join(others)}"

    commands = {
        "check": shlex.join(["python3", str(folder / "check.py"), *run]),
        "match": match(shlex.join(run)),
        "inprocess": match(f"{folder / 'inprocess.py'}:Starter") + " --trust",
    }
    return {"build": shlex.join(words_of(kit.build, folder)), **commands} if kit.build else commands


def _put_library(language: str, game: Any, folder: Path, commands: dict[str, str]) -> str:
    """Puts the rules beside a bot as a C library. Returns what its README says about it."""
    from polemos.library import beside  # the compiler takes a moment to load

    beside.put_beside(game, language, folder)
    commands["library"] = f"{_myself()} kit --lib {game.name} --out {shlex.quote(str(folder))}"
    if beside.has_lookahead(game, language):
        ahead = _commands(LOOKAHEAD, game, folder)
        commands |= {"lookahead_build": ahead["build"], "lookahead_match": ahead["match"]}
    return beside.section(game, language)


def _quoted(text: str) -> str:
    """A text as one word of a command line, in double quotes if that is easier to read."""
    if shlex.quote(text) == text or any(sign in text for sign in '"$`\\!'):
        return shlex.quote(text)
    return f'"{text}"'


def _myself() -> str:
    """The command for this program, from any folder."""
    return "polemos" if shutil.which("polemos") else shlex.quote(os.path.abspath(sys.argv[0]))


@click.command()
@GAME
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--language", default="python", show_default=True, type=click.Choice([*LANGUAGES]), help="The programming language."
)
@click.option("--with-lib", is_flag=True, help="Put the rules beside it as a C library, to look ahead with.")
def command(game: str, folder: Path, language: str, with_lib: bool) -> None:
    """Write a starter bot into DIR, a new or empty folder.

    The bot plays legal orders at random, and needs nothing but its language. It comes with a README, a recorded match,
    and a program that checks the bot against it; and with a helper for the game, if there is one, that knows the map,
    distances and what is where, and writes orders.
    """
    kit = LANGUAGES[language]
    commands = write_kit(language, load(game) if with_lib else registry.load(game), folder, with_lib)
    click.echo(f"A bot in {kit.title}: {folder.resolve()}")
    if lacking := missing(kit):
        plural = "are" if len(lacking) > 1 else "is"
        click.echo(f"{' and '.join(lacking)} {plural} not installed. Install {kit.install} first.")
    if "build" in commands:
        click.echo(f"Build it:      {commands['build']}")
    click.echo(f"Check it:      {commands['check']}")
    click.echo(f"Let it play:   {commands['match']}")
    if "lookahead_build" in commands:
        click.echo(f"Look ahead:    {commands['lookahead_build']}")
        click.echo(f"               {commands['lookahead_match']}")
    click.echo(f"Read more:     {folder.resolve() / 'README.md'}")
