"""What links to pages show elsewhere: a title, a sentence and a picture, for crawlers that run no scripts.

All of it is what a stranger sees. A picture costs a quarter of a second of CPU time, so it is converted in a process
of its own, one at a time, kept, and drawn again at most once a minute while a match goes on.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import cache
from html import escape
from importlib.util import find_spec
from typing import Final

from msgspec import Struct

from polemos.kernel.capabilities.pictures import Pictures, picture_of
from polemos.kernel.errors import PolemosError
from polemos.pictures.cards import HEIGHT, WIDTH, card
from polemos.pictures.ratings import curve
from polemos.server.tables import audience
from polemos.server.tables.table import Table
from polemos.server.work import OURSELVES, Rank, Work
from polemos.wire.authors import BotPage
from polemos.wire.table import TableCard

KEPT: Final = 100  # pictures in memory, of about 60 KB each
FRESH: Final = 60.0  # seconds for which the picture of an earlier turn is good enough
LASTING: Final = 600.0  # and that of a bot, whose rating moves slowly
MAX_WAITING: Final = 8
PATIENCE: Final = 20.0  # seconds to convert one picture
SITE: Final = "Polemos"
ABOUT: Final = "Four war games of written orders. Play against people and bots, or watch."
_CONVERT: Final = "import sys; from polemos.pictures.convert import png; sys.stdout.buffer.write(png(sys.stdin.read()))"


class NoPreview(PolemosError):
    """There is no picture of this table, at least not now."""

    word = "picture/busy"


class Preview(Struct, frozen=True):
    """What a link shows."""

    title: str = SITE
    about: str = ABOUT
    picture: str | None = None  # its address on this server


def of_table(table: Table) -> Preview:
    shown = audience.card(table, None)
    title = f"{table.game.title}: {shown.title}" if shown.title else table.game.title
    picture = f"/api/tables/{table.id}/preview.png" if isinstance(table.game, Pictures) and _can_convert() else None
    return Preview(title, f"{_players(shown)} {_standing(shown)}", picture)


@cache
def _can_convert() -> bool:
    return find_spec("resvg_py") is not None


def of_game(title: str, summary: str) -> Preview:
    return Preview(title, summary or ABOUT)


def of_ladder(title: str) -> Preview:
    return Preview(f"{title} ladder", "Bots of many authors compete day and night. Ranks are ranges, with intervals.")


def of_bot(number: int, name: str, game: str) -> Preview:
    picture = f"/api/ladder-bots/{number}/preview.png" if _can_convert() else None
    return Preview(f"{name}, a bot for {game}", "Its rating by version, opponents, maps, faults and games.", picture)


def bot_card(bot: BotPage, game: str) -> str:
    """The picture of a link to a bot: its name, its rating with the interval, and the curve."""
    pieces = [
        (version.number, [(point.at, point.elo, point.margin) for point in version.curve])
        for version in reversed(bot.versions)
    ]
    lines = [game, f"by {bot.author}" if bot.author else "one of our bots"]
    if bot.version is not None:
        lines.append(f"version {bot.version}")
    if bot.rating is None:
        lines.append("no rating yet")
    else:
        lines.append(f"{bot.rating.elo:.0f} ±{bot.rating.margin:.0f}")
        if bot.rating.rank_from is not None and bot.rating.rank_to is not None:
            first, last = bot.rating.rank_from, bot.rating.rank_to
            lines.append(f"rank {first if first == last else f'{first} to {last}'} of {bot.rating.of}")
    return card(curve(pieces, f"Rating of {bot.name}"), bot.name, lines)


def _players(shown: TableCard) -> str:
    names = [seat.player or "an open seat" for seat in shown.seats]
    if len(names) == 2:
        return f"{names[0]} against {names[1]}."
    return f"{', '.join(names)}."


def _standing(shown: TableCard) -> str:
    match shown.status:
        case "playing":
            return f"Turn {shown.turn}, in play."
        case "paused":
            return f"Turn {shown.turn}, paused."
        case "over":
            players = {seat.seat: seat.player for seat in shown.seats}
            winner = None if shown.outcome is None else shown.outcome.winner
            return "Over: a draw." if winner is None else f"Over: {players.get(winner) or winner} won."
        case _:
            return "Waiting for players."


def tags(preview: Preview, base: str | None, path: str) -> str:
    """The lines for the head of a page. Without a known address of this server they have no address and no picture."""
    found = {"og:site_name": SITE, "og:type": "website", "og:title": preview.title, "og:description": preview.about}
    if base is not None:
        found["og:url"] = base + path
    large = base is not None and preview.picture is not None
    if large:
        found |= {"og:image": f"{base}{preview.picture}", "og:image:type": "image/png"}
        found |= {"og:image:width": str(WIDTH), "og:image:height": str(HEIGHT), "og:image:alt": preview.about}
    lines = [f'<meta property="{name}" content="{escape(value)}" />' for name, value in found.items()]
    lines.append(f'<meta name="twitter:card" content="{"summary_large_image" if large else "summary"}" />')
    return "\n".join(lines)


# ---- pictures


def png(svg: str) -> bytes:
    """The picture, converted by another process: the converter would hold up everyone else in this one."""
    made = subprocess.run(
        [sys.executable, "-c", _CONVERT], input=svg.encode(), capture_output=True, timeout=PATIENCE, check=True
    )
    return made.stdout


class Drawer:
    """Draws tables and bots, and keeps the latest pictures."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._kept: OrderedDict[str, tuple[object, float, bytes]] = OrderedDict()
        self._said: OrderedDict[str, tuple[object, Preview]] = OrderedDict()
        self._drawing = asyncio.Lock()
        self._waiting = 0

    def preview(self, table: Table) -> Preview:
        """What a link to a table shows. A thousand people may open the page of one table at once."""
        standing = _standing_of(table)
        kept, said = self._said.get(table.id, (None, None))
        if said is None or kept != standing:
            said = of_table(table)
            self._said[table.id] = standing, said
            if len(self._said) > KEPT:
                self._said.popitem(last=False)
        return said

    async def picture(self, table: Table) -> bytes:
        return await self._drawn(table.id, lambda: self._good(table), lambda: self._draw(table))

    async def of_bot(self, number: int, ask: Callable[[], Awaitable[BotPage]], game: Callable[[str], str]) -> bytes:
        """The picture of a bot. `ask` fetches its page, `game` names its game. It may be a few minutes old."""
        key = f"bot {number}"

        def good() -> bytes | None:
            kept = self._kept.get(key)
            return kept[2] if kept is not None and time.monotonic() - kept[1] < LASTING else None

        async def draw() -> bytes:
            page = await ask()
            drawn = await self._work.run(OURSELVES, Rank.RECORDS, lambda: bot_card(page, game(page.game)))
            return await self._converted(key, None, drawn)

        return await self._drawn(key, good, draw)

    async def _drawn(self, key: str, good: Callable[[], bytes | None], draw: Callable[[], Awaitable[bytes]]) -> bytes:
        """A picture that is good enough, or a new one: one at a time."""
        if (kept := good()) is not None:
            self._kept.move_to_end(key)
            return kept
        if self._waiting >= MAX_WAITING:
            raise NoPreview("Too many pictures are being drawn. Try again in a few seconds.")
        self._waiting += 1
        try:
            async with self._drawing:
                return kept if (kept := good()) is not None else await draw()
        finally:
            self._waiting -= 1

    def _good(self, table: Table) -> bytes | None:
        if table.id not in self._kept:
            return None
        standing, at, made = self._kept[table.id]
        same = standing == _standing_of(table)
        young = table.status != "over" and time.monotonic() - at < FRESH
        return made if same or young else None

    async def _draw(self, table: Table) -> bytes:
        shown, match = audience.card(table, None), table.match
        view, standing = match.view(audience.eyes(table, None)), _standing_of(table)
        lines = [shown.title] if shown.title else []
        lines += [f"{seat.seat.capitalize()}: {seat.player or 'open'}" for seat in shown.seats]
        lines.append(_standing(shown))

        def draw() -> str:
            board = picture_of(table.game, match.setting, view, "board", theme="light")
            return card(board, table.game.title, lines)

        return await self._converted(table.id, standing, await self._work.run(OURSELVES, Rank.RECORDS, draw))

    async def _converted(self, key: str, standing: object, drawn: str) -> bytes:
        try:
            made = await asyncio.to_thread(png, drawn)
        except (OSError, subprocess.SubprocessError):
            raise NoPreview("The picture could not be drawn. Try again later.") from None
        self._kept[key] = standing, time.monotonic(), made
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made


def _standing_of(table: Table) -> object:
    """Changes whenever a spectator sees something else."""
    return table.status, table.positions, tuple(table.seats.values())
