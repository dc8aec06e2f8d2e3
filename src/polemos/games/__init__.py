"""The games. Each is a house of its own with the same rooms; none knows another."""
