"""The languages of the starter kits: which this machine has, and whether their bots run in the box. For `doctor`."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from polemos import registry
from polemos.cli.new_bot import KITS, LANGUAGES, Kit, missing, words_of, write_kit
from polemos.hosts.bundle import PYTHON, pack
from polemos.hosts.doctor import Finding
from polemos.hosts.last_words import useful_line
from polemos.hosts.pipe import Broken, Late
from polemos.hosts.process import Launch
from polemos.kernel.decode import Unreadable, decode
from polemos.kernel.errors import BotFault
from polemos.wire.bot import Ready

PACKAGES: Final = {  # of Debian and Ubuntu
    "python": "python3",
    "javascript": "nodejs",
    "c": "gcc libc6-dev",
    "java": "default-jdk-headless",
    "rust": "rustc",
    "go": "golang-go",
}
VERSION: Final = {"go": "version"}  # the word for it, if it isn't --version
SECONDS: Final = 120  # to build a starter bot


def findings(boxed: bool) -> list[Finding]:
    """One for each language. If the box works, its starter bot is built and asked to answer in it."""
    with tempfile.TemporaryDirectory(prefix="polemos-") as folder:
        return [_finding(language, Path(folder, language), boxed) for language in LANGUAGES]


def _finding(language: str, folder: Path, boxed: bool) -> Finding:
    kit = LANGUAGES[language]
    if lacking := missing(kit):
        verb = "are" if len(lacking) > 1 else "is"
        return _bad(language, f"{' and '.join(lacking)} {verb} not installed")
    version = _version(language, kit)
    if not boxed:
        return Finding(kit.title, True, f"{version}; not tried, because the box does not work", needed=False)
    try:
        _try(language, folder)
    except BotFault as error:
        return _bad(language, f"{version}; {error}")
    return Finding(kit.title, True, f"{version}; its starter bot runs in the box", needed=False)


def _bad(language: str, detail: str) -> Finding:
    return Finding(LANGUAGES[language].title, False, detail, _repair(language), needed=False)


def _repair(language: str) -> str:
    install = f"install {LANGUAGES[language].install}"
    if shutil.which("apt-get") is None:
        return install
    sudo = "" if os.getuid() == 0 else "sudo "
    return f"{install}, for example with {sudo}apt-get install -y {PACKAGES[language]}"


def _version(language: str, kit: Kit) -> str:
    program = PYTHON if language == "python" else kit.needs[0]
    try:
        done = subprocess.run(
            [program, VERSION.get(language, "--version")], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"{program} does not work ({error})"
    said = (done.stdout or done.stderr).strip().partition("\n")[0]
    return said if said.lower().startswith(kit.needs[0].rstrip("3")) else f"{kit.needs[0]} {said}"


def _try(language: str, folder: Path) -> None:
    """Builds the starter bot and greets it in the box; raises a BotFault that says what went wrong."""
    commands = write_kit(language, registry.load(registry.names()[0]), folder)
    if "build" in commands:
        try:
            made = subprocess.run(
                words_of(LANGUAGES[language].build, folder),
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise BotFault(f"its starter bot cannot be built: {error}") from None
        if made.returncode != 0:
            raise BotFault(f"its starter bot cannot be built: {useful_line(made.stderr) or made.returncode}")
    bundle = pack(words_of(LANGUAGES[language].run, folder))
    hello = (KITS / "conversation.jsonl").read_bytes().partition(b"\n")[0] + b"\n"
    launch = Launch(bundle.command, bundle=bundle)
    try:
        child = launch.start()
        try:
            patience = child.patience(launch.budget.start)
            child.say(hello, patience)
            decode(child.hear(patience, float("inf")), Ready)
        finally:
            child.close()
    except Broken as error:
        raise BotFault(f"its starter bot does not run in the box: {error.verdict}") from None
    except (Late, Unreadable):
        raise BotFault("its starter bot does not answer in the box") from None
