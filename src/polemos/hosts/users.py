"""Users for boxes. The kernel counts some things for each user: bots that share one could see and hinder each other.

Only root can give a box a user of its own. A number is taken by binding a socket to a name made of it, which nobody
else can do until we give it back or die.
"""

from __future__ import annotations

import os
import socket
from typing import Final

COMMON: Final = 64117  # nobody's number: bots own nothing and are nobody outside of the box
OWN: Final = range(COMMON + 1, COMMON + 401)


class User:
    """The user of one box."""

    def __init__(self) -> None:
        self.number = COMMON
        self._claim: socket.socket | None = None
        if os.getuid() != 0:
            return
        start = os.getpid() % max(1, len(OWN))  # so that umpires side by side do not try the same ones
        for number in (*OWN[start:], *OWN[:start]):
            claim = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                claim.bind(f"\0polemos-user-{number}")
            except OSError:
                claim.close()
                continue
            self.number, self._claim = number, claim
            return

    def give_back(self) -> None:
        if self._claim is not None:
            self._claim.close()
            self._claim = None
