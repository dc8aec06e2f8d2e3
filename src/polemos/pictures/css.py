"""The look as CSS custom properties: `--page`, `--ink-2`, `--red-tint`, `--on-blue` and so on."""

from __future__ import annotations

from typing import Final

from polemos.pictures.tokens import LOOK

_TONES: Final = ("text", "line", "tint", "hatch", "chart")


def properties(theme: str) -> dict[str, str]:
    """The properties that differ between the themes "light", "dark" and "paper"."""
    found: dict[str, str] = {}
    for name, value in LOOK["themes"][theme].items():
        if isinstance(value, list):
            first = 0 if name == "shade" else 1
            found |= {f"{name}-{i}": one for i, one in enumerate(value, first)}
        else:
            found[name] = value
    for seat, look in LOOK["seats"].items():
        tones = _on_paper(look["rim"]) if theme == "paper" else look[theme]
        found |= {f"{seat}-{tone}": tones[tone] for tone in _TONES}
    return found


def _on_paper(rim: str) -> dict[str, str]:
    """In black ink: shape and hatching distinguish the seats. Chart lines of light seats are white with an outline."""
    black, white = "#000", "#fff"
    return {"text": black, "line": black, "tint": white, "hatch": black, "chart": white if rim == "rim-hi" else black}


def pieces(theme: str) -> dict[str, str]:
    """The pieces and the figures on them, which are the same on every screen."""
    found: dict[str, str] = {}
    for seat, look in LOOK["seats"].items():
        found[f"{seat}-piece"] = "#fff" if theme == "paper" else look["piece"]
        found[f"on-{seat}"] = "#000" if theme == "paper" else look["on"]
    return found


def faces() -> dict[str, str]:
    return dict(LOOK["faces"])


def block(selector: str, scheme: str, *values: dict[str, str], indent: str = "") -> str:
    """A rule with these properties."""
    lines = [f"{selector} {{", f"  color-scheme: {scheme};"]
    lines += [f"  --{name}: {value};" for part in values for name, value in part.items()]
    return "".join(f"{indent}{line}\n" for line in [*lines, "}"])
