"""Flags for the settings of a server, made from their declaration."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from polemos.server.configuration import FILE, Configured, Declared, declared, read

Made = TypeVar("Made", bound=Callable[..., Any])


def setting_flags(*names: str) -> Callable[[Made], Made]:
    """One flag for each setting of a server, or for these alone; and `--config` for a file with settings."""

    def decorate(command: Made) -> Made:
        for one in reversed([one for one in declared() if not names or one.name in names]):
            command = _flag(one)(command)
        file = click.option(
            "--config",
            type=click.Path(dir_okay=False, path_type=Path),
            help=f"Read settings from a TOML file. Variable: {FILE}.",
        )
        return file(command)

    return decorate


def configured(flags: Mapping[str, Any], config: Path | None) -> Configured:
    """The settings from the flags of a command, the environment and the file."""
    by_name = {one.name: flags.get(one.attribute) for one in declared()}
    return read(by_name, os.environ, config)


def _flag(one: Declared) -> Callable[[Made], Made]:
    if one.is_switch:
        words = f"{one.words} [default: {'on' if one.default else 'off'}]"
        return click.option(f"{one.flag}/--no-{one.name}", one.attribute, default=None, help=words)
    words = one.words if one.default is None or one.is_many else f"{one.words} [default: {one.default}]"
    return click.option(one.flag, one.attribute, multiple=one.is_many, metavar=one.placeholder, help=words)
