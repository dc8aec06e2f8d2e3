"""Describes valid values in words, from the types of messages, for helpful error messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, get_args

import msgspec
from msgspec import inspect

from polemos.kernel.orders import shown


def complaint(kind: type[msgspec.Struct], given: Mapping[Any, Any], noun: str, of: str) -> str | None:
    """Names the first field that is unknown or has an invalid value, and says what is valid. None if all are valid.

    >>> from typing import Annotated, Literal
    >>> sugar, milk = Annotated[int, msgspec.Meta(ge=0, le=3)], Literal["before", "after"]
    >>> Tea = msgspec.defstruct("Tea", [("sugar", sugar, 0), ("milk", milk, "after")])
    >>> complaint(Tea, {"sugar": 7}, "option", "in tea")
    'sugar cannot be 7. It must be a whole number from 0 to 3.'
    >>> complaint(Tea, {"milk": "before"}, "option", "in tea")
    >>> complaint(Tea, {"lemon": 1}, "option", "in tea")
    "There is no option 'lemon' in tea. The options are sugar, milk."
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for name, value in given.items():
        if name not in fields:
            near = get_close_matches(str(name), fields, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            return f"There is no {noun} {_shown(name)} {of}.{hint} The {noun}s are {', '.join(fields)}."
        try:
            msgspec.convert(value, fields[name].type)
        except (msgspec.ValidationError, TypeError, ValueError, RecursionError):
            return f"{name} cannot be {_shown(value)}. It must be {words(fields[name].type)}."
    return None


def message_complaint(kinds: Any, found: Mapping[Any, Any]) -> str | None:
    """The same for a message that is one of several kinds, distinguished by a tag.

    >>> March = msgspec.defstruct("March", [("to", str)], tag_field="type", tag="march")
    >>> Halt = msgspec.defstruct("Halt", [], tag_field="type", tag="halt")
    >>> message_complaint(March | Halt, {"type": "dance"})
    "type cannot be 'dance'. It must be one of halt, march."
    >>> message_complaint(March | Halt, {"type": "march", "to": 5})
    'to cannot be 5. It must be a text.'
    """
    by_tag = {kind.__struct_config__.tag: kind for kind in get_args(kinds)}
    field = next(iter(by_tag.values())).__struct_config__.tag_field
    tag = found.get(field)
    if not isinstance(tag, str) or tag not in by_tag:
        return f"{field} cannot be {_shown(tag)}. It must be one of {_listed(sorted(by_tag))}."
    rest = {name: value for name, value in found.items() if name != field}
    return complaint(by_tag[tag], rest, "field", f"in {tag}")


def words_at(kind: Any, path: str) -> str | None:
    """Describes the values at a path such as `seats[...].kind` within a type; None if there is no such path.

    >>> Box = msgspec.defstruct("Box", [("weights", list[int])])
    >>> words_at(Box, "weights[...]"), words_at(Box, "height")
    ('a whole number', None)
    """
    found: inspect.Type = inspect.type_info(kind)
    for step in re.findall(r"\[[^]]*\]|[^.\[]+", path):
        while isinstance(found, inspect.Metadata):
            found = found.type
        match found:
            case inspect.DictType():
                found = found.value_type
            case inspect.ListType():
                found = found.item_type
            case inspect.StructType() if step in (fields := {field.encode_name: field for field in found.fields}):
                found = fields[step].type
            case _:
                return None
    return _words(found)


def in_words(error: msgspec.ValidationError, kind: Any, name: str) -> str:
    """Where a message of this type is wrong, and what would be right there.

    >>> Box = msgspec.defstruct("Box", [("weights", list[int])])
    >>> try:
    ...     msgspec.convert({"weights": [1, "two"]}, Box)
    ... except msgspec.ValidationError as error:
    ...     in_words(error, Box, "box")
    'box.weights[1] cannot be that. It is a whole number.'
    """
    message, _, path = str(error).partition(" - at `$")
    path = path.rstrip("`")
    right = words_at(kind, path)
    wrong = (
        f"{name}{path} cannot be that." if message.startswith(("Expected", "Invalid")) else f"{name}{path}: {message}."
    )
    return f"{wrong} It is {right}." if right else wrong


def words(kind: Any) -> str:
    """Describes the values of a type.

    >>> from typing import Annotated, Literal
    >>> words(Annotated[int, msgspec.Meta(ge=1)] | Literal["none"])
    "a whole number of at least 1 or 'none'"
    >>> words(list[Literal["text", "digest"]])
    'a list (of digest, text)'
    """
    return _words(inspect.type_info(kind))


def _words(kind: inspect.Type) -> str:
    match kind:
        case inspect.Metadata(type=inspect.StrType(), extra_json_schema={"examples": examples}):
            return f"a text, such as {_either(examples)}"
        case inspect.Metadata():
            return _words(kind.type)
        case inspect.LiteralType(values=(one,)):
            return repr(one)
        case inspect.LiteralType():
            return f"one of {_listed(kind.values)}"
        case inspect.UnionType():
            return _either(_words(one) for one in kind.types)
        case inspect.IntType():
            return f"a whole number{_bounds(kind)}"
        case inspect.FloatType():
            return f"a number{_bounds(kind)}"
        case inspect.ListType(item_type=inspect.LiteralType(values=values)):
            return f"a list (of {_listed(values)})"
        case inspect.ListType(item_type=inspect.AnyType()):
            return "a list"
        case inspect.ListType() | inspect.VarTupleType():
            return f"a list (each item {_words(kind.item_type)})"
        case inspect.DictType(value_type=inspect.AnyType()):
            return "an object"
        case inspect.DictType():
            return f"an object (each value {_words(kind.value_type)})"
        case inspect.StructType():
            return f"an object with {_listed(field.encode_name for field in kind.fields)}"
        case inspect.StrType(max_length=int(most)):
            return f"a text of at most {most} characters"
        case inspect.StrType():
            return "a text"
        case inspect.BoolType():
            return "true or false"
        case inspect.NoneType():
            return "null"
        case _:
            return "anything"


def _bounds(kind: inspect.IntType | inspect.FloatType) -> str:
    if kind.ge is not None and kind.le is not None:
        return f" from {kind.ge} to {kind.le}"
    if kind.ge is not None:
        return f" of at least {kind.ge}"
    if kind.le is not None:
        return f" of at most {kind.le}"
    return ""


def _listed(values: Any) -> str:
    return ", ".join("''" if value == "" else str(value) for value in values)


def _either(values: Any) -> str:
    *many, last = (str(value) for value in values)
    return f"{', '.join(many)} or {last}" if many else last


def _shown(value: object) -> str:
    return repr(shown(value)) if isinstance(value, str) else shown(value)
