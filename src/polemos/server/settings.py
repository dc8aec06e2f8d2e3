"""The settings of a server. Each is declared once; its flag, its key in a file and its variable follow from that.

The name is written as `tls-cert` in a file, `--tls-cert` as a flag and `POLEMOS_TLS_CERT` as a variable.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field


def _about(words: str, example: str = "", *, secret: bool = False, stand_in: str = "ADDRESS", **bounds: Any) -> Meta:
    """What a setting does, with an example if its type does not say enough. Secrets are never shown.

    `stand_in` stands for the value in the help of a command, if there is an example.
    """
    return Meta(description=words, extra={"secret": secret, "example": example, "stand_in": stand_in}, **bounds)


class Settings(Struct, frozen=True, rename="kebab"):
    folder: Annotated[Path, _about("Folder for matches and accounts.")] = Path("polemos-tables")
    database: Annotated[
        str | None, _about("Use PostgreSQL instead of SQLite in the folder.", "postgresql://user@host/polemos")
    ] = None
    host: Annotated[str, _about("Use 0.0.0.0 to let other machines connect.", "127.0.0.1")] = "127.0.0.1"
    port: Annotated[int, _about("Use 0 for any free port.", ge=0, le=65535)] = 8000
    processes: Annotated[int, _about("How many processes serve. Several need PostgreSQL.", ge=1, le=64)] = 1
    inner: Annotated[
        str,
        _about("Where servers on other machines reach this one; a private network, any port with 0.", "10.0.0.5:7000"),
    ] = "127.0.0.1:0"
    programs: Annotated[
        dict[str, dict[str, str]],
        _about("Offer another bot besides ours; it runs in the box.", "GAME:NAME=COMMAND"),
    ] = field(default_factory=dict, name="bot")  # game, name, command
    exhibition: Annotated[bool, _about("Show tables of our bots to watch.")] = True
    browse: Annotated[bool, _about("Open a browser, if there is one.")] = field(default=False, name="open")
    behind: Annotated[
        str | None,
        _about(
            "Proxies whose X-Forwarded-For, X-Forwarded-Proto and X-Request-Id headers are trusted.",
            "127.0.0.1,10.0.0.0/8",
        ),
    ] = None
    public: Annotated[
        str | None, _about("The address that people use, for links in previews.", "https://play.example.org")
    ] = None
    secure: Annotated[bool, _about("Send cookies over https only; always on with a certificate.")] = False
    tls_cert: Annotated[Path | None, _about("Certificate file, to serve https without a proxy.")] = None
    tls_key: Annotated[Path | None, _about("File with the key of the certificate.")] = None
    limits: Annotated[float, _about("Multiplies the rate limits and quotas.", gt=0)] = 1.0
    bot_processes: Annotated[
        Annotated[int, Meta(ge=0, le=256)] | None,
        _about("Processes in which our bots think; 0: threads. Otherwise one for each core but one, 2 to 4."),
    ] = None
    bot_ray: Annotated[
        str | None,
        _about(
            "Ray cluster where these processes run instead of on this machine.", "10.0.0.9:6379", stand_in="ADDRESS"
        ),
    ] = None
    ladder: Annotated[bool, _about("Run a ladder of every game, where uploaded bots compete.")] = True
    ladder_workers: Annotated[
        Annotated[int, Meta(ge=0, le=256)] | None,
        _about("Ladder games that this machine plays at a time; 0: none. Otherwise one for every four cores."),
    ] = None
    ladder_folder: Annotated[
        Path | None,
        _about("Folder for uploaded bots and replays of the ladder; machines that serve together need the same one."),
    ] = None
    toolchains: Annotated[
        str | None,
        _about("Folders with compilers besides /usr, for uploaded bots.", "/opt/rust:/opt/go", stand_in="FOLDERS"),
    ] = None
    log_format: Annotated[Literal["plain", "json"], _about("How log lines are written.")] = "plain"
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], _about("The least important log lines to write.")
    ] = "info"
    access_log: Annotated[bool, _about("Write a log line for every request and connection.")] = False
    metrics: Annotated[
        str | None, _about("Serve figures for Prometheus at an address of their own.", "127.0.0.1:9100")
    ] = None
    metrics_token: Annotated[
        Annotated[str, Meta(min_length=16)] | None,
        _about("Also serve them at /metrics, to requests with this bearer token.", secret=True),
    ] = None
    operators: Annotated[
        str | None,
        _about(
            "Accounts that are operators, besides those added with `polemos operator add`.", "ada,ben", stand_in="NAMES"
        ),
    ] = None
    stop_seconds: Annotated[float, _about("Time to finish turns and answers when stopping.", ge=0, le=600)] = 10.0
    retry_seconds: Annotated[float, _about("When clients should come back after a stop.", ge=0, le=600)] = 3.0

    @property
    def url(self) -> str:
        return self.database or f"sqlite:///{self.folder / 'polemos.db'}"

    @property
    def ladder_home(self) -> Path:
        return self.ladder_folder or self.folder / "ladder"

    @property
    def tls(self) -> bool:
        return self.tls_cert is not None

    @property
    def secure_cookies(self) -> bool:
        return self.secure or self.tls
