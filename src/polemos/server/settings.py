"""What a server is told when it starts."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Settings(Struct, frozen=True):
    folder: Path  # for the database and the secret of this server
    database: str | None = None  # a URL; SQLite in the folder unless given
    host: str = "127.0.0.1"
    port: int = 8000
    programs: dict[str, dict[str, str]] = {}  # game, name, command line: bots that are offered beside ours
    exhibition: bool = False  # some tables of our bots play all the time
    behind: str | None = None  # the address of a proxy whose word about addresses is believed
    secure: bool = False  # cookies only over https
    limits: float = 1.0  # how many times the usual limits on requests

    @property
    def url(self) -> str:
        return self.database or f"sqlite:///{self.folder / 'polemos.db'}"
