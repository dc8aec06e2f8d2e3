"""Views can be drawn for a screen, a printer or a terminal. Implemented in the game's `draw` package."""

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


class Picture(str):
    """An SVG, which a notebook shows as a picture."""

    def _repr_svg_(self) -> str:
        return str(self)


@runtime_checkable
class Pictures(Protocol[V_contra]):
    def picture(self, setting: Any, view: V_contra, form: Form, **how: Any) -> str:
        """The view as SVG: a board for a screen, or a page for a printer."""
        room = import_module(f"{package_of(self)}.draw")
        drawn: str = (room.board if form == "board" else room.page)(setting, view, **how)
        return drawn

    def text(self, setting: Any, view: V_contra, colour: bool = False) -> str:
        """The view for a terminal."""
        written: str = import_module(f"{package_of(self)}.draw").text(setting, view, colour)
        return written


def text_of(game: object, setting: Any, view: Any, colour: bool = False) -> str:
    """Any view for a terminal: as a drawing if the game has one, otherwise as the raw message."""
    if isinstance(game, Pictures):
        return game.text(setting, view, colour)
    return msgspec.json.format(msgspec.json.encode(view)).decode()


def picture_of(game: AnyGame, setting: Any, view: Any, form: Form, **how: Any) -> str:
    """A view as SVG; raises NoPicture if the game cannot draw."""
    if not isinstance(game, Pictures):
        raise NoPicture(f"{game.title} cannot draw pictures.")
    return game.picture(setting, view, form, **how)
