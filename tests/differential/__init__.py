"""Compiled, checked and interpreted rules give the same games."""
