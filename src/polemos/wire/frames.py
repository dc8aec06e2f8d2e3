"""Frames: positions as one audience saw them, with the turns between, for live tables, replays and exported pages.

Frames can be made from any match, without a server.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Raw
from msgspec.json import encode

from polemos.kernel import telling
from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.pictures import Pictures, picture_of, small_picture_of
from polemos.kernel.chronicle import Event
from polemos.kernel.game import UMPIRE, AnyGame
from polemos.kernel.match import AnyMatch, Step
from polemos.kernel.scenes import Stage
from polemos.kernel.verdict import in_words, reason, struck
from polemos.wire import packing
from polemos.wire.table import Frame, Mark, Record, Told


def is_pictured(game: AnyGame, boards: str | None) -> bool:
    """Whether frames of a game need pictures, for a client that has its own boards for these games (as `a,b`)."""
    return boards is not None and isinstance(game, Pictures) and game.name not in boards.split(",")


def frame(
    match: AnyMatch, number: int, who: str, packed: bool = False, pictured: bool = False, small: bool = False
) -> Frame:
    """One position as `who` saw it, with the turn leading to it. Any picture is drawn from the same view."""
    game, state, chronicle = match.game, match.state_at(number), match.game.chronicle
    view = game.observe(state, who)
    happened = match.told_at(number, who)
    events, bulk = packing.events(chronicle, happened) if packed else (happened, ())
    told = tuple(Told(chronicle.words(event), event.rule, event, chronicle.seat_of(event)) for event in events)
    step = match.steps[number - 1] if number else None
    open_ = who == UMPIRE or not game.facts.fog

    def is_told(seat: str) -> bool:
        """True for the audience's own sheet, unless the mode hides even that; for others only if nothing is hidden."""
        return open_ or (who == seat and telling.tells_faults(game, state, who, seat))

    shown, fields = packing.view(view) if packed else (view, ())
    sheets = {seat: lines for seat, lines in match.orders_at(number).items() if lines is not None and is_told(seat)}
    lots = packing.sheets(game, sheets) if packed else {}
    phrased = {seat for seat, of in lots.items() if packing.is_phrased(of, len(sheets[seat]))}
    return Frame(
        number=number,
        turn=view.turn,
        view=shown,
        events=told,
        orders={}
        if step is None
        else {seat: () if seat in phrased else lines for seat, lines in step.orders.items() if is_told(seat)},
        sheets={seat: tuple(lines) for seat, lines in sheets.items() if seat not in lots},
        stages=() if step is None else _stages(match, number, who, happened),
        faults={} if step is None else {seat: step.void_of(seat) for seat in step.faults if is_told(seat)},
        figures=game.figures(match.setting, view) if isinstance(game, Advice) else {},
        marks=tuple(Mark(e.words, e.rule, e.seat) for e in told if chronicle.is_moment(e.event)),
        dropped={} if step is None else {seat: in_words(why) for seat, why in step.forfeits.items()},
        bulk=bulk,
        packed=fields,
        lots=lots,
        picture=_picture(match, view, small) if pictured else "",
        strikes={} if step is None else {seat: struck(why) for seat, why in step.strikes.items() if is_told(seat)},
        reasons={} if step is None else {seat: why for seat, why in _reasons(step) if is_told(seat)},
        cpu={} if step is None else {seat: time for seat, time in step.cpu.items() if time and is_told(seat)},
        wall={} if step is None else {seat: time for seat, time in step.wall.items() if time and is_told(seat)},
    )


def _picture(match: AnyMatch, view: Any, small: bool) -> str:
    if small:
        return small_picture_of(match.game, match.setting, view, theme="screen")
    return picture_of(match.game, match.setting, view, "board", theme="screen")


def _reasons(step: Step) -> Iterator[tuple[str, str]]:
    """What is known of strikes, and of dropping out."""
    for seat, verdict in {**step.strikes, **step.forfeits}.items():
        if why := reason(verdict):
            yield seat, why


def _stages(match: AnyMatch, number: int, who: str, happened: Sequence[Event]) -> tuple[Stage, ...]:
    """The animation of the turn for this audience, from its own view before the turn and the events it was told."""
    if not happened:
        return ()
    return telling.stages(
        match.game, match.setting, lambda: match.game.observe(match.state_at(number - 1), who), happened
    )


def written_frame(
    match: AnyMatch, number: int, who: str, packed: bool = False, pictured: bool = False, small: bool = False
) -> Raw:
    """A frame as it is sent: for long matches this takes a tenth of the memory."""
    return Raw(encode(frame(match, number, who, packed, pictured, small)))


def record(match: AnyMatch, who: str, title: str, players: dict[str, str], frames: Iterable[Any]) -> Record:
    """A whole match for the viewer, built from its frames as written."""
    return Record(
        game=match.game.name,
        title=title,
        edition=match.game.edition,
        setting=match.setting,
        seats=players,
        frames=tuple(frames),
        outcome=match.outcome,
        who=who,
        shows=match.game.chronicle.shows,
    )
