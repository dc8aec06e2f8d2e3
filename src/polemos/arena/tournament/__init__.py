"""Tournaments: pairings, games and standings. Everything follows from the plan and its seed."""
