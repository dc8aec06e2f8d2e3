"""What operators do: commands and pages share it. Everything goes through the database."""
