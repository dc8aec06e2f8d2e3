"""A guest that listens and never answers."""

from __future__ import annotations

while True:
    input()
