"""The games on a report's page: round by round, meeting by meeting.

Up to a thousand games, each has its own line. Beyond that, a meeting has one line with a link to every game, and the
rest is in `games.csv`: a page with many thousands of lines helps nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from polemos.arena.tournament.plan import Played
from polemos.arena.tournament.report_facts import Facts
from polemos.arena.tournament.report_tables import bot, game_link, table
from polemos.arena.tournament.report_words import escape, number, plural, tame
from polemos.pictures.seats import SHAPES

MAX_LINES: Final = 1000  # games that each get their own line
MAX_OPEN: Final = 200  # games or pairs shown without folding
_MAX_REASON: Final = 120
_MAX_VERDICT: Final = 160


def games(facts: Facts) -> str:
    if not facts.played:
        return "<p>No game has been played yet.</p>"
    full = len(facts.played) <= MAX_LINES
    rounds = [_round(facts, number, meetings, full) for number, meetings in facts.rounds.items()]
    parts = ['<div class="rounds">', *rounds, "</div>", _pairs(facts)]
    if not full:
        parts.insert(
            0, '<p>Click a number to open the replay. <a href="games.csv">games.csv</a> says how each game ended.</p>'
        )
    return "\n".join(parts)


def _round(facts: Facts, number: int, meetings: Sequence[int], full: bool) -> str:
    count = sum(len(facts.meetings[meeting]) for meeting in meetings)
    opened = " open" if len(facts.played) <= MAX_OPEN else ""
    inside = _lines(facts, number, meetings) if full else _brief(facts, number, meetings)
    return (
        f"<details{opened}><summary>Round {number} <small>{plural(len(meetings), 'meeting')}, {plural(count, 'game')}"
        f"</small></summary>\n{inside}\n</details>"
    )


def _score(facts: Facts, games: Sequence[Played]) -> str:
    """Who met, and the points of each."""
    points: dict[int, float] = defaultdict(float)
    for game in games:
        for entrant, its in zip(game.seating, game.points, strict=True):
            points[entrant] += its
    if len(points) == 2:
        one, other = sorted(points)
        tally = f"<b>{number(points[one])} : {number(points[other])}</b>"
        return f"{bot(facts, one)} {tally} {bot(facts, other)}"
    return ", ".join(f"{bot(facts, entrant)} <b>{number(points[entrant])}</b>" for entrant in sorted(points))


# ---- a line for each game


def _lines(facts: Facts, round: int, meetings: Sequence[int]) -> str:
    seats = "".join(f'<th scope="colgroup" colspan="2" class="n">{_seat(seat)}</th>' for seat in facts.seats)
    head = f'<tr><th scope="col">Game</th>{seats}<th scope="col" class="n">End</th>'
    head += '<th scope="col" class="f">Turns</th><th scope="col">Remarks</th></tr>'
    bodies = [_meeting(facts, meeting) for meeting in meetings]
    wide = '<colgroup><col><col class="p"></colgroup>' * facts.plan.seats
    rest = '<colgroup><col class="end"><col class="t"><col class="end"></colgroup>'
    columns = f'<colgroup><col class="no"></colgroup>{wide}{rest}'
    return table("games", f"Games of round {round}", "", head, bodies, round, columns)


def _seat(seat: str) -> str:
    shape = f'<svg width="14" height="14" aria-hidden="true"><use href="#seat-{seat}"/></svg>' if seat in SHAPES else ""
    return f'<span class="seat">{shape}{escape(seat.capitalize())}</span>'


def _meeting(facts: Facts, meeting: int) -> str:
    games = facts.meetings[meeting]
    if len(games) == 1:
        return _line(facts, games[0], f' id="m{meeting}"')
    wide = 2 * facts.plan.seats + 4
    head = f'<tr class="meeting" id="m{meeting}"><th scope="rowgroup" colspan="{wide}">'
    head += f"<small>Meeting {meeting}</small> {_score(facts, games)}</th></tr>"
    return "\n".join([head, *(_line(facts, game, "") for game in games)])


def _line(facts: Facts, game: Played, anchor: str) -> str:
    cells = []
    for entrant, rank, points in zip(game.seating, game.ranks, game.points, strict=True):
        name = bot(facts, entrant)
        won = rank == 1 and game.ranks.count(1) == 1
        cells.append(f'<td class="n">{f"<b>{name}</b>" if won else name}</td><td class="f">{number(points)}</td>')
    end = escape(tame(game.reason, _MAX_REASON))
    rule = f" <small>Rule {escape(tame(game.rule, 20))}</small>" if game.rule else ""
    return (
        f'<tr{anchor}><th scope="row">{game_link(game, str(game.number))}</th>{"".join(cells)}'
        f'<td class="n end">{end}{rule}</td><td class="f">{game.steps:,}</td>'
        f"<td>{_remarks(facts, game)}</td></tr>"
    )


def _remarks(facts: Facts, game: Played) -> str:
    said = [
        f'<span class="out">{bot(facts, game.seating[seat])} dropped out</span>: {escape(tame(verdict, _MAX_VERDICT))}'
        for seat, verdict in sorted(game.forfeits.items())
    ]
    said += [
        f'<span class="out">{bot(facts, game.seating[seat])} passed to the end</span>: '
        f"{escape(tame(verdict, _MAX_VERDICT))}"
        for seat, verdict in sorted(game.gone.items())
    ]
    said += [
        f"{bot(facts, entrant)}: {plural(times, word)}"
        for word, by_seat in (("strike", game.strikes), ("void line", game.void_lines))
        for entrant, times in zip(game.seating, by_seat, strict=False)
        if times
    ]
    return "<br>".join(said)


# ---- a line for each meeting


def _brief(facts: Facts, round: int, meetings: Sequence[int]) -> str:
    head = '<tr><th scope="col">Meeting</th><th scope="col">Bots and points</th><th scope="col">Games</th></tr>'
    lines = [
        f'<tr id="m{meeting}"><th scope="row">{meeting}</th><td>{_score(facts, facts.meetings[meeting])}</td>'
        f'<td class="links">{" ".join(game_link(game, str(game.number)) for game in facts.meetings[meeting])}</td></tr>'
        for meeting in meetings
    ]
    return table("meetings", f"Meetings of round {round}", "", head, ["\n".join(lines)], round)


def _pairs(facts: Facts) -> str:
    """Pairs that met more than once, with links to all their games."""
    again = {pair: meetings for pair, meetings in facts.pairs.items() if len(meetings) > 1}
    if not again:
        return ""
    opened = " open" if len(again) <= MAX_OPEN else ""
    items = "\n".join(
        f'<li id="p{one}-{other}">{bot(facts, one)} and {bot(facts, other)}: '
        + " ".join(f'<a href="#m{meeting}">{meeting}</a>' for meeting in meetings)
        + "</li>"
        for (one, other), meetings in sorted(again.items())
    )
    return (
        f"<details{opened}><summary>Pairs that met more than once <small>{plural(len(again), 'pair')}, "
        f'with the numbers of their meetings</small></summary>\n<ul class="pairs">\n{items}\n</ul></details>'
    )
