"""Dice against an implementation of its own, written from the description alone."""

from __future__ import annotations

import hashlib
import re
from random import Random
from typing import Any

import pytest

from polemos.kernel import dice

MASK = (1 << 64) - 1
NEW_KEY = dice.new_key  # while a test runs, keys follow from its name


def mixed(x: int) -> int:
    """The finaliser of SplitMix64."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def thrown(key: int, salt: int, turn: int, what: int, where: int, who: int, again: int) -> int:
    """A die: the upper half of three rounds over key and turn, salt, and purpose."""
    purpose = what << 48 ^ where << 24 ^ who << 16 ^ again
    return mixed(mixed(mixed(key ^ turn) ^ salt) ^ purpose) >> 32


def rolled(chance: dice.Chance, turn: int, what: int, where: int, who: int, again: int) -> int:
    """The die that the rules throw."""
    return dice.roll(chance, int(dice.turn_key(chance, turn)) & MASK, what, where, who, again)


def of(key: int, salt: int, *purpose: int) -> int:
    return rolled(dice.Chance(key=key, salt=salt), *purpose)


def draws(seed: int, count: int) -> list[tuple[int, ...]]:
    chance = Random(seed)
    bits = (64, 64, 15, 8, 24, 8, 16)
    return [tuple(chance.getrandbits(width) for width in bits) for _ in range(count)]


# ---- known answers


@pytest.mark.parametrize(
    ("x", "expected"),
    [(0, 0), (1, 0x5692161D100B05E5), (2**63, 0x25C26EA579CEA98A), (2**64 - 1, 0xB4D055FCF2CBBD7B)],
)
def test_mixing_gives_known_answers(x: int, expected: int) -> None:
    assert mixed(x) == expected
    assert int(dice.mix(x)) & MASK == expected


def test_mixing_agrees_with_the_description() -> None:
    chance = Random(1)
    for x in (chance.getrandbits(64) for _ in range(2000)):
        assert int(dice.mix(x)) & MASK == mixed(x)


def test_a_die_agrees_with_the_description() -> None:
    for arguments in draws(2, 1000):
        assert of(*arguments) == thrown(*arguments)
        assert 0 <= of(*arguments) < dice.SIDES


def test_the_largest_arguments_do_not_run_into_each_other() -> None:
    edges = (MASK, MASK, 2**15, 2**8 - 1, 2**24 - 1, 2**8 - 1, 2**16 - 1)
    assert of(*edges) == thrown(*edges)
    purposes = {(0, 0, 0, 2**16 - 1), (0, 0, 1, 0), (0, 0, 2**8 - 1, 0), (0, 1, 0, 0), (0, 2**24 - 1, 0, 0)}
    assert len({of(1, 2, 3, *purpose) for purpose in purposes}) == len(purposes)


def test_scattered_numbers_agree_with_the_description() -> None:
    chance = Random(3)
    for key, count in ((chance.getrandbits(64), chance.getrandbits(40)) for _ in range(1000)):
        assert dice.scatter(key, count) == mixed(key ^ count) >> 2
        assert 0 <= dice.scatter(key, count) < 2**62


def test_the_dice_of_a_key_stay_what_they_are() -> None:
    """If these change, every replay ever written is void."""
    chance = dice.chance_of("000102030405060708090a0b0c0d0e0f")
    assert (chance.key, chance.salt) == (0x0001020304050607, 0x08090A0B0C0D0E0F)
    rolls = [rolled(chance, turn, 2, 31 * 64 + 63, 1, 0) for turn in (1, 2, 3)]
    assert rolls == [thrown(chance.key, chance.salt, turn, 2, 31 * 64 + 63, 1, 0) for turn in (1, 2, 3)]
    assert rolls == [0x845A81D9, 0xF5BAAC94, 0x6051BB79]


# ---- what a die depends on


def test_a_die_depends_on_everything_it_is_thrown_for() -> None:
    plain = (1 << 40, 1 << 50, 1, 2, 3, 1, 0)
    steps = (1 << 20, 1 << 20, 1, 1, 1, 1, 1)
    others = [(*plain[:i], plain[i] + steps[i], *plain[i + 1 :]) for i in range(7)]
    assert len({of(*arguments) for arguments in (plain, *others)}) == 8


def test_a_roll_is_a_die_of_the_match_and_does_not_depend_on_other_rolls() -> None:
    chance = dice.chance_of(dice.derive(7, "chance"))
    before = chance.raw()
    forwards = [rolled(chance, 1, 2, where, 1, 0) for where in range(50)]
    backwards = [rolled(chance, 1, 2, where, 1, 0) for where in reversed(range(50))]
    assert forwards == backwards[::-1]
    assert forwards == [thrown(chance.key, chance.salt, 1, 2, where, 1, 0) for where in range(50)]
    assert chance.raw() == before


def test_dice_spread_over_their_whole_range() -> None:
    chance = dice.chance_of(dice.derive(8))
    rolls = [rolled(chance, 1, 1, where, 0, 0) for where in range(4000)]
    assert len(set(rolls)) > 3990
    sixteenths = {roll >> 28 for roll in rolls}
    assert sixteenths == set(range(16))


# ---- fixed rolls


def fix(chance: dice.Chance, **fields: int) -> None:
    roll: Any = chance.rolls[chance.fixed]
    for name, value in fields.items():
        setattr(roll, name, value)
    chance.fixed += 1


def test_a_fixed_roll_replaces_its_die_and_no_other() -> None:
    chance, plain = (dice.chance_of(dice.derive(9)) for _ in range(2))
    fix(chance, what=2, where=40, who=1, again=0, value=123)
    fix(chance, what=2, where=40, who=1, again=1, value=dice.SIDES - 1)
    assert rolled(chance, 1, 2, 40, 1, 0) == 123
    assert rolled(chance, 9, 2, 40, 1, 0) == 123, "on every turn"
    assert rolled(chance, 1, 2, 40, 1, 1) == dice.SIDES - 1
    for purpose in ((2, 40, 1, 2), (2, 40, 0, 0), (2, 41, 1, 0), (3, 40, 1, 0)):
        assert rolled(chance, 1, *purpose) == rolled(plain, 1, *purpose)


def test_the_first_of_two_fixed_rolls_counts() -> None:
    chance = dice.chance_of(dice.derive(9))
    fix(chance, what=1, where=1, who=1, again=0, value=5)
    fix(chance, what=1, where=1, who=1, again=0, value=6)
    assert rolled(chance, 1, 1, 1, 1, 0) == 5


def test_fixed_rolls_fill_their_room_to_the_last() -> None:
    chance = dice.chance_of(dice.derive(9))
    for where in range(dice.MAX_FIXED):
        fix(chance, what=1, where=where, who=0, again=0, value=where + 1000)
    assert rolled(chance, 1, 1, dice.MAX_FIXED - 1, 0, 0) == dice.MAX_FIXED + 999


# ---- keys and streams


def test_a_stream_is_a_keyed_digest_of_the_seed_and_its_purpose() -> None:
    expected = hashlib.blake2b(b"7\x1fbot\x1fred", digest_size=16, person=b"polemos-stream").hexdigest()
    assert dice.derive(7, "bot", "red") == expected
    assert dice.derive("7", "bot", "red") == expected
    assert dice.number(7, "bot", "red") == int(expected[:16], 16) >> 1


def test_streams_of_one_seed_and_seeds_of_one_stream_differ() -> None:
    streams = [
        dice.derive(seed, *purpose) for seed in (7, 8, "x") for purpose in ((), ("chance",), ("setup",), ("bot", 1))
    ]
    assert len(set(streams)) == len(streams)
    assert dice.derive(7, "a", "b") != dice.derive(7, "ab")
    assert dice.derive(7, "ab", "c") != dice.derive(7, "a", "bc")


def test_numbers_fit_a_signed_field() -> None:
    for seed in range(200):
        assert 0 <= dice.number(seed) < 2**63


def test_fresh_keys_are_secret_and_well_formed() -> None:
    keys = {NEW_KEY() for _ in range(50)}
    assert len(keys) == 50
    assert all(re.fullmatch(r"[0-9a-f]{32}", key) for key in keys)


def test_the_fingerprint_binds_a_key_and_does_not_betray_it() -> None:
    key = dice.derive(1)
    expected = hashlib.blake2b(bytes.fromhex(key), digest_size=16, person=b"polemos-finger").hexdigest()
    assert dice.fingerprint(key) == expected
    assert dice.fingerprint(key) != dice.fingerprint(dice.derive(2))
    chance = dice.chance_of(key)
    for half in (f"{chance.key:016x}", f"{chance.salt:016x}"):
        assert half in key
        assert half not in expected


def test_the_whole_key_counts() -> None:
    key = dice.derive(3)
    chances = [dice.chance_of(key), dice.chance_of("0" + key[1:]), dice.chance_of(key[:-1] + "0")]
    assert key[0] != "0" != key[-1]
    assert len({rolled(chance, 1, 1, 1, 1, 0) for chance in chances}) == 3
