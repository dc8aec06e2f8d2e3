"""Tests of the C library."""
