"""Pictures: plain SVG that every converter understands, and its way to PNG and PDF. Knows no game."""
