"""Umpiring in general: records, rules, dice, the game contract, matches, replays. Names no game."""
