"""The addresses of the desk. Clock and big screen are open to everyone in the house; all else needs the pass."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Final

import msgspec
from litestar import Request, Response, WebSocket, get, post, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from polemos.kernel.errors import MissingPart, PolemosError
from polemos.kernel.game import UMPIRE
from polemos.pictures.convert import png
from polemos.server.desk.room import MAX_NAME, Closed, Room
from polemos.server.routes.common import Forbidden, is_from_here

COOKIE: Final = "polemos-desk"
PAGE: Final = "x-desk"  # which page of a gamerunner asks
PATIENCE: Final = 10.0  # seconds for sending a message, and for the first one
PING: Final = 20.0
PIXELS: Final = 1200  # the width of pictures

AnyRequest = Request[Any, Any, Any]


class Enter(Struct, forbid_unknown_fields=True):
    """A gamerunner comes in with the pass of the link."""

    password: Annotated[str, Meta(max_length=100)]


class Begin(Struct, forbid_unknown_fields=True):
    setup: dict[str, Any]
    players: dict[str, str] = {}


class Do(Struct, forbid_unknown_fields=True):
    """An act of the party."""

    act: dict[str, Any]


class Typed(Struct, forbid_unknown_fields=True):
    """A sheet as it has been typed or clicked so far."""

    court: str
    lines: Annotated[list[Any], Meta(max_length=200)]
    reason: Annotated[str, Meta(max_length=1000)] = ""


class Hold(Struct, forbid_unknown_fields=True):
    court: str | None = None
    take_over: bool = False


class Asked(Struct, forbid_unknown_fields=True):
    """Another gamerunner is asked to check this sheet."""

    court: str


class Hello(Struct, forbid_unknown_fields=True):
    """The first message of a gamerunner's page."""

    page: Annotated[str, Meta(min_length=8, max_length=40)]
    name: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    sheet: Annotated[str, Meta(max_length=20)] | None = None  # the court whose sheet is open there


def room(connection: AnyRequest | WebSocket[Any, Any, Any]) -> Room:
    found: Room = connection.app.state.room
    return found


def inside(request: AnyRequest) -> Room:
    """The room, for a gamerunner."""
    found = room(request)
    found.admit(request.cookies.get(COOKIE))
    if request.method != "GET" and not is_from_here(request):
        raise Forbidden("Requests from this site are not allowed.")
    return found


def page_of(request: AnyRequest) -> str:
    return request.headers.get(PAGE, "")[:40]


def answer(said: Any) -> Response[bytes]:
    return Response(msgspec.json.encode(said), media_type="application/json", status_code=200)


def _picture(drawn: str) -> Response[Any]:
    """A page as the printer will show it, with its own fonts; as SVG if they are not installed."""
    try:
        return Response(png(drawn, PIXELS), media_type="image/png")
    except MissingPart:
        return Response(drawn, media_type="image/svg+xml")


# ---- for everyone


@get("/api/desk/game")
async def game(request: AnyRequest) -> Response[bytes]:
    """Which game's pages to load."""
    return answer({"game": room(request).game.name})


@get("/api/desk/clock")
async def clock(request: AnyRequest) -> Response[bytes]:
    return answer(room(request).clock())


@get("/api/desk/screen")
async def screen(request: AnyRequest) -> Response[bytes]:
    return answer(room(request).screen())


@get("/api/desk/replay/{number:int}")
async def turn(request: AnyRequest, number: FromPath[int]) -> Response[bytes]:
    return answer(room(request).party().told(number))


@get("/api/desk/replay/{number:int}/{seat:str}/{side:str}")
async def turn_picture(
    request: AnyRequest, number: FromPath[int], seat: FromPath[str], side: FromPath[str]
) -> Response[Any]:
    theme = "light" if request.query_params.get("theme") == "light" else "dark"
    drawn = room(request).party().told_picture(number, seat, side, theme)
    return await asyncio.to_thread(_picture, drawn)


# ---- for gamerunners


@post("/api/desk/enter")
async def enter(request: AnyRequest, data: JSONBody[Enter]) -> Response[bytes]:
    if not is_from_here(request):
        raise Forbidden("Requests from this site are not allowed.")
    room(request).admit(data.password)
    said = answer({})
    said.set_cookie(
        key=COOKIE, value=data.password, httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )
    return said


@get("/api/desk")
async def desk(request: AnyRequest) -> Response[bytes]:
    return answer(inside(request).card(page_of(request)))


@post("/api/desk/begin")
async def begin(request: AnyRequest, data: JSONBody[Begin]) -> Response[bytes]:
    inside(request).begin(data.setup, data.players)
    return answer({})


@post("/api/desk/acts")
async def do(request: AnyRequest, data: JSONBody[Do]) -> Response[bytes]:
    found = inside(request)
    found.party().do(data.act, found.name_of(page_of(request)))
    found.changed()
    return answer({})


@post("/api/desk/hold")
async def hold(request: AnyRequest, data: JSONBody[Hold]) -> Response[bytes]:
    found = inside(request)
    found.hold(page_of(request), data.court, data.take_over)
    return answer(found.opened(data.court) if data.court is not None else {})


@post("/api/desk/check")
async def check(request: AnyRequest, data: JSONBody[Asked]) -> Response[bytes]:
    inside(request).ask_for_check(page_of(request), data.court)
    return answer({})


@post("/api/desk/draft")
async def draft(request: AnyRequest, data: JSONBody[Typed]) -> Response[bytes]:
    return answer(inside(request).draft(page_of(request), data.court, data.lines))


@post("/api/desk/file")
async def file(request: AnyRequest, data: JSONBody[Typed]) -> Response[bytes]:
    found = inside(request)
    page = page_of(request)
    found.must_hold(page, data.court)
    lines = [line.text for line in found.sheet(data.court, data.lines)["sheet"].lines]
    found.party().file(data.court, lines, data.reason, found.name_of(page))
    found.checks.pop(data.court, None)
    found.hold(page, None)
    return answer({})


@post("/api/desk/play")
async def play(request: AnyRequest) -> Response[bytes]:
    found = inside(request)
    found.party().play(found.name_of(page_of(request)))
    found.checks.clear()
    found.changed()
    return answer({})


@post("/api/desk/rehearse")
async def rehearse(request: AnyRequest) -> Response[bytes]:
    found = inside(request)
    done = found.party().rehearse("rehearsal")
    found.changed()
    return answer({"done": done})


@get("/api/desk/loyalties")
async def loyalties(request: AnyRequest) -> Response[bytes]:
    """Asked for while the key is held, so that they are in no page that is lying open."""
    party = inside(request).party()
    return answer(party.rules.loyalties(party.evening))


# ---- paper


def _last(request: AnyRequest) -> bool:
    return request.query_params.get("last") == "1"


def _paper(request: AnyRequest) -> str:
    return "letter" if request.query_params.get("paper") == "letter" else "a4"


def _pdf(data: bytes) -> Response[bytes]:
    """A print job. Its name tells nothing: it is shown by the printer's queue."""
    headers = {"Content-Disposition": 'inline; filename="Polemos desk.pdf"'}
    return Response(data, media_type="application/pdf", headers=headers)


@get("/api/desk/pages/{seat:str}")
async def court_page(request: AnyRequest, seat: FromPath[str]) -> Response[Any]:
    party = inside(request).party()
    party.must_be_seat(seat)
    is_preview = request.query_params.get("preview") == "1"
    return await asyncio.to_thread(_picture, party.page(seat, _last(request), _paper(request), is_preview))


@get("/api/desk/full")
async def full(request: AnyRequest) -> Response[Any]:
    is_preview = request.query_params.get("preview") == "1"
    drawn = inside(request).party().page(UMPIRE, _last(request), _paper(request), is_preview)
    return await asyncio.to_thread(_picture, drawn)


@get("/api/desk/battles")
async def battles(request: AnyRequest) -> Response[bytes]:
    """The umpire's account of the turn, in words."""
    party = inside(request).party()
    return answer(party.events(request.query_params.get("preview") == "1"))


@get("/api/desk/maps.pdf")
async def map_pages(request: AnyRequest) -> Response[bytes]:
    party = inside(request).party()
    return _pdf(await asyncio.to_thread(party.maps, _last(request), _paper(request)))


@get("/api/desk/papers.pdf")
async def papers(request: AnyRequest) -> Response[bytes]:
    return _pdf(await asyncio.to_thread(inside(request).party().papers, _paper(request)))


@get("/api/desk/maps.txt")
async def text_maps(request: AnyRequest) -> Response[str]:
    return Response(inside(request).party().text_maps(), media_type="text/plain; charset=utf-8")


# ---- sockets


@websocket("/api/desk/live/{role:str}")
async def live(socket: WebSocket[Any, Any, Any], role: FromPath[str]) -> None:
    """Tells a page whenever something has changed: a gamerunner's, a clock or a big screen."""
    await socket.accept()
    found = room(socket)
    page, person = "", None
    event = None
    try:
        if not is_from_here(socket) or role not in ("desk", "clock", "screen"):
            raise Closed("There is nothing here.")
        if role == "desk":
            found.admit(socket.cookies.get(COOKIE))
            async with asyncio.timeout(PATIENCE):
                hello = msgspec.json.decode(await socket.receive_data("text"), type=Hello)
            page = hello.page
            person = found.come(page, hello.name, hello.sheet)
        event = found.listen(is_screen=role != "desk")
        hearing = asyncio.create_task(_hear(socket))
        try:
            await _tell(socket, found, role, page, event, hearing)
        finally:
            hearing.cancel()
    except (WebSocketDisconnect, TimeoutError, msgspec.MsgspecError, RuntimeError):
        pass
    except PolemosError as error:
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(code=4403, reason=error.why[:100])
    finally:
        if event is not None:
            found.stop_listening(event)
        if person is not None:
            found.go(page, person)


async def _tell(
    socket: WebSocket[Any, Any, Any],
    room: Room,
    role: str,
    page: str,
    event: asyncio.Event,
    hearing: asyncio.Task[None],
) -> None:
    """Sends what has changed for this page, and otherwise at fixed times: when others act can't be counted here."""
    loop, before, due = asyncio.get_running_loop(), b"", 0.0
    while not hearing.done():
        event.clear()
        said = room.card(page) if role == "desk" else room.clock() if role == "clock" else room.screen()
        timeless = msgspec.json.encode({name: value for name, value in said.items() if name != "now"})
        if timeless != before or loop.time() >= due:
            before, due = timeless, loop.time() + PING
            async with asyncio.timeout(PATIENCE):
                await socket.send_data(msgspec.json.encode(said).decode())
        waiting = asyncio.create_task(event.wait())
        rest = max(0.0, due - loop.time())
        await asyncio.wait({waiting, hearing}, timeout=rest, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()


async def _hear(socket: WebSocket[Any, Any, Any]) -> None:
    """Ends when the page is closed. Pages say nothing more."""
    with suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.receive_data("text")


handlers = [
    game, clock, screen, turn, turn_picture, enter, desk, begin, do, hold, check, draft, file, play, rehearse,
    loyalties, court_page, full, battles, map_pages, papers, text_maps, live,
]  # fmt: skip
