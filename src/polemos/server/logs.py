"""Log lines, plain or as JSON, with the id of the request that caused them; and the access log.

No line has a cookie, a token, an order or anything else that people send: addresses are written without their query,
and with the secret of a seat cut out.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import sys
import time
from contextvars import ContextVar
from typing import Any, Final

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.types import Message, Receive, Scope, Send

from polemos.server.cluster.handover import Handover
from polemos.server.routes.common import address, is_proxy
from polemos.server.settings import Settings

HEADER: Final = b"x-request-id"
MAX_ADDRESS: Final = 200  # characters of an address in a log line

_request: ContextVar[str | None] = ContextVar("request", default=None)
_given: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
_secret: Final = re.compile(r"^(/api/bots/[^/]*/).*")
_access = logging.getLogger("polemos.access")


def set_up(settings: Settings) -> None:
    """Writes log lines to standard error, as the settings say."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Json() if settings.log_format == "json" else Plain())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)  # other packages only when something is wrong
    logging.getLogger("polemos").setLevel(settings.log_level.upper())
    # A reader that went away is no reason for a line, and uvicorn would write down the addresses of sockets.
    logging.getLogger("uvicorn").setLevel(logging.WARNING)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    """What a line says besides its text."""
    more: dict[str, Any] = record.__dict__.get("more", {})
    request = record.__dict__.get("request") or _request.get()
    return {**({} if request is None else {"request": request}), **more}


def _time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"


class Plain(logging.Formatter):
    """2026-11-16T07:00:00.000Z INFO polemos: text request=1f0c"""

    def format(self, record: logging.LogRecord) -> str:
        more = "".join(f" {name}={value}" for name, value in _fields(record).items())
        line = f"{_time(record)} {record.levelname} {record.name}: {record.getMessage()}{more}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class Json(logging.Formatter):
    """One object to a line, however long the text is."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name}
        line |= {"text": record.getMessage(), **_fields(record)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class Traced(Litestar):
    """An application whose requests have ids, which it sends back; and which writes the access log."""

    async def __call__(self, scope: Scope | Any, receive: Receive | Any, send: Send | Any) -> None:
        if scope["type"] == "lifespan":
            await super().__call__(scope, receive, send)
            return
        id = self._id_of(scope)
        reset = _request.set(id)
        began = time.perf_counter()
        status: int = 0
        is_written = not self.state.settings.access_log

        def write() -> None:
            """Before the last byte of an answer: whoever has read it finds its line in the log."""
            nonlocal is_written
            if is_written:
                return
            is_written = True
            more = {
                "request": id,
                "method": scope.get("method", "WEBSOCKET"),
                "path": path_of(scope["path"]),
                "status": status,
                "ms": round(1000 * (time.perf_counter() - began), 1),
                "client": address(ASGIConnection(scope)),
            }
            _access.info("request", extra={"more": more})

        async def tagged(message: Message | Any) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.accept"):
                said: dict[str, Any] = dict(message)
                status = said.get("status", 101)
                message = {**said, "headers": [*said.get("headers", ()), (HEADER, id.encode())]}
            elif message["type"] == "websocket.close" and not status:
                status = 403
            elif message["type"] == "http.response.body" and not message.get("more_body"):
                write()
            await send(message)

        try:
            handover: Handover | None = self.state.handover
            asked: Any = scope
            asked["litestar_app"] = self  # the limits and the access log need it, even if another process answers
            if handover is None:
                await super().__call__(scope, receive, tagged)
            else:
                await handover.answer(asked, id, receive, tagged)
        except asyncio.CancelledError:
            # The server stops, and this took too long. Whoever asked can ask again.
            if status or scope["type"] != "http" or not self.state.hall.stopping:
                raise
            await tagged({"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"5")]})
            await tagged({"type": "http.response.body", "body": b""})
        finally:
            _request.reset(reset)
            write()

    async def here(self, scope: Scope | Any, id: str, receive: Receive | Any, send: Send | Any) -> None:
        """Answers in this process a request that has an id, and a line in the access log, where it came in."""
        reset = _request.set(id)
        try:
            await super().__call__(scope, receive, send)
        finally:
            _request.reset(reset)

    def _id_of(self, scope: Any) -> str:
        """The id that a trusted proxy gave, or a new one."""
        settings: Settings = self.state.settings
        if scope.get("client") and is_proxy(scope["client"][0], settings.behind):
            given = dict(scope["headers"]).get(HEADER, b"").decode("latin-1")
            if _given.fullmatch(given):
                return str(given)
        return secrets.token_hex(8)


def path_of(path: str) -> str:
    """An address for a log line: without secrets, on one line, and not too long.

    >>> path_of("/api/bots/0123456789ab/s3cret")
    '/api/bots/0123456789ab/(hidden)'
    """
    path = _secret.sub(r"\1(hidden)", path)
    return "".join(sign if sign.isprintable() and sign != " " else "?" for sign in path[:MAX_ADDRESS])
