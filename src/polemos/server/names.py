"""The names of people: what nobody may be called, and which names look alike."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

from polemos.server.words import scripts

# Nobody here but the program itself is called so.
RESERVED: Final = ("umpire", "polemos", "admin")  # nor anything that begins with it
RESERVED_WORDS: Final = ("moderator", "operator", "server", "system", "root")

_SMALL: Final = re.compile("LATIN LETTER SMALL CAPITAL ([A-Z])")
# Scripts that are written together.
_TOGETHER: Final = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)


def fault_in(name: str) -> str | None:
    """Why nobody may have this name, which has been tidied; None if it is fine."""
    if not any(sign.isalnum() for sign in name):
        return "A name needs a letter or a digit."
    found = scripts(name)
    if len(found) > 1 and not any(found <= together for together in _TOGETHER):
        return "Write the name in one script only: letters from two scripts can look alike."
    if is_reserved(name):
        return "This name is reserved. Choose one that nobody can mistake for the server's."
    return None


def is_reserved(name: str) -> bool:
    """Whether it could be taken for the server's own, or for that of somebody in charge of it.

    >>> [is_reserved(name) for name in ("Umpire", "the UMPIRE", "adm1n 2", "Ро1еmоs", "Badminton", "Ada")]
    [True, True, True, True, False, False]
    """
    plain = "".join(sign for sign in name if not sign.isdigit())
    whole = [looks(name), looks(plain)]
    words = [looks(word) for text in (name, plain) for word in text.split()]
    return any(found.startswith(_reserved()) for found in (*whole, *words)) or any(
        found in _reserved_words() for found in (*whole, *words)
    )


def looks(name: str) -> str:
    """Equal for names that look alike, whatever letters they are made of. Only for comparison.

    >>> looks("Ivan") == looks("lvan") == looks("1van") == looks("\\u0406van")
    True
    >>> looks("Ada Lovelace") == looks("ADA-lovelace") != looks("Adam Lovelace")
    True
    """
    text = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name))
    seen = "".join(_prototypes().get(sign, sign) for sign in text)
    folded = unicodedata.normalize("NFC", seen).casefold()
    # A casefolded letter can look like yet another one, and a capital I like a small l.
    again = "".join(_prototypes().get(sign, sign) for sign in unicodedata.normalize("NFD", folded))
    alike = unicodedata.normalize("NFC", again).casefold().replace("vv", "w").replace("l", "i")
    return "".join(sign for sign in alike if sign.isalnum())[:120]


@cache
def _reserved() -> tuple[str, ...]:
    return tuple(looks(word) for word in RESERVED)


@cache
def _reserved_words() -> frozenset[str]:
    return frozenset(looks(word) for word in RESERVED_WORDS)


@cache
def _prototypes() -> dict[str, str]:
    """What a character looks like."""
    text = (files("polemos.server") / "lookalikes.txt").read_text(encoding="utf-8")
    rows = [line.split(" ") for line in text.splitlines() if not line.startswith("#")]
    # Capitals as small as other letters, which Unicode takes for letters of their own, or for others upside down.
    codes = (*range(0x250, 0x2B0), *range(0x1D00, 0x1D30), 0xA730, 0xA731)
    small = {chr(code): _SMALL.fullmatch(unicodedata.name(chr(code))) for code in codes}
    capitals = {sign: name[1].lower() for sign, name in small.items() if name is not None} | {"\u028d": "m"}
    return {sign: capitals.get(like, like) for like, signs in rows for sign in signs} | capitals
