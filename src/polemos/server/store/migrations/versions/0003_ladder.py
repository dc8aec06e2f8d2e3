"""the ladder: bots and games between them, authors and their uploads, groups, ratings of people"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _only(where: str) -> dict[str, Any]:
    """For an index of some rows."""
    return {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)}


def upgrade() -> None:
    _ladder()
    _authors()
    _groups()
    _people()


def _ladder() -> None:
    op.create_table(
        "ladder_workers",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("why", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("seen", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("seats", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("failures", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("broken", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("refused", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("places", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_workers")),
        sa.UniqueConstraint("name", name=op.f("uq_ladder_workers_name")),
        sa.UniqueConstraint("token", name=op.f("uq_ladder_workers_token")),
    )
    op.create_table(
        "bots",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("account_id", _NUMBER, nullable=True),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("builtin", sa.String(length=40), nullable=True),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("paused_by", sa.String(length=10), server_default=sa.text("''"), nullable=False),
        sa.Column("why", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("changed", sa.Float(), nullable=False),
        sa.Column("failed", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("version_id", _NUMBER, nullable=True),
        sa.Column("published", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_bots_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bots")),
        sa.UniqueConstraint("account_id", "name", name=op.f("uq_bots_account_id")),
        sa.UniqueConstraint("game", "builtin", name=op.f("uq_bots_game")),
    )
    op.create_index("ix_bots_game_state", "bots", ["game", "state"])
    op.create_index("ix_bots_version_id", "bots", ["version_id"])

    op.create_table(
        "bot_versions",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("bot_id", _NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("source", sa.String(length=64), server_default=sa.text("''"), nullable=False),
        sa.Column("size", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("dialect", sa.String(length=40), server_default=sa.text("''"), nullable=False),
        sa.Column("language", sa.String(length=40), server_default=sa.text("''"), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("why", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("bid", sa.Integer(), nullable=True),
        sa.Column("created", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_bot_versions_bot_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_versions")),
        sa.UniqueConstraint("bot_id", "number", name=op.f("uq_bot_versions_bot_id")),
    )
    op.create_index("ix_bot_versions_digest", "bot_versions", ["digest"])

    op.create_table(
        "ladders",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("circle", sa.String(length=24), server_default=sa.text("''"), nullable=False),
        sa.Column("title", sa.String(length=80), nullable=False),
        sa.Column("options", sa.LargeBinary(), nullable=False),
        sa.Column("maps", sa.LargeBinary(), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        sa.Column("bids", sa.Boolean(), nullable=False),
        sa.Column("budget", sa.LargeBinary(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("season_seconds", sa.Float(), nullable=False),
        sa.Column("final_meetings", sa.Integer(), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("meetings", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("anchor_id", _NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["anchor_id"], ["bots.id"], name=op.f("fk_ladders_anchor_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladders")),
        sa.UniqueConstraint("game", "rules", "circle", name=op.f("uq_ladders_game")),
    )
    op.create_table(
        "ladder_entries",
        sa.Column("ladder_id", _NUMBER, nullable=False),
        sa.Column("bot_id", _NUMBER, nullable=False),
        sa.Column("entered", sa.Float(), nullable=False),
        sa.Column("version_id", _NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_ladder_entries_bot_id")),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_ladder_entries_ladder_id")),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name=op.f("fk_ladder_entries_version_id")),
        sa.PrimaryKeyConstraint("ladder_id", "bot_id", name=op.f("pk_ladder_entries")),
    )
    op.create_index(op.f("ix_ladder_entries_bot_id"), "ladder_entries", ["bot_id"])

    op.create_table(
        "ladder_seasons",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("ladder_id", _NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(length=10), nullable=False),
        sa.Column("begun", sa.Float(), nullable=False),
        sa.Column("ends", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=True),
        sa.Column(
            "rated_to",
            _NUMBER,
            server_default=sa.text("0"),
            nullable=False,
        ),
        sa.Column("fit_id", _NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_ladder_seasons_ladder_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_seasons")),
        sa.UniqueConstraint("ladder_id", "number", name=op.f("uq_ladder_seasons_ladder_id")),
    )
    op.create_table(
        "ladder_fits",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("season_id", _NUMBER, nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("anchor_id", _NUMBER, nullable=True),
        sa.ForeignKeyConstraint(["anchor_id"], ["bot_versions.id"], name=op.f("fk_ladder_fits_anchor_id")),
        sa.ForeignKeyConstraint(["season_id"], ["ladder_seasons.id"], name=op.f("fk_ladder_fits_season_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_fits")),
    )
    op.create_index("ix_ladder_fits_at", "ladder_fits", ["season_id", "at"])

    op.create_table(
        "ladder_games",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("ladder_id", _NUMBER, nullable=False),
        sa.Column("season_id", _NUMBER, nullable=False),
        sa.Column("meeting", _NUMBER, nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("bot_seed", sa.String(length=64), nullable=False),
        sa.Column("map", sa.String(length=80), nullable=False),
        sa.Column("options", sa.LargeBinary(), nullable=False),
        sa.Column("why", sa.String(length=120), nullable=False),
        sa.Column("stage", sa.String(length=10), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("seating", sa.String(length=120), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("lease", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("begun", sa.Float(), nullable=True),
        sa.Column("expires", sa.Float(), nullable=True),
        sa.Column("lost", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("trouble", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("worker_id", _NUMBER, nullable=True),
        sa.Column("done", sa.Float(), nullable=True),
        sa.Column("cause", sa.String(length=12), server_default=sa.text("''"), nullable=False),
        sa.Column("ranks", sa.String(length=40), server_default=sa.text("''"), nullable=False),
        sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("rule", sa.String(length=20), server_default=sa.text("''"), nullable=False),
        sa.Column("steps", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("fingerprint", sa.String(length=32), server_default=sa.text("''"), nullable=False),
        sa.Column("replay", sa.String(length=32), nullable=True),
        sa.Column("faulty", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("seconds", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("taken", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_ladder_games_ladder_id")),
        sa.ForeignKeyConstraint(["season_id"], ["ladder_seasons.id"], name=op.f("fk_ladder_games_season_id")),
        sa.ForeignKeyConstraint(["worker_id"], ["ladder_workers.id"], name=op.f("fk_ladder_games_worker_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_games")),
    )
    op.create_index("ix_ladder_games_digest", "ladder_games", ["replay"], **_only("replay IS NOT NULL"))
    op.create_index("ix_ladder_games_done", "ladder_games", ["season_id", "done", "cause", "counts"])
    op.create_index("ix_ladder_games_due", "ladder_games", ["season_id", "id"], **_only("state <> 'done'"))
    op.create_index("ix_ladder_games_final", "ladder_games", ["season_id"], **_only("stage = 'final'"))
    op.create_index("ix_ladder_games_fingerprint", "ladder_games", ["fingerprint"])
    op.create_index("ix_ladder_games_leased", "ladder_games", ["expires"], **_only("state = 'leased'"))
    op.create_index("ix_ladder_games_replay", "ladder_games", ["done"], **_only("replay IS NOT NULL"))
    op.create_index("ix_ladder_games_season", "ladder_games", ["season_id", "id"])
    op.create_index(
        "ix_ladder_games_untaken", "ladder_games", ["season_id", "id"], **_only("state = 'done' AND taken = 0")
    )
    op.create_index("ix_ladder_games_waiting", "ladder_games", ["priority", "id"], **_only("state = 'waiting'"))

    op.create_table(
        "ladder_pairs",
        sa.Column("season_id", _NUMBER, nullable=False),
        sa.Column("version_id", _NUMBER, nullable=False),
        sa.Column("other_id", _NUMBER, nullable=False),
        sa.Column("map", sa.String(length=80), nullable=False),
        sa.Column("games", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("wins", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("draws", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["other_id"], ["bot_versions.id"], name=op.f("fk_ladder_pairs_other_id")),
        sa.ForeignKeyConstraint(["season_id"], ["ladder_seasons.id"], name=op.f("fk_ladder_pairs_season_id")),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name=op.f("fk_ladder_pairs_version_id")),
        sa.PrimaryKeyConstraint("season_id", "version_id", "other_id", "map", name=op.f("pk_ladder_pairs")),
    )
    op.create_table(
        "ladder_ratings",
        sa.Column("season_id", _NUMBER, nullable=False),
        sa.Column("version_id", _NUMBER, nullable=False),
        sa.Column("bot_id", _NUMBER, nullable=False),
        sa.Column("base_mu", sa.Float(), nullable=False),
        sa.Column("base_sigma", sa.Float(), nullable=False),
        sa.Column("base_games", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_ladder_ratings_bot_id")),
        sa.ForeignKeyConstraint(["season_id"], ["ladder_seasons.id"], name=op.f("fk_ladder_ratings_season_id")),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name=op.f("fk_ladder_ratings_version_id")),
        sa.PrimaryKeyConstraint("season_id", "version_id", name=op.f("pk_ladder_ratings")),
    )
    op.create_table(
        "ladder_tallies",
        sa.Column("season_id", _NUMBER, nullable=False),
        sa.Column("version_id", _NUMBER, nullable=False),
        sa.Column("games", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("wins", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("draws", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("faults", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("strikes", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("void_lines", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("cpu", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["season_id"], ["ladder_seasons.id"], name=op.f("fk_ladder_tallies_season_id")),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name=op.f("fk_ladder_tallies_version_id")),
        sa.PrimaryKeyConstraint("season_id", "version_id", name=op.f("pk_ladder_tallies")),
    )
    op.create_table(
        "bot_notices",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("account_id", _NUMBER, nullable=True),
        sa.Column("bot_id", _NUMBER, nullable=True),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("game_id", _NUMBER, nullable=True),
        sa.Column("seen", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_bot_notices_account_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_bot_notices_bot_id")),
        sa.ForeignKeyConstraint(["game_id"], ["ladder_games.id"], name=op.f("fk_bot_notices_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bot_notices")),
    )
    op.create_index("ix_bot_notices_account_id", "bot_notices", ["account_id", "id"])

    op.create_table(
        "ladder_fit_ratings",
        sa.Column("fit_id", _NUMBER, nullable=False),
        sa.Column("version_id", _NUMBER, nullable=False),
        sa.Column("bot_id", _NUMBER, nullable=False),
        sa.Column("elo", sa.Float(), nullable=False),
        sa.Column("margin", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("placing", sa.Boolean(), nullable=False),
        sa.Column("rank_from", sa.Integer(), nullable=True),
        sa.Column("rank_to", sa.Integer(), nullable=True),
        sa.Column("band", sa.Integer(), nullable=True),
        sa.Column("doubt_from", sa.Integer(), nullable=True),
        sa.Column("doubt_to", sa.Integer(), nullable=True),
        sa.Column("mu", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_ladder_fit_ratings_bot_id")),
        sa.ForeignKeyConstraint(["fit_id"], ["ladder_fits.id"], name=op.f("fk_ladder_fit_ratings_fit_id")),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name=op.f("fk_ladder_fit_ratings_version_id")),
        sa.PrimaryKeyConstraint("fit_id", "version_id", name=op.f("pk_ladder_fit_ratings")),
    )
    op.create_index("ix_ladder_fit_ratings_version_id", "ladder_fit_ratings", ["version_id", "fit_id"])

    op.create_table(
        "ladder_seats",
        sa.Column("game_id", _NUMBER, nullable=False),
        sa.Column("entry", sa.Integer(), nullable=False),
        sa.Column("bot_id", _NUMBER, nullable=False),
        sa.Column("version_id", _NUMBER, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("rank", sa.Integer(), nullable=True),
        sa.Column("points", sa.Float(), nullable=True),
        sa.Column("fault", sa.Text(), nullable=True),
        sa.Column("strikes", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("void_lines", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("cpu", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("wall", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("slowest", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.Column("done", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_ladder_seats_bot_id")),
        sa.ForeignKeyConstraint(["game_id"], ["ladder_games.id"], name=op.f("fk_ladder_seats_game_id")),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name=op.f("fk_ladder_seats_version_id")),
        sa.PrimaryKeyConstraint("game_id", "entry", name=op.f("pk_ladder_seats")),
    )
    op.create_index("ix_ladder_seats_bot_id", "ladder_seats", ["bot_id", "game_id"])
    op.create_index("ix_ladder_seats_done", "ladder_seats", ["bot_id", "done"])
    op.create_index(
        "ix_ladder_seats_faults", "ladder_seats", ["bot_id", "game_id"], **_only("fault IS NOT NULL OR strikes > 0")
    )
    op.create_index("ix_ladder_seats_version_id", "ladder_seats", ["version_id", "game_id"])

    op.create_table(
        "ladder_duty",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("holder", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("expires", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ladder_duty")),
    )
    op.create_table(
        "ladder_loads",
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("waiting", sa.Integer(), nullable=False),
        sa.Column("leased", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("at", name=op.f("pk_ladder_loads")),
    )


def _authors() -> None:
    op.create_table(
        "account_tokens",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("account_id", _NUMBER, nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("used", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_account_tokens_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_account_tokens_hash")),
    )
    op.create_index(op.f("ix_account_tokens_account_id"), "account_tokens", ["account_id"])
    op.create_table(
        "receptions",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("account_id", _NUMBER, nullable=False),
        sa.Column("place", sa.String(length=32), nullable=False),
        sa.Column("called", sa.String(length=200), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("game", sa.String(length=40), nullable=True),
        sa.Column("bot_id", _NUMBER, nullable=True),
        sa.Column("version_id", _NUMBER, nullable=True),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("end", sa.String(length=12), nullable=False, server_default=sa.text("''")),
        sa.Column("lease", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("expires", sa.Float(), nullable=True),
        sa.Column("failed", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("changes", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("progress", sa.LargeBinary(), nullable=False, server_default=sa.text("''")),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_receptions_account_id")),
        sa.ForeignKeyConstraint(["bot_id"], ["bots.id"], name=op.f("fk_receptions_bot_id")),
        sa.ForeignKeyConstraint(["version_id"], ["bot_versions.id"], name=op.f("fk_receptions_version_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_receptions")),
    )
    op.create_index("ix_receptions_account_id", "receptions", ["account_id", "id"])
    op.create_index("ix_receptions_bot_id", "receptions", ["bot_id", "id"])
    op.create_index("ix_receptions_due", "receptions", ["place", "id"], **_only("state <> 'done'"))


def _groups() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("ladder_id", _NUMBER, nullable=False),
        sa.Column("account_id", _NUMBER, nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("map", sa.String(length=80), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_challenges_account_id")),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_challenges_ladder_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index("ix_challenges_account_id", "challenges", ["account_id", "created"])

    op.create_table(
        "groups",
        sa.Column("id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("organiser_id", _NUMBER, nullable=False),
        sa.Column("ladder_id", _NUMBER, nullable=False),
        sa.Column("invite", sa.String(length=24), nullable=False),
        sa.Column("asks", sa.Boolean(), nullable=False),
        sa.Column("logs", sa.String(length=10), nullable=False),
        sa.Column("created", sa.Float(), nullable=False),
        sa.Column("sign_up", sa.Float(), nullable=True),
        sa.Column("lock_at", sa.Float(), nullable=True),
        sa.Column("locked", sa.Float(), nullable=True),
        sa.Column("settled", sa.Boolean(), nullable=False),
        sa.Column("system", sa.String(length=12), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("maps", sa.Integer(), nullable=False),
        sa.Column("starts", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_groups_ladder_id")),
        sa.ForeignKeyConstraint(["organiser_id"], ["accounts.id"], name=op.f("fk_groups_organiser_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_groups")),
        sa.UniqueConstraint("invite", name=op.f("uq_groups_invite")),
    )
    op.create_index("ix_groups_lock_at", "groups", ["lock_at"], **_only("NOT settled"))
    op.create_index(op.f("ix_groups_organiser_id"), "groups", ["organiser_id"])
    op.create_index("ix_groups_starts", "groups", ["starts"])

    op.create_table(
        "group_members",
        sa.Column("group_id", sa.String(length=24), nullable=False),
        sa.Column("account_id", _NUMBER, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("since", sa.Float(), nullable=False),
        sa.Column("logs", sa.String(length=10), nullable=False),
        sa.Column("extra", sa.Float(), server_default=sa.text("0"), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_group_members_account_id")),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_group_members_group_id")),
        sa.PrimaryKeyConstraint("group_id", "account_id", name=op.f("pk_group_members")),
    )
    op.create_index(op.f("ix_group_members_account_id"), "group_members", ["account_id"])

    op.create_table(
        "group_news",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("group_id", sa.String(length=24), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_group_news_group_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_group_news")),
    )
    op.create_index("ix_group_news_group_id", "group_news", ["group_id", "id"])

    op.create_table(
        "group_tournaments",
        sa.Column("id", _NUMBER, autoincrement=True, nullable=False),
        sa.Column("group_id", sa.String(length=24), nullable=False),
        sa.Column("ladder_id", _NUMBER, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("plan", sa.LargeBinary(), nullable=False),
        sa.Column("versions", sa.LargeBinary(), nullable=False),
        sa.Column("maps", sa.LargeBinary(), nullable=False),
        sa.Column("begun", sa.Float(), nullable=False),
        sa.Column("ended", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_group_tournaments_group_id")),
        sa.ForeignKeyConstraint(["ladder_id"], ["ladders.id"], name=op.f("fk_group_tournaments_ladder_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_group_tournaments")),
    )
    op.create_index(op.f("ix_group_tournaments_group_id"), "group_tournaments", ["group_id"])
    op.create_index(op.f("ix_group_tournaments_state"), "group_tournaments", ["state"])

    op.create_table(
        "challenge_games",
        sa.Column("challenge_id", _NUMBER, nullable=False),
        sa.Column("game_id", _NUMBER, nullable=False),
        sa.ForeignKeyConstraint(["challenge_id"], ["challenges.id"], name=op.f("fk_challenge_games_challenge_id")),
        sa.ForeignKeyConstraint(["game_id"], ["ladder_games.id"], name=op.f("fk_challenge_games_game_id")),
        sa.PrimaryKeyConstraint("challenge_id", "game_id", name=op.f("pk_challenge_games")),
    )
    op.create_index(op.f("ix_challenge_games_game_id"), "challenge_games", ["game_id"])

    op.create_table(
        "group_tournament_games",
        sa.Column("tournament_id", _NUMBER, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("game_id", _NUMBER, nullable=False),
        sa.Column("meeting", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("seating", sa.String(length=120), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["ladder_games.id"], name=op.f("fk_group_tournament_games_game_id")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["group_tournaments.id"], name=op.f("fk_group_tournament_games_tournament_id")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_group_tournament_games")),
        sa.UniqueConstraint("game_id", name=op.f("uq_group_tournament_games_game_id")),
    )


def _people() -> None:
    op.create_table(
        "people_results",
        sa.Column("table_id", sa.String(length=24), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("people", sa.String(length=120), nullable=False),
        sa.Column("ranks", sa.String(length=40), nullable=False),
        sa.Column("taken", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_people_results")),
    )
    op.create_index("ix_people_results_untaken", "people_results", ["at"], **_only("taken = 0"))
    op.create_table(
        "people_ratings",
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("account_id", _NUMBER, autoincrement=False, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("wins", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("draws", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("last", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_people_ratings_account_id")),
        sa.PrimaryKeyConstraint("game", "rules", "account_id", name=op.f("pk_people_ratings")),
    )
    op.create_index(op.f("ix_people_ratings_account_id"), "people_ratings", ["account_id"])


def downgrade() -> None:
    for name in (
        "people_ratings",
        "people_results",
        "group_tournament_games",
        "challenge_games",
        "group_tournaments",
        "group_news",
        "group_members",
        "groups",
        "challenges",
        "receptions",
        "account_tokens",
        "ladder_loads",
        "ladder_duty",
        "ladder_seats",
        "ladder_fit_ratings",
        "bot_notices",
        "ladder_tallies",
        "ladder_ratings",
        "ladder_pairs",
        "ladder_games",
        "ladder_fits",
        "ladder_seasons",
        "ladder_entries",
        "ladders",
        "bot_versions",
        "bots",
        "ladder_workers",
    ):
        op.drop_table(name)
