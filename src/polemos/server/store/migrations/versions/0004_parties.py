"""parties online: their journals, what was said, and the phones of the people"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "parties",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("plan", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_parties")),
    )
    op.create_index(op.f("ix_parties_over"), "parties", ["over"])
    for name in ("party_journal", "party_talk"):
        op.create_table(
            name,
            sa.Column("party_id", sa.String(length=24), nullable=False),
            sa.Column("number", sa.Integer(), nullable=False),
            sa.Column("body", sa.LargeBinary(), nullable=False),
            sa.ForeignKeyConstraint(["party_id"], ["parties.id"], name=op.f(f"fk_{name}_party_id")),
            sa.PrimaryKeyConstraint("party_id", "number", name=op.f(f"pk_{name}")),
        )
    op.create_table(
        "party_links",
        sa.Column("party_id", sa.String(length=24), nullable=False),
        sa.Column("role", sa.String(length=24), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["party_id"], ["parties.id"], name=op.f("fk_party_links_party_id")),
        sa.PrimaryKeyConstraint("party_id", "role", name=op.f("pk_party_links")),
    )


def downgrade() -> None:
    for name in ("party_links", "party_talk", "party_journal"):
        op.drop_table(name)
    op.drop_index(op.f("ix_parties_over"), "parties")
    op.drop_table("parties")
