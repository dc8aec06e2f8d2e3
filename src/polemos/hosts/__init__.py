"""Where bots run. For now: in this process."""
