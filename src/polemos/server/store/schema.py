"""The tables of the database. A match is stored only as the acts at its table, in order."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from polemos.server.store import authors as authors  # their tables belong to the same collection
from polemos.server.store import groups as groups
from polemos.server.store import ladder as ladder
from polemos.server.store import people as people
from polemos.server.store.naming import metadata as metadata

_ID = String(24)
_NUMBER = BigInteger().with_variant(Integer, "sqlite")

game_tables = Table(
    "game_tables",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("game", String(40), nullable=False),
    Column("edition", Integer, nullable=False),
    Column("wish", LargeBinary, nullable=False),  # OpenTable, as JSON
    Column("key", String(64), nullable=False),  # of the dice; only revealed at the end of the match
    Column("created", Float, nullable=False),
    Column("status", String(10), nullable=False, index=True),
    Column("listed", Boolean, nullable=False),
)

acts = Table(
    "acts",
    metadata,
    Column("table_id", _ID, ForeignKey("game_tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),  # an act of `polemos.server.tables.acts`, as JSON
)

standings = Table(
    "standings",  # of tables: enough to list them, and to read them again quickly
    metadata,
    Column("table_id", _ID, ForeignKey("game_tables.id"), primary_key=True),
    Column("owner", String(40), nullable=False),  # stands for whoever opened it; '' for the server itself
    Column("alone", Boolean, nullable=False),  # whether only bots play
    Column("at", Float, nullable=False),  # when this was written
    # Whether nothing has happened since, and nothing will until somebody asks for the table.
    Column("asleep", Boolean, nullable=False),
    Column("card", LargeBinary),  # TableCard, as JSON
    Column("due", LargeBinary),  # the accounts that it waits for, as JSON
    Column("body", LargeBinary),  # `tables.snapshots`
)

places = Table(
    "places",  # which accounts play at an unfinished table
    metadata,
    Column("table_id", _ID, ForeignKey("game_tables.id"), primary_key=True),
    Column("account_id", _NUMBER, primary_key=True, autoincrement=False, index=True),
)

drafts = Table(
    "drafts",
    metadata,
    Column("table_id", _ID, ForeignKey("game_tables.id"), primary_key=True),
    Column("seat", String(40), primary_key=True),
    Column("lines", LargeBinary, nullable=False),
)

notes = Table(
    "notes",
    metadata,
    Column("table_id", _ID, ForeignKey("game_tables.id"), primary_key=True),
    Column("seat", String(40), primary_key=True),
    Column("place", String(40), primary_key=True),
    Column("text", Text, nullable=False),
)

talk = Table(
    "talk",
    metadata,
    Column("table_id", _ID, ForeignKey("game_tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)

accounts = Table(
    "accounts",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("name", String(40), nullable=False),
    Column("folded", String(80), nullable=False),  # the name, normalised for comparison
    # Equal for names that look alike.
    Column("looks", String(120), nullable=False, server_default=text("''"), index=True, unique=True),
    Column("password", String(200), nullable=False),  # its argon2 hash
    Column("created", Float, nullable=False),
    UniqueConstraint("folded"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(64), primary_key=True),  # the hash of the cookie
    Column("account_id", BigInteger().with_variant(Integer, "sqlite"), ForeignKey("accounts.id"), nullable=False),
    Column("created", Float, nullable=False),
    Column("address", String(50), nullable=False, server_default=text("''")),  # where somebody signed in
)

beats = Table(
    "beats",  # one row: when the server was last alive
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)

processes = Table(
    "processes",  # those that share this database
    metadata,
    Column("id", _ID, primary_key=True),
    Column("place", String(200), nullable=False),  # machine, folder and number: only one process at a time is there
    Column("address", String(200), nullable=False),  # where other processes reach it
    Column("mark", String(64), nullable=False),  # equal if they have the same secret
    Column("began", Float, nullable=False),  # these times are the database's
    Column("renewed", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("alive", Boolean, nullable=False),  # once it is not, it never is again
)

leases = Table(
    "leases",  # which process owns a table
    metadata,
    Column("table_id", _ID, ForeignKey("game_tables.id"), primary_key=True),
    Column("owner", _ID, nullable=True, index=True),  # of `processes`; null if it rests on disk, and nobody needs to
    Column("number", Integer, nullable=False),  # grows with every change of owner
)

# ---- parties online

parties = Table(
    "parties",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("game", String(40), nullable=False),
    Column("plan", LargeBinary, nullable=False),  # what is settled before the first act, as JSON, with the key
    Column("created", Float, nullable=False),
    Column("over", Boolean, nullable=False, index=True),
)

party_journal = Table(
    "party_journal",  # a party is stored only as the acts in its journal, in order
    metadata,
    Column("party_id", _ID, ForeignKey("parties.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", LargeBinary, nullable=False),  # as the game writes it
)

party_talk = Table(
    "party_talk",
    metadata,
    Column("party_id", _ID, ForeignKey("parties.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", LargeBinary, nullable=False),  # `polemos.server.parties.talk.Said`, as JSON
)

party_links = Table(
    "party_links",  # which phone has which role
    metadata,
    Column("party_id", _ID, ForeignKey("parties.id"), primary_key=True),
    Column("role", String(24), primary_key=True),
    Column("number", Integer, nullable=False),  # of the link: grows when a role is moved to another phone
    Column("token", String(64), nullable=False),  # the hash of the phone's secret; '' until the link is used
)

# ---- for operators

operators = Table(
    "operators",
    metadata,
    Column("account_id", _NUMBER, ForeignKey("accounts.id"), primary_key=True, autoincrement=False),
    Column("since", Float, nullable=False),
)

bans = Table(
    "bans",
    metadata,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("kind", String(10), nullable=False),  # account, name or address
    Column("target", String(120), nullable=False),  # the number of the account, the looks of the name, the network
    Column("shown", String(120), nullable=False),  # as operators see it
    Column("why", Text, nullable=False),
    Column("begun", Float, nullable=False),
    Column("until", Float),  # NULL: for good
    Column("lifted", Float),
)

quotas = Table(
    "quotas",
    metadata,
    Column("account_id", _NUMBER, primary_key=True, autoincrement=False),  # 0: everyone
    Column("what", String(20), primary_key=True),
    Column("most", Integer, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("table_id", _ID, nullable=False),  # which may have been deleted since
    Column("by", String(60), nullable=False),  # the name of whoever wrote it
    Column("about", String(10), nullable=False),
    Column("target", String(60), nullable=False),  # the name of the player it is about
    Column("address", String(50), nullable=False),  # of that player, if connected
    Column("text", Text, nullable=False),
    Column("lines", LargeBinary, nullable=False),  # the lines of chat concerned, as JSON
    Column("done", Float, index=True),
)

notices = Table(
    "notices",
    metadata,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("text", Text, nullable=False),
    Column("begun", Float, nullable=False),
    Column("until", Float, nullable=False),
)

errands = Table(
    "errands",  # what a running server is to do; it looks every few seconds
    metadata,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),  # a deed of `polemos.wire.office`, as JSON
    Column("done", Float, index=True),
    Column("result", Text, nullable=False, server_default=text("''")),  # why it could not be done
)

pulses = Table(
    "pulses",  # how running processes are; each writes its row every few seconds
    metadata,
    Column("process", _ID, primary_key=True),
    Column("at", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),  # `polemos.server.office.pulse.Pulse`, as JSON
)

audit = Table(
    "audit",  # append only: the database refuses to change or delete its rows
    metadata,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("at", Float, nullable=False),
    Column("by", String(80), nullable=False),
    Column("what", String(20), nullable=False),
    Column("target", String(160), nullable=False),
    Column("why", Text, nullable=False),
)
