"""looks of names"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from polemos.server.names import looks

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Accounts that already look alike all stay; only new names must not look like the first of them.

    The table is changed in place. Alembic would copy it to add a constraint in SQLite, but sessions refer to it.
    """
    op.add_column("accounts", sa.Column("looks", sa.String(length=120), nullable=False, server_default=sa.text("''")))
    accounts = sa.table("accounts", sa.column("id"), sa.column("name"), sa.column("looks"))
    seen: set[str] = set()
    connection = op.get_bind()
    for id, name in connection.execute(sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.id)).all():
        alike = looks(name)
        own = alike if alike and alike not in seen else f"{alike[:90]} {id}"  # with a blank, as no name looks
        seen.add(own)
        connection.execute(sa.update(accounts).where(accounts.c.id == id).values(looks=own))
    op.create_index(op.f("ix_accounts_looks"), "accounts", ["looks"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("ix_accounts_looks"), "accounts")
    op.drop_column("accounts", "looks")
