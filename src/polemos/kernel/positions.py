"""Checks options and positions from outside: nothing is truncated, ignored or made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemos.kernel import valid
from polemos.kernel.errors import BadOptions, BadPosition
from polemos.kernel.game import UMPIRE, Game, S
from polemos.kernel.orders import shown
from polemos.kernel.renamed import renamed


def read_options(game: Game[Any, Any, Any, Any], options: Mapping[str, Any]) -> Any:
    """Checks options: unknown names and values are refused, never replaced by a default."""
    options = renamed(game.options_type, options)
    try:
        return msgspec.convert(options, game.options_type)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        why = valid.complaint(game.options_type, options, "option", f"in {game.title}")
        raise BadOptions(why or f"{error}.") from None


def position_of(game: Game[S, Any, Any, Any], state: S) -> dict[str, Any]:
    """The state as JSON: the setting and the umpire's view."""
    return {
        "setting": msgspec.to_builtins(game.setting(state)),
        "view": msgspec.to_builtins(game.observe(state, UMPIRE)),
    }


def load_position(game: Game[S, Any, Any, Any], found: object) -> S:
    """Reads a state from a text or from the JSON of a position; raises BadPosition if it cannot."""
    if isinstance(found, str):
        return read_position(game, found)
    if not isinstance(found, Mapping) or set(found) != {"setting", "view"}:
        raise BadPosition('A position must be a text, or an object with "setting" and "view".')
    try:
        return _converted(game, found)
    except UnicodeError:  # from Python, or from a JSON reader that lets it through
        raise BadPosition("A text in this position has half of a surrogate pair.") from None


def read_position(game: Game[S, Any, Any, Any], text: str) -> S:
    """Reads a state from text; raises BadPosition if it cannot."""
    if not text.strip():
        example = game.write_position(game.setup({}, 0))
        raise BadPosition(f"The text of the position is empty. The starting position is written {shown(example)!r}.")
    return game.read_position(text)


def _part(value: object, name: str, kind: Any) -> Any:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise BadPosition(valid.in_words(error, kind, name)) from None


def _converted(game: Game[S, Any, Any, Any], found: Mapping[str, Any]) -> S:
    try:
        setting = _part(_today(game, found["setting"]), "setting", game.setting_type)
        view: Any = _part(found["view"], "view", game.view_type)
    except UnicodeEncodeError:  # a lone surrogate: JSON can contain one, text cannot
        raise BadPosition("A text in this position has half of a surrogate pair.") from None
    if view.who != UMPIRE:
        raise BadPosition(f"A position must hold the umpire's view, but this is the view of {view.who}.")
    state = game.imagine(setting, view, 0)
    # Writing the position again must give the same one, or part of it was misread.
    if game.setting(state) != setting or game.observe(state, UMPIRE) != view:
        raise BadPosition("The setting and the view do not fit together into one complete position.")
    return state


def _today(game: Game[S, Any, Any, Any], setting: object) -> object:
    return renamed(game.setting_type, setting) if isinstance(setting, Mapping) else setting
