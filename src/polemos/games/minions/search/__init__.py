"""Compiled tools of the bots: what a board is worth, and whole turns that are tried on copies of it."""
