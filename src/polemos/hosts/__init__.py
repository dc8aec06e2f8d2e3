"""Running bots: in this process, as programs, or as programs in the box."""
