"""Options and positions that come from outside, checked: nothing is cut to size, ignored or made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from polemos.kernel import valid
from polemos.kernel.errors import BadOptions, BadPosition
from polemos.kernel.game import UMPIRE, Game, S
from polemos.kernel.orders import shown


def read_options(game: Game[Any, Any, Any, Any], options: Mapping[str, Any]) -> Any:
    """The options, checked; unknown names and values are refused, never replaced by a default."""
    try:
        return msgspec.convert(dict(options), game.options_type)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        why = valid.complaint(game.options_type, options, "option", f"of {game.title}")
        raise BadOptions(why or f"{error}.") from None


def position_of(game: Game[S, Any, Any, Any], state: S) -> dict[str, Any]:
    """The state as JSON: the setting and the umpire's view."""
    return {
        "setting": msgspec.to_builtins(game.setting(state)),
        "view": msgspec.to_builtins(game.observe(state, UMPIRE)),
    }


def load_position(game: Game[S, Any, Any, Any], found: object) -> S:
    """The state that a text or the JSON of a position means; raises BadPosition."""
    if isinstance(found, str):
        return read_position(game, found)
    if not isinstance(found, Mapping) or set(found) != {"setting", "view"}:
        raise BadPosition('A position is a text, or an object with "setting" and "view".')
    try:
        return _converted(game, found)
    except UnicodeError:  # from Python, or by a reader of JSON that lets it pass
        raise BadPosition("A text of this position holds half of a character that takes two.") from None


def read_position(game: Game[S, Any, Any, Any], text: str) -> S:
    """The state that a text means; raises BadPosition."""
    if not text.strip():
        example = game.write_position(game.setup({}, 0))
        raise BadPosition(f"The text of the position is empty. The starting position reads {shown(example)!r}.")
    return game.read_position(text)


def _part(found: Mapping[str, Any], name: str, kind: Any) -> Any:
    try:
        return msgspec.convert(found[name], kind)
    except msgspec.ValidationError as error:
        raise BadPosition(valid.in_words(error, kind, name)) from None


def _converted(game: Game[S, Any, Any, Any], found: Mapping[str, Any]) -> S:
    try:
        setting = _part(found, "setting", game.setting_type)
        view: Any = _part(found, "view", game.view_type)
    except UnicodeEncodeError:  # half of a character: JSON can say so, text cannot
        raise BadPosition("A text of this position has half a character.") from None
    if view.who != UMPIRE:
        raise BadPosition(f"A position is the umpire's view; this is the view of {view.who}.")
    state = game.imagine(setting, view, 0)
    # What a position says must be what it is taken for.
    if game.setting(state) != setting or game.observe(state, UMPIRE) != view:
        raise BadPosition("The setting and the view do not describe one whole position.")
    return state
