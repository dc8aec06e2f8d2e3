"""Views can be drawn: for a screen, for the printer, for a terminal. From the game's room `draw`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, runtime_checkable

import msgspec

from polemos.kernel.errors import NoPicture
from polemos.kernel.rooms import package_of

if TYPE_CHECKING:
    from polemos.kernel.game import AnyGame

V_contra = TypeVar("V_contra", contravariant=True)

Form = Literal["board", "page"]


@runtime_checkable
class Pictures(Protocol[V_contra]):
    def picture(self, setting: Any, view: V_contra, form: Form, **how: Any) -> str:
        """The view as SVG: the board for a screen, or a page for the printer."""
        room = import_module(f"{package_of(self)}.draw")
        drawn: str = (room.board if form == "board" else room.page)(setting, view, **how)
        return drawn

    def text(self, setting: Any, view: V_contra, colour: bool = False) -> str:
        """The view for a terminal."""
        written: str = import_module(f"{package_of(self)}.draw").text(setting, view, colour)
        return written


def text_of(game: object, setting: Any, view: Any, colour: bool = False) -> str:
    """Any view for a terminal: drawn, or as the message it is."""
    if isinstance(game, Pictures):
        return game.text(setting, view, colour)
    return msgspec.json.format(msgspec.json.encode(view)).decode()


def picture_of(game: AnyGame, setting: Any, view: Any, form: Form, **how: Any) -> str:
    """A view as SVG; raises a NoPicture where the game draws none."""
    if not isinstance(game, Pictures):
        raise NoPicture(f"{game.title} draws no pictures.")
    return game.picture(setting, view, form, **how)
