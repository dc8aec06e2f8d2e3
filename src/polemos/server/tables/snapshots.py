"""Snapshots: a table as one block of bytes, so that reading it does not mean adjudicating all of its turns again.

The acts stay the record. A snapshot is only used by the same version of Polemos, only if this server has signed it, and
only if its state has the digest that the last step was given; otherwise the table is rebuilt from its acts.
"""

from __future__ import annotations

import hashlib
import io
import logging
import pickle
import sys
import zlib
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, Final

from polemos.kernel import dice
from polemos.kernel.game import AnyGame
from polemos.kernel.match import Match
from polemos.server.tables.clocks import Clocks
from polemos.server.tables.crews import Crew
from polemos.server.tables.table import Table

MAX_BYTES: Final = 64 << 20  # of a snapshot that is worth keeping, before it is compressed
LEVEL: Final = 1  # of compression

_log = logging.getLogger("polemos")

Sign = Callable[[str], str]


def packed(table: Table, sign: Sign) -> bytes | None:
    """A table as bytes; None if it can't be written, or is too large.

    They are signed, because bytes from anyone else could do anything when they are read.
    """
    raw = io.BytesIO()
    try:
        _Packer(raw, table).dump((_make_of(table), table))
    except Exception as error:  # a game from elsewhere may have a setting that cannot be written
        _log.warning("Table %s has no snapshot: %s", table.id, error)
        return None
    if raw.tell() > MAX_BYTES:
        return None
    body = zlib.compress(raw.getbuffer(), LEVEL)
    return _seal(body, sign) + body


def unpacked(whole: bytes, game: AnyGame, key: str, sign: Sign) -> Table | None:
    """The table; None if the snapshot is somebody else's, of another version, or damaged."""
    seal, body = whole[:_SEAL], whole[_SEAL:]
    if seal != _seal(body, sign):
        return None
    try:
        make, table = _Unpacker(io.BytesIO(zlib.decompress(body)), game, key).load()
        if not isinstance(table, Table) or make != _make_of(table):
            return None
        steps = table.match.steps
        if table.match.state.digest() != (steps[-1].digest if steps else table.match.first_digest):
            return None
    except Exception as error:  # whatever it is, the acts are still there
        _log.warning("A snapshot cannot be read, so its table is rebuilt: %s", error)
        return None
    return table


class _Packer(pickle.Pickler):
    """Leaves out the game and the chance, and stores of the state only its raw bytes."""

    def __init__(self, file: io.BytesIO, table: Table) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._game, self._match = table.game, table.match

    def persistent_id(self, obj: Any) -> Any:
        if obj is self._game:
            return ("game", None)
        if obj is self._match.chance:
            return ("chance", None)
        if obj is self._match._latest:  # events that were read last; their classes are made by the game
            return ("latest", None)
        return ("state", obj.raw()) if obj is self._match.state else None


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, game: AnyGame, key: str) -> None:
        super().__init__(file)
        self._game, self._key = game, key

    def persistent_load(self, pid: Any) -> Any:
        kind, raw = pid
        if kind == "game":
            return self._game
        if kind == "latest":
            return (b"", [])
        return dice.chance_of(self._key) if kind == "chance" else self._game.state_type.from_raw(raw)


_SEAL: Final = 32


def _seal(body: bytes, sign: Sign) -> bytes:
    return sign(f"snapshot {hashlib.sha256(body).hexdigest()}").encode().ljust(_SEAL)[:_SEAL]


def _make_of(table: Table) -> str:
    """Differs for versions that could not read each other's snapshots."""
    parts: list[Table | Match[Any, Any, Any] | Clocks | Crew] = [
        table,
        table.match,
        table.clocks,
        *table.crews.values(),
    ]
    fields = [sorted(vars(part)) for part in parts]
    return f"{version('polemos')} {table.game.edition} {sys.version_info[:2]} {fields}"
