"""Demons: red against blue, towers and mercenaries, and an invasion that spares nobody."""
