"""`polemos adjudicate GAME`"""

from __future__ import annotations

import sys

import click

from polemos.cli.common import GAME, load
from polemos.wire.adjudicate import MAX_BYTES, answer


@click.command()
@GAME
def command(game: str) -> None:
    """Adjudicate JSON lines from standard input; write one JSON line for each.

    \b
    {"setup": {"turns": 8}, "seed": 7}                        the starting position
    {"position": "start", "orders": {"red": ["G5-H4 2"]},     one step
     "seed": 7, "dice": {"hex H4": {"red": ["0.6"]}},
     "fields": ["text", "events"]}                            of the answer; default: all

    A position is a text, or the "position" from an answer. A bad line gets the answer {"error": ...}, and the next line
    is processed as usual. See also: polemos schema GAME.
    """
    loaded = load(game)
    if sys.stdin is None:
        return
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while line := source.readline(MAX_BYTES + 2):
        if not line.endswith(b"\n") and len(line) > MAX_BYTES:
            while (rest := source.readline(MAX_BYTES)) and not rest.endswith(b"\n"):
                pass  # the rest of a line that is too long
        sink.write(answer(loaded, line))
        sink.flush()
