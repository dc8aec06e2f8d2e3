"""`libpolemos`: the rules as a C library, for bots in any language. Built from the same compiled rules."""
