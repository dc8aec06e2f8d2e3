"""The C header of a game, written from its records: structures with their offsets checked, constants, words, calls."""

from __future__ import annotations

import ctypes as c
import inspect
import re
import textwrap
from typing import Any, Final, get_args, get_origin, get_type_hints

from polemos.kernel.capabilities.in_library import Library
from polemos.kernel.layout import Field, fields_of, layout, with_parts
from polemos.kernel.log import Log
from polemos.kernel.record import Many, Record

_SIMPLE: Final = {c.c_bool: "bool", **{getattr(c, f"c_{name}"): f"{name}_t" for name in ("int8", "int16", "int32")}}
_SIMPLE.update({c.c_int64: "int64_t", c.c_uint64: "uint64_t"})
WIDTH: Final = 110
_KERNEL: Final = "polemos.kernel."
# Words that C or C++ keeps for itself.
_RESERVED: Final = re.compile(
    "auto|break|case|char|class|const|continue|default|delete|do|double|else|enum|export|extern|float|for|friend|goto"
    "|if|inline|int|long|namespace|new|operator|private|protected|public|register|return|short|signed|sizeof|static"
    "|struct|switch|template|this|throw|try|typedef|union|unsigned|using|virtual|void|volatile|while"
)


def header(game: Any, library: Library) -> str:
    """The header for users of the library."""
    name, guard = game.name, f"POLEMOS_{game.name.upper()}_H"
    parts = [
        f"/* The rules of {game.title}, edition {game.edition}, as a C library. Written by `polemos kit --lib`. */",
        f"#ifndef {guard}\n#define {guard}",
        '#include "polemos.h"',
        _constants(game, library),
        *(_words(name, words, table) for words, table in library.names.items()),
        *(structure(record, name) for record in with_parts(*library.records)),
        "POLEMOS_BEGIN",
        (library.folder / "calls.h").read_text(encoding="utf-8").strip(),
        "POLEMOS_END",
        "#endif",
    ]
    return "\n\n".join(parts) + "\n"


def calls(game: Any, library: Library) -> str:
    """The declarations that `calls.c` needs: compiled rules, and the records that only they know."""
    public = set(with_parts(*library.records))
    hints = {rule: get_type_hints(f.py_func, include_extras=True) for rule, f in library.rules.items()}
    used = [_record(hint) for hint in (hint for each in hints.values() for hint in each.values())]
    inside = with_parts(*(record for record in used if record is not None and record is not Log))
    parts = [
        f'#include "polemos_{game.name}.h"',
        "#include <string.h>",
        "typedef struct polemos_log polemos_log;",
        "extern polemos_log *const polemos_silent; /* takes no events */",
        *(structure(record, game.name) for record in inside if record not in public),
        *(_prototype(game.name, rule, library.rules[rule], hints[rule]) for rule in hints),
    ]
    return "\n".join(parts) + "\n"


def facts(game: Any) -> str:
    """What a program can ask the library about itself."""
    name = game.name
    return (
        f"int polemos_{name}_edition(void) {{ return {game.edition}; }}\n"
        f'const char *polemos_{name}_layout(void) {{ return "{layout(game.state_type)}"; }}\n'
        f"size_t polemos_{name}_state_size(void) {{ return sizeof(polemos_{name}_state); }}\n"
    )


# ---- parts of it


def _constants(game: Any, library: Library) -> str:
    lines = [f"    POLEMOS_{game.name.upper()}_{name} = {value}," for name, value in library.constants.items()]
    return "\n".join(["enum {", f"    POLEMOS_{game.name.upper()}_EDITION = {game.edition},", *lines, "};"])


def _words(game: str, name: str, table: Any) -> str:
    texts = textwrap.fill(", ".join(f'"{word}"' for word in table), WIDTH, break_long_words=False)
    lines = textwrap.indent(texts, "    ")
    return f"static const char *const POLEMOS_{game.upper()}_{name}[] = {{\n{lines},\n}};"


def structure(record: type[Record], game: str) -> str:
    """A structure, and what makes sure that the C compiler lays it out as we do."""
    notes = _notes(record)
    name = type_name(record, game)
    lines = []
    for field in fields_of(record):
        note = f" /* {notes[field.name]} */" if field.name in notes else ""
        lines.append(f"    {_declared(field, game)};{note}")
    checks = [
        f"POLEMOS_ASSERT(offsetof({name}, {_safe(f.name)}) == {f.offset}, {name[8:]}_{f.name});"
        for f in fields_of(record)
    ]
    summary = _summary(record)
    text = [*([f"/* {summary} */"] if summary else []), "typedef struct {", *lines, f"}} {name};"]
    return "\n".join([*text, f"POLEMOS_ASSERT(sizeof({name}) == {record.dtype.itemsize}, {name[8:]});", *checks])


def type_name(record: type[Record], game: str) -> str:
    """`polemos_monarchs_state`; records of the kernel go without a game."""
    word = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", record.__name__).lower()
    return f"polemos_{word}" if record.__module__.startswith(_KERNEL) else f"polemos_{game}_{word}"


def _declared(field: Field, game: str) -> str:
    kind = type_name(field.kind, game) if issubclass(field.kind, Record) else _SIMPLE[field.kind]
    return f"{kind} {_safe(field.name)}{''.join(f'[{length}]' for length in field.shape)}"


def _safe(name: str) -> str:
    return f"{name}_" if _RESERVED.fullmatch(name) else name


def _summary(record: type[Record]) -> str:
    """The docstring in one line."""
    text = record.__dict__.get("__doc__") or ""
    return " ".join(text.split()).replace("*/", "")


def _notes(record: type[Record]) -> dict[str, str]:
    """The comments behind the fields, as they stand in the source."""
    found = re.findall(r"^    (\w+): .*?  # (.+)$", inspect.getsource(record), re.MULTILINE)
    return {name: note.replace("*/", "") for name, note in found}


# ---- compiled rules


def _record(hint: Any) -> type[Record] | None:
    if get_origin(hint) is Many:
        (hint,) = get_args(hint)
    return hint if isinstance(hint, type) and issubclass(hint, Record) else None


def _prototype(game: str, name: str, compiled: Any, hints: dict[str, Any]) -> str:
    """A rule as C sees it: records by their address, an array with its length, numbers of 64 bits."""
    taken = []
    f = compiled.py_func
    for parameter in f.__code__.co_varnames[: f.__code__.co_argcount]:
        hint = hints[parameter]
        record = _record(hint)
        if record is not None:
            taken.append(f"{type_name(record, game)} *")
            if get_origin(hint) is Many:
                taken.append("int64_t")
        else:
            taken.append("int64_t" if hint is int else "uint64_t")
    return f"int64_t {prefix(game)}{name}({', '.join(taken)});"


def prefix(game: str) -> str:
    """How the names of compiled rules begin."""
    return f"polemos_{game}_rule_"
