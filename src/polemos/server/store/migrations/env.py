"""The script that Alembic runs. It always gets a connection."""

from __future__ import annotations

from alembic import context

from polemos.server.store.schema import metadata

with_connection = context.config.attributes["connection"]
context.configure(
    connection=with_connection,
    target_metadata=metadata,
    render_as_batch=True,  # SQLite changes a table by recreating it
)
with context.begin_transaction():
    context.run_migrations()
