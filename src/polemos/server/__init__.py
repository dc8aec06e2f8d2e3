"""Play and watch in a browser: tables, seats, clocks and bots. Everything is on disk before it is confirmed."""
