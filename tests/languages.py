"""The languages whose starter kits the tests build and play: those that `tools/toolchains` installs.

All six, unless `POLEMOS_LANGUAGES="python c"` names fewer. What happens to be on this machine makes no difference: a
test whose compiler is missing fails.
"""

from __future__ import annotations

import os

ALL = ("python", "javascript", "c", "java", "rust", "go")
TESTED = tuple(os.environ.get("POLEMOS_LANGUAGES", " ".join(ALL)).split())
