"""The interface for programs as a page: all requests and messages of the OpenAPI description, without any scripts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from litestar import Request
from litestar.openapi.plugins import OpenAPIRenderPlugin

# For everything that is not one of the client's pages: nothing runs, and nothing is loaded from anywhere.
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
STYLE: Final = """
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h2 { margin-top: 3rem; border-bottom: 1px solid }
h3 { margin: 2rem 0 0.25rem; font-size: 1rem }
code, h3 { font-family: ui-monospace, monospace }
table { border-collapse: collapse; margin: 0.5rem 0 }
td, th { padding: 0.15rem 1rem 0.15rem 0; text-align: left; vertical-align: top }
p { margin: 0.25rem 0 }
"""


class Description(OpenAPIRenderPlugin):
    """Writes the description as HTML."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        about = openapi_schema["info"]
        parts = [
            "<!doctype html><html lang='en'><meta charset='utf-8'>",
            "<meta name='viewport' content='width=device-width'>",
            f"<title>{escape(about['title'])}: requests</title><style>{STYLE}</style>",
            f"<h1>{escape(about['title'])}</h1><p>{escape(about.get('description') or '')}</p>",
            "<p>The same as <a href='/api/schema/openapi.json'>OpenAPI</a>, for programs.</p>",
            *_requests(openapi_schema.get("paths") or {}),
            "<h2>Messages</h2>",
            *_messages((openapi_schema.get("components") or {}).get("schemas") or {}),
            "</html>",
        ]
        return "\n".join(parts).encode()


def _requests(paths: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """All requests, by subject."""
    found = [
        (method, path, of) for path, methods in paths.items() for method, of in methods.items() if "responses" in of
    ]
    for subject in sorted({tag for _, _, of in found for tag in of.get("tags") or ["other"]}):
        yield f"<h2>{escape(subject.capitalize())}</h2>"
        for method, path, of in found:
            if subject in (of.get("tags") or ["other"]):
                yield from _request(method, path, of)


def _request(method: str, path: str, of: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h3>{escape(method.upper())} {escape(path)}</h3><p>{escape(of.get('summary') or '')}</p>"
    if of.get("description"):
        yield f"<p>{escape(of['description'])}</p>"
    yield "<table>"
    for parameter in of.get("parameters") or ():
        needed = "" if parameter.get("required") else "optional, "
        yield _row(
            parameter["name"], f"{needed}in the {escape(parameter['in'])}: {_type(parameter.get('schema') or {})}"
        )
    for kind in ((of.get("requestBody") or {}).get("content") or {}).values():
        yield _row("body", _type(kind.get("schema") or {}))
    for status, answer in of["responses"].items():
        kinds = [_type(kind["schema"]) for kind in (answer.get("content") or {}).values() if kind.get("schema")]
        yield _row(status, f"{escape(answer.get('description') or '')} {', '.join(kinds)}")
    yield "</table>"


def _messages(schemas: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        yield f"<h3 id='{escape(name)}'>{escape(schema.get('title') or name)}</h3>"
        yield f"<p>{escape(schema.get('description') or '')}</p>"
        if schema.get("properties"):
            required = schema.get("required") or ()
            rows = schema["properties"].items()
            yield "<table>"
            yield from (_row(field, _type(of) + ("" if field in required else ", optional")) for field, of in rows)
            yield "</table>"
        else:
            yield f"<p>{_type(schema)}</p>"


def _row(name: object, html: str) -> str:
    return f"<tr><th><code>{escape(str(name))}</code></th><td>{html}</td></tr>"


def _type(schema: Mapping[str, Any]) -> str:
    """The type of a value, in HTML; messages are links."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name.rpartition('_')[2] or name}</a>"
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(_type(one) for one in schema[several])
    if "const" in schema or "enum" in schema:
        values = schema.get("enum") or [schema["const"]]
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in values)
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_type(schema.get('items') or {})}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object of {_type(schema['additionalProperties'])}"
    return escape(" or ".join(kind) if isinstance(kind, list) else str(kind))
