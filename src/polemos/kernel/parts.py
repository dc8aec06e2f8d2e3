"""Parts that `pip install polemos` leaves out. Whoever asks for one is told what installs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from polemos.kernel.errors import MissingPart


@contextmanager
def part(extra: str, needs: str) -> Iterator[None]:
    """Around imports of other people's packages: one that is missing is told in one line.

    >>> with part("serve", "serve needs"):
    ...     import no_such_package
    Traceback (most recent call last):
    polemos.kernel.errors.MissingPart: serve needs more than is installed. Run: pip install 'polemos[serve]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "polemos":
            raise  # a slip of ours, which no installing mends
        raise MissingPart(f"{needs} more than is installed. Run: pip install 'polemos[{extra}]'") from None
