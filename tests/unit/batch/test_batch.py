"""A batch plays the games that single matches play, and its arrays share its memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from polemos import registry
from polemos.batch import Batch
from polemos.batch.check import drawn
from polemos.batch.kits import kit_of
from polemos.cli.main import polemos as command
from polemos.kernel.batching import Place
from polemos.kernel.dice import Chance
from polemos.kernel.errors import BadOptions, MissingPart, NoSimulation
from polemos.kernel.log import SILENT
from polemos.kernel.match import Match
from polemos.kernel.record import many
from unit.batch.numbering import NUMBER_OF

pytestmark = pytest.mark.needs("demons", "minions", "monad", "monarchs")

MATCHES: list[tuple[str, dict[str, Any]]] = [
    ("demons", {"map": "hourglass", "turns": 12}),
    ("demons", {"map": "pinwheel", "rules": "finals-2025", "turns": 12}),
    ("monad", {"turns": 8, "units": 9}),
    ("monarchs", {"turns": 4}),
]


@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_the_same_orders_make_the_same_game_in_a_match(name: str, options: dict[str, Any]) -> None:
    """Orders by number in the batch, the same orders as objects in matches with the keys of the batch."""
    batch = Batch(name, options, 4, seed=11, restart=False, threads=1)
    game, chance = batch.game, np.random.default_rng(2)
    matches = [Match(game, options, key=batch.key(at)) for at in range(batch.count)]
    for at, match in enumerate(matches):
        match.state = batch.state(at)  # the same map, where it is drawn
    while not all(match.outcome for match in matches):
        sheets: list[dict[str, list[Any]]] = [{who: [] for who in batch.seats} for _ in matches]
        for _ in range(3):
            limits = batch.observe()["limits"].copy()
            limits[..., 0] = 0
            numbers, amounts = drawn(limits, chance)
            for at, match in enumerate(matches):
                for seat, who in enumerate(batch.seats):
                    if numbers[at, seat] > 0:
                        order = order_of(game, match.state, who, sheets[at][who], numbers[at, seat], amounts[at, seat])
                        sheets[at][who].append(order)
            batch.give(numbers, amounts)
        batch.give(np.zeros((batch.count, len(batch.seats)), dtype=int))
        for at, match in enumerate(matches):
            if not match.outcome:
                for who in game.to_act(match.state):
                    match.submit(who, sheets[at][who])
                match.run()
            assert batch.state(at) == match.state, f"game {at}"
    assert batch.refused.sum() == 0
    assert batch.games.tolist() == [1] * batch.count


def order_of(game: Any, state: Any, who: str, draft: list[Any], number: int, amount: int) -> dict[str, Any]:
    """The lawful order with this number, as an object."""
    read = [game.read(line) for line in draft]
    for option in game.lawful(game.look(state, who), read):
        if NUMBER_OF[game.name](state, option.order) == number:
            return {**option.order, "number": int(amount)} if option.most else dict(option.order)
    raise AssertionError(f"{number} is not lawful for {who}")


def test_orders_of_minions_are_carried_out_at_once() -> None:
    """One after the other on the state, as a match with a turn in progress does it."""
    batch = Batch("minions", {"boards": 2, "turns": 4}, 2, seed=4, restart=False, threads=1)
    game: Any = batch.game
    chance = np.random.default_rng(3)
    states = [batch.state(at) for at in range(2)]
    for _ in range(150):
        limits = batch.observe()["limits"]
        numbers, amounts = drawn(limits, chance)
        for at, state in enumerate(states):
            number = max(numbers[at])
            if state.reason or number < 0:
                continue
            who = game.to_act(state)[0]
            if number == 0:
                game.resolve(state, {who: game.check(state, who, [])}, Chance(), SILENT)
            else:
                order = order_of(game, state, who, [], number, 1)
                game.apply(state, who, game.read(order), SILENT)
        batch.give(numbers, amounts)
        assert [batch.state(at) for at in range(2)] == states
    assert batch.refused.sum() == 0
    assert max(state.turn for state in states) > 1


@pytest.mark.parametrize("name", ["demons", "minions", "monad", "monarchs"])
def test_threads_and_slices_make_no_difference(name: str) -> None:
    """The same bytes with one thread and with three, in one call and in many."""
    options = registry.load(name).examples[0]
    one = Batch(name, options, 31, seed=8, threads=1)
    three = Batch(name, options, 31, seed=8, threads=3)
    one.play("random", 12)
    for _ in range(4):
        three.play("random", 3)
    for what in ("states", "places"):
        assert (one.raw(what) == three.raw(what)).all(), what
    other = Batch(name, options, 31, seed=9, threads=1)
    other.play("random", 12)
    assert not (one.raw("states") == other.raw("states")).all(axis=1).any(), "another seed, other games"


def test_a_game_of_a_batch_does_not_depend_on_the_others() -> None:
    large = Batch("monarchs", {}, 20, seed=1, threads=2)
    small = Batch("monarchs", {}, 5, seed=1, threads=1)
    large.play("random", 20)
    small.play("random", 20)
    assert (large.raw("states")[:5] == small.raw("states")).all()


def test_finished_games_are_followed_by_the_next() -> None:
    batch = Batch("monarchs", {"turns": 3}, 10, threads=1)
    batch.play("random", 2)
    assert not batch.over.any()
    assert not batch.rewards.any()
    batch.play("random", 1)
    assert batch.over.all()
    assert (np.sort(batch.rewards, axis=1) == [-2, 0, 2]).all(), "first, second, third of three"
    assert (batch.totals == batch.rewards).all()
    assert (batch.states["turn"] == 1).all()
    assert (batch.games == 1).all()
    keys = {batch.key(at) for at in range(10)}
    batch.play("random", 3)
    assert (batch.games == 2).all()
    assert len(keys | {batch.key(at) for at in range(10)}) == 20, "every game has a key of its own"


def test_without_restart_a_finished_game_stays_as_it_ended() -> None:
    batch = Batch("monarchs", {"turns": 2}, 4, restart=False, threads=1)
    batch.play("random", 2)
    ended = batch.raw("states").copy()
    assert batch.over.all()
    game: Any = batch.game
    assert [game.outcome(batch.state(at)).winner for at in range(4)] == [
        batch.seats[seat] for seat in np.argmax(batch.rewards, axis=1)
    ]
    batch.play("random", 5)
    assert (batch.raw("states") == ended).all()
    assert not batch.over.any()
    assert not batch.rewards.any()
    assert (batch.games == 1).all()
    batch.reset(3)
    batch.play("random", 5)
    assert (batch.games == 1).all()


def test_rewards_follow_the_outcome() -> None:
    for name, options in (("demons", {"map": "hourglass"}), ("monad", {"seats": 4, "turns": 20})):
        batch = Batch(name, options, 8, restart=False, threads=1)
        batch.play("random", 300)
        assert (batch.games == 1).all()
        game: Any = batch.game
        for at in range(8):
            outcome = game.outcome(batch.state(at))
            ranks = outcome.ranks or {who: 1 + place for place, who in enumerate(outcome.places)}
            if outcome.winner is None and not outcome.ranks:
                ranks = dict.fromkeys(batch.seats, 1)
            wanted = [
                sum((ranks[other] > ranks[who]) - (ranks[other] < ranks[who]) for other in batch.seats)
                for who in batch.seats
            ]
            assert batch.totals[at].tolist() == wanted


def test_arrays_share_the_memory_of_the_batch() -> None:
    batch = Batch("demons", {"map": "hourglass"}, 6, threads=1)
    gold, seen = batch.states["gold"], batch.observe()
    gold[2, 0] = 777
    assert batch.state(2).gold[0] == 777
    batch.observe()
    assert seen["figures"][2, 0, 4] == 777
    assert seen["figures"][2, 1, 5] == 777
    batch.reset(1)
    assert gold[2, 0] != 777


def test_orders_can_be_filled_as_records() -> None:
    from polemos.games.monarchs.sheets import enter

    batch = Batch("monarchs", {}, 2, threads=1)
    game = batch.game
    state = batch.state(0)
    march = next(option for option in game.lawful(game.look(state, "red")) if option.most)
    sheets = {who: game.check(state, who, [march.text] if who == "red" else []) for who in batch.seats}
    match = Match(game, {}, key=batch.key(0))
    match.state = state.copy()
    for who, sheet in sheets.items():
        match.submit(who, [line.text for line in sheet.lines])
    match.run()
    orders: Any = many(type(batch.orders[0]), 2)
    enter(orders[0].of[0], [line.order for line in sheets["red"].lines])
    batch.step(orders)
    assert batch.state(0) == match.state


def test_several_starting_positions() -> None:
    """Maps of one size are drawn; every game begins on one of them."""
    batch = Batch("monad", {"map": "random", "size": "9x13", "turns": 4}, 40, starts=3, threads=1)
    fields = {batch.states["cell"]["field"][at, : 9 * 13].tobytes() for at in range(40)}
    assert len(fields) == 3
    batch.play("random", 9)
    assert {batch.states["cell"]["field"][at, : 9 * 13].tobytes() for at in range(40)} == fields


def test_wrong_questions_are_answered() -> None:
    batch = Batch("monarchs", {}, 2, threads=1)
    with pytest.raises(BadOptions, match="No policy is called 'nobody'"):
        batch.play("nobody")
    with pytest.raises(BadOptions, match="3 seats"):
        batch.play(["random", "random"])
    with pytest.raises(BadOptions, match="shape"):
        batch.give(np.zeros((2, 2), dtype=int))
    with pytest.raises(BadOptions, match="from 0 to 427"):
        batch.give(np.full((2, 3), 428))
    with pytest.raises(BadOptions, match="orders for 1"):
        batch.step(many(type(batch.orders[0]), 1))
    with pytest.raises(BadOptions, match="at least one game"):
        Batch("monarchs", {}, 0)
    with pytest.raises(BadOptions, match="'cpu' or 'cuda'"):
        Batch("monarchs", {}, 1, device="tpu")
    with pytest.raises(BadOptions, match="at least one thread"):
        Batch("monarchs", {}, 1, threads=0)
    with pytest.raises(BadOptions, match="whole numbers, not float64"):
        batch.give(np.full((2, 3), 0.9))
    with pytest.raises(BadOptions, match="Sheets records"):
        batch.step(many(Place, 2))
    with pytest.raises(BadOptions, match="drew several sizes"):
        Batch("demons", {"map": "random"}, 1, starts=8)


@pytest.mark.parametrize("seat", [3, -1, -2, 1 << 40, "red", 0.5])
def test_only_a_seat_that_is_there_can_look(seat: Any) -> None:
    """Anything else would be written to memory of somebody else."""
    batch = Batch("monarchs", {}, 2, threads=1)
    before = batch.save()
    with pytest.raises(BadOptions, match="Seats are numbers from 0 to 2"):
        batch.act(np.zeros((2, 3), dtype=int), seat=seat)
    assert batch.save() == before


def test_without_a_gpu_there_is_a_word_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the compiler's trace; at the terminal neither."""
    monkeypatch.setattr("numba.cuda.is_available", lambda: False)
    with pytest.raises(MissingPart, match="No GPU can be used here"):
        Batch("monarchs", {}, 1, device="cuda")
    result = CliRunner().invoke(command, ["check-gpu", "monarchs"])
    assert isinstance(result.exception, MissingPart)


@pytest.mark.parametrize("interpreted", [False, True])
def test_whoever_waits_for_kernels_is_told(
    interpreted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line before the first kernel is compiled, and one before the first with scripts; none in the simulator."""
    from polemos.batch import kernels

    told: list[str] = []

    class Fake(dict[Any, Any]):
        def __missing__(self, grid: Any) -> Any:
            return lambda: told.append(capsys.readouterr().err)

    monkeypatch.setattr(kernels, "INTERPRETED", interpreted)
    monkeypatch.setattr(kernels, "give_devices", lambda sizes, called: None)
    made = kernels.Kernels(kit_of(registry.load("demons")), {}, "Demons")
    made._kernels = dict.fromkeys(made._kernels, Fake())
    for name in ("start", "random", "play", "oppose", "observe", "start"):
        made.launch(name, (1, 1))
    words = ["compiling batches of Demons for the GPU", "", "compiling the scripts of Demons for the GPU", "", "", ""]
    for line, wanted in zip(told, [""] * 6 if interpreted else words, strict=True):
        assert wanted in line
        assert bool(line) == bool(wanted)


def test_a_game_without_spaces_says_so() -> None:
    class Elsewhere(type(registry.load("monarchs"))):  # type: ignore[misc]
        __module__ = "unit.batch.elsewhere"

    with pytest.raises(NoSimulation, match=r"spaces\.py"):
        Batch(Elsewhere(), {}, 1)


@pytest.mark.parametrize("policy", ["economist", "rusher", "keeper"])
@pytest.mark.parametrize("rules", ["seed", "finals-2025"])
def test_scripted_players_of_demons_beat_random(policy: str, rules: str) -> None:
    """From either seat, at least two games of three."""
    for seat in range(2):
        batch = Batch("demons", {"map": "hourglass", "rules": rules}, 24, seed=5, restart=False, threads=1)
        names = ["random", "random"]
        names[seat] = policy
        batch.play(names, 1200)
        assert batch.games.sum() == 24
        assert batch.totals[:, seat].sum() >= 8, batch.totals[:, seat].tolist()


def test_scripted_players_give_lawful_orders() -> None:
    """What a policy orders is carried out: a house is built, as soon as there is gold for one."""
    batch = Batch("demons", {"map": "hourglass"}, 3, seed=5, threads=1)
    price = batch.state(0).price[0]
    assert (batch.states["gold"] >= price).all()
    before = batch.states["towers"].copy()
    batch.play("economist", 1)
    assert (batch.states["towers"] == before + 2).all()


@pytest.mark.parametrize(("name", "options"), [*MATCHES, ("minions", {"boards": 2, "turns": 6})])
def test_policies_can_play_seats_beside_orders_by_number(name: str, options: dict[str, Any]) -> None:
    """If policies play all seats, a call of `give` plays a turn as `play` does; in Minions, a turn of each side."""
    played, given = (Batch(name, options, 6, seed=3, threads=1) for _ in range(2))
    policy = played.policies[-1]
    given.assign([policy] * len(given.seats))
    nothing = np.full((6, len(given.seats)), -1)
    for _ in range(9):
        played.play(policy, 2 if name == "minions" else 1)
        given.give(nothing)
        assert (played.raw("states") == given.raw("states")).all()
        assert (played.totals == given.totals).all()
    given.assign([None] * len(given.seats))
    before = given.raw("states").copy()
    given.give(nothing)
    assert (given.raw("states") == before).all(), "now all seats wait for orders by number"


def test_assigned_policies_stay_after_a_reset() -> None:
    batch = Batch("demons", {"map": "hourglass"}, 3, threads=1)
    batch.assign([None, "economist"])
    batch.reset(4)
    batch.give(np.zeros((3, 2), dtype=int))
    assert (batch.states["turn"] == 1).all()
    with pytest.raises(BadOptions, match="2 seats here; 1 were given"):
        batch.assign(["random"])
    with pytest.raises(BadOptions, match="No policy is called 'nobody'"):
        batch.assign([None, "nobody"])


def test_every_game_can_have_policies_of_its_own() -> None:
    """Each game goes as it would in a batch in which all seats are played like this."""
    tables: list[list[str | None]] = [[None, "economist"], ["keeper", "rusher"], ["random", None], [None, "economist"]]
    mixed = Batch("demons", {"map": "hourglass"}, 4, seed=4, threads=1)
    mixed.assign(tables)
    mixed.reset(4)
    files = np.zeros((4, 2), dtype=int)
    for at, table in enumerate(tables):
        alike = Batch("demons", {"map": "hourglass"}, 4, seed=4, threads=1)
        alike.assign(table)
        for _ in range(30):
            alike.give(files)
        if at == 0:
            for _ in range(30):
                mixed.give(files)
        assert (mixed.raw("states")[at] == alike.raw("states")[at]).all()
    with pytest.raises(BadOptions, match="4 games; policies for 2"):
        mixed.assign(tables[:2])
    tables[3] = ["random"]
    with pytest.raises(BadOptions, match="2 seats here; 1 were given"):
        mixed.assign(tables)


@pytest.mark.parametrize(("name", "options"), [*MATCHES, ("minions", {"boards": 2, "turns": 6})])
def test_acting_is_giving_and_observing(name: str, options: dict[str, Any]) -> None:
    """One call or two: the same bytes. A seat that looks alone sees what it sees among others."""
    two, one, alone = (Batch(name, options, 5, seed=6, threads=1) for _ in range(3))
    chance = np.random.default_rng(5)
    numbers, amounts = one.slots()
    seen = two.observe()
    for step in range(30):
        n, a = drawn(two.observe()["limits"], chance)
        numbers[..., 0], amounts[..., 0] = n, a
        two.give(n, a)
        seen = two.observe()
        one.act()
        for what in ("states", "places", "orders", "observations", "limits"):
            assert (one.raw(what) == two.raw(what)).all(), what
        seat = step % len(two.seats)
        for part, array in alone.act(n, a, seat=seat).items():
            assert (array[:, seat] == seen[part][:, seat]).all(), part
    assert one.refused.sum() == 0
    with pytest.raises(BadOptions, match="No orders were given"):
        Batch(name, options, 1, threads=1).act()


@pytest.mark.parametrize(("name", "options"), [*MATCHES, ("minions", {"boards": 2, "turns": 6})])
def test_saved_games_go_on_as_they_would_have(name: str, options: dict[str, Any]) -> None:
    batch, other = (Batch(name, options, 4, seed=seed, threads=1) for seed in (1, 2))
    batch.play("random", 3)
    batch.give(*drawn(batch.observe()["limits"], np.random.default_rng(1)))
    other.load(batch.save())
    for one in (batch, other):
        one.give(np.zeros((4, len(one.seats)), dtype=int))
        one.play("random", 4)
    assert batch.save() == other.save()
    with pytest.raises(BadOptions, match="another kind"):
        Batch(name, options, 3, threads=1).load(batch.save())


@pytest.mark.parametrize("policy", ["random", "last"])
@pytest.mark.parametrize(("name", "options"), MATCHES)
def test_drafts_end_with_their_turn(name: str, options: dict[str, Any], policy: str) -> None:
    """After `play` nobody has filed a sheet, and no line of the turn before is left: not by number, not by record."""
    batch = Batch(name, options, 6, seed=3, threads=1)
    blank, chance = batch.raw("orders").copy(), np.random.default_rng(1)
    for _ in range(3):
        limits = batch.observe()["limits"].copy()
        limits[..., 0] = 0  # drafts only
        batch.give(*drawn(limits, chance))
    files = np.full((6, len(batch.seats)), -1)
    files[:, 1] = 0
    batch.give(files)
    batch.play("random", 0)
    assert batch.filed[:, 1].all(), "no turn was played yet"
    assert (batch.raw("orders") != blank).any()
    fresh = Batch(name, options, 6, seed=3, threads=1)
    batch.play(batch.policies[-1] if policy == "last" else policy, 1)
    assert not batch.filed.any()
    assert (batch.raw("orders") == blank).all()
    fresh._driver.raw(fresh._states)[...] = batch.raw("states")
    assert (batch.observe()["limits"] == fresh.observe()["limits"]).all()


def test_sheets_that_were_filled_as_records_end_with_their_turn_too() -> None:
    batch = Batch("monarchs", {}, 2, threads=1)
    batch.play("random", 1)
    batch.orders[1].of[2].count = 1
    batch.play("random", 1)
    assert [batch.orders[1].of[nation].count for nation in range(3)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("demons", {"map": "skirmish"}),
        ("minions", {"boards": 2}),
        ("monad", {"map": "random", "size": "9x13"}),
        ("monarchs", {}),
    ],
)
def test_what_is_written_to_a_game_reaches_no_other(name: str, options: dict[str, Any]) -> None:
    """States lie side by side, so their arrays end where the map does; and so do those of sights."""
    batch = Batch(name, options, 3, seed=2, starts=2 if name == "monad" else 1, threads=1)
    batch.play("random", 3)
    for what, array in (("states", batch.states), ("sights", batch.look())):
        rows = batch.raw(what).reshape(3, -1)
        before = rows.copy()
        array[1] = np.zeros((), array.dtype)
        for field in array.dtype.names:
            array[field][1] = np.zeros((), array.dtype[field].base)
        assert not rows[1, : array.dtype.itemsize].any()
        assert (rows[[0, 2]] == before[[0, 2]]).all(), what


def test_arrays_of_states_are_as_long_as_the_map() -> None:
    assert Batch("monad", {"map": "random", "size": "9x13"}, 2, threads=1).states["cell"].shape == (2, 9 * 13)
    assert Batch("minions", {"boards": 2}, 2, threads=1).states["board"].shape == (2, 2)
    batch = Batch("demons", {"map": "skirmish"}, 2, threads=1)
    assert batch.states["tile"].shape == (2, batch.state(0).tiles)
    assert batch.look()["state"]["tile"].shape == (2, 2, batch.state(0).tiles)
    assert batch.states["unit"].shape == (2, len(batch.state(0).unit)), "whole arrays before the last"


def test_arrays_that_could_be_on_a_gpu_are_asked_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """JAX's arrays have the property of those on a GPU, and raise an error when they are elsewhere."""

    class Elsewhere(np.ndarray[Any, Any]):
        @property
        def __cuda_array_interface__(self) -> Any:
            raise AttributeError("only defined for GPU buffers")

    batch = Batch("monarchs", {}, 2, threads=1)
    monkeypatch.setattr(batch, "device", "cuda")
    batch.give(np.zeros((2, 3), dtype=int).view(Elsewhere))
    assert (batch.states["turn"] == 2).all()


@pytest.mark.parametrize("wrong", [np.full((2, 3, 2), 428), np.full((2, 3, 2), 0.5)])
def test_orders_that_are_refused_as_a_whole_leave_the_last_ones(wrong: Any) -> None:
    """`again` gives the same numbers once more, and files nothing by itself."""
    batch = Batch("monarchs", {}, 2, threads=1)
    batch.give(np.full((2, 3), -1))
    with pytest.raises(BadOptions):
        batch.give(wrong)
    with pytest.raises(BadOptions):
        batch.act(np.zeros((2, 3), dtype=int), seat=3)
    batch.again()
    assert not batch.filed.any()
    assert (batch.states["turn"] == 1).all()
