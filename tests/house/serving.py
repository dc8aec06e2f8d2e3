"""A server of an installed Polemos, started as a person would."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(polemos: Sequence[str | Path], folder: Path, env: Mapping[str, str]) -> Iterator[str]:
    """The address of `polemos serve`, without opening a browser."""
    command = [*polemos, "serve", "--port", "0", "--no-exhibition", "--no-ladder"]
    with subprocess.Popen(command, cwd=folder, env=dict(env), stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            said = server.stdout.readline()
            address = re.search(r"http://\S+/", said)
            assert address, said
            yield address[0]
        finally:
            server.terminate()
