"""A bot that says what another one has said: `again.py LOG`, where the log is one of `talker.py`, packed or not.

Its own log is in the same form, so that both can be compared.
"""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

raw = Path(sys.argv[1]).read_bytes()
text = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
answers = [line.partition(" ") for line in text.decode().splitlines() if not line.startswith("hears ")]

for line in sys.stdin:
    print("hears", line.rstrip("\n"), file=sys.stderr, flush=True)
    if not answers:
        break  # the last that was heard is the result
    word, _, said = answers.pop(0)
    print(word, said, file=sys.stderr, flush=True)
    if word == "dies":
        sys.exit(3)
    print(said, flush=True)
