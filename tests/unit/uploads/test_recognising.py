"""What a folder holds, found out from its manifest or its files."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemos import registry
from polemos.cli.new_bot import LANGUAGES, write_kit
from polemos.uploads.recognising import Recipe, missing, recognise
from polemos.uploads.refusals import Refused


def made(folder: Path, **files: str) -> Path:
    """A folder with these files; two underscores stand for a dot, three for a slash."""
    for name, text in files.items():
        path = folder / name.replace("___", "/").replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def found(folder: Path) -> tuple[str, str, str]:
    recipe = recognise(folder, "x.zip", "skerries")
    return recipe.language, recipe.build, " ".join(recipe.start)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_kit_is_recognised_with_and_without_its_manifest(tmp_path: Path, language: str) -> None:
    for name in registry.names():
        folder = tmp_path / name
        write_kit(language, registry.load(name), folder)
        with_it = recognise(folder)
        assert (with_it.language, with_it.origin, with_it.games) == (language, "bot.toml", (name,))
        (folder / "bot.toml").unlink()
        without = recognise(folder, "x.zip", name)
        assert without.start == with_it.start
        assert without.language == language
        assert set(without.build.split()) - {"-lm"} == set(with_it.build.split())


MAIN = "int main(void) {}"


@pytest.mark.parametrize(
    ("files", "wanted"),
    [
        ({"bot__py": ""}, ("python", "", "python3 bot.py")),
        ({"falcon__py": ""}, ("python", "", "python3 falcon.py")),
        ({"main__py": "", "bot__py": ""}, ("python", "", "python3 bot.py")),
        ({"src___bot__py": "", "util__py": ""}, ("python", "", "python3 src/bot.py")),
        ({"package__json": '{"main": "lib/go.js"}', "lib___go__js": ""}, ("javascript", "", "node lib/go.js")),
        ({"index__mjs": "", "util__mjs": ""}, ("javascript", "", "node index.mjs")),
        ({"bot__c": MAIN, "util__c": "", "other__c": MAIN}, ("c", "gcc -O2 -o bot bot.c util.c -lm", "./bot")),
        ({"main__cpp": "", "a__cpp": ""}, ("c++", "g++ -O2 -std=c++20 -o bot main.cpp a.cpp -lm", "./bot")),
        ({"bot__go": "", "a_test__go": ""}, ("go", "go build -o bot bot.go", "./bot")),
        ({"go__mod": "module x", "main__go": ""}, ("go", "go build -o bot .", "./bot")),
        ({"src___main__rs": ""}, ("rust", "rustc --edition 2021 -O -o bot src/main.rs", "./bot")),
        (
            {"Cargo__toml": '[package]\nname = "falcon"', "src___main__rs": ""},
            (
                "rust",
                "cargo build --release --offline --target-dir /tmp/target && cp /tmp/target/release/falcon bot",
                "./bot",
            ),
        ),
        (
            {"Falcon__java": "class Falcon { public static void main(String[] a) {} }", "A__java": ""},
            ("java", "javac -cp . -d . Falcon.java", "java -Xmx256m -XX:+UseSerialGC -cp . Falcon"),
        ),
        (
            {"src___Bot__java": "package a.b;\nclass Bot {}"},
            ("java", "javac -cp src -d . src/Bot.java", "java -Xmx256m -XX:+UseSerialGC -cp . a.b.Bot"),
        ),
        ({"bot__toml": 'language = "c"', "bot__c": MAIN, "bot__py": ""}, ("c", "gcc -O2 -o bot bot.c -lm", "./bot")),
        (
            {"bot__toml": 'language = "c++"\nbuild = "make"\nstart = "out/bot -x"'},
            ("c++", "make", "out/bot -x"),
        ),
        ({"bot__toml": 'start = "python3 -m falcon"', "falcon__py": ""}, ("python", "", "python3 -m falcon")),
    ],
)
def test_folders_are_recognised_by_their_files(tmp_path: Path, files: dict[str, str], wanted: tuple[str, ...]) -> None:
    assert found(made(tmp_path, **files)) == wanted


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"readme__txt": ""}, "no source file of a bot"),
        ({"bot__py": "", "bot__c": ""}, r"Which of bot.c \(C\) and bot.py \(Python\) is the bot"),
        ({"a__py": "", "b__py": ""}, "no file to start in Python. Call it bot.py"),
        ({"pom__xml": "", "x___A__java": ""}, "Maven projects aren't recognised"),
        ({"Cargo__toml": "[workspace]"}, "doesn't say what the program is called"),
        ({"Cargo__toml": '[package]\nname = "a; rm -rf ."'}, "doesn't say what the program is called"),
        ({"package__json": "{"}, "package.json is not JSON"),
        ({"bot__toml": 'start = "./x"'}, "Which language is it in"),
        ({"bot__toml": 'game = "monda"', "bot__py": ""}, "no game called"),
        ({"bot__toml": 'language = "go"', "bot__py": ""}, "no file to start in Go. Call it bot.go"),
    ],
)
def test_what_is_not_recognised_says_what_to_do(tmp_path: Path, files: dict[str, str], why: str) -> None:
    with pytest.raises(Refused, match=why):
        recognise(made(tmp_path, **files), "x.zip", "skerries")


def test_the_game_it_is_sent_in_for_must_be_one_of_its_games(tmp_path: Path) -> None:
    folder = made(tmp_path, bot__py="", bot__toml='games = ["skerries"]')
    assert recognise(folder).games == ("skerries",)
    others = [name for name in registry.names() if name != "skerries"]
    with pytest.raises(Refused, match=f"plays skerries, but it was sent in for {others[0]}"):
        recognise(folder, "x", others[0])
    (folder / "bot.toml").unlink()
    with pytest.raises(Refused, match="Which game does it play"):
        recognise(folder)


def test_names_of_files_are_never_commands(tmp_path: Path) -> None:
    """A name with blanks or signs of the shell is one word, and one with a dash is not an option."""
    (tmp_path / "-o $(touch x) ;.c").write_text(MAIN)
    recipe = recognise(tmp_path, "x", "skerries")
    assert recipe.build == "gcc -O2 -o bot './-o $(touch x) ;.c' -lm"
    (tmp_path / "-o $(touch x) ;.c").rename(tmp_path / "-c import os.py")
    assert recognise(tmp_path, "x", "skerries").start == ("python3", "./-c import os.py")


def test_a_bot_without_a_name_is_called_after_its_file(tmp_path: Path) -> None:
    made(tmp_path, bot__py="")
    for called in (
        "Falcon.zip",
        "Falcon.tar.gz",
        "Falcon.tgz",
        "Falcon.py",
        "Falcon.tar.bz2",
        "Falcon",
        "../Falcon.py",
        "C:\\Falcon.py",
    ):
        assert recognise(tmp_path, called, "skerries").name == "Falcon"
    made(tmp_path, bot__toml='name = "Eagle"')
    assert recognise(tmp_path, "Falcon.zip", "skerries").name == "Eagle"


def test_a_compiler_outside_the_box_is_missing(tmp_path: Path) -> None:
    recipe = Recipe("python", "", ("python3", "bot.py"), "bot.py")
    assert missing(recipe) is None
    rust = Recipe("rust", "rustc bot.rs", ("./bot",), "bot.rs")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rustc").write_text("#!/bin/sh\n")
    (tmp_path / "bin" / "rustc").chmod(0o755)
    assert missing(rust, [tmp_path]) is None
