"""Runs the cases of a game with a deliberate error in its rules: `python apply.py GAME NUMBER...`.

A NUMBER counts the mutants of `GAME.toml` from 1; `none` runs the rules as they are. What all games share is loaded
once. For each file with errors a fork loads the part of the game that does not import that file, directly or through
others, and reads the cases. Then each mutant gets a fork of its own, loads the rest of the game with its error in it,
stops at the first case that fails and tells its id and why. The rules run interpreted, and the module with the error is
compiled from the changed text, so no cache of compiled code comes in between.

Prints a line for each: the number, a word of `VERDICTS`, and what happened, with tabs in between.
"""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import signal
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import NoReturn

HERE = Path(__file__).parent
NONE = "none"
DEAD, SURVIVED, BROKEN = range(3)  # how the process of a mutant ends
VERDICTS = ("dead", "survived", "broken")
# Seconds of CPU time for a case; an error may loop for ever. Without an error it takes half of that at most.
LIMIT = 2.0
LIMITS = {"X13.5a": 15.0}  # a thousand refusals


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


def imported(tree: ast.Module) -> Iterator[str]:
    """The names that a module imports while it is loaded. What a function imports when it is called does not count."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "this counts on absolute imports"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def parents(module: str) -> list[str]:
    """The packages around a module, which are loaded before it.

    >>> parents("a.b.c")
    ['a', 'a.b']
    """
    parts = module.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def unaffected(game: str, module: str) -> list[str]:
    """The modules of a game whose loading does not load this one."""
    needs: dict[str, set[str]] = {}
    for path in folder(game).rglob("*.py"):
        parts = path.relative_to(folder(game)).with_suffix("").parts
        name = ".".join([package(game), *(parts[:-1] if parts[-1] == "__init__" else parts)])
        needs[name] = {*imported(ast.parse(path.read_text(encoding="utf-8"))), *parents(name)}
    affected = {module}
    while more := {name for name in needs if name not in affected and needs[name] & affected}:
        affected |= more
    return sorted(set(needs) - affected)


def first_failure(game: str, rule: str | None = None) -> str | None:
    """The first case that fails, and why; None if all pass. Those of the paragraph are tried first."""
    from casefile import all_cases

    expectations = importlib.import_module(f"expectations.{game}")
    for case in sorted(all_cases(game), key=lambda case: rule not in case.rules):
        watch(case.id, LIMITS.get(case.id, LIMIT) * (0.5 if rule is None else 1.0))
        try:
            expectations.run(case)
        except NameError:
            raise  # a typing error in the mutant, not an error of rules
        except Exception as error:  # whatever it raises, the case has noticed
            return f"{case.id}: {type(error).__name__}: {error}"
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def watch(case: str, limit: float) -> None:
    """Ends the process as that of a dead mutant if the case takes too long."""

    def too_long(_number: int, _frame: FrameType | None) -> NoReturn:
        leave(DEAD, f"{case}: more than {limit:g} seconds of CPU time")

    signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, limit)


def leave(verdict: int, said: str) -> NoReturn:
    """Ends the process of a mutant."""
    os.write(sys.stdout.fileno(), said.encode())
    os._exit(verdict)


def load_all_but_games() -> None:
    """Everything of the kernel and the pictures: it names no game, so no mutant is in it."""
    for room in ("polemos.kernel", "polemos.pictures"):
        for module in pkgutil.walk_packages(importlib.import_module(room).__path__, f"{room}."):
            importlib.import_module(module.name)


def attempt(game: str, mutant: Mutant | None) -> NoReturn:
    """The life of the process of one mutant."""
    try:
        if mutant is not None:
            sys.meta_path.insert(0, Planter(mutant))
        importlib.import_module(f"expectations.{game}")
        if mutant is not None and not isinstance(sys.modules[mutant.module].__loader__, Planted):
            raise LookupError(f"{mutant.module} was loaded without the error")
        failed = first_failure(game, None if mutant is None else mutant.rule)
    except Exception as error:
        leave(BROKEN, f"{type(error).__name__}: {error}")
    leave(DEAD if failed else SURVIVED, failed or "all cases pass")


def forked(game: str, mutant: Mutant | None) -> tuple[int, str]:
    """How the process of a mutant ended, and what it said."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.dup2(writing, sys.stdout.fileno())
        os.close(reading)
        os.close(writing)
        try:
            attempt(game, mutant)
        finally:
            os._exit(BROKEN)  # whatever happens, only one process goes on from here
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
        said = pipe.read()
    verdict = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return (verdict, said) if verdict in (DEAD, SURVIVED, BROKEN) else (BROKEN, f"ended with {verdict}: {said}")


def tried_together(game: str, file: str, numbers: Sequence[str]) -> list[tuple[str, int, str]]:
    """What became of mutants of one file: a fork loads what they share, and forks again for each of them."""
    found = mutants(game)
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(reading)
        try:
            for module in unaffected(game, found[int(numbers[0]) - 1].module):
                importlib.import_module(module)
            importlib.import_module("casefile")
            with os.fdopen(writing, "w", encoding="utf-8") as pipe:
                for number in numbers:
                    verdict, said = forked(game, found[int(number) - 1])
                    print(number, verdict, " ".join(said.split()), sep="\t", file=pipe, flush=True)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8", errors="replace") as pipe:
        told = {number: (int(verdict), said) for number, verdict, said in (line.split("\t") for line in pipe)}
    os.waitpid(process, 0)
    return [(number, *told.get(number, (BROKEN, f"{file} could not be tried"))) for number in numbers]


def main(game: str, *numbers: str) -> None:
    os.environ["POLEMOS_INTERPRET"] = "1"
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # whoever forks should have no threads
    sys.path.insert(0, str(HERE.parent))
    load_all_but_games()
    if any(module.startswith(package(game)) for module in sys.modules):
        raise RuntimeError(f"{game} is loaded already; no error could be planted in it")
    found = mutants(game)
    files: dict[str, list[str]] = {}
    verdicts: dict[str, tuple[int, str]] = {}
    for number in numbers:
        if number == NONE:
            verdicts[number] = forked(game, None)
        else:
            files.setdefault(found[int(number) - 1].file, []).append(number)
    for file, those in files.items():
        verdicts |= {number: (verdict, said) for number, verdict, said in tried_together(game, file, those)}
    for number in numbers:
        verdict, said = verdicts[number]
        print(number, VERDICTS[verdict], " ".join(said.split()), sep="\t", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
