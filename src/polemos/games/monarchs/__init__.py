"""Monarchs: three nations on 61 hexes in the fog of war."""
