"""The search in a game of two numbers: what it finds, what it spends, that it repeats itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import pytest
from msgspec.structs import replace

from polemos.kernel.dice import scatter
from polemos.kernel.playouts import SCRIPTED, WHOLE, Playouts, Trial
from polemos.kernel.record import Many, Record, i32, many, u64
from polemos.search.budget import Budget, Meter
from polemos.search.player import Player
from polemos.search.search import Found, Search, Settings


class Stand(Record):
    """What one state of the game adds to the first seat's number."""

    bonus: i32


class Number(Record):
    number: i32


class Nothing(Record):
    unused: i32


Pays = Callable[[int, int, int], float]  # (number of the first seat, of the second, die from 0 to 99)


class Known:
    def __init__(self, setting: Any, seat: str, seed: int) -> None:
        self.given: list[Any] = []

    def see(self, view: Any, seconds: float) -> None:
        pass

    def gave(self, orders: Sequence[Any]) -> None:
        self.given.append(orders)

    def states(self, count: int, key: int) -> Many[Stand]:
        return many(Stand, 1)


def game(pays: Pays, proposals: Sequence[int] = (), scripts: Sequence[int] = (0,)) -> Playouts:
    """Both seats write a number; the scripts always write theirs. Proposals are for everybody."""

    def play(states: Any, sheets: Any, trials: Any, first: int, after: int, log: Any, desk: Any) -> None:
        for at in range(first, after):
            trial: Trial = trials[at]
            said = [
                scripts[trial.script[seat]] if trial.sheet[seat] == SCRIPTED else sheets[trial.sheet[seat]].number
                for seat in range(2)
            ]
            value = round(WHOLE * pays(said[0] + states[trial.start].bonus, said[1], scatter(trial.key, 0) % 100))
            trial.value[0], trial.value[1] = value, WHOLE - value

    def ask(state: Any, seat: int, script: int, key: u64, sheet: Number, desk: Any) -> None:
        sheet.number = scripts[script]

    def propose(state: Any, seat: int, key: u64, sheets: Any, desk: Any) -> int:
        for i, number in enumerate(proposals[: len(sheets)]):
            sheets[i].number = number
        return min(len(proposals), len(sheets))

    def vary(state: Any, seat: int, key: u64, of: Number, to: Number, desk: Any) -> None:
        to.number = of.number + (1 if scatter(key, 1) & 1 else -1)

    return Playouts(
        state=Stand, sheet=Number, desk=Nothing, scripts=tuple(map(str, scripts)), horizon=1, rate=1000,
        seats=lambda state: 2, steps_left=lambda state: 10, play=play, ask=ask, propose=propose, vary=vary,
        orders=lambda state, seat, sheet: [sheet.number], enter=lambda state, seat, orders: Number(number=orders[0]),
        beliefs=Known,
    )  # fmt: skip


def decide(kit: Playouts, settings: Settings, playouts: int = 600, seat: int = 0, states: int = 1) -> Found:
    return Search(kit, seat, 7, settings).decide(many(Stand, states), Budget(playouts))


SEAT = (None, "first", 0, 3, Settings(variations=0))  # setting, name, number and seed of a player

both = pytest.mark.parametrize("method", ["regret", "ucb"])
every = pytest.mark.parametrize("method", ["model", "regret", "ucb"])


def beats(mine: int, yours: int, die: int) -> float:
    """Rock, paper, scissors."""
    return 0.5 if mine % 3 == yours % 3 else float((mine - yours) % 3 == 1)


def number_of(record: Record) -> int:
    assert isinstance(record, Number)
    return record.number


@both
def test_the_best_number_is_found_in_spite_of_dice(method: Any) -> None:
    kit = game(lambda mine, yours, die: 0.3 + 0.1 * (mine == 3) + 0.004 * die, proposals=range(8))
    found = decide(kit, Settings(method=method, variations=0))
    assert number_of(found.best) == 3
    assert found.playouts <= 600


@both
def test_equal_luck_tells_a_small_difference_from_large_dice(method: Any) -> None:
    """The die is worth up to 0.9 of a game, the number a hundredth: only trials with the same die can tell."""
    kit = game(lambda mine, yours, die: 0.009 * die + 0.01 * (mine == 5), proposals=range(8))
    settings = Settings(method=method, caution=0.0, variations=0)
    assert {number_of(decide(kit, settings, playouts).best) for playouts in (160, 240, 320)} == {5}


def test_a_mixture_is_found_where_the_game_wants_one() -> None:
    kit = game(beats, proposals=(0, 1, 2))
    found = decide(kit, Settings(mixed=True, variations=0, rounds=1, portfolio=0.02), playouts=6000)
    assert sorted(number_of(choice.sheet) for choice in found.choices) == [0, 1, 2]
    assert all(0.2 < choice.share < 0.5 for choice in found.choices)
    assert found.values == pytest.approx([0.5, 0.5], abs=0.1)


@both
def test_best_replies_are_found_that_nobody_proposed(method: Any) -> None:
    """Numbers count for more the nearer they are to 6, which is six small changes from what was proposed."""
    kit = game(lambda mine, yours, die: 0.9 - 0.1 * abs(6 - mine))
    found = decide(kit, Settings(method=method, rounds=12, variations=6), playouts=3000)
    assert number_of(found.best) == 6


def test_one_knows_what_the_other_will_learn() -> None:
    """Against the script alone 1 is best; but the other can answer it with 2."""
    pays: Pays = lambda mine, yours, die: {(1, 0): 1.0, (1, 2): 0.0}.get((mine, yours), 0.5)  # noqa: E731
    kit = game(pays, proposals=(1, 2))
    assert number_of(decide(kit, Settings(foes=0, variations=0)).best) == 1
    assert number_of(decide(kit, Settings(variations=0), playouts=3000).best) != 1


@both
def test_replies_of_the_other_are_found_that_nobody_proposed(method: Any) -> None:
    """1 is best, until the other comes to answer it with 4, three small changes from what was proposed."""
    pays: Pays = lambda mine, yours, die: max(0.0, 1 - 0.25 * abs(yours)) if mine == 1 else 0.5  # noqa: E731
    kit = game(pays, proposals=(1,))
    deaf = Settings(method=method, rounds=12, variations=0, replies=0)
    assert number_of(decide(kit, deaf, playouts=4000).best) == 1
    assert number_of(decide(kit, replace(deaf, replies=6), playouts=4000).best) != 1


@both
def test_in_fog_the_others_have_scripts_only(method: Any) -> None:
    pays: Pays = lambda mine, yours, die: {(1, 0): 1.0, (1, 2): 0.0}.get((mine, yours), 0.5)  # noqa: E731
    settings = Settings(method=method, variations=0)
    assert number_of(decide(game(pays, proposals=(1, 2)), settings, 3000, states=4).best) == 1


@every
def test_in_fog_all_states_count(method: Any) -> None:
    """The number 2 is best in one of four states, 3 in the others: a search that looked at the first would err."""
    kit = game(lambda mine, yours, die: 0.5 + 0.4 * (mine in (2, 13, 23, 33)), proposals=(2, 3))
    states = many(Stand, 4)
    for i in range(4):
        states[i].bonus = 10 * i
    found = Search(kit, 0, 7, Settings(method=method, variations=0)).decide(states, Budget(400))
    assert number_of(found.best) == 3


def test_whoever_is_paranoid_expects_the_worst() -> None:
    """The other does not care, unless it wants nothing but that one loses."""

    def pays(mine: int, yours: int, die: int) -> float:
        return 0.6 if mine == 0 else (1.0 if yours == 0 else 0.0)

    kit = game(pays, proposals=(1,), scripts=(0, 5))
    indifferent = replace(kit, play=_indifferent(kit.play))
    assert number_of(decide(indifferent, Settings(foes=0, variations=0, paranoid=True), 2000).best) == 0
    assert decide(indifferent, Settings(foes=0, variations=0), 2000).values[1] == pytest.approx(0.5)


def test_a_model_of_the_others_cannot_be_paranoid() -> None:
    with pytest.raises(ValueError, match='needs the method "regret" or "ucb"'):
        Settings(method="model", paranoid=True)


def _indifferent(play: Any) -> Any:
    def wrapped(states: Any, sheets: Any, trials: Any, first: int, after: int, log: Any, desk: Any) -> None:
        play(states, sheets, trials, first, after, log, desk)
        for at in range(first, after):
            trials[at].value[1] = WHOLE // 2

    return wrapped


@both
def test_three_play_each_for_itself_unless_one_is_paranoid(method: Any) -> None:
    """The second could spoil a bold plan of the first, at a price: for its own good it would not."""
    kit = replace(game(beats, proposals=(1,), scripts=(0, 5)), seats=lambda state: 3, play=_three)
    settings = Settings(method=method, variations=0)
    plain, wary = decide(kit, settings, 2000), decide(kit, replace(settings, paranoid=True), 2000)
    assert (number_of(plain.best), number_of(wary.best)) == (1, 0)
    assert len(plain.values) == 3
    assert plain.values[1] > 0.11


def _three(states: Any, sheets: Any, trials: Any, first: int, after: int, log: Any, desk: Any) -> None:
    for at in range(first, after):
        trial: Trial = trials[at]
        bold = trial.sheet[0] != SCRIPTED and sheets[trial.sheet[0]].number == 1
        spoils = trial.sheet[1] == SCRIPTED and trial.script[1] == 1
        shares = ((0.0, 0.1) if spoils else (0.8, 0.15)) if bold else (0.4, 0.2 if spoils else 0.3)
        for seat, share in enumerate((*shares, 1.0 - sum(shares))):
            trial.value[seat] = round(WHOLE * share)


@every
def test_the_same_seed_gives_the_same(method: Any) -> None:
    kit = game(lambda mine, yours, die: 0.008 * die + 0.02 * (mine == 3), proposals=range(10))
    settings = Settings(method=method, mixed=True)

    def told(seed: int) -> Any:
        found = Search(kit, 1, seed, settings).decide(many(Stand, 3), Budget(200))
        return number_of(found.best), found.values, [choice[1:] for choice in found.choices]

    assert told(5) == told(5)
    assert told(5) != told(6)


@pytest.mark.parametrize("playouts", [1, 2, 5, 17, 100])
@every
def test_a_small_budget_is_kept_and_answers(method: Any, playouts: int) -> None:
    found = decide(game(beats, proposals=range(6), scripts=(4, 1)), Settings(method=method), playouts)
    assert found.playouts <= playouts
    assert number_of(found.best) in range(-12, 19)


def test_no_time_no_playouts() -> None:
    search = Search(game(beats, scripts=(4, 1)), 0, 7, Settings())
    found = search.decide(many(Stand, 1), Budget(1000, seconds=0.0))
    assert found.playouts == 0
    assert number_of(found.best) in (4, 1)


def test_seconds_alone_are_a_budget() -> None:
    found = Search(game(beats, proposals=range(3)), 0, 7, Settings()).decide(many(Stand, 1), Budget(seconds=0.05))
    assert found.playouts > 0


def test_ideas_are_what_must_be_beaten() -> None:
    kit = game(lambda mine, yours, die: 0.004 * die + 0.4 * (mine == 9), scripts=(1, 2))
    search = Search(kit, 0, 7, Settings(variations=0))
    assert number_of(search.decide(many(Stand, 1), Budget(300), (Number(number=9),)).best) == 9
    assert number_of(search.decide(many(Stand, 1), Budget(300), (Number(number=8),)).best) == 8


def test_a_meter_counts_by_time_where_no_number_is_given() -> None:
    meter = Meter(Budget(seconds=1000.0), rate=10)
    assert 9000 < meter.left <= 10_000
    meter.note(100, 1.0)
    assert meter.left > 50_000


def test_a_player_keeps_to_its_clock_and_remembers_what_it_gave() -> None:
    kit = game(lambda mine, yours, die: 0.1 * mine, proposals=(2, 7), scripts=(1,))
    player = Player(kit, None, "first", 0, 3, Settings(variations=0))
    assert list(player.orders(None, float("inf"))) == [7]
    assert player.last is not None
    assert player.last.playouts <= 50
    assert list(player.orders(None, 12.0)) == [7]
    assert 50 < player.last.playouts <= 1000
    assert list(player.orders(None, 0.0)) == [1]  # the script alone


def test_a_bank_lasts_for_a_whole_match_however_long() -> None:
    """By what is planned: each step costs its share, and the ladder's addition comes afterwards."""
    kit = game(lambda mine, yours, die: 0.1 * mine, proposals=(2, 7), scripts=(1,))
    for steps in (8, 300, 2000):
        left = list(range(-1, steps + 1))
        player = Player(replace(kit, steps_left=lambda state, left=left: left.pop()), *SEAT)
        clock = 10.0
        for _ in range(steps):
            share = player.plan(many(Stand, 1)[0], clock)
            assert 0 < share <= clock / 2
            clock += 0.05 - share
        assert clock > 0


def test_a_search_is_stopped_before_the_clock_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where playouts take far longer than the game says: a quarter of what is left is the most that a step takes."""
    kit = game(lambda mine, yours, die: 0.1 * mine, proposals=(2, 7), scripts=(1,))
    asked: list[Budget] = []
    player = Player(replace(kit, price=lambda states, steps: 1e-6), *SEAT)
    plain = player.search.decide

    def decide(states: Any, budget: Budget, ideas: Any, model: Any, scripts: Any) -> Found:
        asked.append(budget)
        return plain(states, Budget(9), ideas, model, scripts)

    monkeypatch.setattr(player.search, "decide", decide)
    clocks = (10.0, 1.0, 0.3, inf)
    for clock in clocks:
        player.orders(None, clock)
    assert len(asked) == len(clocks)
    assert all(budget.seconds <= clock / 4 for budget, clock in zip(asked, clocks, strict=True))


def test_slow_playouts_are_counted_one_by_one() -> None:
    """Between two looks at the clock there are as many playouts as fit, by what the game says they cost here."""
    kit = game(lambda mine, yours, die: 0.1 * mine, proposals=range(20), scripts=range(8))
    sizes: list[int] = []

    def play(states: Any, sheets: Any, trials: Any, first: int, after: int, log: Any, desk: Any) -> None:
        sizes.append(after - first)
        kit.play(states, sheets, trials, first, after, log, desk)

    for price, most in ((0.1, 1), (0.002, 5)):
        sizes.clear()
        slow = replace(kit, play=play, price=lambda states, steps, price=price: price)
        Search(slow, 0, 7, Settings(variations=0)).decide(many(Stand, 1), Budget(24))
        assert max(sizes) == most


def test_with_less_time_than_a_playout_takes_nothing_is_played_out() -> None:
    kit = replace(game(lambda mine, yours, die: 0.1 * mine, proposals=(2, 7)), price=lambda states, steps: 0.5)
    player = Player(kit, None, "first", 0, 3, Settings(variations=0))
    assert list(player.orders(None, 1.0)) == [0]
    assert player.last is None, "a twelfth of a second for each of the twelve steps"
    assert list(player.orders(None, 60.0)) == [7]


def test_the_others_are_drawn_from_a_model() -> None:
    """Against whoever plays 3 for certain, 4 is best; against 7, 8."""
    kit = game(lambda mine, yours, die: 1.0 * (mine == yours + 1), proposals=(4, 8), scripts=(3, 7))
    for script, best in ((0, 4), (1, 8)):
        model = [[1.0, 1.0], [1.0 * (script == 0), 1.0 * (script == 1)]]
        found = Search(kit, 0, 7, Settings(method="model", variations=0)).decide(many(Stand, 1), Budget(200), (), model)
        assert number_of(found.best) == best
        assert found.values[0] == pytest.approx(1.0)


def test_with_little_time_all_of_it_goes_into_the_choice_of_a_script() -> None:
    """Eight scripts and forty proposals, but time for three worlds or ten: the last script is best."""
    kit = game(lambda mine, yours, die: 0.004 * die + 0.05 * mine, proposals=range(40), scripts=range(8))
    settings = Settings(method="model", variations=0, worlds=2)
    for playouts in (24, 50, 80, 100):
        found = Search(kit, 0, 7, settings).decide(many(Stand, 1), Budget(playouts))
        assert number_of(found.best) == 7
        assert playouts - 8 < found.playouts <= playouts
    assert number_of(Search(kit, 0, 7, settings).decide(many(Stand, 1), Budget(1000)).best) > 7, "a proposal"


def test_what_a_match_has_shown_counts_more_than_a_lucky_world() -> None:
    """The first script is better in seven worlds of ten, and each decision sees no more than two."""
    kit = game(lambda mine, yours, die: 0.9 if (die < 70) == (mine == 1) else 0.1, scripts=(1, 2))
    search = Search(kit, 0, 7, Settings(method="model", variations=0))
    chosen = [number_of(search.decide(many(Stand, 1), Budget(4)).best) for _ in range(60)]
    assert chosen[20:].count(1) >= 38
    assert number_of(search.decide(many(Stand, 1), Budget(1)).best) == 1, "without a playout, too"


@every
@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("playouts", [1, 2, 5, 7, 20, 60, 150, 400])
def test_a_small_budget_is_used_and_the_seats_share_one_game(method: Any, seats: int, playouts: int) -> None:
    kit = game(beats, proposals=range(40), scripts=range(8))
    if seats == 3:
        kit = replace(kit, seats=lambda state: 3, play=_three)
    found = decide(kit, Settings(method=method), playouts)
    assert playouts * 0.75 <= found.playouts <= playouts
    assert sum(found.values) == pytest.approx(1.0, abs=1e-5)
    assert all(0.0 <= value <= 1.0 for value in found.values)
    assert all(0.0 <= choice.value <= 1.0 for choice in found.choices)
    again = decide(kit, Settings(method=method), playouts)
    assert (again.best.raw(), again.values, again.playouts) == (found.best.raw(), found.values, found.playouts)


@every
def test_with_no_time_at_all_nothing_is_known(method: Any) -> None:
    kit = game(beats, proposals=range(40), scripts=range(8))
    found = Search(kit, 0, 7, Settings(method=method)).decide(many(Stand, 1), Budget(seconds=0.0))
    assert (found.playouts, found.values) == (0, (0.5, 0.5))


@every
def test_somebody_can_listen_while_it_searches(method: Any) -> None:
    heard: list[int] = []
    kit = game(beats, proposals=(0, 1, 2))
    found = Search(kit, 0, 7, Settings(method=method)).decide(many(Stand, 1), Budget(200), told=heard.append)
    assert len(heard) > 1
    assert sum(heard) == found.playouts
