"""Playing many games, to see who wins how often."""
