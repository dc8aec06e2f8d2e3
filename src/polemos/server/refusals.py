"""Explains requests that cannot be read: which part is wrong, and what is valid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from litestar import Request
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter
from litestar.typing import FieldDefinition
from msgspec import Meta

from polemos.kernel.valid import words, words_at


def in_words(request: Request[Any, Any, Any], error: HTTPException) -> str:
    """Explains an error from the framework, part by part."""
    handler = request.scope.get("route_handler")
    if not isinstance(handler, HTTPRouteHandler) or not isinstance(error.extra, list):
        return error.detail
    return " ".join(_parts(handler, error.extra)) or error.detail


def _parts(handler: HTTPRouteHandler, faults: Iterable[Any]) -> Iterable[str]:
    """The framework names a part by `key`; for the body as a whole it says `data`."""
    for fault in faults:
        key, message = str(fault.get("key", "")), str(fault.get("message", "")).rstrip(".")
        parameter = handler.parsed_fn_signature.parameters.get(key)
        if fault.get("source") == "body" and handler.parsed_data_field is not None:
            whole = key == "data"
            right = words_at(handler.parsed_data_field.annotation, "" if whole else key)
            name = "the body" if whole else key
        elif parameter is not None:
            name, right = _parameter(key, parameter)
        else:
            name, right = key, None
        yield f"{name}: {message}." + (f" It must be {right}." if right else "")


def _parameter(key: str, parameter: FieldDefinition) -> tuple[str, str]:
    about = parameter.kwarg_definition
    if not isinstance(about, QueryParameter):
        return key, words(parameter.annotation)
    bounded = Annotated[parameter.annotation, Meta(ge=about.ge, le=about.le)] if about.ge is not None else None
    return about.name or key, words(bounded or parameter.annotation)
