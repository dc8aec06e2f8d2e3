"""What each audience is told about a table. All information about a match leaves through here or `wire.frames`.

An audience is a seat or the spectators; once a match is over, everyone sees everything. If a game has fog, a seat is
not told whether others have filed, are present, or how much time they have: that would say something about their play.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from polemos.kernel.capabilities.advice import Advice
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.capabilities.roles import Roles
from polemos.kernel.capabilities.turn_limit import TurnLimit
from polemos.kernel.game import SPECTATOR, UMPIRE, AnyGame, max_lines
from polemos.kernel.log import SILENT
from polemos.kernel.orders import Fault, lines_of
from polemos.kernel.outcome import Outcome
from polemos.kernel.verdict import in_words
from polemos.server.tables.clocks import now
from polemos.server.tables.table import PEOPLE, Table
from polemos.wire.table import Bidding, Clock, Crew, SeatCard, Sheet, SheetLine, TableCard, TableState

Wait = Callable[[str, int, int], float | None]  # a seat, someone who is away, and who would take over


def eyes(table: Table, seat: str | None) -> str:
    """The point of view from which an audience sees the match now."""
    if table.match.outcome is not None:
        return UMPIRE
    return seat or SPECTATOR


# ---- the table


def card(table: Table, seat: str | None, watching: int = 0, here: frozenset[str] = frozenset()) -> TableCard:
    view = table.match.view(eyes(table, seat))
    return TableCard(
        id=table.id,
        game=table.game.name,
        title=table.wish.title,
        status=table.status,
        seats=tuple(_seat(table, name, seat, here) for name in table.seats),
        turn=view.turn,
        turns=table.game.turns(table.match.setting, view) if isinstance(table.game, TurnLimit) else None,
        watching=watching,
        clock=table.wish.clock,
        outcome=_outcome(table),
        created=table.created,
        next=table.next,
        closed=table.closed,
        rated=table.wish.rated,
    )


def _outcome(table: Table) -> Outcome | None:
    found = table.match.outcome
    return found if found is None or table.closed is None else replace(found, reason="closed by an operator")


def _seat(table: Table, name: str, mine: str | None, here: frozenset[str]) -> SeatCard:
    sitter = table.seats[name]
    hidden = table.game.facts.fog and name != mine and table.status != "over"
    playing = table.status in ("playing", "paused")
    kept = table.kept_for(name, now())
    out = name in table.out or (not hidden and table.is_out(name))  # before the step only the seat itself knows
    return SeatCard(
        seat=name,
        kind=sitter.kind if sitter is not None else "open" if kept is None else "kept",
        player=sitter.player if sitter is not None else kept or "",
        you=name == mine,
        to_act=None if hidden else playing and name in table.match.to_act,
        filed=None if hidden else name in table.match.filed,
        here=None if hidden or sitter is None or sitter.kind == "bot" else name in here,
        why=in_words(table.verdict(name)) if out else "",
    )


def table_state(
    table: Table,
    seat: str | None,
    *,
    watching: int,
    here: frozenset[str],
    notes: dict[str, str],
    member: int = 0,
    seen: Mapping[tuple[str, int], str | None] | None = None,
    link: str | None = None,
    wait: Wait | None = None,
) -> TableState:
    """`seen` holds the people present in each seat, and what they are looking at.

    `wait` says how long someone has to wait before taking over the roles of a person who is away.
    """
    hidden = table.game.facts.fog and table.status != "over"
    shown = card(table, seat, watching, here)
    offers = {what: by for what, by in table.offers.items() if seat is not None or not hidden}
    seats = [replace(one, crew=_crew(table, one.seat, seat, member, seen or {}, wait)) for one in shown.seats]
    return TableState(
        card=replace(shown, seats=tuple(seats)),
        setting=table.match.setting,
        you=seat,
        frames=len(table.match.steps) + 1,
        offers=offers,
        unanswered={what: tuple(table.unanswered(what)) for what in offers},
        may=table.may(seat, member),
        notes=notes,
        replay=table.status == "over",
        roles=() if seat is None else table.crews[seat].of(member),
        all_roles=() if seat is None else table.crews[seat].roles,
        crew_link=link if seat is not None and table.crews[seat].roles else None,
        bidding=None
        if table.status != "sealed" or table.asked is None
        else Bidding(table.asked, None if seat is None else table.bids.get(seat)),
        shows=table.game.chronicle.shows,
    )


def _crew(
    table: Table,
    name: str,
    mine: str | None,
    member: int,
    seen: Mapping[tuple[str, int], str | None],
    wait: Wait | None,
) -> tuple[Crew, ...]:
    """The people in a seat; what they are doing is only shown to their own seat."""
    crew, sitter = table.crews[name], table.seats[name]
    if not crew.is_team or sitter is None or (table.game.facts.fog and name != mine):
        return ()
    own = name == mine
    return tuple(
        Crew(
            player=player,
            roles=crew.held_by(number),
            you=own and number == member,
            here=(name, number) in seen,
            looks=seen.get((name, number)) if own else None,
            done=tuple(role for role in crew.held_by(number) if role in crew.done) if own else (),
            wait=wait(name, number, member) if own and wait is not None and number != member else None,
        )
        for number, player in enumerate([sitter.player, *(other.player for other in crew.joined)])
    )


def clock(table: Table, seat: str | None, at: float) -> Clock:
    left, running = table.clocks.shown(at), table.clocks.running
    if table.begun and table.clocks.rule.kind == "bank":  # whoever has not moved yet has all of it
        left = {
            seat: left.get(seat, table.clocks.rule.seconds) for seat in table.of_kind(*PEOPLE) if table.is_in(seat)
        } | left
    if table.status == "sealed" or (table.game.facts.fog and table.status != "over"):
        left = {name: seconds for name, seconds in left.items() if name == seat}
        running = tuple(name for name in running if name == seat)
    return Clock(left, running)


# ---- the sheet of a seat


def sheet(
    table: Table, seat: str, draft: Sequence[Any] | None, re: int | None = None, strange: Sequence[Any] = ()
) -> Sheet:
    """The sheet of a seat, with every line judged, and the orders that can still be added.

    `strange` holds lines that someone else in the seat must give.
    """
    match, game = table.match, table.game
    step = len(match.steps)
    if table.status != "playing" or seat not in match.to_act or table.has_missed(seat):
        return Sheet(step, "locked", re=re)
    filed = match.filed.get(seat)
    checked = filed  # against the current position
    if checked is None:
        checked = game.check(match.state, seat, lines_of(list(draft or ()), max_lines(game, match.state)))
    lines = checked.lines
    lawful = [line.order for line in checked.lines if line.fault is None and line.order is not None]
    sight = game.look(match.state, seat)
    view = game.view(sight)
    after = _after(game, match.state, seat, lawful)
    advice = game if isinstance(game, Advice) else None
    figures = iter(advice.line_figures(match.setting, view, lawful) if advice else [{} for _ in lawful])
    return Sheet(
        step=step,
        state="filed" if filed is not None else "draft" if lines else "empty",
        lines=tuple(
            SheetLine(
                line.text,
                line.order,
                line.fault,
                {} if line.fault or line.order is None else next(figures),
                game.role(line.order) if line.order is not None and isinstance(game, Roles) else None,
            )
            for line in checked.lines
        )
        + tuple(_for_others(table, line, len(lines) + 1 + i) for i, line in enumerate(strange)),
        options=tuple(game.lawful(sight, lawful)),
        alerts=tuple(advice.alerts(match.setting, view, lawful)) if advice else (),
        view=after,
        re=re,
    )


def _for_others(table: Table, line: Any, number: int) -> SheetLine:
    game = table.game
    assert isinstance(game, Roles)
    order = game.read(line)
    role, text = game.role(order), game.write(order)
    why = f"Only the {role} can give this order."
    # Without a role, so that its author can delete it.
    return SheetLine(text, order, Fault(number, text, game.roles_rule, why))


def _after(game: AnyGame, state: Any, seat: str, orders: Sequence[Any]) -> Any:
    """The position after the orders of an unfinished turn; None if orders only take effect when the turn is played."""
    if not isinstance(game, OrderByOrder):
        return None
    state = state.copy()
    for order in orders:
        game.apply(state, seat, order, SILENT)
    return game.observe(state, seat)
