"""A real browser at a real server: only what a person can see, point at and type."""
