"""Play and watch in a browser: tables, seats, clocks, bots, and everything on disk before it is acknowledged."""
