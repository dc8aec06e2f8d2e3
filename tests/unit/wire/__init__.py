"""Messages between programs."""
