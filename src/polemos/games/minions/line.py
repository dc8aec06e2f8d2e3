"""The line of cards (8.1, 15.9, 15.10): shuffled, in the order of the table, or as agreed."""

from __future__ import annotations

from collections.abc import Sequence

from polemos.games.minions.tables import UnitTable
from polemos.kernel.dice import number
from polemos.kernel.errors import BadOptions
from polemos.kernel.orders import shown


def laid(first_pack: Sequence[str], second_pack: Sequence[str]) -> tuple[str, ...]:
    """15.10 Cards laid down in turn, the first pack beginning; what is left over comes last."""
    both = min(len(first_pack), len(second_pack))
    pairs = [card for pair in zip(first_pack, second_pack, strict=False) for card in pair]
    return (*pairs, *first_pack[both:], *second_pack[both:])


def shuffled(cards: Sequence[str], fixed: int, seed: object) -> tuple[str, ...]:
    """15.10 The first cards keep their places; the others are parted at random into two ascending packs."""
    _check_fixed(fixed, len(cards))
    rest = range(fixed, len(cards))
    drawn = sorted(rest, key=lambda i: (number(seed, "minions line", i), i))
    chosen = {*drawn[: len(rest) // 2]}
    first = [cards[i] for i in rest if i in chosen]
    second = [cards[i] for i in rest if i not in chosen]
    return (*cards[:fixed], *laid(first, second))


def chosen_line(option: object, table: UnitTable, fixed: int | None, seed: object) -> tuple[str, ...]:
    """16.1 The line of names that an option means: `shuffled`, `sorted`, or the letters of all cards in order."""
    if fixed is not None:
        _check_fixed(fixed, len(table.cards))
    word = option.strip().lower() if isinstance(option, str) else ""
    if word == "shuffled":
        return shuffled(table.cards, table.fixed if fixed is None else fixed, seed)
    return table.cards if word == "sorted" else _agreed(option, table)


def _agreed(option: object, table: UnitTable) -> tuple[str, ...]:
    """16.1 Every card once, by its letter; blanks and commas between letters do not matter."""
    cards = {unit.letter: unit.name for unit in table.units if unit.name in table.cards}
    wanted = f"`shuffled`, `sorted`, or each of {''.join(cards)} once"
    letters = [letter for letter in option if letter not in " ,"] if isinstance(option, str) else []
    if not letters or len(letters) > 2 * len(cards):
        raise BadOptions(f"{shown(option)[:40]!r} is not a line. Write {wanted}.", rule="16.1")
    seen: list[str] = []
    for letter in letters:
        known = letter.upper()
        if known not in cards or not letter.isascii():
            raise BadOptions(f"There is no card with the letter {shown(letter)!r}. Write {wanted}.", rule="16.1")
        if cards[known] in seen:
            raise BadOptions(f"The card {known} is in the line twice. Write {wanted}.", rule="16.1")
        seen.append(cards[known])
    missing = [letter for letter, name in cards.items() if name not in seen]
    if missing:
        raise BadOptions(f"The line lacks {', '.join(missing)}. Write {wanted}.", rule="16.1")
    return tuple(seen)


def _check_fixed(fixed: object, cards: int) -> None:
    """15.9 From none to all."""
    if not isinstance(fixed, int) or isinstance(fixed, bool) or not 0 <= fixed <= cards:
        raise BadOptions(f"{shown(fixed)[:20]!r} cards can't be fixed; 0 to {cards} can.", rule="16.1")
