"""The programming interface that the source text asks for, for a Python prompt.

>>> from polemos.games.monarchs.original import MonarchsGame
>>> game = MonarchsGame(seed=7)
>>> game.receive_orders(nation='g', order_dict={'Bless':'G9', ('G9','F8'):2, ('H8','F8'):1, ('H8','G7'):1})
[]
>>> game.receive_orders(nation='b', order_dict={('H4','F6'):1, ('M1','L2'):2})  # the faults, line by line
['line 1, H4-F6 1: F6 is not next to H4. You can march to F4, G5, I5, J4, I3, G3. Rule 3.3.']
>>> game.run_turn()
>>> sorted(game.maps())
['b', 'g', 'r']
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polemos.games.monarchs.board import LETTERS
from polemos.games.monarchs.game import GAME
from polemos.games.monarchs.notation import nation_of
from polemos.games.monarchs.view import View
from polemos.kernel.errors import NotationError
from polemos.kernel.match import Match
from polemos.kernel.outcome import Outcome


class MonarchsGame:
    """A game of three nations. Orders are filed in any order of nations; `run_turn` adjudicates them."""

    def __init__(self, *, seed: object = None, **options: Any) -> None:
        """Options: rules, mode, scoring, turns. Without a seed the dice are fresh and secret."""
        self.match = Match(GAME, {"mode": "party", **options}, seed=seed)

    def receive_orders(self, nation: str, order_dict: Mapping[Any, Any]) -> list[str]:
        """Files the sheet of a nation; a second one replaces the first. Returns what is void on it, in words.

        The entries of the dictionary are the lines of the sheet, in its order: `'Bless': hex` (or boost) and
        `(from, to): number`.
        """
        if not isinstance(order_dict, Mapping):
            raise NotationError("order_dict must be a dictionary such as {'Bless': 'G9', ('G9', 'F8'): 2}.", rule="3.2")
        sheet = self.match.submit(nation_of(nation), [_line(key, value) for key, value in order_dict.items()])
        return [
            f"line {fault.line}, {line.text}: {fault.why} Rule {fault.rule}."
            for line in sheet.lines
            if (fault := line.fault)
        ]

    def run_turn(self) -> None:
        """Adjudicates the turn with the sheets that are filed; nations without one stay where they are."""
        self.match.run()

    def take_back(self) -> None:
        """Undoes the last turn. The same sheets will meet the same dice."""
        self.match.take_back()

    def view(self, nation: str) -> View:
        """What a nation may see; `umpire` sees everything."""
        view: View = self.match.view(_who(nation))
        return view

    def map(self, nation: str) -> str:
        """The printable map of a nation, or of the umpire, as SVG."""
        return GAME.picture(self.match.setting, self.view(nation), "page")

    def maps(self) -> dict[str, str]:
        """The three maps as SVG, by the letter of the nation."""
        return {letter: self.map(letter) for letter in LETTERS}

    def save_maps(self, folder: str | Path = ".") -> list[Path]:
        """Writes the three maps into a folder, named by nation and turn."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for letter, svg in self.maps().items():
            files.append(folder / f"{letter}_{self.match.state.turn}.svg")
            files[-1].write_text(svg, encoding="utf-8")
        return files

    def show(self, nation: str = "umpire") -> None:
        """Prints a map as text."""
        print(GAME.text(self.match.setting, self.view(nation)))

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome


def _who(nation: str) -> str:
    return nation if nation in ("umpire", "spectator") else nation_of(nation)


def _line(key: Any, value: Any) -> object:
    """An entry of the dictionary as a line of the sheet."""
    if isinstance(key, str) and key.strip().lower() in ("bless", "boost"):
        return {"order": "bless", "hex": value}
    if isinstance(key, tuple) and len(key) == 2:
        return {"order": "march", "from": key[0], "to": key[1], "number": value}
    return f"{key!r}: {value!r}"
