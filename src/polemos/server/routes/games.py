"""Games: facts, rule books, pictures."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import cache
from typing import Any, Final, Literal

import msgspec
from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery

from polemos.kernel.book import opening, paragraphs, pictures
from polemos.kernel.capabilities.order_by_order import OrderByOrder
from polemos.kernel.capabilities.pictures import small_picture_of
from polemos.kernel.capabilities.presets import MapCard, Preset, Presets
from polemos.kernel.capabilities.sealed_bids import SealedBids
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.orders import shown
from polemos.kernel.playing import play
from polemos.kernel.rooms import book_of, bots_of, opponents_of
from polemos.server import shelf
from polemos.server.routes.common import hall
from polemos.wire.table import Book, GameCard, OfferedBot, Paragraph

PICTURED: Final = 2.0  # CPU seconds to play the match that the picture shows


@get("/games", summary="All games with their facts")
async def games(request: Request[Any, Any, Any]) -> list[GameCard]:
    return [_card(request, shelf.load(name)) for name in shelf.names()]


@get("/games/{name:str}", summary="One game")
async def game(request: Request[Any, Any, Any], name: FromPath[str]) -> GameCard:
    return _card(request, shelf.load(name))


@get("/games/{name:str}/book", summary="The rule book")
async def book(name: FromPath[str]) -> Book:
    loaded = shelf.load(name)
    file = book_of(loaded) / "rules.md"
    found = tuple(Paragraph(p.number, p.title, p.text) for p in paragraphs(file).values())
    return Book(loaded.name, loaded.title, loaded.edition, found, opening(file))


@get("/games/{name:str}/book/pictures/{picture:str}", summary="A picture of the rule book", media_type="image/svg+xml")
async def book_picture(
    name: FromPath[str], picture: FromPath[str], theme: FromQuery[Literal["light", "dark"]] = "light"
) -> Response[bytes]:
    found = pictures(book_of(shelf.load(name)))
    if picture not in found:
        raise NotFoundException(f"The book has no picture {shown(picture)!r}.")
    dark = found.get(picture.replace(".svg", "-dark.svg")) if theme == "dark" else None
    drawn = (dark or found[picture]).read_bytes()
    # An SVG that is opened by itself is a page of this site: nothing in it may run.
    headers = {"Cache-Control": "max-age=3600", "Content-Security-Policy": "default-src 'none'"}
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@get("/games/{name:str}/picture.svg", summary="A picture of the game", media_type="image/svg+xml")
async def picture(name: FromPath[str], theme: FromQuery[Literal["light", "dark"]] = "light") -> Response[str]:
    drawn = await asyncio.to_thread(_picture, shelf.load(name).name, theme)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


@get("/games/{name:str}/{kind:str}/{word:str}", summary="A preset or a map of the game", media_type="image/svg+xml")
async def ground(
    name: FromPath[str], kind: FromPath[str], word: FromPath[str], theme: FromQuery[Literal["light", "dark"]] = "light"
) -> Response[str]:
    """`presets/quick.svg` or `maps/twin-gates.svg`: the position that a match begins with there."""
    loaded, wanted = shelf.load(name), word.removesuffix(".svg")
    offered: dict[str, tuple[Preset | MapCard, ...]] = {}
    if isinstance(loaded, Presets):
        offered = {"presets": loaded.presets, "maps": loaded.map_cards}
    found = next((one for one in offered.get(kind, ()) if one.name == wanted), None)
    if found is None or not word.endswith(".svg"):
        raise NotFoundException(f"{loaded.title} has no such picture.")
    drawn = await asyncio.to_thread(_ground, loaded.name, kind, wanted, theme)
    return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


@cache
def _ground(name: str, kind: str, word: str, theme: str) -> str:
    """Cached for good: there are only so many."""
    loaded = shelf.load(name)
    offered = loaded.presets if kind == "presets" else loaded.map_cards
    options = next(one.options for one in offered if one.name == word)
    if kind == "maps" and "boards" in msgspec.to_builtins(loaded.options_type()):
        options = {"boards": 1, **options}  # a map is shown once, however many boards would have it
    match = Match(loaded, options, seed="picture")
    return small_picture_of(loaded, match.setting, loaded.observe(match.state, UMPIRE), theme=theme)


class _Enough(Exception):
    """The match has been played long enough for a picture."""


@cache
def _picture(name: str, theme: str) -> str:
    """The middle of a match between our better bots, with everything visible."""
    match = _pictured(name)
    state = match.state_at(len(match.steps) * 2 // 3)
    return small_picture_of(match.game, match.setting, match.game.observe(state, UMPIRE), theme=theme)


@cache
def _pictured(name: str) -> AnyMatch:
    loaded = shelf.load(name)
    match = Match(loaded, seed="picture")
    bots = list(bots_of(loaded).values())[::-1]  # they are listed from weakest to strongest
    players = {
        seat: bots[i % min(2, len(bots))](loaded.setting(match.state), seat, i) for i, seat in enumerate(match.seats)
    }
    until = time.thread_time() + PICTURED

    def watch(step: Any) -> None:
        if time.thread_time() > until:
            raise _Enough

    with suppress(_Enough):
        play(match, players, watch)
    return match


def _card(request: Request[Any, Any, Any], loaded: Any) -> GameCard:
    facts, all_tables = loaded.facts, hall(request)
    live = sum(
        keeper.table.game.name == loaded.name and keeper.table.status == "playing"
        for keeper in all_tables.keepers.values()
    )
    return msgspec.structs.replace(_facts(loaded.name), live=live, bots=all_tables.bots_of(loaded), seats=facts.seats)


@cache
def _facts(name: str) -> GameCard:
    loaded = shelf.load(name)
    facts = loaded.facts
    schema = msgspec.json.schema(loaded.options_type)
    return GameCard(
        name=loaded.name,
        title=loaded.title,
        summary=facts.summary,
        edition=loaded.edition,
        seats=facts.seats,
        fewest=facts.min_seats,
        simultaneous=facts.simultaneous,
        incremental=isinstance(loaded, OrderByOrder),
        fog=facts.fog,
        dice=facts.dice,
        bots=tuple(bots_of(loaded)),
        options=schema,
        usual=msgspec.to_builtins(loaded.options_type()),
        sealed=isinstance(loaded, SealedBids) and loaded.sealed({}) is not None,
        opponents=tuple(OfferedBot(bot, about) for bot, about in opponents_of(loaded).items()),
        presets=loaded.presets if isinstance(loaded, Presets) else (),
        maps=loaded.map_cards if isinstance(loaded, Presets) else (),
    )


router = Router("/api", route_handlers=[games, game, book, book_picture, picture, ground], tags=["games"])
