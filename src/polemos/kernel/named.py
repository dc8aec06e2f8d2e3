"""Values of options in words for people: `named(off="A draw", on="A die decides")`."""

from __future__ import annotations

from msgspec import Meta


def named(words: dict[str, str], title: str | None = None, description: str | None = None) -> Meta:
    """What forms show instead of the value itself, along with the usual facts about an option.

    >>> named({"on": "A die decides"}).extra_json_schema
    {'words': {'on': 'A die decides'}}
    """
    return Meta(title=title, description=description, extra_json_schema={"words": words})
