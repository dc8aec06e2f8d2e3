"""Tests of the server, each as a client would see it."""
