"""Tables, where people and bots play a match. A table is defined by the acts done at it, in order."""
