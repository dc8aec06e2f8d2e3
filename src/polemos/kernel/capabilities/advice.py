"""Help for people writing orders: figures for a draft, alerts, curves for charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

V_contra = TypeVar("V_contra", contravariant=True)
O_contra = TypeVar("O_contra", contravariant=True)


class Alert(Struct, frozen=True):
    """Something a player would want to know before filing."""

    text: str
    rule: str
    where: str | None = None
    means: str = ""  # what that is and what can be done about it, for those who ask
    urgent: bool = False  # it hurts soon: nobody should go on without having seen it


@runtime_checkable
class Advice(Protocol[V_contra, O_contra]):
    def line_figures(self, setting: Any, view: V_contra, draft: Sequence[O_contra]) -> list[dict[str, Any]]:
        """The figures for each order of a draft, given all the others, as `options` would show them."""
        ...

    def alerts(self, setting: Any, view: V_contra, draft: Sequence[O_contra] = ()) -> list[Alert]:
        """Warnings to show a player before the draft is filed."""
        ...

    def figures(self, setting: Any, view: V_contra) -> dict[str, dict[str, float]]:
        """Numbers for charts: name of the curve, then seat."""
        ...
