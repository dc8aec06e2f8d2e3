"""The page of a report: one file without scripts, fonts or any other outside resources.

All text from outside goes through `escape`, and a content policy in the head blocks anything that remains.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from polemos.arena.tournament import report_games, report_tables
from polemos.arena.tournament.plan import System
from polemos.arena.tournament.report_facts import Facts
from polemos.arena.tournament.report_words import (
    decimals,
    escape,
    href,
    listed,
    long_texts,
    options,
    plural,
    tame,
)
from polemos.pictures import css
from polemos.pictures.seats import SHAPES, middle, outline
from polemos.pictures.tokens import LOOK

SYSTEMS: Final[dict[System, str]] = {"round-robin": "round robin", "swiss": "Swiss", "knock-out": "knock-out"}
_MAX_NOTICES: Final = 200
_MAX_NOTICE: Final = 1000  # characters
_MAX_SPEC: Final = 160

_MARK: Final = (
    '<svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">'
    '<path class="ink" d="M16 1.5L28.6 8.75v14.5L16 30.5 3.4 23.25V8.75z"/>'
    '<path class="pi" d="M8.6 11.8h14.8M12.6 11.8v10.4M19.2 11.8v7.6c0 1.9.9 2.8 2.6 2.6"/></svg>'
)
_TIE_BREAKS: Final[dict[System, str]] = {
    "round-robin": "The tie-break decides between equal points: each point is weighted by the points per game of the "
    "opponent it was taken from (Sonneborn-Berger)",
    "swiss": "The tie-break decides between equal points: the total points of all opponents (Buchholz)",
    "knock-out": "Bots that are knocked out later are placed higher, whatever their points",
}


def page(facts: Facts) -> str:
    """The whole file."""
    sections = {
        "Standings": ("Standings", _notices(facts) + report_tables.standings(facts)),
        "Cross-table": ("Cross-table", report_tables.crosstable(facts)),
        "Games": ("Games", report_games.games(facts)),
        "Faults": ("Faults", report_tables.faults(facts)),
        "Time": ("Time", report_tables.times(facts)),
        "Bots": ("Bots", _bots(facts)),
        "Figures": ("How the figures are calculated", _figures(facts)),
        "Check": ("How to check", _check(facts)),
    }
    links = "".join(f'<a href="#{word.lower()}">{word}</a>' for word in sections)
    body = "\n".join(
        f'<section aria-labelledby="{word.lower()}"><h2 id="{word.lower()}">{title}</h2>\n{content}\n</section>'
        for word, (title, content) in sections.items()
    )
    return (
        f"{_opening(facts)}{_shapes(facts)}"
        f'<header class="top"><span class="brand">{_MARK}<span>Polemos</span></span>'
        f'<nav aria-label="On this page">{links}</nav></header>\n'
        f"<main>\n{_head(facts)}\n{body}\n</main>\n</body>\n</html>\n"
    )


def _opening(facts: Facts) -> str:
    style = _style()
    allowed = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{allowed}'; base-uri 'none'; form-action 'none'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(_title(facts))}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


@cache
def _style() -> str:
    light = css.block(":root", "light dark", css.faces(), css.pieces("light"), css.properties("light"))
    dark = css.block(":root", "dark", css.properties("dark"), indent="  ")
    paper = css.block(":root", "light", css.pieces("paper"), css.properties("paper"), indent="  ")
    seats = [
        f".{seat} {{ fill: var(--{seat}-piece); stroke: var(--{look['rim']}); }}\n"
        for seat, look in LOOK["seats"].items()
    ]
    return (
        f"\n{light}@media (prefers-color-scheme: dark) {{\n{dark}}}\n@media print {{\n{paper}}}\n"
        f"{Path(__file__).with_name('report.css').read_text(encoding='utf-8')}{''.join(seats)}"
    )


def _shapes(facts: Facts) -> str:
    """The seats' symbols, drawn once and shown wherever a seat is named."""
    known = [seat for seat in facts.seats if seat in SHAPES]
    drawn = (
        f'<symbol id="seat-{seat}" viewBox="-9 -9 18 18">'
        f'<path class="{seat}" d="{outline(SHAPES[seat], 0, middle(SHAPES[seat], 0, 6.8), 6.8)}"/></symbol>'
        for seat in known
    )
    return f'<svg class="hidden" width="0" height="0" aria-hidden="true">{"".join(drawn)}</svg>\n' if known else ""


# ---- head


def _title(facts: Facts) -> str:
    return f"{facts.title}: {SYSTEMS[facts.plan.system]}, {plural(len(facts.plan.entrants), 'bot')}"


def _head(facts: Facts) -> str:
    plan = facts.plan
    system = f"{SYSTEMS[plan.system]}, {plural(plan.rounds, 'round')}, {plural(plan.games, 'game')} per meeting"
    said = {
        "Game": f"{escape(facts.title)}, edition {plan.edition}",
        "Options": escape(options(plan.options)),
        "System": f"{system[0].upper()}{system[1:]}, {plural(plan.seats, 'seat')}",
        "Seed": f"<code>{escape(tame(plan.seed, 80))}</code>",
        "Programs": _programs(facts),
        "Limits for programs": escape(plan.budget.words()),
    }
    items = "".join(f"<div><dt>{word}</dt><dd>{value}</dd></div>" for word, value in said.items())
    return (
        f'<h1>{escape(_title(facts))}</h1>\n<p class="lead">{_lead(facts)}</p>\n{_progress(facts)}<dl>{items}</dl>'
        f"{_texts(plan.options)}"
    )


def _texts(chosen: dict[str, Any]) -> str:
    """Long options, such as maps as text, to unfold and copy."""
    return "".join(
        f'\n<details class="text"><summary>{escape(name)}</summary>'
        f'<pre tabindex="0" aria-label="{escape(name)}">{_lines(text)}</pre></details>'
        for name, text in long_texts(chosen).items()
    )


def _lines(text: str) -> str:
    """Text as it is: `escape` would draw blanks together where a line is not plain ASCII."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _programs(facts: Facts) -> str:
    if not any(entrant.digest for entrant in facts.plan.entrants):
        return "none: all bots are part of Polemos"
    return "trusted, and run without the box" if facts.plan.trust else "run in the box"


def _lead(facts: Facts) -> str:
    """A sentence that says who is first."""
    if not facts.played:
        return "No game has been played yet."
    first = [row for row in facts.rows if row.place == 1]
    if not first:
        return ""
    names = [f"<b>{report_tables.bot(facts, row.entrant)}</b>" for row in first]
    who, alone = listed(names) if len(names) < 4 else f"{len(names)} bots", len(names) == 1
    if facts.plan.system == "knock-out":
        return f"{who} wins." if alone else f"{who} are still in." if facts.running else f"{who} share first place."
    points = f"{first[0].points:.{decimals([first[0].points])}f}"
    tally = f"with {points} {'point' if points == '1' else 'points'}"
    if alone:
        return f"{who} {'leads' if facts.running else 'wins'} {tally}."
    return f"{who} {'are in the lead' if facts.running else 'share first place'} {tally} each."


def _progress(facts: Facts) -> str:
    done = f"{facts.done:,} of {plural(facts.due, 'game')} {'is' if facts.due == 1 else 'are'} done"
    if facts.done > len(facts.played):
        done += f"; {len(facts.played):,} of them were played, and the others were walkovers or void"
    if twice := len(facts.played) - facts.distinct:
        done += f"; {twice:,} repeated another game exactly"
    if not facts.running:
        return f'<p class="done">{done}.</p>\n'
    part = round(100 * min(facts.done, facts.due) / facts.due, 1) if facts.due else 0
    return (
        f'<div class="card"><p><b>Not finished.</b> {done}. '
        "This page is updated from time to time while the tournament runs.</p>"
        f'<svg class="progress" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="ink" d="M0 0H{part}V4H0z"/></svg></div>\n'
    )


# ---- notices, bots, methods


def _notices(facts: Facts) -> str:
    if not facts.notices:
        return ""
    items = [
        f"<li>After game {one.after}: {escape(tame(one.text, _MAX_NOTICE))}</li>"
        for one in facts.notices[-_MAX_NOTICES:]
    ]
    left = len(facts.notices) - len(items)
    earlier = f"<li>{plural(left, 'earlier notice')} not shown here.</li>" if left else ""
    return f'<div class="card warn"><h3>Notices</h3><ul>{earlier}{"".join(items)}</ul></div>\n'


def _bots(facts: Facts) -> str:
    lines = []
    for entrant, name in zip(facts.plan.entrants, facts.names, strict=True):
        digest = f"<code>{escape(tame(entrant.digest, 64))}</code>" if entrant.digest else "–"
        spec = f"<code>{escape(tame(entrant.spec, _MAX_SPEC))}</code>"
        name = f'<th scope="row"><bdi>{escape(name)}</bdi></th>'
        lines.append(f'<tr>{name}<td class="long">{spec}</td><td class="long">{digest}</td></tr>')
    return report_tables.table(
        "bots",
        "Bots",
        "All entrants, as named when the tournament was set up. For programs, with the digest of their files.",
        '<tr><th scope="col">Bot</th><th scope="col">Given as</th><th scope="col">Digest</th></tr>',
        ["\n".join(lines)],
    )


def _figures(facts: Facts) -> str:
    duel = facts.is_duel
    split = "1 for a win, ½ for a draw" if duel else "1 per game, split according to the rules"
    model = "Bradley and Terry (a draw is half a win)" if duel else "Plackett and Luce (shared places are split)"
    said = {
        "Points": f"{split}. {_TIE_BREAKS[facts.plan.system]}. "
        "Byes and walkovers are not games: they count for points, but not in the cross-table or the ratings.",
        "Elo": f"The strengths that best explain all games together, using the model of {model}. 0 is the mean of this "
        "field, so figures from different tournaments cannot be compared. The order of the games does not matter. "
        "Identical games count once. Each bot also gets half a drawn game against the mean, so that bots that won or "
        "lost everything have a figure too.",
        "95 %": "The range that contains the true strength in 95 of 100 cases, if games are independent and a bot is "
        "equally strong against everyone. Intervals that do not overlap show a real difference; if they overlap, more "
        "games may be needed.",
        "openskill": "A rating updated after every game while a tournament runs: its lowest plausible value "
        "(mu − 3 sigma). It depends on the order of the games, so compare bots by Elo instead.",
        "Void lines": "Orders that the rules do not allow. The line has no effect, and the game goes on.",
        "Strikes": "Answers that were late or unreadable. Each costs the turn, and after the third the bot drops out.",
        "Drop-outs": "Games in which the bot crashed or broke a limit and was out for the rest of the game."
        + _pause(facts.plan.pause_after),
    }
    return "<dl>" + "".join(f"<div><dt>{word}</dt><dd>{text}</dd></div>" for word, text in said.items()) + "</dl>"


def _pause(after: int) -> str:
    if not after:
        return ""
    return f" After {'one such game' if after == 1 else f'{after} such games in a row'} it is paused."


def _check(facts: Facts) -> str:
    files = [href(game.replay) for game in facts.played if game.replay]
    file = next((file for file in files if file), None)
    parts = []
    if file:
        parts.append(
            "<p>You can check every game. In the folder of this page, run:</p>"
            f"<pre><code>polemos replay {escape(file)}</code></pre>"
            "<p>It verifies that no byte was changed, adjudicates every turn again, and shows the game.</p>"
        )
    parts.append(
        '<p>All tables as CSV: <a href="standings.csv">standings</a>, <a href="crosstable.csv">cross-table</a>, '
        '<a href="games.csv">games</a>.</p>'
    )
    return "\n".join(parts)
