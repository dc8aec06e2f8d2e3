"""Monad: one unit each, and everything else is dug, built and fought for."""
