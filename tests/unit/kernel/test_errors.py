"""The tree of errors: every one has a stable word, and says its paragraph."""

from __future__ import annotations

from collections.abc import Iterator

from polemos.kernel import errors
from polemos.kernel.errors import IllegalOrder, PolemosError


def tree(kind: type[PolemosError]) -> Iterator[type[PolemosError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from tree(child)


def test_every_error_of_the_kernel_has_a_word_of_its_own() -> None:
    kinds = [kind for kind in tree(PolemosError) if kind.__module__ == errors.__name__]
    assert len(kinds) > 10
    words = [kind.word for kind in kinds]
    assert len(set(words)) == len(words)
    for kind in kinds:
        assert f" {kind.__name__}" in (errors.__doc__ or ""), "the tree in the docstring is complete"


def test_an_error_says_what_was_wrong_and_by_which_paragraph() -> None:
    error = IllegalOrder("Too far.", rule="3.3")
    assert (error.why, error.rule, str(error)) == ("Too far.", "3.3", "Too far. Rule 3.3.")
    assert str(IllegalOrder("Too far.")) == "Too far."
