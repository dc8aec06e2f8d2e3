"""What each audience of a match sees, in a form that can be kept and compared with what a later version shows.

Views must stay as they were, so that a digest is enough of them. Everything else may grow: later versions may add
fields, but take none away and change none.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from polemos.kernel.game import SPECTATOR, UMPIRE
from polemos.kernel.match import AnyMatch
from polemos.wire import frames as wire_frames

HERE: Final = Path(__file__).parent
REPLAYS: Final = HERE / "replays"
TALKS: Final = HERE / "conversations"
TABLES: Final = HERE / "tables"
BACKUP: Final = HERE / "backup" / "format-1.zip"
TOURNAMENT: Final = HERE / "tournament"
EVENING: Final = HERE / "evening"

# Kinds of events that a later version may tell at another place of the step, or once instead of twice.
LOOSE: Final = frozenset({("monarchs", "die for the game"), ("monarchs", "taken"), ("demons", "die")})

# Sentences that a later version tells otherwise on purpose: game and kind of event. Those of all others stay.
RETOLD: Final = frozenset(
    {
        ("demons", "banished"),
        ("demons", "die"),
        ("demons", "hired"),
        ("demons", "strengthened"),
        ("minions", "destroyed"),
        ("minions", "unsummoned"),
        ("monad", "alone"),
        ("monad", "assault failed"),
        ("monad", "clashed"),
        ("monad", "cut"),
        ("monad", "destroyed"),
        ("monad", "ended"),
        ("monad", "lost"),
        ("monad", "mined"),
        ("monad", "moved"),
        ("monad", "out"),
        ("monarchs", "held at the border"),
        ("monarchs", "no refuge"),
    }
)

# Fields that had the number of something in a list of ours; its name stands in another field.
GONE: Final = frozenset({("demons", "ended", "number"), ("monarchs", "ended", "number")})

# Words that are others today: field, word then, word now.
RENAMED: Final = {("rules", "seed"): "classic"}

# Figures that end at 0 today, however far below it they went.
FLOORED: Final = frozenset({("demons", "health")})

# Kinds of events that cite another paragraph on purpose: the one of the part of the turn in which they happen.
CITED: Final = frozenset({("demons", "die"), ("demons", "fell")})


# ---- files


def keep(path: Path, what: object) -> None:
    """The same bytes for the same thing, so no time stamp."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(what, ensure_ascii=False, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(text, 9, mtime=0))


def kept(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


# ---- a match


def digest(view: object) -> str:
    """Of a view as JSON, whatever the order of its fields."""
    text = json.dumps(view, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def position(match: AnyMatch, number: int) -> dict[str, Any]:
    """One position and what led to it. `told` of an audience that is told the same as the umpire is left out."""
    frames = {who: json.loads(msgspec.json.encode(wire_frames.frame(match, number, who))) for who in who_sees(match)}
    told = {who: frame["events"] for who, frame in frames.items()}
    return {
        "turn": frames[UMPIRE]["turn"],
        "views": {who: digest(frame["view"]) for who, frame in frames.items()},
        "told": {who: of for who, of in told.items() if who == UMPIRE or of != told[UMPIRE]},
        "figures": frames[UMPIRE]["figures"],
        "dropped": frames[UMPIRE]["dropped"],
    }


def who_sees(match: AnyMatch) -> tuple[str, ...]:
    return (*match.seats, SPECTATOR, UMPIRE)


# ---- comparing


def without_giving_up(told: dict[str, Any]) -> dict[str, Any]:
    """What somebody was told, without what only the first person in a seat may do today."""
    crews = [seat["crew"] for seat in told["state"]["card"]["seats"]]
    if not any(one["you"] for crew in crews for one in crew[1:]):
        return told
    may = [word for word in told["state"]["may"] if word not in ("resign", "leave")]
    return {**told, "state": {**told["state"], "may": may}}


def changes(before: Any, now: Any, where: str = "") -> Iterator[str]:
    """What has gone or is different. An object may have more fields than before; a list is as long as it was.

    The sentence of a refused line may be another one; which line it is and the paragraph stay.

    >>> list(changes({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "c": 3}], "d": 4}))
    []
    >>> list(changes({"a": [1, {"b": 2}], "e": 0}, {"a": [1, {"b": 3}]}))
    ['a.1.b: 2, now 3', 'e: 0, now gone']
    >>> list(changes({"order": "jump", "why": "No."}, {"order": "jump", "why": "You can't jump."}))
    []
    """
    if isinstance(before, dict) and isinstance(now, dict):
        for name, value in before.items():
            at = f"{where}.{name}" if where else name
            if name not in now:
                yield f"{at}: {_short(value)}, now gone"
            elif not _reworded(before, now, name):
                yield from changes(value, now[name], at)
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from changes(one, other, f"{where}.{number}" if where else str(number))
    elif type(before) is not type(now) or before != now:
        yield f"{where}: {_short(before)}, now {_short(now)}"


def _reworded(before: dict[str, Any], now: dict[str, Any], name: str) -> bool:
    """Whether a field has another word or sentence today on purpose."""
    if name == "why" and "order" in before:  # a line that was refused
        return bool(before[name]) and bool(now[name])
    return isinstance(before[name], str) and RENAMED.get((name, before[name])) == now[name]


def floored(game: str, figures: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The figures of a position as they were, but for those that end at 0 today."""
    return {
        name: {who: max(0.0, value) for who, value in each.items()} if (game, name) in FLOORED else each
        for name, each in figures.items()
    }


def told_changes(game: str, before: list[dict[str, Any]], now: list[dict[str, Any]], where: str) -> Iterator[str]:
    """The same for the events of a step, which may have grown; with regard to what is told otherwise on purpose."""
    yield from changes(_comparable(game, _in_order(game, before)), _comparable(game, _in_order(game, now)), where)
    loose_before, loose_now = (_comparable(game, _loose(game, told)) for told in (before, now))
    for one in loose_before:
        if all(any(changes(one, other)) for other in loose_now):
            yield f"{where}: {_short(one)}, now gone"
    for other in loose_now:
        if all(any(changes(one, other)) for one in loose_before):
            yield f"{where}: {_short(other)} is new"


def _in_order(game: str, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in told if (game, one["event"]["kind"]) not in LOOSE]


def _loose(game: str, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one for one in told if (game, one["event"]["kind"]) in LOOSE]


def _comparable(game: str, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events without the words and paragraphs that are told otherwise today, and without fields that are gone."""
    found = []
    for one in told:
        kind = one["event"]["kind"]
        event = {name: value for name, value in one["event"].items() if (game, kind, name) not in GONE}
        told_so = {**one, "event": event, **({"words": None} if (game, kind) in RETOLD else {})}
        if (game, kind) in CITED:
            told_so |= {"rule": None, "event": {**event, "rule": None}}
        found.append(told_so)
    return found


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]} ..."
