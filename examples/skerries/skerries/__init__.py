"""Skerries: crews row between islands in the mist. A model of a game for Polemos that lives outside of it."""
