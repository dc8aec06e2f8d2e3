"""A finished match on paper: who played, and all orders as they were given.

It needs no rules, only the acts; so it can still be read after the game has a newer edition, or is no longer installed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import select

from polemos.server.store import schema
from polemos.server.store.ledger import Ledger
from polemos.server.tables.acts import Act, Answered, Bid, Dropped, Filed, Missed, Offered, Ran, Sat, Withdrew
from polemos.server.tables.table import Refusal
from polemos.wire.table import OpenTable


def written(ledger: Ledger, id: str) -> str | None:
    """The text of a match; None if there is no such table."""
    tables, acts = schema.game_tables, schema.acts
    rows = ledger.read(select(tables).where(tables.c.id == id))
    if not rows:
        return None
    row = rows[0]
    if row["status"] != "over":
        raise Refusal("The orders of all seats can be read once the match is over.")
    wish = msgspec.json.decode(row["wish"], type=OpenTable)
    found = ledger.read(select(acts.c.body).where(acts.c.table_id == id).order_by(acts.c.number))
    done = [msgspec.json.decode(one["body"], type=Act) for one in found]
    opened = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(row["created"]))
    head = [f"{row['game']}, edition {row['edition']}{f': {wish.title}' if wish.title else ''}", f"Opened {opened}", ""]
    return "\n".join([*head, *_lines(done)]) + "\n"


def _lines(acts: Sequence[Act]) -> Iterator[str]:
    sheets: dict[str, list[Any]] = {}
    offers: dict[str, str] = {}
    turn = 0
    for act in acts:
        match act:
            case Sat():
                yield f"{act.seat}: {act.player}{' (bot)' if act.kind == 'bot' else ''}"
            case Bid():
                yield f"{act.seat} bids {act.number}"
            case Filed():
                sheets[act.seat] = act.lines
            case Withdrew():
                sheets.pop(act.seat, None)
            case Missed() | Dropped():
                yield f"{act.seat}: {act.why}"
            case Offered():
                offers[act.what] = act.seat
                yield f"{act.seat} offers: {act.what}"
            case Answered():
                refuses = "withdraws" if offers.get(act.what) == act.seat else "declines"
                yield f"{act.seat} {'accepts' if act.yes else refuses}: {act.what}"
            case Ran():
                turn += 1
                yield ""
                yield f"Step {turn}"
                yield from (f"  {seat}: {_sheet(lines)}" for seat, lines in sheets.items())
                sheets = {}
            case _:
                pass


def _sheet(lines: Sequence[Any]) -> str:
    texts = [line if isinstance(line, str) else msgspec.json.encode(line).decode() for line in lines]
    return "; ".join(texts) or "no orders"
