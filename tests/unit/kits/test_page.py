"""The page "Write a bot in any language", followed from `new-bot` to a series that is won, in every language.

Commands, changes and builds are read from the page and done in its order, in a folder that is empty at first.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from languages import ALL, TESTED
from polemos import registry
from polemos.cli.main import polemos
from polemos.cli.new_bot import LANGUAGES, LISTED, helper_of, words_of
from polemos.hosts import bundle

PAGE = (Path(__file__).parents[3] / "docs" / "start" / "any-language.md").read_text(encoding="utf-8")
ROWS = {
    language: (build, command)
    for language, build, command in re.findall(r"^\| `(\w+)` \| (?:`(.*?)`)? ?\| `(.*?)` \|$", PAGE, re.MULTILINE)
}
CHANGES = dict(re.findall(r"^\*\*\w+, in `(\S+)`\*\*\n\n```diff\n(.*?)```$", PAGE, re.MULTILINE | re.DOTALL))
STEPS = re.findall(r"^ {4}(.+)$|^(## 2\.) |^(Build it again), ", PAGE, re.MULTILINE)
SHOWN = "javascript"  # the language of the page's commands


@pytest.mark.needs("demons")
def test_the_table_has_the_commands_of_new_bot() -> None:
    assert sorted(ROWS) == sorted(LANGUAGES) == sorted(ALL)
    for language, (build, command) in ROWS.items():
        kit, helper = LANGUAGES[language], helper_of(language, registry.load("demons"))
        listed = [f"mybot/{helper.name}"] if helper and language in LISTED else []
        assert build.split() == [*words_of(kit.build, Path("mybot")), *listed]
        assert command.split() == words_of(kit.run, Path("mybot"))


def test_the_page_has_a_change_for_every_language() -> None:
    assert sorted(CHANGES) == sorted(f"mybot/{path.name}" for path in map(program, LANGUAGES))
    assert PAGE.count("```") == 2 * len(CHANGES)


def program(language: str) -> Path:
    """The source of a kit's bot."""
    (found,) = (Path(bundle.__file__).parents[1] / "kits" / language).glob("[bB]ot.*")
    return found


class Author:
    """Somebody who follows the page in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.build, self.command = ROWS[language]
        self.answers: dict[str, str] = {}

    def follow(self) -> None:
        for typed, second_part, again in STEPS:
            if typed:
                self.type(typed)
            elif second_part:
                self.change()
            elif again and self.build:
                self.run(self.build)

    def type(self, line: str) -> None:
        """A command of the page, with its language and the bot's command put in place."""
        line = line.replace(f"--language {SHOWN}", f"--language {self.language}").replace(ROWS[SHOWN][1], self.command)
        words = shlex.split(line)
        if words[0] != "polemos":
            self.answers["check"] = self.run(line)
            return
        bundle._packed.clear()  # every command is a new process for its author
        done = CliRunner().invoke(polemos, words[1:])
        assert done.exit_code == 0, done.output
        self.answers[words[1]] = done.output
        if words[1] == "new-bot" and self.build:
            readme = Path("mybot", "README.md").read_text(encoding="utf-8")
            (build,) = re.findall(r"^## Build\n\n {4}(.+)$", readme, re.MULTILINE)
            assert build in done.output
            self.run(build)

    def run(self, line: str) -> str:
        done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout

    def change(self) -> None:
        """The lines with a minus go, those with a plus come."""
        file = Path("mybot", program(self.language).name)
        lines = CHANGES[str(file)].splitlines()
        old, new = ("".join(f"{line[1:]}\n" for line in lines if line[0] == sign) for sign in "-+")
        source = file.read_text(encoding="utf-8")
        assert source.count(old) == 1, old
        file.write_text(source.replace(old, new), encoding="utf-8")


@pytest.mark.slow
@pytest.mark.needs("demons")
@pytest.mark.parametrize("language", TESTED)
def test_an_author_wins_a_series(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)  # the other cores are for other tests
    author = Author(language)
    author.follow()
    assert list(author.answers) == ["new-bot", "check", "match", "series"]
    assert author.answers["check"].startswith("ok: ")
    assert "forfeit:" not in author.answers["match"]
    *_, verdict = author.answers["series"].splitlines()
    assert verdict.startswith("NEW mybot is better than OLD random: +"), author.answers["series"]
    assert "Sixteen games are enough" in PAGE
    assert " in 16 games" in verdict
    assert "16 won, 0 drawn, 0 lost" in author.answers["series"], "the bot wins all of them"
    assert re.search(r"^forfeits +NEW 0, OLD 0 *$", author.answers["series"], re.MULTILINE)
