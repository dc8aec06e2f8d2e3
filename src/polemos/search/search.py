"""One decision: candidates of all seats, playouts that compare them in equal luck, and a mixture at the end.

A seat's action is a first sheet and the script that plays on after it. The scripts' own sheets are there from the
beginning (the portfolio), so that a search with a small budget plays no worse than the best script. Then come the
sheets that the game proposes, and after each round variations of the best ones that do better against the mixture of
the others than anything so far: of this seat, and of the others, who answer what this seat has come to (a double
oracle whose replies are found by hill-climbing).

In fog, actions of the others are scripts only: a script sees what its seat sees, so the same action makes sense in
every state that one believes possible, where a sheet would not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from msgspec import Struct

from polemos.kernel.batching import MAX_SEATS
from polemos.kernel.dice import number
from polemos.kernel.log import SILENT
from polemos.kernel.playouts import SCRIPTED, WHOLE, Playouts, Trial
from polemos.kernel.record import Many, Record, many
from polemos.search.budget import Budget, Meter, rate_of
from polemos.search.choosing import Bounds, Numbers, Regrets
from polemos.search.lore import Kind, Lore

Model = Sequence[Sequence[float]]  # by seat and script

BATCH: Final = 8  # worlds after which everybody learns
ROOM: Final = 512  # sheets in one decision
USUAL: Final = 0.15  # standard deviation of the difference of two actions, while it is not known from more than a few
FEW: Final = 2  # worlds
ENOUGH: Final = 8  # playouts that a variation must be worth where bounds choose
FEWEST: Final = 4  # candidates that are worth a search; with time for fewer, all of it goes into the choice of a script


NEVER: Final = -1  # in place of a horizon


class Settings(Struct, frozen=True):
    """How to search. The defaults are those of `champion`; games change some of them."""

    method: Literal["model", "regret", "ucb"] = "regret"
    horizon: int = 0  # steps of a playout; 0: as the game advises, NEVER: it is played to its end
    states: int = 1  # of those believed possible, how many are searched
    candidates: int = 40  # sheets of the seat that decides
    foes: int = 8  # sheets of each of the others, beside their scripts; only without fog, as their replies are
    worlds: int = 1  # in which all candidates are tried at first; with less time there are fewer of them
    rounds: int = 4
    variations: int = 12  # of the best sheets, tried after each round
    replies: int = 6  # the same of each of the others
    portfolio: float = 0.25  # share of the budget that chooses among scripts first
    caution: float = 0.5  # standard errors by which a sheet must be better than the best idea or script
    paranoid: bool = (
        False  # the others want nothing but that this seat loses; not with `model`, where they want nothing
    )
    growth: float = 0.0  # share of the budget that grows scripts, in games that have spare ones, for two seats
    mixed: bool = False  # plays the mixture; otherwise the best reply to the mixture of the others
    width: float = 0.4  # of the confidence bounds, in games

    def __post_init__(self) -> None:
        if self.paranoid and self.method == "model":
            raise ValueError(
                'paranoid=True needs the method "regret" or "ucb": with "model" the others play scripts, come what may.'
            )

    def steps(self, playouts: Playouts, states: Many[Any]) -> int:
        """Of a playout from these states; 0: to the end of the game."""
        advised = playouts.horizon if playouts.reach is None else playouts.reach(states)
        return max(0, self.horizon or advised)


class Choice(NamedTuple):
    """A sheet of the seat that decides, as the search leaves it."""

    sheet: Record
    share: float  # in the mixture
    value: float  # of a game, against the mixture of the others; an even share, if there was no time to try it
    error: float  # standard error of its advantage over the reference
    worlds: int  # in which it was tried


class Found(NamedTuple):
    """What a search came to."""

    best: Record
    choices: tuple[Choice, ...]  # the best first
    values: tuple[float, ...]  # of a game for each seat, under the best sheet and what the others did; together 1
    playouts: int
    seconds: float


class Search:
    """Searches the decisions of one seat in one match. Its desk remembers the map, its key the match."""

    def __init__(self, playouts: Playouts, seat: int, seed: int, settings: Settings) -> None:
        self.playouts, self.seat, self.settings = playouts, seat, settings
        self.desk: Any = playouts.desk()
        self.lore = Lore(len(playouts.scripts))
        self._seed = seed
        self._decisions = 0

    def decide(
        self,
        states: Many[Any],
        budget: Budget,
        ideas: tuple[Record, ...] = (),
        model: Model | None = None,
        scripts: Sequence[int] = (),
        told: Callable[[int], None] | None = None,
    ) -> Found:
        """The best sheet that the budget finds. `ideas` are further candidates. `scripts` are those of this seat, if
        somebody has compared them already: the best one comes first, and the rest of the search must beat it.

        `model` says for each seat how likely it is that a script plays it; without, all are equally likely. Only the
        method `model` believes it: the others let the other seats learn, too.

        `told` is called every few playouts, with their number.
        """
        self._decisions += 1
        key = number(self._seed, "decision", self._decisions)
        rate = rate_of(self.playouts, states, self.settings.steps(self.playouts, states))
        decision = _Decision(self, states, Meter(budget, rate, told), key, model)
        decision.enter(ideas, scripts)
        if self.settings.method == "ucb":
            decision.by_bounds()
        else:
            decision.by_regret()
        return decision.found()


class _Seat:
    """The actions of one seat, and what they brought."""

    def __init__(self) -> None:
        self.sheets: list[int] = []  # the number of the first sheet in the pool, or SCRIPTED
        self.scripts: list[int] = []
        self.live: Numbers = np.zeros(0)
        self.regrets = Regrets(0)
        self.seen: list[dict[int, float]] = []  # by action: its value in each world
        self._known: set[tuple[bytes, int]] = set()

    def add(self, sheet: int, script: int, raw: bytes) -> bool:
        """One more action, unless it is there already."""
        if (raw, script) in self._known:
            return False
        self._known.add((raw, script))
        self.sheets.append(sheet)
        self.scripts.append(script)
        self.seen.append({})
        self.live = np.append(self.live, 1.0)
        self.regrets.grow(len(self.sheets))
        return True

    def mean(self, action: int) -> float:
        seen = self.seen[action]
        return sum(seen.values()) / len(seen) if seen else -1.0

    def advantage(self, action: int, over: int) -> tuple[float, float]:
        """How much better an action was than another in the worlds that tried both, and the standard error."""
        there = self.seen[over]
        gaps = [value - there[world] for world, value in self.seen[action].items() if world in there]
        if not gaps:
            return -1.0, 1.0
        # A few worlds say little about how far apart others will be: they are taken to be as usual, at first.
        spread = (float(np.std(gaps)) * len(gaps) + USUAL * FEW) / (len(gaps) + FEW)
        return float(np.mean(gaps)), spread / sqrt(len(gaps))


class _Decision:
    def __init__(self, search: Search, states: Many[Any], meter: Meter, key: int, model: Model | None) -> None:
        self._model = model if search.settings.method == "model" else None
        self._search, self._states, self._key = search, states, key
        self._settings, self._kit = search.settings, search.playouts
        self._count = self._kit.seats(states[0])
        self._me = search.seat
        self._meter = meter
        self._pool = many(self._kit.sheet, ROOM)
        self._sheets = 0
        self._steps = self._settings.steps(self._kit, states)
        self._seats = [_Seat() for _ in range(self._count)]
        self._chance = np.random.default_rng(key)
        self._starts: list[int] = []  # of each world: its state,
        self._keys: list[int] = []  # its key,
        self._profiles: list[list[int]] = []  # and what everybody did in it
        self._reference = 0
        self._compared = False  # scripts have been compared before
        self._ideas = 0  # actions that came from outside, the first ones
        self._floors: Numbers = np.zeros(0)  # by own action, where bounds choose: what it is worth at least
        self._shares: dict[int, Numbers] = {}  # what own actions brought to all seats, summed over their worlds

    # ---- candidates

    def enter(self, ideas: tuple[Record, ...], scripts: Sequence[int]) -> None:
        """The portfolio: ideas from outside, played on by the first script, and what each script would do."""
        for sheet in ideas:
            at = self._room()
            if at >= 0:
                self._pool[at] = sheet
                self._keep(self._me, at, 0)
        self._ideas = len(self._seats[self._me].sheets)
        self._compared = len(scripts) > 0
        for script in scripts or range(len(self._kit.scripts)):
            self._ask(script)
        for seat in range(self._count):
            if seat != self._me:
                for script in range(len(self._kit.scripts)):
                    self._seats[seat].add(SCRIPTED, script, b"")

    def _others(self) -> list[int]:
        """The other seats whose sheets make sense here: in fog, there are none."""
        return [seat for seat in range(self._count) if seat != self._me] if len(self._states) == 1 else []

    def _room(self) -> int:
        return self._sheets if self._sheets < ROOM else -1

    def _keep(self, seat: int, at: int, script: int) -> bool:
        """Makes the sheet at the end of the pool an action, unless it is one already."""
        if self._seats[seat].add(at, script, self._pool[at].raw()):
            self._sheets = max(self._sheets, at + 1)
            return True
        return False

    def _ask(self, script: int) -> None:
        at = self._room()
        if at >= 0:
            self._kit.ask(self._states[0], self._me, script, self._key, self._pool[at], self._search.desk)
            self._keep(self._me, at, script)

    def _propose(self, seat: int, limit: int) -> None:
        """The game's own proposals, played on by the best script so far."""
        action = self._reference if seat == self._me else self._best(seat)
        script = self._seats[seat].scripts[action]
        first = self._sheets
        room = min(limit, ROOM - first)
        if room <= 0:
            return
        fresh = self._pool.part(first, first + room)
        found = self._kit.propose(self._states[0], seat, self._key, fresh, self._search.desk)
        for at in range(first, first + found):
            self._seats[seat].add(at, script, self._pool[at].raw())
        self._sheets = first + found

    def _best(self, seat: int) -> int:
        one = self._seats[seat]
        live = [action for action in range(len(one.sheets)) if one.live[action] > 0]
        return max(live, key=one.mean)

    # ---- playouts

    def _play(self, starts: Numbers, keys: Any, sheets: Any, scripts: Any) -> Any:
        """What these playouts bring to each seat, in games; None when the time is up."""
        count = len(starts)
        trials = many(Trial, count)
        numbers = trials.numbers()
        numbers["start"], numbers["key"], numbers["steps"] = starts, keys, self._steps
        numbers["sheet"][:, : self._count], numbers["script"][:, : self._count] = sheets, scripts
        numbers["sheet"][:, self._count : MAX_SEATS] = SCRIPTED
        after = 0
        while after < count:
            if self._meter.is_over():
                return None
            first, after, began = after, min(count, after + self._meter.chunk), time.thread_time()
            self._kit.play(self._states, self._pool, trials, first, after, SILENT, self._search.desk)
            self._meter.note(after - first, time.thread_time() - began)
        return numbers["value"][:, : self._count] / WHOLE

    def _tables(self) -> list[tuple[Any, Any]]:
        return [(np.array(one.sheets), np.array(one.scripts)) for one in self._seats]

    def _try(self, seat: int, actions: list[int], worlds: list[int]) -> bool:
        """Plays these actions of a seat in these worlds, where the others do what they did there."""
        wide, deep = len(worlds), len(actions)
        if not wide or not deep:
            return True
        tables = self._tables()
        sheets = np.empty((wide, deep, self._count), np.int32)
        scripts = np.empty((wide, deep, self._count), np.int16)
        for other in range(self._count):
            chosen = np.array([self._profiles[world][other] for world in worlds])
            sheets[:, :, other] = tables[other][0][chosen][:, None]
            scripts[:, :, other] = tables[other][1][chosen][:, None]
        sheets[:, :, seat] = tables[seat][0][actions][None, :]
        scripts[:, :, seat] = tables[seat][1][actions][None, :]
        starts = np.repeat([self._starts[world] for world in worlds], deep)
        keys = np.repeat(np.array([self._keys[world] for world in worlds], np.uint64), deep)
        values = self._play(starts, keys, sheets.reshape(-1, self._count), scripts.reshape(-1, self._count))
        if values is None:
            return False
        mine = values[:, self._me] if seat == self._me or self._settings.paranoid else values[:, seat]
        if seat != self._me and self._settings.paranoid:
            mine = 1.0 - mine
        one = self._seats[seat]
        if seat == self._me:
            for a, sum in enumerate(values.reshape(wide, deep, self._count).sum(axis=0)):
                self._shares[actions[a]] = self._shares.get(actions[a], 0.0) + sum
        for (w, a), value in np.ndenumerate(mine.reshape(wide, deep)):
            one.seen[actions[a]][worlds[w]] = float(value)
        return True

    def _new_worlds(self, count: int) -> list[int]:
        """Worlds: a state, a key, and what everybody does, drawn from the mixtures as they are now."""
        first = len(self._starts)
        mixtures = [self._mixture(seat) for seat in range(self._count)]
        for world in range(first, first + count):
            self._starts.append(world % len(self._states))
            self._keys.append(number(self._key, "world", world))
            self._profiles.append([int(self._chance.choice(len(mix), p=mix)) for mix in mixtures])
        return list(range(first, first + count))

    def _mixture(self, seat: int) -> Numbers:
        """How a seat chooses in new worlds."""
        one = self._seats[seat]
        if self._settings.method != "model" or seat == self._me:
            return one.regrets.strategy(one.live)
        weights = np.array(self._model[seat], float) if self._model else np.ones(len(one.sheets))
        found: Numbers = weights / weights.sum()
        return found

    # ---- regret matching, or against a model

    def by_regret(self) -> None:
        settings = self._settings
        if not self._compared:
            in_time = self._round(int(self._meter.left * settings.portfolio))
            if not in_time and not self._starts:
                self._glance()
            self._choose_reference(0)
            if not in_time:
                return
        if settings.method == "regret":
            rounds = self._propose_to_all()
        else:
            rounds = settings.rounds
            room = self._meter.left // (rounds * settings.worlds) - len(self._seats[self._me].sheets)
            if self._ideas == 0 and room < FEWEST:
                if not self._compared:
                    self._choose_script()
                return
            self._propose(self._me, min(settings.candidates, max(FEWEST, room)))
        for round in range(rounds):
            if not self._round(self._meter.left // (rounds - round)):
                break
            if round + 1 < rounds:
                self._prune()
                self._improve(self._me, settings.variations)
                for seat in self._others() if settings.method == "regret" else ():
                    self._improve(seat, settings.replies)
        if settings.method == "regret":
            self._spend()

    def _propose_to_all(self) -> int:
        """Candidates of all seats, as many as a round has time for in a world. The number of rounds: fewer, if it must
        be, so that there are some candidates at all."""
        settings, left = self._settings, self._meter.left
        others = len(self._others())
        width = sum(len(one.sheets) for one in self._seats)
        rounds = settings.rounds
        while rounds > 1 and left // (rounds * settings.worlds) < width + FEWEST:
            rounds -= 1
        room = max(0, left // (rounds * settings.worlds) - width)
        wanted = settings.candidates + others * settings.foes
        mine = min(settings.candidates, -(-room * settings.candidates // max(1, wanted)))
        self._propose(self._me, mine)
        for seat in self._others():
            self._propose(seat, min(settings.foes, (room - mine) // others))
        return rounds

    def _glance(self) -> None:
        """Not even one world has time for everybody's actions: as many own ones as possible are tried."""
        actions = np.flatnonzero(self._seats[self._me].live).tolist()[: self._meter.left]
        if actions:
            self._try(self._me, actions, self._new_worlds(self._meter.left // len(actions)))

    def _spend(self) -> None:
        """What is left is too little for everybody to learn from: only the best own actions are tried."""
        one = self._seats[self._me]
        live = np.flatnonzero(one.live).tolist()
        live.sort(key=lambda action: -one.advantage(action, self._reference)[0])
        # Without the reference, nothing can be compared with it.
        tried = [self._reference, *(action for action in live if action != self._reference)][: self._meter.left]
        if len(tried) > 1:
            self._try(self._me, tried, self._new_worlds(min(BATCH, self._meter.left // len(tried))))

    def _choose_script(self) -> None:
        """There is no time for candidates: the better half of the scripts is compared in as many worlds as possible."""
        one, worlds = self._seats[self._me], len(self._starts)
        worth = self._worth()
        ranked = sorted(range(len(one.sheets)), key=lambda action: -worth[one.scripts[action]])
        one.live[ranked[(len(ranked) + 1) // 2 :]] = 0.0
        self._round(self._meter.left)
        self._choose_reference(worlds)
        # What is best in this decision's few worlds alone is luck.
        one.live[:] = 0.0
        one.live[self._reference] = 1.0

    def _choose_reference(self, since: int) -> None:
        """What the rest of the search must beat: an idea, or the script that has done best in this match so far.

        Whoever brings ideas knows more of the game than the scripts. Worlds before `since` have been learned from.
        """
        one = self._seats[self._me]
        if self._ideas > 0:
            self._reference = max(range(self._ideas), key=one.mean)
            return
        for world in range(since, len(self._starts)):
            tried = [action for action in range(len(one.sheets)) if world in one.seen[action]]
            if tried:
                values = [one.seen[action][world] for action in tried]
                self._search.lore.learn(self._kind(world), [one.scripts[action] for action in tried], values)
        worth = self._worth()
        self._reference = max(range(len(one.sheets)), key=lambda action: worth[one.scripts[action]])

    def _kind(self, world: int) -> Kind:
        """Whom the other is in a world; of several there are too many kinds to tell them apart."""
        if self._count != 2 or self._settings.method != "model":
            return ()
        return (self._profiles[world][1 - self._me],)

    def _worth(self) -> Numbers:
        """How far the scripts are ahead against those who may be playing."""
        if self._count != 2 or self._settings.method != "model":
            return self._search.lore.worth({(): 1.0})
        mixture = self._mixture(1 - self._me)
        return self._search.lore.worth({(action,): float(chance) for action, chance in enumerate(mixture)})

    def _round(self, playouts: int) -> bool:
        """As many new worlds as so many playouts make; everybody tries all live actions in each. False: no time."""
        live = [
            np.flatnonzero(one.live).tolist() if seat == self._me or self._settings.method == "regret" else []
            for seat, one in enumerate(self._seats)
        ]
        width = sum(map(len, live))
        count = playouts // width
        if count < 1:
            if self._starts or self._meter.left < width:
                return False
            count = 1
        sizes = (min(BATCH, count - first) for first in range(0, count, BATCH))
        return all(self._learn(live, self._new_worlds(size)) for size in sizes)

    def _learn(self, live: list[list[int]], worlds: list[int]) -> bool:
        """Everybody tries all live actions in these worlds, and learns from it before the next ones are drawn."""
        for seat, one in enumerate(self._seats):
            if not live[seat]:
                continue
            if not self._try(seat, live[seat], worlds):
                return False
            values = np.zeros((len(worlds), len(one.sheets)))
            for action in live[seat]:
                seen = one.seen[action]
                values[:, action] = [seen[world] for world in worlds]
            one.regrets.learn(one.live, values)
        return True

    def _prune(self) -> None:
        """The worse half of the actions is not tried again, and of the others' no more than a few are kept."""
        for seat, one in enumerate(self._seats):
            if seat != self._me and self._settings.method == "model":
                continue
            live = self._ranked(seat)
            if seat != self._me:
                live.sort(key=lambda action: -one.regrets.average(one.live)[action])
            keep = max(4, -(-len(live) // 2))
            for action in live[keep:]:
                if seat != self._me or action != self._reference:
                    one.live[action] = 0.0

    def _improve(self, seat: int, count: int) -> None:
        """Variations of a seat's best sheets. Those stay that do better in the worlds of the last round."""
        one = self._seats[seat]
        live = self._ranked(seat)
        parents = [action for action in live if one.sheets[action] != SCRIPTED][:3]
        if not parents:
            return
        best = live[0]
        worlds = sorted(one.seen[best])[-8:]
        fresh: list[int] = []
        for i in range(count):
            parent = parents[i % len(parents)]
            at = self._room()
            if at < 0 or self._meter.left < len(worlds) * (len(fresh) + 1):
                break
            self._vary(seat, parent, at, i)
            if self._keep(seat, at, one.scripts[parent]):
                fresh.append(len(one.sheets) - 1)
        if not fresh:
            return
        if not self._try(seat, fresh, worlds):
            one.live[fresh] = 0.0
            return
        bar = float(np.mean([one.seen[best][world] for world in worlds]))
        for action in fresh:
            if one.mean(action) <= bar:
                one.live[action] = 0.0

    def _ranked(self, seat: int) -> list[int]:
        """The live actions of a seat, the best first."""
        one = self._seats[seat]
        found: list[int] = np.flatnonzero(one.live).tolist()
        if seat == self._me:
            found.sort(key=lambda action: -one.advantage(action, self._reference)[0])
        else:
            found.sort(key=lambda action: -one.mean(action))
        return found

    def _vary(self, seat: int, parent: int, at: int, which: int) -> None:
        """Puts a variation of an action's sheet into the pool."""
        luck = number(self._key, "vary", len(self._starts), which, *([seat] if seat != self._me else []))
        of, to = self._pool[self._seats[seat].sheets[parent]], self._pool[at]
        self._kit.vary(self._states[0], seat, luck, of, to, self._search.desk)

    # ---- upper confidence bounds

    def by_bounds(self) -> None:
        """Every seat by its own bounds. The n-th trial of any action has the n-th luck."""
        settings = self._settings
        self._propose(self._me, settings.candidates)
        for seat in self._others():
            self._propose(seat, settings.foes)
        books = [Bounds(len(one.sheets), settings.width) for one in self._seats]
        for round in range(settings.rounds):
            if not self._bounded(books, self._meter.left // (settings.rounds - round)):
                break
            if round + 1 < settings.rounds:
                self._vary_most_tried(self._me, books[self._me], settings.variations)
                for seat in self._others():
                    self._vary_most_tried(seat, books[seat], settings.replies)
        for one, book in zip(self._seats, books, strict=True):
            one.regrets.regret = book.average()
        self._floors = books[self._me].floors

    def _bounded(self, books: list[Bounds], playouts: int) -> bool:
        """So many playouts, in which everybody does what its bounds say. False: no time."""
        tables = self._tables()
        after = self._meter.used + playouts
        while (batch := min(16, after - self._meter.used)) > 0:
            first = len(self._starts)
            for _ in range(batch):
                profile = [book.choose() for book in books]
                luck = int(books[self._me].tried[profile[self._me]])
                self._starts.append(luck % len(self._states))
                self._keys.append(number(self._key, "world", luck))
                self._profiles.append(profile)
            chosen = np.array(self._profiles[first:])
            sheets = np.stack([tables[seat][0][chosen[:, seat]] for seat in range(self._count)], 1)
            scripts = np.stack([tables[seat][1][chosen[:, seat]] for seat in range(self._count)], 1)
            values = self._play(
                np.array(self._starts[first:]), np.array(self._keys[first:], np.uint64), sheets, scripts
            )
            if values is None:
                for profile in self._profiles[first:]:
                    for book, action in zip(books, profile, strict=True):
                        book.tried[action] -= 1
                return False
            for row, profile in enumerate(self._profiles[first:]):
                mine = profile[self._me]
                self._shares[mine] = self._shares.get(mine, 0.0) + values[row]
                for seat, book in enumerate(books):
                    value = float(values[row, seat])
                    if seat != self._me and self._settings.paranoid:
                        value = 1.0 - float(values[row, self._me])
                    book.learn(profile[seat], value)
                    self._seats[seat].seen[profile[seat]][first + row] = value
        return True

    def _vary_most_tried(self, seat: int, book: Bounds, count: int) -> None:
        """Variations of the sheets that were tried most, if there is time left to try them as often."""
        one = self._seats[seat]
        best = np.argsort(-book.tried, kind="stable").tolist()
        parents = [action for action in best if one.sheets[action] != SCRIPTED][:3]
        for i in range(count if parents else 0):
            at = self._room()
            if at < 0 or self._meter.left < ENOUGH * (i + 1):
                break
            parent = parents[i % len(parents)]
            self._vary(seat, parent, at, i)
            self._keep(seat, at, one.scripts[parent])
        book.grow(len(one.sheets))

    # ---- the end

    def _average(self, action: int, seat: int) -> float:
        """What an own action brought to a seat; an even share, if nobody has tried it."""
        seen = self._seats[self._me].seen[action]
        return float(self._shares[action][seat]) / len(seen) if seen else 1 / self._count

    def found(self) -> Found:
        one = self._seats[self._me]
        mixture = one.regrets.strategy(one.live) if self._settings.method == "ucb" else one.regrets.average(one.live)
        choices: dict[bytes, Choice] = {}
        actions: dict[bytes, int] = {}
        ranks: dict[bytes, float] = {}
        for action in range(len(one.sheets)):
            sheet = self._pool[one.sheets[action]]
            raw = sheet.raw()
            if self._settings.method == "ucb":
                ahead, error = one.mean(action), 0.0
                rank = float(self._floors[action])
            else:
                ahead, error = (0.0, 0.0) if action == self._reference else one.advantage(action, self._reference)
                rank = ahead - self._settings.caution * error if one.live[action] > 0 else ahead - error - 1.0
            share = float(mixture[action]) + (choices[raw].share if raw in choices else 0.0)
            if raw not in choices or rank > ranks[raw]:
                value = one.mean(action) if one.seen[action] else 1 / self._count
                choices[raw] = Choice(sheet, share, value, error, len(one.seen[action]))
                ranks[raw] = rank
                actions[raw] = action
            else:
                choices[raw] = choices[raw]._replace(share=share)
        order = sorted(choices, key=lambda raw: -ranks[raw])
        best = order[0]
        top = actions[best]
        if self._settings.mixed:
            shares = np.array([choices[raw].share for raw in order])
            best = order[int(self._chance.choice(len(order), p=shares / shares.sum()))]
        # All from the same playouts, so that the seats share one game.
        values = [
            choices[order[0]].value if seat == self._me else self._average(top, seat) for seat in range(self._count)
        ]
        return Found(
            choices[best].sheet.copy(),
            tuple(choices[raw] for raw in order),
            tuple(float(value) for value in values),
            self._meter.used,
            self._meter.seconds,
        )
