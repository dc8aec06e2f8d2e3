"""The routes of the server, by address."""
