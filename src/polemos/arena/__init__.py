"""Many games: who wins how often."""
