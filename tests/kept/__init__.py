"""Replays, tables, conversations, a tournament and an evening of an earlier version, kept to be read for ever."""
