"""The manifest: strict, and every refusal says what would have been right."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos import registry
from polemos.cli.new_bot import LANGUAGES, words_of, write_kit
from polemos.hosts.names import called
from polemos.uploads import manifest
from polemos.uploads.manifest import Manifest
from polemos.uploads.refusals import Refused


@pytest.mark.needs("monad", "demons")
def test_a_manifest_is_read() -> None:
    text = 'name = "Falcon"\ngame = "monad"\nlanguage = "Rust"\nbuild = "cargo build"\nstart = "./bot --fast"\n'
    assert manifest.read(text) == Manifest("Falcon", "rust", "cargo build", "./bot --fast", ("monad",))
    assert manifest.read('games = ["monad", "demons"]').games == ("monad", "demons")
    assert manifest.read("") == Manifest()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("name = Falcon", "is not TOML"),
        ('langage = "c"', "Did you mean language"),
        ('[bot]\nname = "x"', 'a line "bot", which doesn\'t mean anything. Its lines are name, game, games'),
        (f"x = {'9' * 5000}", "has a number with thousands of digits. Lines look like"),
        (f"{'.'.join('a' * 200)} = 1", "has more than 100 dots in one line. Lines look like"),
        ("name = 7", 'name must be a text in quotes, such as name = "Falcon"'),
        ('build = ["make", "all"]\nstart = "./bot"', "build must be a text in quotes, such as build = "),
        ('language = "ruby"', "can't be built here"),
        ('language = "cpp"', r'Did you mean "c\+\+"'),
        ('language = "golang"', 'Did you mean "go"'),
        ('language = "pyton"', 'Did you mean "python"'),
        ('language = ""', "language is empty"),
        ('build = "make"', "how to build the bot but not how to start it. Add a line like start = "),
        ('start = "./bot | tee log"', "needs a shell, and there is none"),
        ('start = "DEBUG=1 ./bot"', "needs a shell"),
        ("start = './bot \"x'", "can't be read: no closing quotation"),
        ('game = "a"\ngames = ["b"]', "both game and games. Keep games"),
        ('games = "a"', "games must be a list of names"),
        ("games = []", "games is empty"),
        ('games = ["a", "a"]', "each game once"),
        ('name = "Fal\\u202econ"', "control characters"),
        ('name = "Falcon (v2)"', 'without brackets, such as "Falcon v2"'),
        ('name = "' + "x" * 33 + '"', "up to 32 letters"),
        ('start = "' + "x" * 1001 + '"', "more than 1000 characters"),
        ("x = " + "[" * 5000, "is not TOML"),
    ],
)
def test_a_wrong_manifest_says_what_would_be_right(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why) as refused:
        manifest.read(text)
    assert refused.value.word == "manifest"
    assert len(refused.value.why) < 300


def test_a_manifest_under_another_name_is_not_overlooked(tmp_path: Path) -> None:
    (tmp_path / "Bot.TOML").write_text('language = "c"')
    with pytest.raises(Refused, match=r'called "Bot.TOML". Call it "bot.toml"'):
        manifest.of(tmp_path)


def test_a_manifest_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").mkdir()
    with pytest.raises(Refused, match="is a folder"):
        manifest.of(tmp_path)


def test_a_manifest_that_is_not_a_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(Refused, match="not UTF-8"):
        manifest.of(tmp_path)
    (tmp_path / "bot.toml").write_bytes(b"#" * (1 << 17))
    with pytest.raises(Refused, match="more than 64 KB"):
        manifest.of(tmp_path)
    (tmp_path / "bot.toml").write_bytes(b"\xef\xbb\xbfname = 'x'")  # as some editors on Windows save it
    assert manifest.of(tmp_path) == Manifest("x")


@given(st.text(max_size=40), st.lists(st.sampled_from(["a", "b", 'c"\\']), unique=True, max_size=3))
def test_what_is_written_is_toml_and_reads_the_same(name: str, games: list[str]) -> None:
    made = Manifest(name.encode(errors="ignore").decode(), "c", 'gcc -o "my bot" bot.c', "./bot", tuple(games))
    found = tomllib.loads(made.text())
    assert found.get("name", "") == made.name
    assert (found["build"], found["start"]) == (made.build, made.start)
    assert tuple(found.get("games", [found["game"]] if "game" in found else [])) == tuple(games)


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_bot_writes_a_manifest_that_names_its_own_commands(tmp_path: Path, language: str) -> None:
    """The commands of the manifest, typed in the folder, are those that the README names with the whole path."""
    folder = tmp_path / "my bot"
    write_kit(language, registry.load("skerries"), folder)
    found = manifest.of(folder)
    assert found is not None
    assert (found.name, found.language, found.games) == ("my bot", language, ("skerries",))
    kit = LANGUAGES[language]
    assert bool(found.build) == bool(kit.build)
    there = [word.replace(f"{folder}/", "").replace(str(folder), ".") for word in words_of(kit.run, folder)]
    assert [word.removeprefix("./") for word in manifest.words_of(found.start)] == there
    assert called(registry.load("skerries"), f"'{folder / 'check.py'}'").name == "my bot"
