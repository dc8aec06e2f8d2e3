"""The collection of all tables of the database, whichever module describes them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Integer, MetaData

# Constraints are named, so that they can be changed in either database.
metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

NUMBER: Final = BigInteger().with_variant(Integer, "sqlite")  # of a row; SQLite counts only its own integers by itself
_MAX_NUMBER: Final = (1 << 63) - 1


def is_number(number: int) -> bool:
    """Whether a row can have this number. Larger ones, which databases refuse to compare, come from strangers.

    >>> is_number(1), is_number(0), is_number(1 << 63)
    (True, False, False)
    """
    return 0 < number <= _MAX_NUMBER
