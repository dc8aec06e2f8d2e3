"""Printable maps of a match as files, each in one go: whoever finds a file finds it whole."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from polemos.kernel.game import UMPIRE
from polemos.kernel.match import Match


def draw(folder: Path, match: Match, title: str, paper: str, only: Mapping[str, str] | None = None) -> list[Path]:
    """One PDF for each seat, and the umpire's in a folder of its own, so that it is never handed out with them.

    With `only` (seat to player) just the maps of seats that persons play are drawn.
    """
    name = f"turn-{len(match.steps) + 1:02d}" if match.outcome is None else "end"
    _remove_later(folder, name)
    drawn = []
    for who in (*match.seats, UMPIRE):
        if only is not None and only.get(who) != "person":
            continue
        place = folder / "umpire" / f"{name}.pdf" if who == UMPIRE else folder / name / f"{who}.pdf"
        write(place, page(match, who, title, paper))
        drawn.append(place)
    return drawn


def _remove_later(folder: Path, name: str) -> None:
    """Maps of turns that were taken back must not lie about: somebody would hand them out."""
    for place in (*folder.glob("turn-*"), *folder.glob("end"), *folder.glob("umpire/*.pdf")):
        later = "turn" in place.stem and (name != "end" and place.stem > name)
        if later or (place.stem == "end" and name != "end"):
            for file in place.iterdir() if place.is_dir() else (place,):
                file.unlink()
            if place.is_dir():
                place.rmdir()


def page(match: Match, who: str, title: str, paper: str) -> bytes:
    from polemos.pictures.convert import pdf

    svg = match.game.picture(match.setting, match.view(who), "page", paper=paper, title=title)
    return pdf([svg], paper)


def write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{os.getpid()}-{path.name}")
    fresh.write_bytes(content)
    fresh.replace(path)
