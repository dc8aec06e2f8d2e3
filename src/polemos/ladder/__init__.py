"""The ladder: bots of many authors play each other day and night, and are rated.

The database holds the truth (`polemos.server.store.ladder`); everything here can be killed and started again.
"""
