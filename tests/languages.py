"""The languages whose starter kits the tests build and play: those that `tools/toolchains` installs, and no others.

A compiler that happens to be on this machine makes no difference. `POLEMOS_LANGUAGES="rust go"` adds languages.
"""

from __future__ import annotations

import os

ALWAYS = ("python", "javascript", "c", "java")
TESTED = (*ALWAYS, *os.environ.get("POLEMOS_LANGUAGES", "").split())
