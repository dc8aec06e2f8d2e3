"""Converting SVG to PNG and PDF with the bundled fonts only, so that every machine produces the same bytes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from polemos.kernel.parts import part
from polemos.pictures.faces import DISPLAY, FOLDER, SANS
from polemos.pictures.sheet import paper_called
from polemos.pictures.svg import PictureError

if TYPE_CHECKING:
    import typst

__all__ = ["PictureError", "filled_up", "pdf", "png"]

_DPI: Final = 96.0  # resvg refuses sizes in millimetres without it
_LARGEST: Final = 10_000  # pixels; a wider picture would be a mistake, and fill the memory
_CLASS: Final = 1 << 18  # bytes: more than three maps take
_COMMENT: Final = b"%" * 79 + b"\n"
_SPACE: Final = "{http://www.w3.org/2000/svg}"


def png(svg: str, width: int | None = None) -> bytes:
    """The picture as PNG, `width` pixels wide or at its own size."""
    _parsed(svg)
    if width is not None and not 1 <= width <= _LARGEST:
        raise PictureError(f"A picture can be 1 to {_LARGEST} pixels wide, not {width}.")
    with part("pictures", "PNG files need"):
        import resvg_py
    try:
        made = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            dpi=_DPI,
            skip_system_fonts=True,
            font_dirs=[str(FOLDER)],
            sans_serif_family=SANS,
            serif_family=DISPLAY,
        )
    except (ValueError, RuntimeError, OverflowError) as error:
        raise PictureError(f"The picture cannot be converted to PNG: {_line(error)}.") from error
    return bytes(made)


def pdf(svgs: Sequence[str], paper: str, title: str | None = None) -> bytes:
    """One PDF with a page of the size `paper` ("a4" or "letter") for each picture; its text can be selected.

    Its title is that of the first picture, unless another is given: tabs and printers' queues show it.
    """
    size = paper_called(paper)
    if not svgs:
        raise PictureError("A PDF needs at least one page.")
    inputs: dict[str, str] = {}
    for i, svg in enumerate(svgs):
        root = _parsed(svg)
        inputs |= {
            f"svg{i}": svg,
            f"title{i}": root.findtext(f"{_SPACE}title", default=""),
            f"label{i}": root.get("aria-label", ""),
        }
    inputs["title"] = inputs["title0"] if title is None else title
    with part("pictures", "PDF files need"):
        import typst
    source = _source(len(svgs), size.width, size.height).encode()
    try:
        made = typst.Compiler(source, font_paths=_fonts(), sys_inputs=inputs).compile(format="pdf")
    except (typst.TypstError, RuntimeError, ValueError) as error:
        raise PictureError(f"The pictures cannot be converted to PDF: {_line(error)}.") from error
    if not isinstance(made, bytes):
        raise PictureError("The pictures cannot be converted to PDF: the converter did not return exactly one file.")
    return made


def filled_up(made: bytes) -> bytes:
    """The same PDF in a size of which there are few: a printer's queue shows it, and cards and maps differ in length.

    Comments fill it, in front of the last three lines, by which a file is read.
    """
    lines, rest = divmod(-len(made) % _CLASS, len(_COMMENT))
    end = made.rindex(b"startxref")
    return made[:end] + lines * _COMMENT + _COMMENT[len(_COMMENT) - rest :] * bool(rest) + made[end:]


def _source(pages: int, width: float, height: float) -> str:
    """The document that puts each picture on its own page; without a date, so that the bytes are repeatable."""
    size = f"width: {width}mm, height: {height}mm"
    lines = [
        '#set document(title: sys.inputs.at("title"), date: none)',
        f"#set page({size}, margin: 0pt)",
    ]
    for i in range(pages):
        picture = f'bytes(sys.inputs.at("svg{i}")), format: "svg", fit: "contain"'
        lines.append(f'#page(image({picture}, {size}, alt: sys.inputs.at("label{i}")))')
    return "\n".join(lines)


def _parsed(svg: str) -> ElementTree.Element:
    """The root of the picture; anything that isn't XML is refused here, the same way for both converters."""
    if re.search(r"<!(DOCTYPE|ENTITY)", svg):
        raise PictureError("The picture declares entities, which is not allowed.")
    try:
        root = ElementTree.fromstring(svg)
    except (ElementTree.ParseError, ValueError) as error:
        raise PictureError(f"The picture is not SVG: {_line(error)}.") from error
    if root.tag != f"{_SPACE}svg":
        raise PictureError(f"The picture is not SVG: its first element is {root.tag!r}.")
    return root


@cache
def _fonts() -> typst.Fonts:
    import typst

    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FOLDER)])


def _line(error: Exception) -> str:
    """The first line of a library's message."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
