"""Parts that `pip install polemos` leaves out. Using one without installing it says how to install it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from polemos.kernel.errors import MissingPart


@contextmanager
def part(extra: str, needs: str) -> Iterator[None]:
    """Wraps imports of third-party packages, so that a missing one is reported in one line.

    >>> with part("serve", "serve needs"):
    ...     import no_such_package
    Traceback (most recent call last):
    polemos.kernel.errors.MissingPart: serve needs more than is installed. Run: pip install 'polemos[serve]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "polemos":
            raise  # a bug of ours, which installing a package won't fix
        raise MissingPart(f"{needs} more than is installed. Run: pip install 'polemos[{extra}]'") from None
