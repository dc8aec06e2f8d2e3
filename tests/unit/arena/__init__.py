"""Series of games between bots."""
