"""`polemos` with the same dice at every table of its server: what a test sees is not a matter of luck."""

from __future__ import annotations

from unittest.mock import patch

from polemos.cli.main import main
from polemos.kernel import dice

KEY = dice.derive("browser")

if __name__ == "__main__":
    with patch.object(dice, "new_key", lambda: KEY):
        main()
