"""The desk itself: drafts and sheets, running a turn, taking it back until its maps are handed out.

Every act is judged, written to the journal, and only then carried out; reopening the folder carries all of them out
again. Knows no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from polemos.desk import maps
from polemos.desk.journal import (
    PERSON,
    AnyAct,
    Back,
    Call,
    Draft,
    Drop,
    File,
    Head,
    Journal,
    JournalError,
    Release,
    Reopen,
    Run,
    Stay,
)
from polemos.hosts import inprocess
from polemos.kernel import dice, replay
from polemos.kernel.errors import IllegalOrder, PolemosError
from polemos.kernel.match import Match, Step
from polemos.kernel.orders import Sheet, lines_of, shown
from polemos.kernel.playing import ask
from polemos.kernel.verdict import Verdict

JOURNAL = "journal.jsonl"
REPLAY = "replay.jsonl"


class Desk:
    """One evening in one folder."""

    def __init__(self, folder: Path, game: Any, journal: Journal, is_new: bool = False) -> None:
        assert journal.head is not None
        self.folder = folder
        self.game = game
        self._journal = journal
        self.title = journal.head.title
        self.players = journal.head.players
        self.secret = journal.head.secret
        self.is_new = is_new  # begun by this very process
        self.match = Match(game, journal.head.options, key=journal.head.key)
        if set(self.players) != set(self.match.seats):
            raise JournalError(f"{journal.path} was changed: its players do not fit the seats.")
        self.drafts: dict[str, list[str]] = {}
        self.released = False  # whether maps of the position on the table were handed out
        for act in journal.acts:
            self._carry_out(act)

    # ---- opening

    @classmethod
    def open(
        cls,
        folder: Path,
        game: Any,
        options: Mapping[str, Any],
        players: Mapping[str, str],
        title: str = "",
        secret: bool = False,
        seed: object = None,
        trust: bool = False,
    ) -> Desk:
        """Goes on with the evening in this folder, or begins one there. Classes in files want trust each time."""
        begun = Match(game, options, seed=seed)
        players = {seat: players.get(seat, PERSON) for seat in begun.seats}
        for player in players.values():
            if player != PERSON:
                inprocess.require_trust(player, trust)
                inprocess.maker(game, player)
        journal = Journal(folder / JOURNAL)
        is_new = journal.head is None
        try:
            if journal.head is None:
                key = dice.new_key() if seed is None else dice.derive(seed, "chance")
                head = Head(1, game.name, game.edition, shown(title), begun.options, players, secret, key)
                journal.begin(head)
            assert journal.head is not None
            if journal.head.game != game.name:
                raise JournalError(f"In {folder} another game is being played: {shown(journal.head.game)}.")
            if journal.head.edition != game.edition:
                raise JournalError(
                    f"The evening in {folder} began under edition {journal.head.edition} of {game.title}."
                )
            for player in journal.head.players.values():  # the folder may come from somebody else
                inprocess.require_trust(player, trust)
            return cls(folder, game, journal, is_new)
        except BaseException:
            journal.close()
            raise

    def close(self) -> None:
        self._journal.close()

    @property
    def wants_trust(self) -> bool:
        """Whether one of the bots is a class in a file, so that going on wants trust again."""
        return any(".py:" in player for player in self.players.values())

    @property
    def is_untouched(self) -> bool:
        """Whether nothing was done here since it began."""
        return not self._journal.acts

    def differing(
        self, options: Mapping[str, Any], players: Mapping[str, str], title: str = "", seed: object = None
    ) -> list[str]:
        """What was asked for and is not so here: an evening goes on as it began."""
        found = []
        one, other = (Match(self.game, options, seed=seed).options for seed in (1, 2))
        for name, value in options.items():
            drawn = one[name] != other[name]  # such as a random map: this may be one
            if (has := self.match.options[name]) != one[name] and not drawn:
                found.append(f"{name}={shown(value)} (it has {name}={shown(has)})")
        for seat, player in players.items():
            if (has := self.players.get(seat)) != player:
                found.append(f"{seat}={shown(player)} (it has {seat}={has})")
        if title and shown(title) != self.title:
            found.append(f"the title {shown(title)!r} (it has {self.title!r})")
        if seed is not None and dice.derive(seed, "chance") != self.match.key:
            found.append("the seed (it has dice of its own)")
        return found

    # ---- acts: each is judged, written, carried out

    def _act(self, act: AnyAct) -> None:
        self._journal.add(act)
        self._carry_out(act)

    def _carry_out(self, act: AnyAct) -> None:
        try:
            match act:
                case Draft(seat, lines):
                    self.drafts[seat] = list(lines)
                    self.match.withdraw(seat)
                case File(seat):
                    self.match.submit(seat, self.drafts.get(seat, []))
                case Reopen(seat):
                    self.match.withdraw(seat)
                case Call(text, _):
                    self.match.call(text)
                case Drop(seat):
                    self.match.forfeit(seat, Verdict("dropped out"))
                case Stay(seat):
                    self.match.stay(seat)
                case Run():
                    self.match.run()
                    self.drafts = {}
                    self.released = False
                case Release():
                    self.released = True
                case Back():
                    step = self.match.take_back()
                    self.drafts = {seat: list(lines) for seat, lines in step.orders.items() if lines is not None}
                    self.released = True  # the maps of the turn before were handed out long ago
        except PolemosError as error:
            raise JournalError(f"The journal cannot be carried out again: {error}") from None

    def _must_act(self, seat: str) -> None:
        if seat not in self.match.to_act:
            raise IllegalOrder(f"{seat} is not to order now.")

    def draft(self, seat: str, lines: list[str]) -> Sheet[Any]:
        """Keeps the lines of a sheet as typed so far, and tells their faults."""
        self._must_act(seat)
        sheet: Sheet[Any] = self.game.check(self.match.state, seat, lines)
        self._act(Draft(seat, lines))
        return sheet

    def file(self, seat: str) -> Sheet[Any]:
        """Files the draft of a seat as its sheet, void lines and all."""
        self._must_act(seat)
        self._act(File(seat))
        return self.match.filed[seat]

    def reopen(self, seat: str) -> None:
        """Takes a filed sheet back to its draft."""
        self._act(Reopen(seat))

    def call(self, text: str, reason: str = "") -> None:
        """A call of the umpire, such as announcing the last turn. Once maps are handed out, it wants a reason."""
        self.match.try_call(text)
        if self.released and self.match.awaited is None and not reason.strip():
            raise IllegalOrder("Maps of this turn were handed out, and they do not say this. Say why it is called now.")
        self._act(Call(text, reason.strip()))

    def drop(self, seat: str) -> None:
        """A seat drops out."""
        self._must_act(seat)
        self._act(Drop(seat))

    def stay(self, seat: str) -> None:
        """Takes a drop-out of this turn back."""
        self._act(Stay(seat))

    def run(self) -> Step:
        """Lets the bots order, then runs the turn with the sheets that are filed."""
        if self.match.outcome is not None:
            raise IllegalOrder("The game has ended.")
        if waits := self.match.awaited:
            raise IllegalOrder(waits)
        for seat in self.match.to_act:
            if self.players[seat] != PERSON and seat not in self.match.filed:
                self._act(Draft(seat, self._bot_orders(seat)))
                self._act(File(seat))
        self._act(Run())
        return self.match.steps[-1]

    def release(self) -> None:
        """The first map is handed out: from now on the turn stands."""
        if not self.released:
            self._act(Release())

    def back(self, reason: str) -> Step:
        """Takes the last turn back, with its sheets as drafts again. The same sheets will meet the same dice."""
        if not self.match.steps:
            raise IllegalOrder("No turn was run yet.")
        if self.released:
            rule = self.game.evening_rules.get("stands")
            raise IllegalOrder("Maps of this turn were handed out; the result stands.", rule=rule)
        if not reason.strip():
            rule = self.game.evening_rules.get("again")
            raise IllegalOrder("Say why: the reason is noted in the journal.", rule=rule)
        step = self.match.steps[-1]
        self._act(Back(reason))
        (self.folder / REPLAY).unlink(missing_ok=True)  # it would hold the key of a game that goes on
        return step

    # ---- what comes out

    def _bot_orders(self, seat: str) -> list[str]:
        """A bot's lines. It is made anew and shown all its past views, so that a restart leaves its memory whole.

        What it answers is read as in a match; a crash, or an answer that is no sheet, is an empty one.
        """
        seed = dice.number(self.match.key, "bot", seat)
        bot = inprocess.make(self.game, self.players[seat], self.game.setting(self.match.state), seat, seed)
        lines: list[str] = []
        for state in self.match.history:
            try:
                answer = ask(bot, self.game.observe(state, seat))
                lines = list(self.game.check(state, seat, lines_of(answer)).texts)
            except KeyboardInterrupt:
                raise
            except BaseException:  # whatever a bot raises, or what it hands in raises, is the bot's fault
                lines = []
        return lines

    def draw_maps(self, paper: str = "a4") -> list[Path]:
        """The maps of the position on the table, a page for each audience."""
        persons = [seat for seat, player in self.players.items() if player == PERSON]
        return maps.draw(self.folder, self.match, self.title, paper, persons if self.secret else None)

    def write_replay(self) -> Path:
        """The replay of a finished game, with the key of the dice."""
        path = self.folder / REPLAY
        replay.write(path, self.match, self.players)
        return path
