"""The tables of rated matches between people. Bots have ratings of their own, on ladders."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Table, text

from polemos.server.store.naming import NUMBER, metadata

results = Table(
    "people_results",  # one row for each rated match, written in the transaction that ends it
    metadata,
    Column("table_id", String(24), primary_key=True),  # which may have been deleted since
    Column("game", String(40), nullable=False),
    Column("rules", String(40), nullable=False),  # the name of the rule set
    Column("at", Float, nullable=False),
    Column("people", String(120), nullable=False),  # their accounts, in order of seats
    Column("ranks", String(40), nullable=False),  # in the same order
    Column("taken", Integer, nullable=False, server_default=text("0")),  # 1: it is part of the ratings
    Index("ix_people_results_untaken", "at", sqlite_where=text("taken = 0"), postgresql_where=text("taken = 0")),
)

ratings = Table(
    "people_ratings",
    metadata,
    Column("game", String(40), primary_key=True),
    Column("rules", String(40), primary_key=True),
    Column("account_id", NUMBER, ForeignKey("accounts.id"), primary_key=True, autoincrement=False, index=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False, server_default=text("0")),
    Column("wins", Integer, nullable=False, server_default=text("0")),
    Column("draws", Integer, nullable=False, server_default=text("0")),
    Column("last", Float, nullable=False),  # when their last match ended
)
