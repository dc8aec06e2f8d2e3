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


class Look(msgspec.Struct, frozen=True):
    """A view with what is needed to draw it: its game and the setting of its match. A notebook shows the board."""

    game: Any
    setting: Any
    view: Any

    def _repr_svg_(self) -> str | None:
        return self.game.picture(self.setting, self.view, "board") if isinstance(self.game, Pictures) else None

    def __str__(self) -> str:
        """The same for a terminal."""
        return text_of(self.game, self.setting, self.view)


@runtime_checkable
class SmallPictures(Protocol[V_contra]):
    def small_picture(self, setting: Any, view: V_contra, **how: Any) -> str:
        """The board alone as SVG, for a picture that is too small for words: `small` of the game's `draw`."""
        drawn: str = import_module(f"{package_of(self)}.draw").small(setting, view, **how)
        return drawn


def small_picture_of(game: AnyGame, setting: Any, view: Any, **how: Any) -> str:
    """The board alone if the game can draw it, otherwise its board with words; raises NoPicture as `picture_of`."""
    if isinstance(game, SmallPictures):
        return game.small_picture(setting, view, **how)
    return picture_of(game, setting, view, "board", **how)
