"""A game can be the heart of a party: courts, carriers, clocks, a final guess. A desk runs the evening.

The desk keeps the journal and plays the board; the party's own rules are the game's. All they exchange are messages, so
the desk knows no game. An evening is whatever `begin` returns: a value that is never changed in place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

Lines = tuple[str, ...]


class Turn(Struct, frozen=True):
    """A turn of the board as the party has it: the sheets with which it is played; None: no orders."""

    sheets: dict[str, Lines | None]
    written: dict[str, Lines] = {}  # as monarchs wrote them, where that is known
    carriers: dict[str, str] = {}  # the roles of those who brought them


class PartyRules(Protocol):
    """The party of a game. What it refuses, it refuses with a PolemosError that cites a paragraph."""

    def read_setup(self, said: Mapping[str, Any], key: str) -> Any:
        """Names, courts and options from a message, with the key of the dice."""
        ...

    def write_setup(self, setup: Any) -> dict[str, Any]:
        """The setup as a message, without the key."""
        ...

    def board_options(self, setup: Any) -> dict[str, Any]:
        """The options with which the board begins."""
        ...

    def turns_before_maps(self, setup: Any) -> int:
        """How many turns are played before the first maps are handed out."""
        ...

    def begin(self, setup: Any) -> Any:
        """The evening before the first act."""
        ...

    def read_entry(self, said: Mapping[str, Any]) -> Any:
        """An entry of the journal from a message: `at`, `act`, and perhaps `by` and `signed`."""
        ...

    def add(self, evening: Any, entry: Any, is_read: bool = False) -> Any:
        """The evening with one more entry. `is_read`: it stands in the journal, perhaps by an earlier version."""
        ...

    def turns(self, evening: Any) -> Sequence[Turn]:
        """All turns that have been played."""
        ...

    def next_turn(self, evening: Any) -> Turn:
        """The turn that would be played now."""
        ...

    def last_turn(self, evening: Any) -> int | None:
        """The number of the turn that was announced as the last; None if none was."""
        ...

    def play(self, view: Any) -> dict[str, Any]:
        """The act by which the party learns how the board stands. `view`: the umpire's, after the turn."""
        ...

    def settled(self, evening: Any, view: Any) -> Any:
        """The evening when turns were played again with other sheets, as `view`, the umpire's, shows the board now."""
        ...

    def hand_in(self, evening: Any, seat: str, lines: Sequence[str], reason: str) -> dict[str, Any]:
        """The act that files the sheet of a court as it was delivered, or corrects how it was typed."""
        ...

    def draft_after(self, evening: Any, entry: Any) -> tuple[str, Lines] | None:
        """The court whose half-typed sheet this last entry changed, and its lines: none once the sheet is filed, and
        those that were filed once that is taken back. None for all other entries."""
        ...

    def has_locked_results(self, evening: Any) -> bool:
        """Whether nobody, at the desk either, may see the last turn yet."""
        ...

    def is_over(self, evening: Any) -> bool:
        """Whether everything has been revealed."""
        ...

    def refuse_locked(self, evening: Any, is_preview: bool = False) -> None:
        """Raises if nobody may see the results of the last turn yet; `is_preview`: what the next turn will do."""
        ...

    def refuse_unrevealed(self, evening: Any) -> None:
        """Raises unless everything has been revealed."""
        ...

    def sight(self, evening: Any, role: str) -> Any:
        """What a role may know now."""
        ...

    def card(self, evening: Any, at: int) -> Any:
        """What the gamerunners' desk shows at this wall time: no loyalties, and no lines of a sheet."""
        ...

    def loyalties(self, evening: Any) -> dict[str, str]:
        """The court that each courtier serves, for gamerunners."""
        ...

    def next_errand(self, evening: Any, seat: str, at: int) -> dict[str, Any] | None:
        """In a rehearsal: what the people of a court do next at the desk; None if nothing can be done now."""
        ...

    def papers(self, evening: Any, setting: Any, start: Any, paper: str) -> list[str]:
        """All pages that are printed before the party, as SVG. `start`: the umpire's view of the starting position."""
        ...

    def board_with_orders(
        self, setting: Any, view: Any, orders: Sequence[Any], theme: str, marked: Sequence[Any] = ()
    ) -> str:
        """The board with orders drawn on it, as SVG; those that are `marked` stand out."""
        ...


@runtime_checkable
class Party(Protocol):
    @property
    def party(self) -> PartyRules:
        """The rules of the party."""
        ...
