"""The C library in Python's hands: for each game, random orders from the library as texts, and its lists of options.

Records are passed by their address, as a program in C would do it; nothing here calls a compiled rule of ours.
"""

from __future__ import annotations

import ctypes as c
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from polemos.kernel.record import Record, many

_ROOM = 2000


def opened(folder: Path) -> c.CDLL:
    """The shared library in this folder."""
    library = c.CDLL(str(folder / "libpolemos.so"))
    library.polemos_mix.restype = c.c_uint64
    library.polemos_version.restype = c.c_char_p
    return library


def u64(number: int) -> c.c_uint64:
    return c.c_uint64(number)


def mix(library: c.CDLL, number: int) -> int:
    mixed: int = library.polemos_mix(u64(number))
    return mixed


def written(write: Callable[..., int], *of: Any) -> str:
    """The text that a function writes."""
    text = c.create_string_buffer(_ROOM)
    length = write(*of, text, c.c_size_t(_ROOM))
    assert 0 <= length < _ROOM
    assert len(text.value) == length
    return text.value.decode()


def at(record: Any) -> Any:
    return c.byref(record)


def _array(records: Any) -> Any:
    return c.c_void_p(records.numbers().ctypes.data)


class Hands(Struct, frozen=True):
    """`turn` plays a turn with random orders in place and says which; `options` are the texts of all legal orders."""

    turn: Callable[[c.CDLL, Any, int], dict[str, list[str]]]
    options: Callable[[c.CDLL, Any, Any, int], list[str]]


# ---- monarchs


def _monarchs_turn(library: c.CDLL, state: Any, key: int) -> dict[str, list[str]]:
    from polemos.games.monarchs.state import Sheets

    sheets = Sheets()
    library.polemos_monarchs_invent(at(state), at(sheets), u64(key))
    said = {
        seat: [written(library.polemos_monarchs_write, at(sheet.lines[i])) for i in range(sheet.count)]
        for seat, sheet in zip(("red", "green", "blue"), sheets.of, strict=True)
    }
    assert library.polemos_monarchs_resolve(at(state), at(sheets), u64(key), u64(mix(library, key))) == 0
    return said


def _monarchs_options(library: c.CDLL, state: Any, sight: Any, seat: int) -> list[str]:
    from polemos.games.monarchs.state import Choice, Line, Sheet

    found = many(Choice, 427)
    count = library.polemos_monarchs_options(at(sight), at(Sheet()), _array(found))
    lines = [Line(kind=f.kind, origin=f.origin, target=f.target, number=1) for f in (found[i] for i in range(count))]
    return [written(library.polemos_monarchs_write, at(line)) for line in lines]


# ---- demons


def _demons_turn(library: c.CDLL, state: Any, key: int) -> dict[str, list[str]]:
    from polemos.games.demons.state import Orders

    orders = Orders()
    library.polemos_demons_invent(at(state), at(orders), u64(key))
    said = {
        seat: [text for part in range(3) if (text := written(library.polemos_demons_write, at(state), at(order), part))]
        for seat, order in zip(("red", "blue"), orders.of, strict=True)
    }
    assert library.polemos_demons_resolve(at(state), at(orders), u64(key), u64(mix(library, key))) == 0
    return said


def _demons_options(library: c.CDLL, state: Any, sight: Any, seat: int) -> list[str]:
    from polemos.games.demons.state import Choice, Order

    draft, found = Order(), many(Choice, 2005)
    library.polemos_demons_clear(at(draft))
    count = library.polemos_demons_options(at(sight), at(draft), _array(found))
    texts = []
    for i in range(count):
        order, choice = Order(), found[i]
        library.polemos_demons_clear(at(order))
        library.polemos_demons_add(at(state), at(order), at(choice))
        assert library.polemos_demons_judge(at(state), seat, at(order)) == choice.left
        assert order.fault[choice.part] == 0
        texts.append(written(library.polemos_demons_write, at(state), at(order), c.c_int(choice.part)))
    return texts


# ---- monad


def _monad_turn(library: c.CDLL, state: Any, key: int) -> dict[str, list[str]]:
    from polemos.games.monad.state import SEATS, Order

    orders = many(Order, 2 * state.width * state.height + 2)
    count = library.polemos_monad_invent(at(state), _array(orders), u64(key))
    said: dict[str, list[str]] = {seat: [] for seat in SEATS[: state.seats]}
    for i in range(count):
        said[SEATS[orders[i].seat]].append(written(library.polemos_monad_write, at(state), at(orders[i])))
    assert library.polemos_monad_resolve(at(state), _array(orders), count) == 0
    return said


def _monad_options(library: c.CDLL, state: Any, sight: Any, seat: int) -> list[str]:
    from polemos.games.monad.state import Choice, Order

    room = 9 * state.width * state.height
    found, order = many(Choice, room), Order()
    count = library.polemos_monad_options(at(sight), None, 0, _array(found), room)
    texts = []
    for i in range(count):
        y, x = divmod(found[i].tile, state.width)
        library.polemos_monad_set(at(state), at(order), seat, found[i].word, x, y, found[i].direction, 1)
        library.polemos_monad_judge(at(state), at(order), 1)
        assert order.fault == 0
        texts.append(written(library.polemos_monad_write, at(state), at(order)))
    return texts


# ---- minions


def _minions_list(library: c.CDLL, state: Any) -> list[Any]:
    """All legal orders as records."""
    from polemos.games.minions.state import Choice, Order

    found, orders = many(Choice, 8192), []
    for board in (*range(state.boards), -1):
        for i in range(library.polemos_minions_options(at(state), board, _array(found), 8192)):
            orders.append(Order())
            library.polemos_minions_set(at(orders[-1]), board, at(found[i]))
    return orders


def _minions_turn(library: c.CDLL, state: Any, key: int) -> dict[str, list[str]]:
    """Up to 25 legal orders, each drawn from the list on the position as it then stands."""
    from polemos.games.minions.state import RESIGN, SIDES, Order

    scratch, given, said = state.copy(), many(Order, 25), []
    for i in range(25):
        key = mix(library, key)
        orders = [order for order in _minions_list(library, scratch) if order.kind != RESIGN or key % 97 == 0]
        order = orders[key % len(orders)]
        said.append(written(library.polemos_minions_write, at(scratch), at(order)))
        given[i] = order
        assert library.polemos_minions_apply(at(scratch), at(order)) == 0
    side = SIDES[state.side]
    assert library.polemos_minions_resolve(at(state), _array(given), 25) == 0
    return {side: said}


def _minions_options(library: c.CDLL, state: Any, sight: Any, seat: int) -> list[str]:
    if seat != state.side:
        return []
    return [written(library.polemos_minions_write, at(state), at(order)) for order in _minions_list(library, state)]


HANDS: dict[str, Hands] = {
    "demons": Hands(_demons_turn, _demons_options),
    "minions": Hands(_minions_turn, _minions_options),
    "monad": Hands(_monad_turn, _monad_options),
    "monarchs": Hands(_monarchs_turn, _monarchs_options),
}


def bytes_of(record: Record) -> bytes:
    """All bytes, also those that are not in use."""
    return bytes(memoryview(record).cast("B"))
