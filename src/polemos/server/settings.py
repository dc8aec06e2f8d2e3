"""The settings of a server."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Settings(Struct, frozen=True):
    folder: Path  # for the database and the secret of this server
    database: str | None = None  # a URL; SQLite in the folder by default
    host: str = "127.0.0.1"
    port: int = 8000
    programs: dict[str, dict[str, str]] = {}  # game, name, command: bots to offer alongside ours
    exhibition: bool = False  # whether some tables of our bots play all the time
    behind: str | None = None  # the address of a trusted proxy
    secure: bool = False  # cookies only over https
    limits: float = 1.0  # multiplies the default rate limits

    @property
    def url(self) -> str:
        return self.database or f"sqlite:///{self.folder / 'polemos.db'}"
