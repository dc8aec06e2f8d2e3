"""Watching a replay at the terminal: pause, step, seek, speed.

`Viewer` handles keys, time and frames without a terminal; `watch` is the terminal.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import get_character_cell_size

from polemos.cli.words import counted, sheet_lines, told_lines
from polemos.kernel.capabilities.pictures import text_of
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch
from polemos.pictures import screen, terminal

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0, 240.0)  # turns per second
MAX_DIGITS: Final = 9
MAX_KEPT: Final = 1000  # texts of positions

HELP: Final = """\
space        play, pause
right left   one turn forward, one turn back (also . and ,)
] [          ten turns forward, ten turns back
Home End     first position, last position
12 Enter     go to turn 12
+ -          faster, slower
up down      scroll, if the screen is too small
e            show or hide orders and events
?            this help
q            quit""".splitlines()


class State(Struct, frozen=True):
    """Where the viewer is."""

    turn: int = 0
    playing: bool = False
    speed: float = 2.0  # turns per second
    events: bool = True
    help: bool = False
    typed: str = ""  # digits of the turn to go to
    top: int = 0  # lines scrolled out of sight
    over: bool = False


class Course(Protocol):
    """A match that can be watched turn by turn."""

    title: str
    last: int
    result: str

    def text(self, turn: int) -> str: ...

    def events(self, turn: int) -> Sequence[str]: ...


class Replayed:
    """The turns of a verified match. Positions are stored as bytes, and become text when they are shown."""

    def __init__(
        self, match: AnyMatch, states: Sequence[bytes], title: str, result: str, who: str, colour: bool
    ) -> None:
        self.title, self.result = title, result
        self.last = len(states) - 1
        self._match, self._states, self._who, self._colour = match, states, who, colour
        self.text: Callable[[int], str] = lru_cache(MAX_KEPT)(self._text)
        self.events: Callable[[int], Sequence[str]] = lru_cache(MAX_KEPT)(self._events)

    def _state(self, turn: int) -> Any:
        return self._match.game.state_type.from_raw(self._states[turn])

    def _text(self, turn: int) -> str:
        game = self._match.game
        with terminal.fitted(screen.columns(sys.stdout)):
            return text_of(game, self._match.setting, game.observe(self._state(turn), self._who), self._colour)

    def _events(self, turn: int) -> Sequence[str]:
        """The sheets, for the umpire, and the events of the last turn that the viewer may know."""
        if turn == 0:
            return ()
        match = self._match
        lines = sheet_lines(SimpleNamespace(steps=[match.steps[turn - 1]])) if self._who == UMPIRE else []
        return (*lines, *told_lines(match, turn, self._who))


class Viewer:
    """Responds to keys and passing time, and renders the screen."""

    def __init__(self, course: Course, turn: int = 0) -> None:
        self.course = course
        self.state = State(turn=max(0, min(turn, course.last)))
        self._owed = 0.0  # the fraction of a turn that has passed
        self._height = 24

    # ---- keys and time

    def key(self, key: str) -> State:
        """Handles a key; unknown ones do nothing. Any key closes the help."""
        state = self.state
        if state.help and key != "q":
            self.state = replace(state, help=False)
        elif len(key) == 1 and key in "0123456789":
            self.state = replace(state, typed=(state.typed + key)[:MAX_DIGITS])
        elif key == "backspace":
            self.state = replace(state, typed=state.typed[:-1])
        elif key == "enter":
            if state.typed:
                self._go(int(state.typed))
        else:
            self.state = replace(state, typed="")
            self._command(key)
        return self.state

    def _command(self, key: str) -> None:
        state, last = self.state, self.course.last
        steps = {"right": 1, ".": 1, "left": -1, ",": -1}
        leaps = {"]": 10, "[": -10, "home": -last, "end": last}
        if key in steps:
            self._go(state.turn + steps[key])
            self.state = replace(self.state, playing=False)
        elif key in leaps:
            self._go(state.turn + leaps[key])
        elif key == " ":
            self._owed = 0.0
            if not state.playing and state.turn == last:
                self._go(0)
            self.state = replace(self.state, playing=not state.playing and last > 0)
        elif key in ("+", "=", "-", "_"):
            at = SPEEDS.index(state.speed) + (1 if key in "+=" else -1)
            self.state = replace(state, speed=SPEEDS[max(0, min(at, len(SPEEDS) - 1))])
        elif key in ("up", "down"):
            # May scroll past the end of the text: `frame` corrects the number.
            self.state = replace(state, top=max(0, state.top + (1 if key == "down" else -1) * (self._height // 2)))
        elif key == "e":
            self.state = replace(state, events=not state.events)
        elif key == "?":
            self.state = replace(state, help=True)
        elif key == "q":
            self.state = replace(state, over=True)

    def _go(self, turn: int) -> None:
        """Goes to a turn; if it is playing, it goes on from there."""
        turn = max(0, min(turn, self.course.last))
        playing = self.state.playing and turn < self.course.last
        self.state = replace(self.state, turn=turn, playing=playing, typed="")

    def pass_time(self, seconds: float) -> State:
        """Lets time pass: advances if it is playing, and pauses at the end."""
        if self.state.playing:
            self._owed += seconds * self.state.speed
            turns = int(self._owed)
            self._owed -= turns
            turn = min(self.state.turn + turns, self.course.last)
            self.state = replace(self.state, turn=turn, playing=turn < self.course.last)
        return self.state

    def until_next(self) -> float:
        """Seconds until something changes by itself."""
        return (1 - self._owed) / self.state.speed if self.state.playing else float("inf")

    # ---- the screen

    def frame(self, width: int, height: int) -> str:
        """The screen: exactly `height` lines, each of `width` cells."""
        room = max(0, height - 2)
        self._height = room
        lines = list(HELP) if self.state.help else self._lines()
        top = 0 if self.state.help else min(self.state.top, max(0, len(lines) - room))
        if not self.state.help:
            self.state = replace(self.state, top=top)
        seen = lines[top : top + room]
        if room and len(lines) > top + room:
            seen[-1] = f"... {counted(len(lines) - top - room + 1, 'more line')} (down arrow)"
        rows = [self.course.title, *seen, *[""] * (room - len(seen))]
        rows = [*rows[: height - 1], self.status()]
        shown = [clip(row, width) for row in rows]
        shown[-1] = f"\x1b[7m{shown[-1]}\x1b[0m"
        return "\n".join(shown)

    def _lines(self) -> list[str]:
        turn = self.state.turn
        lines = self.course.text(turn).splitlines()
        if self.state.events and (events := self.course.events(turn)):
            lines += ["", *(line for event in events for line in event.splitlines())]
        return lines

    def status(self) -> str:
        """The line at the bottom."""
        state = self.state
        if state.typed:
            return f" go to turn {state.typed}_   press Enter to go, any other key to stay"
        words = [f"turn {state.turn} of {self.course.last}"]
        words.append(f"{'playing' if state.playing else 'paused'}, {state.speed:g} turns/s")
        if state.turn == self.course.last:
            words.append(self.course.result)
        return " " + " | ".join([*words, "? help"])


_STYLE: Final = re.compile(r"\x1b\[[0-9;]*m")


def clip(line: str, width: int) -> str:
    """The line cut or padded to `width` cells. Styles are kept; other control characters are removed.

    >>> clip("regiments", 5), clip("two", 5)
    ('regim', 'two  ')
    """
    shown: list[str] = []
    at = cells = 0
    styled = False
    while at < len(line):
        if style := _STYLE.match(line, at):
            shown.append(style[0])
            styled, at = True, style.end()
            continue
        character = line[at]
        at += 1
        if not character.isprintable():
            continue
        cells += get_character_cell_size(character)
        if cells > width:
            cells -= get_character_cell_size(character)
            break
        shown.append(character)
    return "".join(shown) + ("\x1b[0m" if styled else "") + " " * (width - cells)


# ---- the terminal

_NAMES: Final = {
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[H": "home",
    "\x1b[1~": "home",
    "\x1b[7~": "home",
    "\x1b[F": "end",
    "\x1b[4~": "end",
    "\x1b[8~": "end",
    "\x1b[5~": "[",  # page up
    "\x1b[6~": "]",
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "q",
    "\x04": "q",
}
_SEQUENCE: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|\x1b(?![\[O])|[^\x1b]", re.DOTALL)


def keys(typed: str) -> tuple[list[str], str]:
    """The keys in the input from a terminal, and the beginning of an incomplete one.

    >>> keys("q\\x1b[C\\x1bOH7\\x1b[")
    (['q', 'right', 'home', '7'], '\\x1b[')
    """
    found, at = [], 0
    while (sequence := _SEQUENCE.match(typed, at)) is not None:
        if sequence[0] == "\x1b" and sequence.end() == len(typed):
            break
        found.append(_NAMES.get(sequence[0].replace("\x1bO", "\x1b["), sequence[0]))
        at = sequence.end()
    return found, typed[at:]


def is_possible() -> bool:
    """Whether there is a terminal."""
    if os.environ.get("TERM", "dumb") == "dumb":
        return False
    try:
        import termios  # noqa: F401
    except ImportError:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty()


FRAME: Final = 1 / 30  # seconds between updates, at least
_LOOK: Final = 0.25  # seconds between checks of the terminal's size


def watch(viewer: Viewer) -> None:
    """Runs the viewer at the terminal until the user quits."""
    keyboard = sys.stdin.fileno()
    rest, drawn, clock = "", "", time.monotonic()
    size = None
    with _screen(keyboard), contextlib.suppress(KeyboardInterrupt):
        while not viewer.state.over:
            before, size = size, os.get_terminal_size(sys.stdout.fileno())
            if (frame := viewer.frame(size.columns or 80, size.lines or 24)) != drawn:
                _draw(frame, wipe=size != before)
                drawn = frame
            patience = max(FRAME, min(_LOOK, viewer.until_next()))
            if select.select([keyboard], [], [], 0.05 if rest else patience)[0]:
                sent = os.read(keyboard, 1024)
                if not sent:
                    return
                pressed, rest = keys(rest + sent.decode("ascii", "ignore"))
            else:
                pressed, rest = ["escape"] if rest else [], ""  # an escape with nothing after it
            now = time.monotonic()
            viewer.pass_time(now - clock)  # before the keys: anything they start begins now
            clock = now
            for key in pressed:
                viewer.key(key)


def _draw(frame: str, wipe: bool) -> None:
    """Draws everything at once; clears the screen first only if its size has changed."""
    sys.stdout.write(
        "\x1b[?2026h" + ("\x1b[2J" if wipe else "") + "\x1b[H" + frame.replace("\n", "\r\n") + "\x1b[?2026l"
    )
    sys.stdout.flush()


@contextlib.contextmanager
def _screen(keyboard: int) -> Iterator[None]:
    """Switches to the alternate screen, without cursor and line wrap, with raw keys; restores everything afterwards."""
    import termios

    before = termios.tcgetattr(keyboard)
    raw = termios.tcgetattr(keyboard)
    raw[3] &= ~(termios.ICANON | termios.ECHO)
    raw[6][termios.VMIN], raw[6][termios.VTIME] = 1, 0
    raw[6][termios.VSUSP] = b"\0"  # Ctrl-Z would leave the shell on the alternate screen
    termios.tcsetattr(keyboard, termios.TCSADRAIN, raw)
    sys.stdout.write("\x1b[?1049h\x1b[?25l\x1b[?7l")
    try:
        yield
    finally:
        sys.stdout.write("\x1b[?7h\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
