"""Pictures: plain SVG that every converter understands, and conversion to PNG and PDF. Knows no game."""
