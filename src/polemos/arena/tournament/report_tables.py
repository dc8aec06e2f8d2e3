"""The tables of a report's page: standings with ratings, cross-table, faults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from polemos.arena.times import Used, brief
from polemos.arena.tournament.plan import Played, Rating, Row
from polemos.arena.tournament.report_facts import Facts, Fault
from polemos.arena.tournament.report_words import decimals, escape, href, number, plural, signed

MAX_CROSSED: Final = 100  # rows and columns in the cross-table on the page
_MAX_KINDS: Final = 8  # of faults shown per bot
_SHADES: Final = 5
_WIDE, _HIGH = 150, 20  # of the picture of an interval
_EDGE: Final = 8
_MIN_ROOM: Final = 200  # Elo that intervals may extend beyond the outermost bots


def table(
    kind: str, caption: str, about: str, head: str, bodies: Sequence[str], number: int = 0, columns: str = ""
) -> str:
    """A table in a frame that can be scrolled, also by keyboard; several of a kind are numbered.

    Its description goes above the frame, where it can be as wide as the page, not in the caption, which is as wide as
    the table.
    """
    rows = "".join(f"<tbody>\n{body}\n</tbody>" for body in bodies)
    name = f"about-{kind}-{number}"
    before = f"<p>{about}</p>" if about else ""
    return (
        f'{before}<div class="scroll {kind}" tabindex="0" role="region" aria-labelledby="{name}"><table>'
        f'<caption id="{name}">{caption}</caption>{columns}<thead>{head}</thead>{rows}</table></div>'
    )


def bot(facts: Facts, entrant: int) -> str:
    """The name of a bot, isolated from the text direction around it."""
    return f"<bdi>{escape(facts.names[entrant])}</bdi>"


def game_link(game: Played, words: str) -> str:
    """Words that link to a replay, if there is one."""
    file = href(game.replay)
    return f'<a href="{file}">{words}</a>' if file else words


# ---- standings


def standings(facts: Facts) -> str:
    if not facts.rows:
        return "<p>There are no bots to rank yet.</p>"
    axis = _Axis.over([facts.ratings[row.entrant] for row in facts.rows if row.entrant in facts.ratings])
    places = decimals([row.points for row in facts.rows]), decimals([row.tie_break for row in facts.rows])
    byes = any(row.byes for row in facts.rows)
    walkovers = any(row.walkovers for row in facts.rows)
    is_knock_out = facts.plan.system == "knock-out"
    figures = ["Points", "Played", "Won", "Drawn", "Lost", "Meetings won" if is_knock_out else "Tie-break"]
    figures += ["Byes"] * byes + ["Walk&shy;overs"] * walkovers
    head = '<tr><th scope="col">Place</th><th scope="col">Bot</th>'
    head += "".join(f'<th scope="col" class="f">{word}</th>' for word in figures)
    head += (
        f'<th scope="col" class="f">Elo</th><th scope="col">95 %</th><th scope="col" class="bar">{axis.picture()}</th>'
    )
    last = ("openskill", "Void lines", "Strikes", "Drop-outs")
    head += "".join(f'<th scope="col" class="f">{word}</th>' for word in last)
    lines = [_standing(facts, row, axis, places, byes, walkovers) for row in facts.rows]
    return table(
        "standings",
        "Standings",
        f"{'Bots that are knocked out later are placed higher' if is_knock_out else 'Bots are placed by points'}. The "
        "dot is the rating and the line its 95 % interval; 0 is the mean of the field.",
        head + "</tr>",
        ["\n".join(lines)],
    )


def _standing(facts: Facts, row: Row, axis: _Axis, places: tuple[int, int], byes: bool, walkovers: bool) -> str:
    rating = facts.ratings.get(row.entrant)
    figures: list[object] = [f"<b>{row.points:.{places[0]}f}</b>", row.played, row.wins, row.draws, row.losses]
    figures += [f"{row.tie_break:.{places[1]}f}", *[row.byes] * byes, *[row.walkovers] * walkovers]
    paused = ' <span class="paused">paused</span>' if row.paused else ""
    line = f'<tr><td class="f">{row.place}</td><th scope="row">{bot(facts, row.entrant)}{paused}</th>'
    line += _cells(figures) + _rating(rating, axis)
    line += _cells(["" if rating is None else f"{round(rating.live, 1) + 0.0:.1f}".replace("-", "−")])
    faults = [_fault_link(facts, row, count) for count in (row.void_lines, row.strikes, row.forfeits)]
    return line + _cells(faults) + "</tr>"


def _cells(figures: Sequence[object]) -> str:
    return "".join(f'<td class="f">{figure}</td>' for figure in figures)


def _fault_link(facts: Facts, row: Row, count: int) -> str:
    return f'<a href="#f{row.entrant}">{count:,}</a>' if count and row.entrant in facts.faults else f"{count:,}"


def _rating(rating: Rating | None, axis: _Axis) -> str:
    if rating is None or rating.elo is None or rating.low is None or rating.high is None:
        return '<td class="f">–</td><td></td><td></td>'
    interval = f"{signed(rating.low)} to {signed(rating.high)}"
    bar = axis.interval(rating.elo, rating.low, rating.high)
    return f'<td class="f"><b>{signed(rating.elo)}</b></td><td class="i">{interval}</td><td class="bar">{bar}</td>'


class _Axis(Struct, frozen=True):
    """The scale that all intervals are drawn on. Very wide ones are cut off with an arrow."""

    low: float
    high: float

    @classmethod
    def over(cls, ratings: Sequence[Rating]) -> _Axis:
        known = [(one.elo, one.low or 0.0, one.high or 0.0) for one in ratings if one.elo is not None]
        if not known:
            return cls(0.0, 0.0)
        least, most = min(elo for elo, _, _ in known), max(elo for elo, _, _ in known)
        room = max(_MIN_ROOM, (most - least) / 2)
        low = max(min(low for _, low, _ in known), least - room)
        return cls(low, min(max(high for _, _, high in known), most + room))

    def at(self, elo: float) -> float:
        """The x coordinate of a rating."""
        part = (elo - self.low) / ((self.high - self.low) or 1)
        return _EDGE + (_WIDE - 2 * _EDGE) * min(1.0, max(0.0, part))

    def interval(self, elo: float, low: float, high: float) -> str:
        """A dot and whiskers, with a thin line for the mean."""
        middle, left, right = _HIGH / 2, self.at(low), self.at(high)
        ends = "".join(
            f"M{number(x)} {number(middle - 3)}v6"
            if low_enough
            else f"M{number(x - way)} {number(middle - 3)}l{way} 3l{-way} 3"
            for x, low_enough, way in ((left, low >= self.low - 1e-6, -4), (right, high <= self.high + 1e-6, 4))
        )
        return (
            f'<svg width="{_WIDE}" height="{_HIGH}" viewBox="0 0 {_WIDE} {_HIGH}" aria-hidden="true">'
            f'<path class="zero" d="M{number(self.at(0))} 0V{_HIGH}"/>'
            f'<path class="whisker" d="M{number(left)} {number(middle)}H{number(right)}{ends}"/>'
            f'<circle class="ink" cx="{number(self.at(elo))}" cy="{number(middle)}" r="4"/></svg>'
        )

    def picture(self) -> str:
        """The scale itself."""
        step = next((step for step in _STEPS if self.high - self.low <= 3 * step), _STEPS[-1])
        ticks = [n * step for n in range(int(self.low // step), int(self.high // step) + 2)]
        words = "".join(
            f'<text x="{number(self.at(tick))}" y="12" text-anchor="middle">{signed(tick)}</text>'
            for tick in ticks
            if self.low <= tick <= self.high and _EDGE + 6 <= self.at(tick) <= _WIDE - _EDGE - 6
        )
        name = '<span class="hidden-text">Interval drawn</span>'
        return f'{name}<svg width="{_WIDE}" height="16" viewBox="0 0 {_WIDE} 16" aria-hidden="true">{words}</svg>'


_STEPS: Final = (50, 100, 150, 200, 300, 400, 500, 750, 1000, 2000, 5000)


# ---- cross-table


def crosstable(facts: Facts) -> str:
    order = [row.entrant for row in facts.rows[:MAX_CROSSED]]
    if not facts.cells:
        return "<p>No two bots have met yet.</p>"
    often = {cell.games for cell in facts.cells.values()}
    each = plural(next(iter(often)), "game") if len(often) == 1 else ""
    meaning = (
        f"Points of the row against the column{', in ' + each + ' each' if each else ', and of how many games'}."
        if facts.is_duel
        else "Mean points of the row in all games that both bots played."
    )
    more = ""
    if len(facts.rows) > MAX_CROSSED:
        more = f'<p>The first {MAX_CROSSED} bots. <a href="crosstable.csv">crosstable.csv</a> has them all.</p>'
    columns = "".join(
        f'<th scope="col" title="{escape(facts.names[entrant])}">{i}</th>' for i, entrant in enumerate(order, 1)
    )
    marked = facts.is_duel and not each
    lines = [
        f'<tr><th scope="row"><span class="no">{i}</span>{bot(facts, one)}</th>'
        + "".join(_crossed(facts, one, other, marked) for other in order)
        + "</tr>"
        for i, one in enumerate(order, 1)
    ]
    return more + table(
        "cross",
        "Cross-table",
        f"{meaning} Click a figure to see the games. Darker means more points.",
        f'<tr><th scope="col"><span class="no">No.</span>Bot</th>{columns}</tr>',
        ["\n".join(lines)],
    )


def _crossed(facts: Facts, one: int, other: int, marked: bool) -> str:
    if one == other:
        return '<td class="self"></td>'
    cell = facts.cells.get((one, other))
    if cell is None:
        return "<td></td>"
    shade = min(_SHADES - 1, int(_SHADES * cell.mean))
    figure = number(cell.points) if facts.is_duel else f"{cell.mean:.2f}"
    of = f"<small>/{cell.games}</small>" if marked else ""
    return f'<td class="s{shade}"><a href="#{target(facts, one, other)}">{figure}{of}</a></td>'


def target(facts: Facts, one: int, other: int) -> str:
    """The link target for the games of two bots: their meeting, or the list of their meetings."""
    low, high = min(one, other), max(one, other)
    meetings = facts.pairs[low, high]
    return f"m{meetings[0]}" if len(meetings) == 1 else f"p{low}-{high}"


# ---- faults


def faults(facts: Facts) -> str:
    if not facts.faults:
        return "<p>No bot dropped out, and there were no strikes or void lines.</p>"
    bodies = [_faults_of(facts, entrant, found) for entrant, found in facts.faults.items()]
    return table(
        "faults",
        "Faults",
        "Faults by bot, with the first example of each kind.",
        '<tr><th scope="col">Bot</th><th scope="col">Fault</th><th scope="col" class="f">Times</th>'
        '<th scope="col" class="f">Games</th><th scope="col">First in</th><th scope="col">Verdict</th></tr>',
        bodies,
    )


def _faults_of(facts: Facts, entrant: int, found: Sequence[Fault]) -> str:
    shown = sorted(found, key=lambda fault: -fault.times)[:_MAX_KINDS]
    more = len(found) - len(shown)
    span = len(shown) + bool(more)
    lines = []
    for i, fault in enumerate(shown):
        name = f'<th scope="rowgroup" rowspan="{span}" id="f{entrant}">{bot(facts, entrant)}</th>' if i == 0 else ""
        first = game_link(fault.first, f"game {fault.first.number}")
        lines.append(
            f"<tr>{name}<td>{escape(fault.kind)}</td>{_cells([f'{fault.times:,}', f'{fault.games:,}'])}"
            f'<td>{first}</td><td class="long">{escape(fault.example)}</td></tr>'
        )
    if more:
        lines.append(f'<tr><td colspan="5">and {plural(more, "further kind")}; see games.csv</td></tr>')
    return "\n".join(lines)


# ---- time


def times(facts: Facts) -> str:
    """The time that each bot used, in order of the standings."""
    rows = [(row.entrant, used) for row in facts.rows if (used := facts.used.get(row.entrant)) and used.answers]
    if not rows:
        return "<p>No times were recorded.</p>"
    words = ("CPU per game", "Clock per game", "Clock per answer", "Slowest answer", "CPU in all games")
    head = "".join(f'<th scope="col" class="f">{word}</th>' for word in words)
    return table(
        "times",
        "Time",
        "Means over the games of each bot, and its slowest answer. The clock counts from a view to its answer, without "
        "the time that a bot had to wait for others.",
        f'<tr><th scope="col">Bot</th>{head}</tr>',
        ["\n".join(_times(facts, entrant, used) for entrant, used in rows)],
    )


def _times(facts: Facts, entrant: int, used: Used) -> str:
    figures = [used.cpu / used.games, used.wall / used.games, used.wall / used.answers, used.slowest, used.cpu]
    return f'<tr><th scope="row">{bot(facts, entrant)}</th>{_cells([escape(brief(one)) for one in figures])}</tr>'
