"""No layer is enough by itself, and none is left alone: most attacks meet a second one where the first would fail."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyseccomp
import pytest

from attacks.harness import attempts, copy_of_programs, run, world
from polemos.hosts import calls

# What the filter alone stops: whatever happens within the box, which is not divided any further.
FILTERED = {
    "reaching": {"udp", "a_server_of_its_own", "netlink", "names_of_interfaces"},
    "watching": {"leave_its_core"},
    "rising": set[str](),
    "separating": set[str](),
    "reading": set[str](),
    "writing": set[str](),
}


@pytest.fixture
def unfiltered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A filter that lets everything pass."""
    empty = pyseccomp.SyscallFilter(pyseccomp.ALLOW)

    def program() -> bytes:
        with open(os.memfd_create("empty"), "w+b") as file:
            empty.export_bpf(file)
            file.seek(0)
            return file.read()

    monkeypatch.setattr(calls, "program", program)


@pytest.fixture
def about(tmp_path: Path) -> Iterator[dict[str, object]]:
    with world(tmp_path) as found:
        yield {**found, "folder": ""}


@pytest.mark.parametrize("module", FILTERED)
def test_namespaces_hold_without_the_filter(
    module: str, unfiltered: None, about: dict[str, object], tmp_path: Path
) -> None:
    said = run(copy_of_programs(tmp_path), module, attempts(module), about, box=True)
    assert {name for name, result in said.items() if "got" in result} == FILTERED[module]
