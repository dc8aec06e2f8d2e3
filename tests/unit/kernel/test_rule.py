"""Rules: one signature each, no allocation, compiled when needed, prepared and kept."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polemos.kernel import cache
from polemos.kernel import rule as rules
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import Array, Many, Record, i8, i16, i64, many, size, u64

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled then")

if not INTERPRETED:
    import numba
    from numba.core.errors import NumbaError


class Army(Record):
    men: i16
    marks: Array[i8] = size(4)


class Fleet(Record):
    ships: i64
    marks: Array[i8] = size(4)


class Camp(Record):
    men: i16


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of these tests leave no files and no entries behind."""
    monkeypatch.setattr(cache, "folder_for", lambda module: None)
    monkeypatch.setattr(rules, "RULES", [])
    monkeypatch.setattr(rules, "ENTRIES", [])


def raise_by(army: Army, by: int) -> int:
    army.men += by
    return army.men


# ---- signatures


def test_the_types_of_a_rule_come_from_its_annotations() -> None:
    def f(army: Army, armies: Many[Army], key: u64, small: i16, plain: int, flag: bool) -> None: ...

    signature = rules.signature(f)
    army = numba.from_dtype(Army.dtype)
    assert signature.return_type == numba.void
    assert signature.args == (
        army,
        numba.types.Array(army, 1, "A"),
        numba.uint64,
        numba.int64,
        numba.int64,
        numba.boolean,
    )


def test_every_number_is_64_bits_wide_and_only_keys_are_unsigned() -> None:
    def signed(small: i8) -> i16:
        return small

    def unsigned(key: u64) -> u64:
        return key

    assert rules.signature(signed) == numba.int64(numba.int64)
    assert rules.signature(unsigned) == numba.uint64(numba.uint64)


def test_annotations_that_no_rule_can_have_are_refused() -> None:
    def of_text(name: str) -> None: ...

    def of_floats(weight: float) -> None: ...

    for wrong in (of_text, of_floats):
        with pytest.raises(KeyError):
            rules.signature(wrong)


def test_there_is_one_version_of_a_rule_whatever_it_is_called_with() -> None:
    compiled: Any = rules.rule(raise_by)
    army = Army()
    assert compiled(army, 2) == 2
    assert compiled(army, True) == 3
    assert compiled(army, np.int8(-1)) == 2
    assert len(compiled.signatures) == 1


# ---- what is refused


def test_a_wrong_record_class_is_refused_on_the_first_call_and_later() -> None:
    compiled: Any = rules.rule(raise_by)
    for wrong in (Camp(men=5), Fleet(ships=5)):
        with pytest.raises(TypeError, match="raise_by: an argument has the wrong type"):
            compiled(wrong, 1)
    army = Army()
    assert compiled(army, 1) == 1
    camp = Camp(men=5)
    others: tuple[object, ...] = (camp, Fleet(ships=5), 7, None, "army")
    for other in others:
        with pytest.raises(TypeError):
            compiled(other, 1)
    assert camp.men == 5
    assert army.men == 1


def test_a_batch_of_a_wrong_class_is_refused() -> None:
    def first(armies: Many[Army]) -> int:
        armies[0].men = 3
        return armies[0].men

    compiled: Any = rules.rule(first)
    fleets = many(Fleet, 2)
    with pytest.raises(TypeError):
        compiled(fleets)
    armies = many(Army, 4)
    assert compiled(armies) == 3
    assert compiled(armies.part(2, 4)) == 3
    assert [armies[i].men for i in range(4)] == [3, 0, 3, 0]
    with pytest.raises(TypeError):
        compiled(fleets)
    assert fleets[0] == Fleet()


def test_a_number_that_does_not_fit_64_bits_is_refused() -> None:
    def keep(key: u64, number: int) -> int:
        return number

    compiled: Any = rules.rule(keep)
    assert compiled(2**64 - 1, -(2**63)) == -(2**63)
    for wrong in ((2**64, 0), (-1, 0), (0, 2**63)):
        with pytest.raises(OverflowError):
            compiled(*wrong)


def test_wrong_numbers_of_arguments_and_defaults_are_refused() -> None:
    def with_default(a: int, b: int = 3) -> int:
        return a + b

    compiled: Any = rules.rule(with_default)
    with pytest.raises(TypeError):
        compiled(1)
    with pytest.raises(TypeError):
        compiled(1, 2, 3)
    assert compiled(1, 2) == 3


def test_a_list_inside_a_rule_is_a_compile_error() -> None:
    def allocates(n: int) -> int:
        numbers = [n, n]
        numbers.append(1)
        return len(numbers)

    compiled: Any = rules.rule(allocates)
    with pytest.raises(NumbaError, match="NRT required but not enabled"):
        compiled(3)


def test_an_array_inside_a_rule_is_a_compile_error() -> None:
    def allocates(n: int) -> int:
        return len(np.zeros(n))

    compiled: Any = rules.rule(allocates)
    with pytest.raises(NumbaError):
        compiled(3)


def test_a_misspelt_field_inside_a_rule_is_a_compile_error() -> None:
    def misspelt(army: Army) -> None:
        army.seize = 1  # type: ignore[attr-defined]

    compiled: Any = rules.rule(misspelt)
    with pytest.raises((NumbaError, KeyError), match="seize"):
        compiled(Army())


# ---- entries and announcing


def test_an_entry_is_a_rule_that_is_listed_for_preparing() -> None:
    compiled = rules.entry(raise_by)
    assert [compiled] == rules.ENTRIES
    assert [compiled] == rules.RULES
    assert rules._of(__name__, rules.ENTRIES) == [compiled]
    assert rules._of("some.other.package", rules.ENTRIES) == []


def test_compiling_outside_of_preparing_is_announced_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules, "_announced", set())
    for _ in range(2):
        compiled: Any = rules.rule(raise_by)
        compiled(Army(), 1)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("compiling the rules") == 1


# ---- preparing, in processes of its own

TOY = """
from __future__ import annotations
from polemos.kernel.record import Record, i16
from polemos.kernel.rule import entry, rule

class Pile(Record):
    stones: i16

@rule
def helper(pile: Pile, by: int) -> int:
    return pile.stones + by * 2

@entry
def add(pile: Pile, by: int) -> int:
    pile.stones = helper(pile, by)
    return pile.stones
"""

ASK = """
from polemos.kernel import rule
import toywar.rules as toy

seen = []
print(rule.is_prepared("toywar"))
rule.prepare("toywar", lambda done, of: seen.append((done, of)))
print(rule.is_prepared("toywar"))
print(toy.add(toy.Pile(stones=1), 3))
print(sum(toy.add.stats.cache_hits.values()), sum(toy.add.stats.cache_misses.values()))
print(seen == sorted(seen), seen[-1][0] == seen[-1][1], len(toy.add.signatures))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    package = tmp_path / "toywar"
    (package / "book").mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(TOY)
    return package


def ask(package: Path, **environment: str) -> list[str]:
    home = package.parent
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(ASK)],
        env={**os.environ, "PYTHONPATH": str(home), "POLEMOS_CACHE": str(home / "cache"), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == "", "preparing announces nothing by itself"
    return result.stdout.splitlines()


def test_prepared_rules_are_kept_for_the_next_process_and_compiled_anew_when_a_source_changes(toy: Path) -> None:
    assert ask(toy) == ["False", "True", "7", "0 1", "True True 1"]
    assert ask(toy) == ["True", "True", "7", "1 0", "True True 1"]
    (toy / "rules.py").write_text(TOY.replace("by * 2", "by * 3"))
    assert ask(toy) == ["False", "True", "10", "0 1", "True True 1"]
    assert ask(toy, POLEMOS_CHECKED="1")[0] == "False", "rules with bounds checks are kept apart"


def test_interpreted_rules_are_always_prepared() -> None:
    script = (
        "from polemos.kernel import rule; print(rule.is_prepared('nothing.at.all')); rule.prepare('nothing.at.all')"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "POLEMOS_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "True\n"
