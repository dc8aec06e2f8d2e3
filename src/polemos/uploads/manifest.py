"""`bot.toml`, the manifest of a bot: what it is called, what it is written in, how to build and start it.

Every line of it is optional; what isn't there is recognised from the files. What is there must be right.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from polemos.hosts.names import MANIFEST, MAX, announced
from polemos.uploads import toml
from polemos.uploads.refusals import Refused, listed

MAX_COMMAND: Final = 1000  # characters
MAX_GAMES: Final = 16
TITLES: Final = {
    "python": "Python",
    "javascript": "JavaScript",
    "java": "Java",
    "rust": "Rust",
    "go": "Go",
    "c": "C",
    "c++": "C++",
}
_ALIASES: Final = {"js": "javascript", "node": "javascript", "cpp": "c++", "py": "python", "golang": "go"}


class Manifest(Struct, frozen=True):
    """The lines of a manifest; an empty one is missing."""

    name: str = ""
    language: str = ""
    build: str = ""  # a command line for the shell, in the bot's folder
    start: str = ""  # a command line without a shell
    games: tuple[str, ...] = ()

    def text(self) -> str:
        """The manifest as a file."""
        lines = {"name": self.name, "language": self.language, "build": self.build, "start": self.start}
        found = [f"{key} = {_quoted(value)}" for key, value in lines.items() if value]
        if len(self.games) == 1:
            found.insert(1, f"game = {_quoted(self.games[0])}")
        elif self.games:
            found.insert(1, f"games = [{', '.join(map(_quoted, self.games))}]")
        return "".join(f"{line}\n" for line in found)


KEYS: Final = ("name", "game", "games", "language", "build", "start")
_EXAMPLES: Final = {
    "name": '"Falcon"',
    "game": '"NAME"',
    "games": '["NAME", "OTHER"]',
    "language": '"rust"',
    "build": '"gcc -O2 -o bot bot.c"',
    "start": '"./bot"',
}


def of(folder: Path) -> Manifest | None:
    """The manifest in a folder, if it has one; raises Refused if it is wrong."""
    path = folder / MANIFEST
    if path.is_dir():
        raise _wrong(f"{MANIFEST} is a folder. It has to be a file.")
    if not path.is_file():
        near = [one.name for one in folder.iterdir() if one.name.lower() == MANIFEST]
        if near:
            raise _wrong(f'The manifest is called "{near[0]}". Call it "{MANIFEST}".')
        return None
    with path.open("rb") as file:
        raw = file.read(toml.MAX_BYTES + 1)
    if len(raw) > toml.MAX_BYTES:
        raise _wrong(f"{MANIFEST} has more than {toml.MAX_BYTES >> 10} KB. It needs a few lines only.")
    try:
        return read(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _wrong(f"{MANIFEST} is not UTF-8. Save it as UTF-8.") from None


def read(text: str) -> Manifest:
    """Reads a manifest; raises Refused with what would have been right.

    >>> read('name = "Falcon"\\nlanguage = "C"\\n')
    Manifest(name='Falcon', language='c', build='', start='', games=())
    """
    try:
        found = toml.parsed(text)
    except toml.BadToml as error:
        raise _wrong(f'{MANIFEST} {error}. Lines look like language = "rust".') from None
    for key in found:
        if key not in KEYS:
            near = get_close_matches(key.lower(), KEYS, n=1)
            hint = f"Did you mean {near[0]}?" if near else f"Its lines are {listed(KEYS)}."
            raise _wrong(f"{MANIFEST} has a line {_short(key)}, which doesn't mean anything. {hint}")
    build, start = _command(found, "build"), _command(found, "start")
    if build and not start:
        raise _wrong(f'{MANIFEST} says how to build the bot but not how to start it. Add a line like start = "./bot".')
    if start:
        words_of(start)
    return Manifest(_name(found), _language(found), build, start, _games(found))


def words_of(start: str) -> tuple[str, ...]:
    """The words of the command that starts the bot."""
    try:
        words = shlex.split(start)
    except ValueError as error:
        raise _wrong(f"start = {_short(start)} can't be read: {str(error).lower()}.") from None
    if not words:
        raise _wrong('start is empty. Write it like start = "./bot".')
    if "=" in words[0] or any(word in ("&&", "||", "|", ";", "&", ">", "<", "2>") for word in words):
        raise _wrong(
            f"start = {_short(start)} needs a shell, and there is none. Name one program and its arguments, "
            "and do the rest in build."
        )
    return tuple(words)


def _wrong(why: str) -> Refused:
    return Refused("manifest", why)


def _text(found: Mapping[str, Any], key: str, most: int) -> str:
    value = found.get(key, "")
    if not isinstance(value, str):
        raise _wrong(f"{MANIFEST}: {key} must be a text in quotes, such as {key} = {_EXAMPLES[key]}.")
    if key in found and not value.strip():
        raise _wrong(f"{MANIFEST}: {key} is empty. Write it like {key} = {_EXAMPLES[key]}, or delete the line.")
    if len(value) > most:
        raise _wrong(f"{MANIFEST}: {key} has more than {most} characters.")
    if not value.isprintable():
        raise _wrong(f"{MANIFEST}: {key} must be one line without control characters.")
    return value.strip()


def _name(found: Mapping[str, Any]) -> str:
    name = _text(found, "name", 4 * MAX)
    if name and announced(name) != name:
        raise _wrong(
            f"{MANIFEST}: the name {_short(name)} can't be shown as it is. Use up to {MAX} letters, digits and signs "
            f"without brackets{f', such as {_short(announced(name))}' if announced(name) else ''}."
        )
    return name


def _language(found: Mapping[str, Any]) -> str:
    said = _text(found, "language", 40)
    language = said.lower()
    if not language or language in TITLES:
        return language
    near = _ALIASES.get(language) or next(iter(get_close_matches(language, TITLES, n=1)), None)
    hint = f"Did you mean {_quoted(near)}?" if near else f"Write one of {listed([*TITLES], 'or')}."
    raise _wrong(f"{MANIFEST}: bots in {_short(said)} can't be built here. {hint}")


def _command(found: Mapping[str, Any], key: str) -> str:
    return _text(found, key, MAX_COMMAND)


def _games(found: Mapping[str, Any]) -> tuple[str, ...]:
    if "game" in found and "games" in found:
        raise _wrong(f"{MANIFEST} has both game and games. Keep games, and list them all there.")
    if "game" in found:
        return (_text(found, "game", 40),)
    games = found.get("games", [])
    if not isinstance(games, list) or not all(isinstance(game, str) and game.strip() for game in games):
        raise _wrong(f"{MANIFEST}: games must be a list of names, such as games = {_EXAMPLES['games']}.")
    if "games" in found and not games:
        raise _wrong(f"{MANIFEST}: games is empty. List the games that the bot plays, or delete the line.")
    if len(games) > MAX_GAMES or len(set(games)) < len(games):
        raise _wrong(f"{MANIFEST}: games must list each game once, and {MAX_GAMES} at most.")
    return tuple(games)


def _short(text: str) -> str:
    return _quoted(text if len(text) <= 60 else text[:57] + "...")


def _quoted(text: str) -> str:
    """A text as TOML has it: nearly that of JSON."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
