"""Tables: where people and bots play a match. A table is the acts that were done at it, in order."""
