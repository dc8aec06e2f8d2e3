"""Messages between Polemos and other programs, and their schemas."""
