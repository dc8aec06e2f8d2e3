"""Upgrading a database to this version."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, func, select

LOCK: Final = 0x706F6C656D6F73


def upgrade(engine: Engine) -> None:
    """Creates or changes the tables, step by step; does nothing if they are up to date."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))  # several processes may start at once
        config = configured()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def configured() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
