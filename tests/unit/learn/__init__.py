"""The games in the interfaces of other libraries."""
