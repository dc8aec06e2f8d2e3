"""What bots are called: in which order, told apart how, and that no name can deceive."""

from __future__ import annotations

from pathlib import Path

import pytest

from polemos import registry
from polemos.hosts import names
from polemos.hosts.names import Called, announced, called, told_apart
from polemos.kernel.tame import likeness

GAME = registry.load("skerries")


def program(folder: Path, file: str = "bot.py") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text("")
    return str(folder / file)


# ---- one bot


def test_ours_and_people_go_by_their_names() -> None:
    assert called(GAME, "settler") == Called("settler", is_known=True)
    assert called(GAME, "human") == Called("human", is_known=True)


def test_the_announced_name_comes_first_then_the_manifest_the_folder_and_the_file(tmp_path: Path) -> None:
    spec = program(tmp_path / "falcon")
    assert called(GAME, spec, "Peregrine").name == "Peregrine"
    assert called(GAME, spec).name == called(GAME, spec, " \u200b ").name == "falcon"
    (tmp_path / "falcon" / "bot.toml").write_text('name = "Kestrel"\nlanguage = "python"\n', encoding="utf-8")
    assert called(GAME, spec).name == "Kestrel"
    assert called(GAME, spec, "Peregrine").name == "Peregrine"


@pytest.mark.parametrize("text", ["name = 7", "name = ", "[name]\nx = 1", "name = '\u202e'", "\ud800"])
def test_a_manifest_without_a_name_is_none(tmp_path: Path, text: str) -> None:
    spec = program(tmp_path / "falcon")
    (tmp_path / "falcon" / "bot.toml").write_bytes(text.encode(errors="surrogatepass"))
    assert called(GAME, spec).name == "falcon"


def test_a_file_that_stands_nowhere_goes_by_its_stem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_path", lambda spec: Path("/owl.py"))
    assert called(GAME, "/owl.py").name == "owl"


@pytest.mark.parametrize("folder", ["falcon/target/release", "falcon/build", "falcon/src"])
def test_folders_of_compilers_name_nobody(tmp_path: Path, folder: str) -> None:
    assert called(GAME, f"'{program(tmp_path / folder)}' --fast").name == "falcon"


@pytest.mark.parametrize("spec", ["{0}", "'{0}'", '"{0}" --depth 3', "cat '{0}'", "cat -u '{0}'"])
def test_commands_with_blanks_and_quotes(tmp_path: Path, spec: str) -> None:
    file = program(tmp_path / "my falcon", "the bot.py")
    (tmp_path / "my falcon" / "the bot.py").chmod(0o755)
    assert called(GAME, spec.format(file)).name == "my falcon"


def test_brackets_are_the_umpires_in_folders_too(tmp_path: Path) -> None:
    assert called(GAME, program(tmp_path / "settler (v1)")).name == "settler v1"


def test_a_class_goes_by_its_name(tmp_path: Path) -> None:
    assert called(GAME, f"{program(tmp_path / 'falcon')}:Peregrine").name == "Peregrine"


def test_what_is_elsewhere_goes_by_what_the_command_says() -> None:
    assert called(GAME, "node /home/ann/falcon/bot.js").name == "falcon"
    assert called(GAME, "owl.py").name == "owl"
    assert called(GAME, "cat -").name == "cat"


# ---- names from outside


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("  Fal\tcon\x00\x1b[31m ", "Fal con 31m"),
        ("\u202enoclaf\u2066", "noclaf"),
        ("a" * 500, "a" * 31 + "…"),
        ("<script>alert(1)</script>", "scriptalert1/script"),
        ("keeper (v2) [red]", "keeper v2 red"),
        ("\u3164\u2800\u200d", ""),
        ("e" + "\u0301" * 40, "é\u0301\u0301"),
    ],
)
def test_an_announced_name_is_short_and_harmless(said: str, name: str) -> None:
    assert announced(said) == name


def test_names_that_look_alike_are_alike() -> None:
    for name in (
        "Settler",
        "sett1er",
        "sеttlеr",
        "ѕettler",
        "set\u200btler",
        "s e t t l e r",
        "ｓｅｔｔｌｅｒ",
        "séttler",
    ):
        assert likeness(name) == likeness("settler"), name
    assert likeness("settler 2") != likeness("settler")


# ---- several


def folders(*of: str, name: str = "Falcon") -> list[Called]:
    return [Called(name, (folder, "bot", "bots")) for folder in of]


def test_equal_names_are_told_apart_by_folder_else_by_number() -> None:
    assert told_apart(GAME, folders("v1", "v2")) == ["Falcon (v1)", "Falcon (v2)"]
    assert told_apart(GAME, folders("v1", "v1")) == ["Falcon", "Falcon (2)"]
    assert told_apart(GAME, [*folders("v1"), Called("Owl", ("v1",))]) == ["Falcon", "Owl"]
    ours = Called("random", is_known=True)
    assert told_apart(GAME, [ours, ours, ours]) == ["random", "random (2)", "random (3)"]
    assert told_apart(GAME, [ours, ours], numbered=False) == ["random", "random"]


def test_two_files_of_one_folder_are_told_apart_by_file(tmp_path: Path) -> None:
    bots = [called(GAME, program(tmp_path / "birds", file)) for file in ("owl.py", "hawk.py")]
    assert told_apart(GAME, bots) == ["birds (owl)", "birds (hawk)"]


@pytest.mark.parametrize("name", ["settler", "Sеttler", "red", "human", "umpire", "NEW"])
def test_nobody_passes_as_one_of_ours_or_as_somebody_else(name: str) -> None:
    assert told_apart(GAME, [Called(name, ("mine",)), Called("random", is_known=True)]) == [f"{name} (mine)", "random"]
    assert told_apart(GAME, [Called(name)]) == [f"{name} (bot)"]


def test_who_was_given_a_name_keeps_it_and_the_impostor_is_told_by_its_folder() -> None:
    given, impostor = Called("Falcon", is_known=True), Called("FaIcon", ("thief",))
    assert told_apart(GAME, [impostor, given]) == ["FaIcon (thief)", "Falcon"]
    bare = Called("falcon")
    assert told_apart(GAME, [bare, given]) == ["falcon (2)", "Falcon"]
