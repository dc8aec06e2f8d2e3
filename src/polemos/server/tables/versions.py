"""Bots of the ladder at tables: people can play them. Version 9 of bot 57 is known by a name like `Halfmoon v9 #57`.

It runs in the box like any program, with the files that were uploaded, and it never changes.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Engine, select

from polemos.hosts import bundle
from polemos.kernel.errors import BotFault
from polemos.ladder.files import Bundles, NoFile
from polemos.ladder.jobs import Player
from polemos.server.store import ladder as db

_NAME: Final = re.compile(r"(.{1,40}) v(\d{1,9}) #(\d{1,15})", re.ASCII)
_bots, _versions = db.bots, db.bot_versions


def called(name: str, number: int, bot: int) -> str:
    """How a version is called at a table."""
    return f"{name} v{number} #{bot}"


def is_version(name: str) -> bool:
    """Whether this is the name of a version of the ladder.

    >>> is_version("Halfmoon v9 #57"), is_version("keeper")
    (True, False)
    """
    return _NAME.fullmatch(name) is not None


class Versions:
    """The versions of a server's ladders, as tables use them."""

    def __init__(self, engine: Engine, folder: Path) -> None:
        self._engine = engine
        self._bundles = Bundles(folder)
        self._lock = threading.Lock()
        self._starting: Counter[str] = Counter()  # how often each is being started at this moment

    def known(self, game: str, names: Iterable[str]) -> list[str]:
        """Those of the names that belong to a version which can be asked to play this game now."""
        wanted = {name: int(found[3]) for name in names if (found := _NAME.fullmatch(name)) is not None}  # the bots
        if not wanted:
            return []
        with self._engine.connect() as connection:
            rows = connection.execute(
                select(_bots.c.name, _versions.c.number, _bots.c.id)
                .join_from(_versions, _bots, _bots.c.id == _versions.c.bot_id)
                .where(
                    _bots.c.id.in_(wanted.values()),
                    _versions.c.state == "passed",
                    _versions.c.digest.is_not(None),
                    _bots.c.game == game,
                    _bots.c.state == "active",
                )
            ).all()
        there = {called(*row) for row in rows}
        return [name for name in wanted if name in there]

    def start(self, name: str, make: Callable[[str], Any]) -> Any:
        """Makes the bot. `make` gets the spec, and its files are known to the hosts only meanwhile."""
        found = _NAME.fullmatch(name)
        assert found is not None
        with self._engine.connect() as connection:
            row = connection.execute(
                select(_versions.c.id, _versions.c.digest, _versions.c.dialect).where(
                    _versions.c.bot_id == int(found[3]), _versions.c.number == int(found[2])
                )
            ).one_or_none()
        if row is None or row.digest is None:
            raise BotFault(f"{name} is not on this server any more.")
        spec = Player(row.id, name, row.digest, None, row.dialect).spec
        try:
            files = self._bundles.get(row.digest)
        except NoFile as error:
            raise BotFault(error.why) from None
        with self._lock:
            self._starting[spec] += 1
            bundle.install({spec: files})
        try:
            return make(spec)  # without the lock: a bot that takes its time must not hold up those at other tables
        finally:
            with self._lock:
                self._starting[spec] -= 1
                if not self._starting[spec]:
                    del self._starting[spec]
                    bundle.forget([spec])
