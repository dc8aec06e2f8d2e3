"""The gamerunners' desk in a browser: one party in one folder, its clocks and the big screen. Knows no game."""
