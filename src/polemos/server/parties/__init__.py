"""Parties online: the journal of each, its people's phones, and what they say to each other."""
