"""The ladder in the server: running its engine, and what its pages show."""
