"""`polemos doctor`: what it says about languages. The layers of the box are tried in tests/attacks."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from languages import TESTED
from polemos.cli import languages
from polemos.cli.main import polemos
from polemos.cli.new_bot import LANGUAGES
from polemos.hosts import doctor
from polemos.hosts.doctor import Finding

TITLES = [kit.title for kit in LANGUAGES.values()]


def command(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with programs that come before all others."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def only(language: str, folder: Path) -> Finding:
    return languages._finding(language, folder / "kit", True)


@pytest.mark.slow
def test_the_doctor_tries_every_language_in_the_box() -> None:
    done = CliRunner().invoke(polemos, ["doctor", "--json"])
    assert done.exit_code == 0, done.output
    found = {finding["name"]: finding for finding in json.loads(done.stdout)}
    assert [name for name in found if name in TITLES] == TITLES
    for language in TESTED:
        about = found[LANGUAGES[language].title]
        assert about["holds"], about
        assert any(sign.isdigit() for sign in about["detail"]), "its version"
        assert about["detail"].endswith("; its starter bot runs in the box")


def test_the_doctor_says_how_to_get_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "findings", list[Finding])
    there = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, *rest, **more: name == "apt-get" or None)
    done = CliRunner().invoke(polemos, ["doctor"])
    assert done.exit_code == 0, "languages are not needed for the box"
    assert "none     Java        javac and java are not installed\n" in done.output
    assert "to fix: install JDK 17 or newer, for example with " in done.output
    assert "apt-get install -y golang-go\n" in done.output
    assert "://" not in done.output
    monkeypatch.setattr(shutil, "which", lambda name, *rest, **more: None)
    done = CliRunner().invoke(polemos, ["doctor"])
    assert "to fix: install Go 1.18 or newer\n" in done.output
    monkeypatch.setattr(shutil, "which", there)


def test_a_program_that_the_box_cannot_see_is_found_out(programs: Path) -> None:
    command(programs, "node", "echo v99.1")
    found = only("javascript", programs)
    assert not found.holds
    assert found.detail.startswith("node v99.1; node is not under /usr.")


@pytest.mark.parametrize(
    ("build", "said"),
    [
        ("echo 'error: linker not found' >&2; exit 1", "its starter bot cannot be built: error: linker not found"),
        (
            'printf \'#!/bin/sh\\nexit 3\\n\' > "$5"; chmod +x "$5"',
            "its starter bot does not run in the box: crash: exit code 3",
        ),
        (
            'printf \'#!/bin/sh\\nread -r _; echo no\\n\' > "$5"; chmod +x "$5"',
            "its starter bot does not answer in the box",
        ),
    ],
)
def test_a_compiler_that_does_not_work_is_found_out(programs: Path, build: str, said: str) -> None:
    command(programs, "rustc", f"test $1 = --version && echo rustc 1.2.3 && exit\n{build}")
    found = only("rust", programs)
    assert not found.holds
    assert found.detail.startswith(f"rustc 1.2.3; {said}")


def test_without_the_box_only_versions_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*words: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(languages, "_try", never)
    found = {finding.name: finding for finding in languages.findings(boxed=False)}
    assert list(found) == TITLES
    assert found["Python"].detail.endswith("; not tried, because the box does not work")
