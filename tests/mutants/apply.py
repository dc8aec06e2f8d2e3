"""Runs the cases of a game with one deliberate error in its rules: `python apply.py GAME NUMBER`.

NUMBER counts the mutants of `GAME.toml` from 1; `none` runs the rules as they are. Stops at the first case that fails
and prints its id and why. The rules run interpreted, and the module with the error is compiled from the changed text,
so no cache of compiled code comes in between.

Exit codes: 0 a case failed, the mutant is dead; 1 all cases pass, it survived; 2 it could not be tried.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType

HERE = Path(__file__).parent
DEAD, SURVIVED, BROKEN = 0, 1, 2
LIMIT = 30.0  # seconds for one case, which takes a few thousandths; an error may loop for ever


@dataclass(frozen=True)
class Mutant:
    """One line of one file of a game that says something else than the book."""

    game: str
    number: int
    rule: str
    file: str
    old: str
    new: str
    why: str

    @property
    def module(self) -> str:
        return ".".join([package(self.game), *Path(self.file).with_suffix("").parts])

    @property
    def path(self) -> Path:
        return folder(self.game) / self.file

    def applied(self) -> str:
        """The text of the file with the error in it."""
        text = self.path.read_text(encoding="utf-8")
        if text.count(self.old) != 1:
            raise LookupError(f"{self.file} holds {self.old!r} {text.count(self.old)} times, not once")
        return text.replace(self.old, self.new)


def package(game: str) -> str:
    return f"polemos.games.{game}"


def folder(game: str) -> Path:
    """The folder of a game's sources."""
    spec = find_spec(package(game))
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def games() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.toml"))


def mutants(game: str) -> list[Mutant]:
    """The mutants of a game, in the order of the file."""
    found = tomllib.loads((HERE / f"{game}.toml").read_text(encoding="utf-8"))["mutant"]
    return [Mutant(game=game, number=number, **fields) for number, fields in enumerate(found, 1)]


class Planted(SourceFileLoader):
    """Loads a module from the text of a mutant."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self.text = mutant.applied()

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, self.path, "exec", dont_inherit=True)


class Planter(MetaPathFinder):
    """Finds the one module of a mutant before anybody else does."""

    def __init__(self, mutant: Mutant) -> None:
        self.module = mutant.module
        self.loader = Planted(mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.module:
            return None
        spec = PathFinder.find_spec(fullname, path)
        assert spec is not None
        spec.loader = self.loader
        return spec


def first_failure(game: str, rule: str | None = None) -> str | None:
    """The first case that fails, and why; None if all pass. Those of the paragraph are tried first."""
    from casefile import all_cases

    expectations = importlib.import_module(f"expectations.{game}")
    for case in sorted(all_cases(game), key=lambda case: rule not in case.rules):
        watch = threading.Timer(LIMIT, _too_long, [case.id])
        watch.daemon = True
        watch.start()
        try:
            expectations.run(case)
        except NameError:
            raise  # this is no error of rules, it is a typing error in the mutant
        except Exception as error:  # whatever it raises, the case has noticed
            return f"{case.id}: {type(error).__name__}: {error}"
        finally:
            watch.cancel()
    return None


def _too_long(id: str) -> None:
    print(f"{id}: more than {LIMIT} seconds", flush=True)
    os._exit(DEAD)


def main(game: str, number: str) -> int:
    if "polemos.kernel" in sys.modules:
        raise RuntimeError("the rules are loaded already; run this in a process of its own")
    os.environ["POLEMOS_INTERPRET"] = "1"
    sys.path.insert(0, str(HERE.parent))
    mutant = None if number == "none" else mutants(game)[int(number) - 1]
    try:
        if mutant is not None:
            sys.meta_path.insert(0, Planter(mutant))
        importlib.import_module(f"expectations.{game}")
        if mutant is not None and not isinstance(sys.modules[mutant.module].__loader__, Planted):
            raise LookupError(f"{mutant.module} was loaded without the error")
        failed = first_failure(game, None if mutant is None else mutant.rule)
    except Exception as error:
        print(f"cannot be tried: {type(error).__name__}: {error}")
        return BROKEN
    print(failed or "all cases pass")
    return DEAD if failed else SURVIVED


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
