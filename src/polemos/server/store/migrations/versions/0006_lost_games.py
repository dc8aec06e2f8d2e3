"""who lost which game of a ladder, and which workers wait because they break one game after the other"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Of games that were lost before, nobody knows who lost them: anyone may try again."""
    op.create_table(
        "ladder_losses",
        sa.Column("game_id", _NUMBER, nullable=False),
        sa.Column("worker_id", _NUMBER, nullable=False),
        sa.Column("count", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("deaths", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("again", sa.Float(), nullable=False),
        sa.Column("unstarted", sa.String(length=40), server_default=sa.text("''"), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["ladder_games.id"], name=op.f("fk_ladder_losses_game_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["ladder_workers.id"], name=op.f("fk_ladder_losses_worker_id")),
        sa.PrimaryKeyConstraint("game_id", "worker_id", name=op.f("pk_ladder_losses")),
    )
    op.add_column("ladder_workers", sa.Column("breaks", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.add_column("ladder_workers", sa.Column("waits", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("ladder_workers", "waits")
    op.drop_column("ladder_workers", "breaks")
    op.drop_table("ladder_losses")
