"""The tables of authors: their personal tokens, and the queue of what they sent."""

from __future__ import annotations

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, LargeBinary, String, Table, UniqueConstraint, text

from polemos.server.store.naming import NUMBER, metadata

tokens = Table(
    "account_tokens",
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("account_id", NUMBER, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("hash", String(64), nullable=False),  # the token itself is shown once and never stored
    Column("name", String(40), nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float),
    UniqueConstraint("hash"),
)

receptions = Table(
    "receptions",  # uploads, from the first byte to the end of the trial
    metadata,
    Column("id", NUMBER, primary_key=True, autoincrement=True),
    Column("account_id", NUMBER, ForeignKey("accounts.id"), nullable=False),
    Column("place", String(32), nullable=False),  # the folder that holds the file
    Column("called", String(200), nullable=False),  # the name of the file, as the sender's
    Column("size", Integer, nullable=False, server_default=text("0")),  # bytes
    Column("game", String(40)),  # that it was sent in for; none: that of its manifest
    Column("bot_id", NUMBER, ForeignKey("bots.id")),  # which bot it is a version of, as soon as that is known
    Column("version_id", NUMBER, ForeignKey("bot_versions.id")),
    Column("created", Float, nullable=False),
    Column("ended", Float),
    Column("state", String(10), nullable=False),  # arriving, waiting, leased or done
    Column("end", String(12), nullable=False, server_default=text("''")),  # accepted, refused, cancelled or failed
    Column("lease", Integer, nullable=False, server_default=text("0")),  # the number of the last one
    # The lease; of one that waits, when it may begin; of one that arrives, when it is forgotten.
    Column("expires", Float),
    Column("failed", Integer, nullable=False, server_default=text("0")),  # leases that this machine could not use
    Column("changes", Integer, nullable=False, server_default=text("0")),  # of its progress so far
    Column("progress", LargeBinary, nullable=False, server_default=text("''")),  # `authors.progress`, as packed JSON
    Index("ix_receptions_account_id", "account_id", "id"),
    Index("ix_receptions_bot_id", "bot_id", "id"),
    Index(
        "ix_receptions_due",
        "place",
        "id",
        sqlite_where=text("state <> 'done'"),
        postgresql_where=text("state <> 'done'"),
    ),
)
