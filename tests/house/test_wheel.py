"""The wheel in a clean environment: what it declares is what it needs, and a lean install says what it lacks.

A fresh environment sees no packages but those that the wheel declares, with what these declare in turn. They are not
downloaded: they are linked from the environment that runs the tests, one by one as its metadata lists them. pip then
installs the wheel from no index, so that it also finds every requirement met. This proves that nothing is imported that
is not declared, and that the wheel holds all files. It does not prove that the oldest versions that we allow would do.

Rules are interpreted here, or each environment would compile them anew; one rule is compiled, to show that the compiler
came along.

The game that is played is Skerries, from a wheel of its own: a game from outside needs nothing but ours.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
import venv
from collections.abc import Iterable, Iterator
from importlib.metadata import PathDistribution, distribution
from pathlib import Path
from zipfile import Path as InZip

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import polemos
from house.serving import serving

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
LEAN = {"click", "msgspec", "numba", "numpy", "openskill", "pyseccomp", "rich"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    for place in (ROOT / "examples" / "skerries", ROOT):
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
            cwd=place,
            capture_output=True,
            check=True,
        )
    return next(path for path in folder.glob("*.whl") if path != skerries(path))


def skerries(wheel: Path) -> Path:
    """The wheel of the game from outside, which lies beside ours."""
    return next(wheel.parent.glob("polemos_skerries-*.whl"))


def about(wheel: Path) -> PathDistribution:
    (folder,) = [path for path in InZip(wheel).iterdir() if path.name.endswith(".dist-info")]
    return PathDistribution(folder)


def wanted(requirements: Iterable[str], extras: Iterable[str]) -> Iterator[Requirement]:
    """Those that hold on this system with these extras."""
    for requirement in map(Requirement, requirements):
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": e}) for e in ["", *extras]):
            yield requirement


def all_of(wheel: Path, extras: Iterable[str]) -> set[str]:
    """The names of all packages that installing the wheel with these extras brings."""
    found: set[tuple[str, tuple[str, ...]]] = set()
    open_ = list(wanted(about(wheel).requires or [], extras))
    while open_:
        one = open_.pop()
        key = (canonicalize_name(one.name), tuple(sorted(one.extras)))
        if key not in found:
            found.add(key)
            open_ += wanted(distribution(one.name).requires or [], one.extras)
    return {name for name, _ in found}


class Environment:
    def __init__(self, folder: Path, wheel: Path, extras: str = "") -> None:
        venv.create(folder, symlinks=True)
        self.folder = folder
        (site,) = folder.glob("lib/python*/site-packages")
        for name in all_of(wheel, extras.split(",")):
            package = distribution(name)
            for top in {file.parts[0] for file in package.files or []} - {"..", "__pycache__"}:
                (site / top).symlink_to(str(package.locate_file(top)))
        self.run(
            *("-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet", "--no-index"),
            *("--disable-pip-version-check", "--no-compile", f"{wheel}[{extras}]" if extras else str(wheel)),
            str(skerries(wheel)),
            program=sys.executable,
        )

    def run(self, *words: str, program: str = "bin/python", fails: bool = False, **env: str) -> str:
        """What a program says, both streams together."""
        result = subprocess.run(
            [self.folder / program, *words],
            env={**self.env, **env},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        assert (result.returncode != 0) == fails, result.stdout
        return result.stdout

    def polemos(self, *words: str, fails: bool = False) -> str:
        return self.run(*words, program="bin/polemos", fails=fails, POLEMOS_INTERPRET="1")

    @property
    def env(self) -> dict[str, str]:
        """Nothing of the environment that runs the tests leads back into it."""
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "POLEMOS", "VIRTUAL"))
        }
        return {**kept, "POLEMOS_CACHE": str(self.folder / "cache"), "HOME": str(self.folder)}


@pytest.fixture(scope="module")
def lean(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return Environment(tmp_path_factory.mktemp("lean"), wheel)


def test_the_version_stands_once(wheel: Path) -> None:
    assert about(wheel).version == polemos.__version__
    assert not re.search(r"^version *=", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)


def test_few_packages_are_needed(wheel: Path) -> None:
    """Asked for by us; they bring four more."""
    assert {canonicalize_name(one.name) for one in wanted(about(wheel).requires or [], [])} == LEAN
    assert all_of(wheel, []) - LEAN == {"llvmlite", "markdown-it-py", "mdurl", "pygments"}


def test_the_extra_called_all_brings_all(wheel: Path) -> None:
    everything = {canonicalize_name(one.name) for one in wanted(about(wheel).requires or [], ["all"])}
    for extra in ("serve", "pictures", "postgres", "learn", "train", "ray"):
        assert {canonicalize_name(one.name) for one in wanted(about(wheel).requires or [], [extra])} <= everything
    brought = {canonicalize_name(one.name) for one in wanted(about(wheel).requires or [], ["dev"])}
    assert everything <= brought, "make play and make test bring all"


def test_a_lean_install_plays(lean: Environment) -> None:
    assert lean.polemos("--version").strip() == f"polemos, version {polemos.__version__}"
    assert "skerries  Crews row" in lean.polemos("games")
    played = lean.polemos("match", "skerries", "random", "random", "--seed", "1", "--out", "games")
    assert "1 game, 1 distinct" in played
    record = "games/game-00001.jsonl.gz"
    assert "Verified: 8 turns" in lean.polemos("replay", record, "--html", "page.html")
    assert "polemos-record" in (lean.folder / "page.html").read_text(encoding="utf-8")
    lean.polemos("draw", "skerries", "--who", "red", "--out", "maps")
    assert list((lean.folder / "maps").glob("skerries-red-*.svg"))
    assert lean.run("-c", "from polemos.kernel import dice; print(dice.mix(0))").splitlines()[-1] == "0"


def test_a_lean_install_holds_a_tournament(lean: Environment) -> None:
    said = lean.polemos(*("tournament", "skerries", "random", "random", "--games", "2", "--workers", "1"))
    assert "random" in said


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("serve", "--port", "0"), "serve"),
        (("draw", "skerries", "--format", "pdf"), "pictures"),
        (("draw", "skerries", "--format", "png"), "pictures"),
        (("tournament", "skerries", "random", "random", "--games", "2", "--ray", "auto"), "ray"),
    ],
)
def test_a_lean_install_says_in_one_line_what_it_lacks(lean: Environment, words: tuple[str, ...], extra: str) -> None:
    *_, last = lean.polemos(*words, fails=True).splitlines()
    assert last.startswith("polemos: ")
    assert last.endswith(f" more than is installed. Run: pip install 'polemos[{extra}]'")


def test_an_evening_goes_on_without_printed_maps(lean: Environment) -> None:
    said = lean.polemos("play", "skerries", "evening")
    assert "you can see them here with show SEAT. PDF files need more than is installed." in said
    assert "Orders for turn 1" in said


def test_with_its_extra_it_serves(wheel: Path, tmp_path: Path) -> None:
    there = Environment(tmp_path / "serve", wheel, "serve")
    missing = there.polemos("serve", "--port", "0", "--database", "postgresql://localhost/none", fails=True)
    assert missing.splitlines()[-1].endswith("Run: pip install 'polemos[postgres]'")
    env = {**there.env, "POLEMOS_INTERPRET": "1", "PYTHONUNBUFFERED": "1"}
    with serving([there.folder / "bin" / "polemos"], there.folder, env) as address:
        with urllib.request.urlopen(f"{address}api/games", timeout=60) as answer:
            assert "skerries" in [game["name"] for game in json.load(answer)]
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert "The client was not built" not in answer.read().decode()
