"""Starter kits, built once for all tests of a run, whichever of its processes needs one first."""

from __future__ import annotations

import fcntl
import os
import subprocess
from pathlib import Path

import pytest

from polemos import registry
from polemos.cli.new_bot import LANGUAGES, words_of, write_kit


def kit(language: str, temporary: pytest.TempPathFactory) -> Path:
    """The folder in which the bot of a language stands ready. Its name has blanks in it."""
    base = temporary.getbasetemp()
    home = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, ready = home / "kits" / f"my first {language} bot", home / "kits" / f"{language}.ready"
    folder.parent.mkdir(exist_ok=True)
    with open(folder.parent / f"{language}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            commands = write_kit(language, registry.load(registry.names()[0]), folder)
            if "build" in commands:
                made = subprocess.run(
                    commands["build"], shell=True, cwd="/", capture_output=True, text=True, check=False
                )
                assert (made.returncode, made.stderr) == (0, ""), made.stderr
            ready.touch()
    return folder


def command(language: str, folder: Path) -> list[str]:
    return words_of(LANGUAGES[language].run, folder)
