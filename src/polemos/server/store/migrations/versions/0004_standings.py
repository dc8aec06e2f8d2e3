"""standings of tables"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Tables that are already there get theirs when they next leave memory."""
    op.create_table(
        "standings",
        sa.Column("table_id", sa.String(length=24), nullable=False),
        sa.Column("owner", sa.String(length=40), nullable=False),
        sa.Column("alone", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("asleep", sa.Boolean(), nullable=False),
        sa.Column("card", sa.LargeBinary(), nullable=True),
        sa.Column("due", sa.LargeBinary(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["table_id"], ["game_tables.id"], name=op.f("fk_standings_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_standings")),
    )


def downgrade() -> None:
    op.drop_table("standings")
