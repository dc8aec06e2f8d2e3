"""Runs the server behind a port: certificates, and a stop that tells everyone to come back."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import ssl
import sys
from typing import Any, Final

import uvicorn
from litestar import Litestar
from prometheus_client import start_http_server

from polemos.server import connections, logs, metrics
from polemos.server.configuration import BadSettings, address_of
from polemos.server.settings import Settings

MAX_MESSAGE: Final = 1 << 20  # bytes of a message on a socket
LEFT_OVER: Final = 3  # seconds for requests that are still running after everyone was told

_log = logging.getLogger("polemos")


def make_server(app: Litestar, settings: Settings) -> Server:
    """The server for an application. Raises BadSettings if the certificate cannot be used."""
    door = connections.door(settings)
    requests, sockets = connections.guarded(door, app)
    config = uvicorn.Config(
        app,
        http=requests,
        ws=sockets,
        log_config=None,
        access_log=False,  # it would write down addresses with secrets; we have our own
        ws_max_size=MAX_MESSAGE,
        timeout_graceful_shutdown=LEFT_OVER,
        proxy_headers=False,
        server_header=False,
        ssl_certfile=settings.tls_cert,
        ssl_keyfile=settings.tls_key,
    )
    try:
        config.load()
    except (OSError, ssl.SSLError) as error:
        raise BadSettings(f"The certificate can't be used: {_reason(error)}") from None
    if settings.metrics is not None:
        _serve_figures(settings.metrics)
    return Server(config, app, settings, door)


def _serve_figures(at: str) -> None:
    """Serves the figures at an address of their own, for as long as this process runs."""
    host, port = address_of(at)
    try:
        start_http_server(port, host, metrics.REGISTRY)
    except OSError as error:
        raise BadSettings(f"metrics can't be served at {at}: {error.strerror}. Choose another address.") from None


class Server(connections.Adopting):
    """Reads its certificate again on SIGHUP, and says goodbye before it stops."""

    def __init__(self, config: uvicorn.Config, app: Litestar, settings: Settings, door: connections.Door) -> None:
        super().__init__(config, app, door)
        self._settings = settings

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        logs.set_up(self._settings)
        # Without a terminal, nobody hangs up: it is an operator who wants a certificate to be read again.
        if sys.platform != "win32" and not (sys.stdin and sys.stdin.isatty()):
            signal.signal(signal.SIGHUP, lambda *_: self.reload_certificate())
        super().run(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(connections.Quiet())
        await super().startup(sockets)

    def reload_certificate(self) -> None:
        """New connections get the new certificate; if it cannot be read, the old one stays."""
        if self.config.ssl is None:
            _log.info("There is no certificate to read again.")
            return
        context: Any = self.config.ssl
        files: Any = (self.config.ssl_certfile, self.config.ssl_keyfile)
        try:
            # Tried first: a context whose certificate and key do not belong together is of no use.
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*files)
            context.load_cert_chain(*files)
        except (OSError, ssl.SSLError) as error:
            _log.error("The new certificate can't be used, so the old one stays: %s", _reason(error))
        else:
            _log.info("The certificate was read again.")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Lets running acts finish and tells everyone to come back, before connections are closed."""
        await self._app.state.stop()
        await super().shutdown(sockets)


def _reason(error: OSError) -> str:
    """What is wrong with a file, without OpenSSL's numbers."""
    if isinstance(error, ssl.SSLError):
        return (
            f"{error.reason or error}".replace("_", " ").lower()
            + ". Both files must be in PEM form and belong together."
        )
    return f"{error.filename or 'a file'}: {error.strerror or error}."
