"""Printable maps of a match as files, each written in one go, so that no file is ever incomplete."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from polemos.kernel.capabilities.pictures import picture_of
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch


def draw(folder: Path, match: AnyMatch, title: str, paper: str, only: Sequence[str] | None = None) -> list[Path]:
    """One PDF for each seat, and the umpire's in a separate folder, so that it is never handed out with them.

    With `only`, just the maps of these seats are drawn.
    """
    name = f"turn-{match.clock:02d}" if match.outcome is None else "end"
    _remove_later(folder, name, match.seats)
    drawn = []
    for who in (*match.seats, UMPIRE):
        if only is not None and who not in only:
            continue
        place = folder / "umpire" / f"{name}.pdf" if who == UMPIRE else folder / name / f"{who}.pdf"
        write(place, page(match, who, title, paper))
        drawn.append(place)
    return drawn


def _remove_later(folder: Path, name: str, seats: Sequence[str]) -> None:
    """Deletes maps of turns that were undone, so nobody hands them out by mistake. Only deletes our own files."""
    for place in (*folder.glob("turn-[0-9][0-9]*"), folder / "end"):
        if place.is_dir() and name != "end" and _is_later(place.name, name):
            for seat in seats:
                (place / f"{seat}.pdf").unlink(missing_ok=True)
            (folder / "umpire" / f"{place.name}.pdf").unlink(missing_ok=True)
            with suppress(OSError):  # something else is there, and stays
                place.rmdir()


def _is_later(one: str, other: str) -> bool:
    """Whether maps called `one` belong to a later position than those called `other`."""
    number = one.removeprefix("turn-")
    return one == "end" or (number.isdecimal() and int(number) > int(other.removeprefix("turn-")))


def page(match: AnyMatch, who: str, title: str, paper: str) -> bytes:
    from polemos.pictures.convert import pdf

    svg = picture_of(match.game, match.setting, match.view(who), "page", paper=paper, title=title)
    return pdf([svg], paper)


def write(path: Path, content: bytes) -> None:
    """Nobody else at this computer can read it: sealed maps, role cards, and the pass of the desk are written so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{os.getpid()}-{path.name}")
    fresh.unlink(missing_ok=True)
    with open(fresh, "xb", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(content)
    fresh.replace(path)
