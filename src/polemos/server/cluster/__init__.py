"""Several processes on one PostgreSQL: who owns which table, and how requests reach its owner."""
