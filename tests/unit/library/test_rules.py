"""The C library plays like Python: byte by byte, turn by turn, in whole random games of all four games.

Orders are made up and written by the library; Python reads them as text, judges them and plays the turn by itself.
"""

from __future__ import annotations

import ctypes as c
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polemos import __version__, registry
from polemos.kernel import dice
from polemos.kernel.capabilities.in_library import InLibrary
from polemos.kernel.layout import layout
from polemos.kernel.log import SILENT
from polemos.kernel.mode import INTERPRETED
from polemos.kernel.record import many
from polemos.library.build import build
from search import examples
from unit.library.hands import HANDS, at, bytes_of, mix, opened, u64

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled then")
GAMES = [name for name in registry.names() if isinstance(registry.load(name), InLibrary)]
every_game = pytest.mark.parametrize("game", [registry.load(name) for name in GAMES], ids=GAMES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("library")
    build([registry.load(name) for name in GAMES], folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def library(folder: Path) -> c.CDLL:
    return opened(folder)


def call(library: c.CDLL, game: Any, name: str) -> Any:
    return library[f"polemos_{game.name}_{name}"]


def twin(state: Any) -> Any:
    """The same bytes, all of them, also behind the extent."""
    return type(state).from_buffer_copy(state.raw().ljust(state.dtype.itemsize, b"\0"))


def winner_of(game: Any, state: Any) -> int:
    """As the library counts: a seat, -1 for a draw, -2 while the game runs."""
    outcome = game.outcome(state)
    if outcome is None:
        return -2
    return -1 if outcome.winner is None else game.seats(state).index(outcome.winner)


def test_every_game_of_ours_is_in_the_library() -> None:
    assert set(GAMES) == set(HANDS) & set(registry.names())


@every_game
@given(seed=st.integers(0, 2**32 - 1))
@examples(8)
def test_random_games_are_equal_after_every_turn(library: c.CDLL, game: Any, seed: int) -> None:
    """Whole games, until forty turns are played; in some of them a seat drops out."""
    turns = 0
    while turns < 40:
        options = game.examples[seed % len(game.examples)]
        turns += play_both(library, game, options, seed)
        seed += 1


def play_both(library: c.CDLL, game: Any, options: dict[str, Any], seed: int) -> int:
    """One game, with our rules and in the library; says how many turns it had."""
    ours = game.setup(options, seed)
    theirs = twin(ours)
    step = 0
    while game.outcome(ours) is None:
        key = mix(library, seed << 20 | step)
        if key % 64 == 0:
            game.forfeit(ours, game.to_act(ours)[0], SILENT)
            theirs = twin(ours)
            if not game.to_act(ours):
                break
        sheets = HANDS[game.name].turn(library, theirs, key)
        read = {seat: game.check(ours, seat, texts) for seat, texts in sheets.items()}
        assert not any(line.order is None for sheet in read.values() for line in sheet.lines)
        game.resolve(ours, read, dice.Chance(key=key, salt=mix(library, key)), SILENT)
        assert theirs.digest() == ours.digest(), (options, seed, step)
        assert bytes_of(theirs) == bytes_of(twin(ours))
        assert call(library, game, "winner")(at(theirs)) == winner_of(game, ours)
        step += 1
    return step


@every_game
def test_threads_do_not_disturb_each_other(library: c.CDLL, game: Any) -> None:
    start = game.setup(game.examples[0], 1)

    def played(key: int) -> str:
        state = twin(start)
        call(library, game, "playout")(at(state), u64(key), 100_000)
        digest: str = state.digest()
        return digest

    alone = [played(key) for key in range(200)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(played, range(200))) == alone
    assert len(set(alone)) > 100


@pytest.mark.needs("monarchs", "monad", "demons", "minions")
def test_a_game_that_is_over_is_not_played_on(library: c.CDLL) -> None:
    for name, orders in (("monarchs", 3000), ("demons", 3000), ("monad", 0), ("minions", 0)):
        game = registry.load(name)
        state = game.setup(game.examples[0], 1)
        call(library, game, "playout")(at(state), u64(1), 100_000)
        before = bytes_of(state)
        rest = (u64(1), u64(2)) if orders else (0,)
        assert call(library, game, "resolve")(at(state), c.create_string_buffer(orders + 1), *rest) == -1
        assert bytes_of(state) == before


@pytest.mark.needs("monad")
def test_orders_of_a_seat_that_has_forfeited_are_left_out(library: c.CDLL) -> None:
    """9.7 Red forfeits: its units do not move, while those of the others do."""
    from polemos.games.monad.state import DIRECTIONS, MOVE, SEATS, Order

    game = registry.load("monad")
    state = game.setup({"seats": 3, "units": 5, "turns": 20}, 1)
    orders, texts = many(Order, 3), {}
    for number, seat in enumerate(SEATS[:3]):
        option = next(o for o in game.lawful(game.look(state, seat)) if o.order["order"] == "move")
        x, y, way = (option.order[name] for name in ("x", "y", "direction"))
        library.polemos_monad_set(at(state), at(orders[number]), number, MOVE, x, y, DIRECTIONS.index(way), 3)
        texts[seat] = [f"move {x},{y} {way} 3"]
    game.forfeit(state, "red", SILENT)
    ours = state.copy()
    library.polemos_monad_resolve(at(state), c.c_void_p(orders.numbers().ctypes.data), 3)
    game.resolve(ours, {seat: game.check(ours, seat, lines) for seat, lines in texts.items()}, dice.Chance(), SILENT)
    assert state == ours
    assert [(s.owner, s.units) for s in game.observe(state, "blue").stacks].count(("red", 5)) == 1


@pytest.mark.needs("monarchs")
def test_a_sheet_is_judged_by_itself(library: c.CDLL) -> None:
    """3.5, 3.6 What an earlier call ordered makes no difference."""
    from polemos.games.monarchs.board import INDEX, NAMES, NATIONS, NEIGHBOURS
    from polemos.games.monarchs.state import NOT_YOURS, TOO_MANY, Sheet

    game = registry.load("monarchs")
    state = game.setup({}, 1)
    home = INDEX["A5"]
    target = NEIGHBOURS[home][0]
    sheet = Sheet(count=2)
    for line in (sheet.lines[0], sheet.lines[1]):
        line.origin, line.target, line.number = home, target, state.regiments[home]
    library.polemos_monarchs_judge(at(state), NATIONS.index("red"), at(sheet))
    assert [line.fault for line in sheet.lines][:2] == [0, TOO_MANY]
    state.regiments[home] = 0
    library.polemos_monarchs_judge(at(state), NATIONS.index("red"), at(sheet))
    assert [line.fault for line in sheet.lines][:2] == [NOT_YOURS, NOT_YOURS]
    faults = game.check(state, "red", [f"A5-{NAMES[target]} 1"]).faults
    assert faults[0].rule == "3.6"


def positions(library: c.CDLL, game: Any) -> Iterator[Any]:
    """Some positions from random games, of every example the start, the middle and the end."""
    for seed, options in enumerate(game.examples):
        start = game.setup(options, seed)
        yield start
        for turns in (3, 9, 100_000):
            state = twin(start)
            call(library, game, "playout")(at(state), u64(seed), turns)
            yield state


@every_game
def test_sights_are_equal(library: c.CDLL, game: Any) -> None:
    for state in positions(library, game):
        for number, seat in enumerate(game.seats(state)):
            sight = game.sight_type()
            call(library, game, "look")(at(state), number, at(sight))
            assert bytes_of(sight) == bytes_of(game.look(state, seat))


@every_game
def test_legal_orders_are_equal(library: c.CDLL, game: Any) -> None:
    count = 0
    for state in positions(library, game):
        for number, seat in enumerate(game.seats(state)):
            sight = game.look(state, seat)
            wanted = [option.text for option in game.lawful(sight)]
            assert HANDS[game.name].options(library, state, sight, number) == wanted
            count += len(wanted)
    assert count > 100


@every_game
def test_a_playout_is_a_random_game_of_ours(library: c.CDLL, game: Any) -> None:
    for seed, options in enumerate(game.examples):
        start = game.setup(options, seed)
        key = dice.number(seed)
        theirs, ours = twin(start), many(game.state_type, 1)
        ours[0] = start
        played = call(library, game, "playout")(at(theirs), u64(key), 100_000)
        assert played > 2
        game.rollout(ours, start, key, played)
        assert theirs == ours[0]
        assert call(library, game, "winner")(at(theirs)) == winner_of(game, theirs) != -2
        assert call(library, game, "playout")(at(theirs), u64(key), 100_000) == 0


@every_game
def test_a_playout_stops_after_the_turns_it_was_given(library: c.CDLL, game: Any) -> None:
    start = game.setup(game.examples[0], 1)
    theirs, ours = twin(start), many(game.state_type, 1)
    ours[0] = start
    assert call(library, game, "playout")(at(theirs), u64(5), 2) == 2
    game.rollout(ours, start, 5, 2)
    assert theirs == ours[0]
    assert call(library, game, "winner")(at(theirs)) == -2


@every_game
def test_the_library_says_what_it_is(library: c.CDLL, game: Any) -> None:
    assert library.polemos_version().decode() == __version__
    assert call(library, game, "edition")() == game.edition
    told = call(library, game, "layout")
    told.restype = c.c_char_p
    assert told().decode() == layout(game.state_type)
    assert call(library, game, "state_size")() == game.state_type.dtype.itemsize


def test_the_library_needs_nothing_but_the_c_library(folder: Path) -> None:
    """No Python, no runtime of the compiler: those could not be loaded in a box."""
    listed = subprocess.run(
        ["nm", "-D", "--undefined-only", str(folder / "libpolemos.so")], capture_output=True, text=True, check=True
    )
    wanted = {line.split()[-1].partition("@")[0] for line in listed.stdout.splitlines() if line.split()[0] == "U"}
    assert wanted <= {"memcpy", "memset", "memmove", "snprintf", "vsnprintf", "__tls_get_addr", "__stack_chk_fail"}
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", str(folder / "libpolemos.so")], capture_output=True, text=True, check=True
    )
    names = {line.split()[-1] for line in shown.stdout.splitlines()}
    assert all(name.startswith("polemos_") and "_rule_" not in name for name in names)


HEADERS = """
#include "polemos.h"
{includes}
int main(void) {{ return polemos_version()[0] == 0; }}
"""


@pytest.mark.parametrize(("compiler", "name"), [("gcc", "use.c"), ("g++", "use.cpp")])
def test_the_headers_compile_without_a_warning(folder: Path, tmp_path: Path, compiler: str, name: str) -> None:
    """Their assertions compare every offset with ours, also in C++."""
    includes = "\n".join(f'#include "polemos_{game}.h"' for game in GAMES)
    (tmp_path / name).write_text(HEADERS.format(includes=includes))
    command = [compiler, "-Wall", "-Wextra", "-Werror", "-I", str(folder), str(tmp_path / name)]
    done = subprocess.run(
        [*command, str(folder / "libpolemos.a"), "-o", str(tmp_path / "use")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert subprocess.run([str(tmp_path / "use")], check=False).returncode == 0


@pytest.mark.parametrize(
    ("text", "size", "wanted"),
    [
        (b"AQID", 5, b"\1\2\3\0\0"),
        (b'AQI=","x":"', 2, b"\1\2"),
        (b'AQ=="', 2, b"\1\0"),
        (b"", 2, b"\0\0"),
        (b"+/+/", 3, b"\xfb\xff\xbf"),
        (b"AQID", 2, None),
        (b"A-ID", 5, None),
        (b"AQ ID", 5, None),
    ],
)
def test_records_are_read_from_base64(library: c.CDLL, text: bytes, size: int, wanted: bytes | None) -> None:
    record = c.create_string_buffer(b"\xff" * 8, 8)
    read = library.polemos_read(text, record, c.c_size_t(size))
    assert read == (-1 if wanted is None else len(text.split(b'"')[0].rstrip(b"=")) * 3 // 4)
    assert record.raw[size:] == b"\xff" * (8 - size)
    if wanted is not None:
        assert record.raw[:size] == wanted
