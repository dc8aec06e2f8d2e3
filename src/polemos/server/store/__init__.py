"""The server's database: tables (as lists of acts), drafts, notes, chat, accounts. SQLite or PostgreSQL."""
