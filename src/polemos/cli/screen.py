"""Positions on the screen."""

from __future__ import annotations

import sys
from typing import Any

import click

from polemos.kernel.capabilities.pictures import text_of
from polemos.pictures import screen


def show(game: object, setting: Any, view: Any) -> None:
    """Prints a view as wide as the screen allows."""
    click.echo(screen.fit(sys.stdout, lambda: text_of(game, setting, view, sys.stdout.isatty())))
