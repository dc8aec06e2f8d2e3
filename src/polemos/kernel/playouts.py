"""What a game gives to the search (`polemos.search`): playouts by scripts, candidates, and what a seat may believe.

A game that can be searched has a module `playouts.py` beside its adapter, with a `Playouts` called `PLAYOUTS`. The
compiled half is rules in `rules/playouts.py`: they call the same rules as a match does, so no rule is written twice.

A playout begins in some state, gives each seat its first sheet or leaves it to a script, lets scripts play on, and is
judged after so many steps. What comes of it is told per seat in millionths of a game: 0 is a loss, `WHOLE` a win, and
the seats of a game share one `WHOLE` as they share the points of its outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct

from polemos.kernel.batching import MAX_SEATS, NOTHING
from polemos.kernel.dice import mix
from polemos.kernel.judgement import WHOLE as WHOLE
from polemos.kernel.judgement import Judgement
from polemos.kernel.record import Array, Many, Record, i8, i16, i32, many, size, u64
from polemos.kernel.rule import rule

SCRIPTED: Final = NOTHING  # in place of a sheet: the script writes the first one, too

_SCRIPTS: Final = 1 << 43  # the stream of a trial's key that scripts draw from; its dice are another


class Trial(Record):
    """One playout: where it begins, who does what, and what came of it.

    Trials with the same key have the same dice wherever they throw for the same purpose, and the same whims of the
    scripts. So candidates are compared in equal luck.
    """

    key: u64
    start: i32  # the number of the state that it begins with
    steps: i32  # after so many it is judged, if it has not ended; 0: it is played to its end
    sheet: Array[i32] = size(MAX_SEATS)  # the number of a seat's first sheet, or SCRIPTED
    script: Array[i16] = size(MAX_SEATS)  # who plays a seat afterwards: an index into `Playouts.scripts`
    value: Array[i32] = size(MAX_SEATS)  # filled in: millionths of a game
    played: i32  # filled in: steps
    over: i8  # filled in: the game ended


@rule
def whims(key: u64, step: int) -> u64:
    """The key that scripts draw from in one step of a trial with this key."""
    return mix(mix(key ^ _SCRIPTS) ^ step)


class Beliefs(Protocol):
    """What one seat may take for true in one match. Made once for a match, like a bot, or in the middle of one."""

    def see(self, view: Any, seconds: float) -> None:
        """A view that the seat got, one for each step at which it is asked; the same one again changes nothing.

        It should take no more CPU time than this, by a count that is the same on every machine.
        """
        ...

    def gave(self, orders: Sequence[Any]) -> None:
        """The orders that the seat answered with."""
        ...

    def states(self, count: int, key: int) -> Many[Any]:
        """At most so many states, at least one, that agree with everything seen so far. Without fog, just one."""
        ...


class Plain:
    """The beliefs of a game that hides nothing: the last view shows the state, which `imagine(setting, view)` makes."""

    def __init__(self, state: type[Record], imagine: Callable[[Any, Any], Any], setting: Any) -> None:
        self._imagine, self._setting = imagine, setting
        self._now: Many[Any] = many(state, 1)

    def see(self, view: Any, seconds: float = 0.0) -> None:
        self._now[0] = self._imagine(self._setting, view)

    def gave(self, orders: Sequence[Any]) -> None:
        pass

    def states(self, count: int, key: int) -> Many[Any]:
        return self._now


class Playouts(Struct, frozen=True):
    """The compiled side of a game's search and the little that Python adds. All rules are entries.

    Seats are numbers in the order of the match. A sheet is what one seat orders in one step; where seats take turns, a
    first sheet is used when its seat's turn comes. Sheets that are equal have equal bytes: whoever writes one wipes
    what it does not use.
    """

    state: type[Record]
    sheet: type[Record]
    desk: Callable[[], Any]  # (): scratch space of one thread, with what was learned
    scripts: tuple[str, ...]  # by name, the best all-round script first
    horizon: int  # steps of a playout that are worth their time, unless somebody asks for another number
    rate: int  # such playouts that one core makes in a second, roughly: for planning, so on the safe side
    seats: Callable[[Any], int]  # (state)
    steps_left: Callable[[Any], int]  # (state): how many more steps a match may have, roughly; for shares of a clock
    play: Any  # (states, sheets, trials, first, after, log, desk): plays these trials and fills in what came of them
    ask: Any  # (state, seat, script, key, sheet, desk): what a script orders; it sees no more than the seat does
    propose: Any  # (state, seat, key, sheets, desk) -> count: further lawful sheets, the more promising ones first
    vary: Any  # (state, seat, key, of, to, desk): a lawful sheet that differs a little from another
    orders: Callable[[Any, int, Any], Sequence[Any]]  # (state, seat, sheet): the lines of a sheet, for an answer
    enter: Callable[[Any, int, Sequence[Any]], Any]  # (state, seat, orders): the sheet with these lines
    beliefs: Callable[[Any, str, int], Beliefs]  # (setting, seat by name, seed)
    reach: Callable[[Many[Any]], int] | None = None  # (states): the same as `horizon` where it depends on the position
    # (states, steps, or 0 for a playout to the end): seconds that one takes, on the safe side; or else `rate` counts
    price: Callable[[Many[Any], int], float] | None = None
    likely: tuple[float, ...] = ()  # how often another seat is played by each script, before anything is known of it
    # (state before, state now, seat, script, key, desk): how well a script's orders would explain what the seat has
    # done in between, from 0 to 1; without it, nothing is learned from what the others do
    explain: Callable[[Any, Any, int, int, int, Any], float] | None = None
    entries: tuple[Any, ...] = ()  # rules that these functions call, if they are not rules themselves
    traits: tuple[str, ...] = ()  # names of the parameters of the scripts that have some: the first ones
    set_traits: Callable[[Any, Any, int, Sequence[int]], None] | None = None  # (state, desk, script, values)
    spare: int = 0  # further scripts with traits, numbered after those with names, for what a search grows
    choices: tuple[tuple[int, ...], ...] = ()  # by trait: the values that are worth trying, from small to large
    # (state): the traits that the scripts have there, None for those without; then further rows for the first step
    rows: Callable[[Any], Sequence[tuple[int, ...] | None]] | None = None
    judgement: Judgement | None = None  # how a playout that is cut off is judged by what was learned
    # (state): the position itself, then as it looks when the board is turned so that seats change places, each with the
    # seat in whose place each seat is there; for boards that are the same to all seats, as scripts are not quite
    images: Callable[[Any], Sequence[tuple[Any, Sequence[int]]]] | None = None
