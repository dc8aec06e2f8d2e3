"""Tournaments: who meets whom, what was played, who stands where. Everything follows from the plan and its seed."""
