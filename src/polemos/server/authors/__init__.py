"""Bots of users: tokens, quotas, the queue of uploads, and what authors can do with their bots."""
