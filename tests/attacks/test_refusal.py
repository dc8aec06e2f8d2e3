"""Where there is no box, programs that nobody has read are not run: neither at once nor later, and never in silence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.hosts import box, calls, specs
from polemos.kernel.errors import BotFault
from polemos.kernel.match import Match

GAME = registry.load("skerries")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """Leaves a mark when it is run."""
    file = tmp_path / "bot.py"
    file.write_text(
        f"open({str(tmp_path / 'mark')!r}, 'w').close()\n"
        'import sys\nsys.stdin.readline()\nprint(\'{"type": "ready"}\', flush=True)\nsys.stdin.read()\n'
    )
    return file


def no_bubblewrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    def found(program: str) -> str:
        raise FileNotFoundError(f"{program} is not installed")

    monkeypatch.setattr(box, "found", found)
    return "bwrap is not installed"


def no_namespaces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """As on machines where only root may make them."""
    fake = tmp_path / "tools" / "bwrap"
    fake.parent.mkdir()
    fake.parent.chmod(0o755)
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(box, "found", lambda program: str(fake) if program == "bwrap" else f"/usr/bin/{program}")
    monkeypatch.setattr(box, "_unprivileged", lambda user: [])  # so that it can be found under our temporary folder
    return "No permissions to create new namespace"


def no_filter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    def program() -> bytes:
        raise OSError(2, "libseccomp cannot be loaded")

    monkeypatch.setattr(calls, "program", program)
    return "libseccomp cannot be loaded"


Lack = Callable[[Path, pytest.MonkeyPatch], str]


@pytest.fixture(params=[no_bubblewrap, no_namespaces, no_filter], ids=lambda lack: lack.__name__)
def why(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """What a machine without the box says."""
    lack: Lack = request.param
    box.lack.cache_clear()
    box.outline.cache_clear()
    yield lack(tmp_path, monkeypatch)
    box.lack.cache_clear()
    box.outline.cache_clear()


def made(program: Path, *, trust: bool) -> Any:
    match = Match(GAME, {"turns": 2}, seed=1)
    return specs.make(GAME, str(program), match.setting, "red", 1, seats=match.seats, trust=trust)


def test_without_the_box_nothing_is_run(why: str, program: Path) -> None:
    for attempt in (lambda: specs.check(GAME, str(program)), lambda: made(program, trust=False)):
        with pytest.raises(BotFault) as refusal:
            attempt()
        assert why in str(refusal.value)
        assert "polemos doctor" in str(refusal.value)
        assert "--trust" in str(refusal.value)
    assert not program.with_name("mark").exists()


def test_trust_runs_it_even_so(why: str, program: Path) -> None:
    specs.check(GAME, str(program), trust=True)
    bot = made(program, trust=True)
    bot.close(None)
    assert program.with_name("mark").exists()


def test_with_the_box_it_cannot_leave_its_mark(program: Path) -> None:
    assert box.lack() is None
    bot = made(program, trust=False)
    with pytest.raises(BotFault, match="crash"):
        bot.orders(None, 0.0)
    bot.close(None)
    assert not program.with_name("mark").exists()


@pytest.mark.parametrize("spec", ["{}:Bot", "python3 {}", "/usr/bin/env python3 {}", "{}"])
def test_no_spelling_runs_it_without_the_box(spec: str, why: str, program: Path) -> None:
    with pytest.raises(BotFault):
        specs.check(GAME, spec.format(program))
    match = Match(GAME, {"turns": 2}, seed=1)
    with pytest.raises(BotFault):
        specs.make(GAME, spec.format(program), match.setting, "red", 1, seats=match.seats)
    assert not program.with_name("mark").exists()
