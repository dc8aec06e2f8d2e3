"""Everything a stranger might try fails in the box, and succeeds without it: so the box it is that stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from attacks.harness import MODULES, Said, attempts, copy_of_programs, is_alive, run, shown_without, world
from polemos.hosts import box

Result = Callable[[str], Said]


@pytest.fixture(scope="module")
def boxed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Result]:
    """What the attempts of a module achieve in the box; the decoy survives them all."""
    folder = tmp_path_factory.mktemp("boxed")
    bot = copy_of_programs(folder)
    with world(folder) as about:

        @cache
        def result(module: str) -> Said:
            said = run(bot, module, attempts(module), {**about, "folder": ""}, box=True)
            assert is_alive(about["decoy"])
            return said

        yield result


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Result]:
    """What the same attempts achieve when they run as we do."""
    folder = tmp_path_factory.mktemp("free")
    bot = copy_of_programs(folder)
    with world(folder) as about:

        @cache
        def result(module: str) -> Said:
            return run(bot, module, shown_without(module), about, box=False)

        yield result


def each(names: Callable[[str], list[str]]) -> list[tuple[str, str]]:
    return [(module, name) for module in MODULES for name in names(module)]


@pytest.mark.parametrize(("module", "name"), each(attempts))
def test_refused_in_the_box(boxed: Result, module: str, name: str) -> None:
    assert "refused" in boxed(module)[name], boxed(module)[name]


@pytest.mark.parametrize(("module", "name"), each(shown_without))
def test_possible_without(free: Result, module: str, name: str) -> None:
    assert "got" in free(module)[name], free(module)[name]


@pytest.mark.parametrize("command", ["su -c true", "mount --bind /usr /tmp", "passwd -S root"])
def test_programs_of_root_have_no_rights_inside(command: str) -> None:
    assert box.try_out(["/bin/sh", "-c", f"exec /usr/bin/{command} </dev/null"]) is not None
    assert box.try_out(["/bin/sh", "-c", "exec /usr/bin/true </dev/null"]) is None


def test_most_attempts_are_shown_without_the_box() -> None:
    assert len(each(shown_without)) > 0.6 * len(each(attempts))
