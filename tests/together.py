"""One test for many alike: hundreds of seeds or files would each cost more to list and to report than to try."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable


def together(name: str, values: Iterable[object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """As `pytest.mark.parametrize`, but all values are tried in one test, in turn; a failure names its value."""
    tried = list(values)
    assert tried, f"there is no {name} to be tried"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def all_of_them(**fixtures: object) -> None:
            for value in tried:
                try:
                    test(**fixtures, **{name: value})
                except Exception as error:
                    error.add_note(f"{name} = {value!s}")
                    raise

        signature = inspect.signature(test)
        others = [parameter for parameter in signature.parameters.values() if parameter.name != name]
        assert len(others) == len(signature.parameters) - 1, f"{test.__name__} does not take {name}"
        all_of_them.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return all_of_them

    return decorate
