"""What a stranger's folder is written in, and how to build and start it: from its manifest, else from its files.

The folders that `new-bot` makes are recognised without their manifest, too, and so is a single file.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from msgspec import Struct

from polemos import registry
from polemos.hosts.bundle import PYTHON
from polemos.hosts.names import MANIFEST, announced
from polemos.uploads import manifest, toml
from polemos.uploads.manifest import TITLES, Manifest
from polemos.uploads.paths import is_file, quoted
from polemos.uploads.refusals import Refused, listed

LANGUAGES: Final = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".java": "java",
    ".rs": "rust",
    ".go": "go",
    ".c": "c",
    ".cpp": "c++",
    ".cc": "c++",
    ".cxx": "c++",
}
MAINS: Final = ("bot", "main", "__main__", "index")  # what the file to start is called, the best first
BESIDE: Final = ("check.py", "inprocess.py", "setup.py")  # never the bot itself: `new-bot` writes the first two
PLACES: Final = ("", "src")
COMPILERS: Final = {
    "java": "javac",
    "rust": "rustc",
    "go": "go",
    "c": "gcc",
    "c++": "g++",
    "javascript": "node",
    "python": PYTHON,
}
_MAX_READ: Final = 1 << 20
_MAIN_FUNCTION: Final = re.compile(r"\bmain\s*\(")
_PACKAGE: Final = re.compile(r"^[^\S\n]*package\s+([\w.]+)\s*;", re.MULTILINE)  # no empty lines: each begins again
_JAVA_OPTIONS: Final = ("-Xmx256m", "-XX:+UseSerialGC")  # by default Java takes a quarter of the machine
_FOREIGN: Final = {
    "pom.xml": "Maven",
    "build.gradle": "Gradle",
    "build.gradle.kts": "Gradle",
    "CMakeLists.txt": "CMake",
}


class Recipe(Struct, frozen=True):
    """How to make a bot play."""

    language: str
    build: str  # empty: nothing to build
    start: tuple[str, ...]
    origin: str  # the file that says so
    name: str = ""
    games: tuple[str, ...] = ()

    def words(self) -> str:
        return f"{TITLES[self.language]}, from {self.origin}"


class Found(NamedTuple):
    """A way to build and start a folder."""

    language: str
    build: str
    start: tuple[str, ...]
    file: str


def recognise(folder: Path, called: str = "", game: str | None = None) -> Recipe:
    """Finds out what a folder holds; raises Refused with what is missing. `called` is the file that was sent."""
    said = manifest.of(folder) or Manifest()
    games = _games(said, game)
    file = re.split(r"[/\\]", called)[-1]
    name = said.name or announced(re.sub(r"\.(?:tar\..{2,3}|t[bgx]z2?|\w{1,4})$", "", file)) or "bot"
    if said.start:
        language = said.language or _language(folder, said)
        return Recipe(language, said.build, manifest.words_of(said.start), MANIFEST, name, games)
    found = _found(folder, said.language)
    origin = MANIFEST if said.language else found.file
    return Recipe(found.language, found.build, found.start, origin, name, games)


def _games(said: Manifest, game: str | None) -> tuple[str, ...]:
    known = registry.names()
    for one in said.games:
        if one not in known:
            raise Refused(
                "manifest", f"{MANIFEST}: there is no game called {quoted(one)}. Write {listed(known, 'or')}."
            )
    if game is not None and said.games and game not in said.games:
        raise Refused(
            "manifest", f"{MANIFEST} says that the bot plays {listed(said.games)}, but it was sent in for {game}."
        )
    if game is None and not said.games:
        raise Refused("manifest", f'Which game does it play? Say so in {MANIFEST}: game = "NAME".')
    return (game,) if game is not None else said.games


def _language(folder: Path, said: Manifest) -> str:
    try:
        return _found(folder, "").language
    except Refused:
        raise Refused(
            "manifest", f'Which language is it in? Say so in {MANIFEST}, for example language = "python".'
        ) from None


# ---- from the files


def _found(folder: Path, language: str) -> Found:
    if not language:
        language = _guess(folder)
    ways = {"python": _python, "javascript": _javascript, "java": _java, "rust": _rust, "go": _go}
    found = ways[language](folder) if language in ways else _c(folder, language)
    if found is None:
        suffix = next(suffix for suffix, one in LANGUAGES.items() if one == language)
        raise Refused(
            "recognised/none",
            f"There is no file to start in {TITLES[language]}. Call it bot{suffix}, or say in {MANIFEST} how to start "
            'the bot: start = "COMMAND".',
        )
    return found


def _guess(folder: Path) -> str:
    """The language of the file that looks like the bot."""
    for file, language in (("Cargo.toml", "rust"), ("go.mod", "go")):
        if (folder / file).is_file():
            return language
    files = [path for place in PLACES for path in _sources(folder / place)]
    for stem in MAINS[:2]:
        mains = [path for path in files if path.stem.lower() == stem]
        if mains:
            return _only(mains, folder)
    foreign = next((file for file in _FOREIGN if (folder / file).is_file()), None)
    if foreign is not None:
        raise Refused(
            "recognised/none",
            f"{_FOREIGN[foreign]} projects aren't recognised by themselves. Say in {MANIFEST} how to build and start "
            'the bot: language = "...", build = "...", start = "...".',
        )
    if (folder / "package.json").is_file():
        return "javascript"
    if files:
        return _only([path for path in files if path.stem in MAINS] or files, folder)
    raise Refused(
        "recognised/none",
        f"There is no source file of a bot in it. Bots can be in {listed([*TITLES.values()], 'or')}; call the file to "
        f"start bot.py, bot.js and so on, or write a {MANIFEST}.",
    )


def _only(files: Sequence[Path], folder: Path) -> str:
    languages = {LANGUAGES[path.suffix]: path for path in files}
    if len(languages) > 1:
        choices = [f"{path.relative_to(folder)} ({TITLES[one]})" for one, path in sorted(languages.items())]
        raise Refused(
            "recognised/several",
            f"Which of {listed(choices)} is the bot? Say so in {MANIFEST}, for example "
            f'language = "{sorted(languages)[0]}".',
        )
    return next(iter(languages))


def _sources(folder: Path, language: str = "") -> list[Path]:
    """The source files in a folder itself, by name."""
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.is_file()
        and path.suffix in LANGUAGES
        and path.name not in BESIDE
        and not path.stem.endswith("_test")
        and language in ("", LANGUAGES[path.suffix])
    )


def _main(folder: Path, language: str) -> Path | None:
    """The file to start: by its name, or because there is no other."""
    found = [_sources(folder / place, language) for place in PLACES]
    for files in found:
        for stem in MAINS:
            for path in files:
                if path.stem.lower() == stem:
                    return path
    return next((files[0] for files in found if len(files) == 1), None)


def _text(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(_MAX_READ).decode(errors="replace")


def _relative(path: Path, folder: Path) -> str:
    """A path as a word of a command; a name that begins with a dash must not be taken for an option."""
    word = str(PurePosixPath(path.relative_to(folder)))
    return f"./{word}" if word.startswith("-") else word


def _python(folder: Path) -> Found | None:
    path = _main(folder, "python")
    return None if path is None else Found("python", "", ("python3", _relative(path, folder)), path.name)


def _javascript(folder: Path) -> Found | None:
    package = folder / "package.json"
    if package.is_file():
        try:
            said = json.loads(_text(package))
        except (ValueError, RecursionError):
            raise Refused("recognised/none", "package.json is not JSON.") from None
        main = said.get("main") if isinstance(said, dict) else None
        if isinstance(main, str) and main and ".." not in main and is_file(folder / main.lstrip("/")):
            return Found("javascript", "", ("node", _relative(folder / main.lstrip("/"), folder)), package.name)
    path = _main(folder, "javascript")
    return None if path is None else Found("javascript", "", ("node", _relative(path, folder)), path.name)


def _java(folder: Path) -> Found | None:
    path = _main(folder, "java")
    if path is None:
        mains = [
            one for place in PLACES for one in _sources(folder / place, "java") if _MAIN_FUNCTION.search(_text(one))
        ]
        if len(mains) != 1:
            return None
        path = mains[0]
    package = _PACKAGE.search(_text(path))
    name = f"{package[1]}.{path.stem}" if package else path.stem
    place = "." if path.parent == folder else _relative(path.parent, folder)
    build = shlex.join(["javac", "-cp", place, "-d", ".", _relative(path, folder)])
    options = ("@java.options",) if (folder / "java.options").is_file() else _JAVA_OPTIONS
    return Found("java", build, ("java", *options, "-cp", ".", name), path.name)


def _rust(folder: Path) -> Found | None:
    cargo = folder / "Cargo.toml"
    if cargo.is_file():
        name = _binary(cargo)
        made = shlex.quote(f"/tmp/target/release/{name}")
        build = f"cargo build --release --offline --target-dir /tmp/target && cp {made} bot"
        return Found("rust", build, ("./bot",), cargo.name)
    path = _main(folder, "rust")
    if path is None:
        return None
    library = ("-L", ".", "-l", "static=polemos") if (folder / "libpolemos.a").is_file() else ()
    words = ["rustc", "--edition", "2021", "-O", "-o", "bot", _relative(path, folder), *library]
    return Found("rust", shlex.join(words), ("./bot",), path.name)


def _binary(cargo: Path) -> str:
    """The name of the program that Cargo makes."""
    try:
        said: dict[str, Any] = toml.parsed(_text(cargo))
        bins = said.get("bin") or [said["package"]]
        name = bins[0]["name"]
    except toml.BadToml as error:
        raise Refused("recognised/none", f"Cargo.toml {error}.") from None
    except (KeyError, IndexError, TypeError, AttributeError):
        raise Refused("recognised/none", "Cargo.toml doesn't say what the program is called.") from None
    if not isinstance(name, str) or not re.fullmatch(r"[\w-]{1,64}", name):
        raise Refused("recognised/none", "Cargo.toml doesn't say what the program is called.")
    return name


def _go(folder: Path) -> Found | None:
    if (folder / "go.mod").is_file():
        return Found("go", "go build -o bot .", ("./bot",), "go.mod")
    files = _sources(folder, "go")
    words = ["go", "build", "-o", "bot", *(_relative(path, folder) for path in files)]
    return Found("go", shlex.join(words), ("./bot",), (_main(folder, "go") or files[0]).name) if files else None


def _c(folder: Path, language: str) -> Found | None:
    """All files beside the bot belong to it, unless they are programs of their own."""
    path = _main(folder, language)
    if path is None:
        return None
    others = [one for one in _sources(path.parent, language) if one != path and not _MAIN_FUNCTION.search(_text(one))]
    compiler = ["gcc", "-O2"] if language == "c" else ["g++", "-O2", "-std=c++20"]
    library = ["libpolemos.a"] if (folder / "libpolemos.a").is_file() else []
    words = [*compiler, "-o", "bot", *(_relative(one, folder) for one in (path, *others)), *library, "-lm"]
    return Found(language, shlex.join(words), ("./bot",), path.name)


# ---- what this machine has


def missing(recipe: Recipe, toolchains: Sequence[Path] = ()) -> str | None:
    """The compiler or interpreter that a recipe needs and the box doesn't have."""
    needs = COMPILERS[recipe.language]
    if not recipe.build and recipe.language not in ("python", "javascript", "java"):
        return None
    places = ":".join([*(f"{folder}/bin" for folder in toolchains), "/usr/local/bin:/usr/bin:/bin"])
    return needs if shutil.which(needs, path=places) is None else None
