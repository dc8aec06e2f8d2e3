"""the turn in which a bot of a ladder dropped out or got its last strike, for the page of the bot"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games from before have neither: their replays would have to be played again."""
    op.add_column("ladder_seats", sa.Column("fault_step", sa.Integer(), nullable=True))
    op.add_column("ladder_seats", sa.Column("fault_turn", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("ladder_seats", "fault_turn")
    op.drop_column("ladder_seats", "fault_step")
