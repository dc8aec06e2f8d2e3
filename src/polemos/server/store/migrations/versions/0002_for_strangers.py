"""what a server for strangers needs: the looks of names, owners of tables, how tables stand, the operators' office"""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

from polemos.server.names import looks

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _add_names()
    _add_leases()
    _add_standings()
    _add_places()
    _add_office()


def _add_names() -> None:
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


def _add_leases() -> None:
    """Tables of an earlier version belong to a process that no longer exists, so that they are taken over."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("place", sa.String(length=200), nullable=False),
        sa.Column("address", sa.String(length=200), nullable=False),
        sa.Column("mark", sa.String(length=64), nullable=False),
        sa.Column("began", sa.Float(), nullable=False),
        sa.Column("renewed", sa.Float(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.Column("alive", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_processes")),
    )
    op.create_table(
        "leases",
        sa.Column("table_id", sa.String(length=24), nullable=False),
        sa.Column("owner", sa.String(length=24), nullable=True),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_tables.id"], name=op.f("fk_leases_table_id")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_leases")),
    )
    op.create_index(op.f("ix_leases_owner"), "leases", ["owner"])
    op.execute(
        "INSERT INTO leases (table_id, owner, number)"
        " SELECT id, CASE WHEN status = 'over' THEN NULL ELSE 'before leases' END, 0 FROM game_tables"
    )


def _add_standings() -> None:
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


def _add_places() -> None:
    """For tables that are already there, they follow from the acts."""
    op.create_table(
        "places",
        sa.Column("table_id", sa.String(length=24), nullable=False),
        sa.Column("account_id", _NUMBER, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["game_tables.id"], name=op.f("fk_places_table_id")),
        sa.PrimaryKeyConstraint("table_id", "account_id", name=op.f("pk_places")),
    )
    op.create_index(op.f("ix_places_account_id"), "places", ["account_id"])
    unfinished = "SELECT id FROM game_tables WHERE status <> 'over' ORDER BY id"
    connection = op.get_bind()
    places = sa.table("places", sa.column("table_id"), sa.column("account_id"))
    for (table,) in connection.exec_driver_sql(unfinished).all():
        found = [{"table_id": table, "account_id": account} for account in _accounts_at(connection, table)]
        if found:
            connection.execute(sa.insert(places), found)


def _accounts_at(connection: sa.Connection, table: str) -> list[int]:
    acts = sa.table("acts", sa.column("table_id"), sa.column("number"), sa.column("body"))
    bodies = sa.select(acts.c.body).where(acts.c.table_id == table).order_by(acts.c.number)
    seats: dict[str, set[int]] = {}
    for body in connection.execute(bodies).scalars():
        act = json.loads(bytes(body))
        if act["act"] in ("sat", "joined") and act.get("account") is not None:
            seats.setdefault(act["seat"], set()).add(act["account"])
        elif act["act"] == "stood":
            seats.pop(act["seat"], None)
    return sorted({account for of in seats.values() for account in of})


def _add_office() -> None:
    empty = sa.text("''")
    op.add_column("sessions", sa.Column("address", sa.String(length=50), nullable=False, server_default=empty))
    op.create_table(
        "operators",
        sa.Column("account_id", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_operators_account_id")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_operators")),
    )
    op.create_table(
        "bans",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("target", sa.String(length=120), nullable=False),
        sa.Column("shown", sa.String(length=120), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("begun", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=True),
        sa.Column("lifted", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bans")),
    )
    op.create_table(
        "quotas",
        sa.Column("account_id", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "what", name=op.f("pk_quotas")),
    )
    op.create_table(
        "reports",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("table_id", sa.String(length=24), nullable=False),
        sa.Column("by", sa.String(length=60), nullable=False),
        sa.Column("about", sa.String(length=10), nullable=False),
        sa.Column("target", sa.String(length=60), nullable=False),
        sa.Column("address", sa.String(length=50), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("lines", sa.LargeBinary(), nullable=False),
        sa.Column("done", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    op.create_index(op.f("ix_reports_done"), "reports", ["done"])
    op.create_table(
        "notices",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("begun", sa.Float(), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )
    op.create_table(
        "errands",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("done", sa.Float(), nullable=True),
        sa.Column("result", sa.Text(), nullable=False, server_default=empty),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_errands")),
    )
    op.create_index(op.f("ix_errands_done"), "errands", ["done"])
    op.create_table(
        "pulses",
        sa.Column("process", sa.String(length=24), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("process", name=op.f("pk_pulses")),
    )
    op.create_table(
        "audit",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("by", sa.String(length=80), nullable=False),
        sa.Column("what", sa.String(length=20), nullable=False),
        sa.Column("target", sa.String(length=160), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    _make_append_only()


def _make_append_only() -> None:
    """The database itself refuses to change the audit log, whatever a program asks for."""
    if op.get_bind().dialect.name == "sqlite":
        for deed in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{deed.lower()} BEFORE {deed} ON audit"
                " BEGIN SELECT RAISE(ABORT, 'the audit log is append only'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION polemos_append_only() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'the audit log is append only'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit"
        " FOR EACH STATEMENT EXECUTE FUNCTION polemos_append_only()"
    )


def downgrade() -> None:
    op.drop_table("audit")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION polemos_append_only()")
    op.drop_table("pulses")
    op.drop_index(op.f("ix_errands_done"), "errands")
    op.drop_table("errands")
    op.drop_table("notices")
    op.drop_index(op.f("ix_reports_done"), "reports")
    op.drop_table("reports")
    op.drop_table("quotas")
    op.drop_table("bans")
    op.drop_table("operators")
    op.drop_column("sessions", "address")
    op.drop_index(op.f("ix_places_account_id"), "places")
    op.drop_table("places")
    op.drop_table("standings")
    op.drop_index(op.f("ix_leases_owner"), "leases")
    op.drop_table("leases")
    op.drop_table("processes")
    op.drop_index(op.f("ix_accounts_looks"), "accounts")
    op.drop_column("accounts", "looks")
