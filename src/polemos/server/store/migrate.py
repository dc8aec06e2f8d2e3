"""Bringing a database to the tables of this version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine


def upgrade(engine: Engine) -> None:
    """Makes or changes the tables, step by step; does nothing when they are as they should be."""
    with engine.begin() as connection:
        config = configured()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def configured() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
