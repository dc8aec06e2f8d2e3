"""A small writer for plain SVG: paths, circles, rectangles and text, with every value in an attribute.

It avoids everything that converters disagree about: patterns, clips, masks, filters, gradients, `use` and styles.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import ClassVar, TypeAlias

from polemos.kernel.errors import PolemosError
from polemos.pictures.faces import DISPLAY, SANS, families

Point: TypeAlias = tuple[float, float]
Segment: TypeAlias = tuple[Point, Point]
Value: TypeAlias = str | float | None

_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


class PictureError(PolemosError):
    """A picture cannot be made."""

    word: ClassVar[str] = "picture/bad"


def number(value: float) -> str:
    """At most two decimals, no trailing zeros, no negative zero.

    >>> number(12.5), number(-0.001), number(3)
    ('12.5', '0', '3')
    """
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def clean(text: str) -> str:
    """Text without control and formatting characters: XML forbids some of them, and none are printable.

    >>> clean("Long\\tWinter\\x00")
    'Long Winter'
    """
    spaced = (" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text)
    return " ".join("".join(spaced).split())


def escape(text: str) -> str:
    """Text escaped for an element or an attribute.

    >>> escape("<b>")
    '&lt;b&gt;'
    """
    plain = (
        text.isascii() and text.isprintable()
    )  # nearly always true; a shortcut, because paths are long and cleaning is slow
    return (text if plain else clean(text)).translate(_ENTITIES)


def segments(lines: Iterable[Segment]) -> str:
    """The path of separate straight lines."""
    return "".join(f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}" for (ax, ay), (bx, by) in lines)


def polygon(points: Sequence[Point]) -> str:
    """The path of a closed outline."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) + "z"


def marked(place: str, label: str = "") -> dict[str, Value]:
    """Attributes that make a shape a place: in a browser you can click it, and screen readers read out `label`.

    >>> marked("A1", "A1: empty")
    {'data_place': 'A1', 'aria_label': 'A1: empty'}
    """
    return {"data_place": place, "aria_label": label or None}


class Canvas:
    """A drawing under construction; `unit` is the unit of its size, such as "mm", or pixels if empty."""

    def __init__(self, width: float, height: float, unit: str = "") -> None:
        self.width = width
        self.height = height
        self.unit = unit
        self._parts: list[str] = []

    def add(self, tag: str, **attributes: Value) -> None:
        """Adds one empty element; attributes that are None are left out, underscores become dashes."""
        self._parts.append(f"<{tag}{_attributes(attributes)}/>")

    def path(self, d: str, **attributes: Value) -> None:
        """Adds a path; an empty one is left out."""
        if d:
            self.add("path", d=d, **attributes)

    def strokes(self, lines: Iterable[Segment], stroke: str, width: float, **attributes: Value) -> None:
        """Adds separate straight lines as one path."""
        self.path(segments(lines), fill="none", stroke=stroke, stroke_width=width, **attributes)

    def rect(self, x: float, y: float, width: float, height: float, **attributes: Value) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, **attributes)

    def disc(self, x: float, y: float, r: float, **attributes: Value) -> None:
        self.add("circle", cx=x, cy=y, r=r, **attributes)

    def text(
        self,
        words: str,
        x: float,
        y: float,
        size: float,
        *,
        fill: str,
        bold: bool = False,
        display: bool = False,
        anchor: str = "start",
        upwards: bool = False,
    ) -> None:
        """Adds a line of text with its baseline at y; `upwards` rotates it to read from bottom to top."""
        place: dict[str, Value]
        if upwards:
            place = {"transform": f"translate({number(x)} {number(y)}) rotate(-90)"}
        else:
            place = {"x": x, "y": y}
        look: dict[str, Value] = {
            "font_size": size,
            "font_weight": "700" if bold or display else None,
            "text_anchor": None if anchor == "start" else anchor,
            "font_family": families(DISPLAY) if display else None,
            "fill": fill,
        }
        self._parts.append(f"<text{_attributes(place | look)}>{escape(words)}</text>")

    def document(self, title: str, label: str) -> str:
        """The finished file; `title` names it, `label` describes it for people who cannot see it."""
        head: dict[str, Value] = {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {number(self.width)} {number(self.height)}",
            "width": number(self.width) + self.unit,
            "height": number(self.height) + self.unit,
            "role": "img",
            "aria_label": label,
            "font_family": families(SANS),
        }
        lines = [f"<svg{_attributes(head)}>", f"<title>{escape(title)}</title>", *self._parts, "</svg>", ""]
        return "\n".join(lines)


def _attributes(values: dict[str, Value]) -> str:
    """The attributes of an element in the order given."""
    shown = (
        (name.replace("_", "-"), number(value) if isinstance(value, int | float) else escape(value))
        for name, value in values.items()
        if value is not None
    )
    return "".join(f' {name}="{value}"' for name, value in shown)
