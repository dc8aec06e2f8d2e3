"""What the server keeps: tables as their acts in order, drafts, notes, talk, accounts. SQLite or PostgreSQL."""
