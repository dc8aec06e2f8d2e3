"""Search in games where all order at once, in fog and with dice. Knows no game."""
