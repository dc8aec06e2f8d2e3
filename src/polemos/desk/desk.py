"""The desk itself: drafts and sheets, running a turn, and undoing it until its maps are handed out.

Every act is checked, written to the journal, and only then carried out; reopening the folder carries them all out
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
    Party,
    Release,
    Reopen,
    Run,
    Stay,
)
from polemos.hosts import inprocess
from polemos.hosts import names as bot_names
from polemos.hosts.names import Called
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
        self.is_new = is_new  # started by this process
        self.match = Match(game, journal.head.options, key=journal.head.key)
        if set(self.players) != set(self.match.seats):
            raise JournalError(f"{journal.path} was changed: its players do not match the seats.")
        self.drafts: dict[str, list[str]] = {}
        self.released = False  # whether maps of the current position were handed out
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
        """Resumes the evening in this folder, or starts one there. Classes in files need --trust every time."""
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
            if journal.head.party is not None:
                raise JournalError(
                    f"{folder} holds a party. Resume it with polemos desk {folder}, or at the terminal with"
                    f" polemos play {game.name} {folder}"
                )
            if journal.head.game != game.name:
                raise JournalError(f"{folder} holds an evening of a different game: {shown(journal.head.game)}.")
            if journal.head.edition != game.edition:
                raise JournalError(
                    f"The evening in {folder} began under edition {journal.head.edition} of {game.title}, but this is"
                    f" edition {game.edition}. Resume it with the version that started it."
                )
            for player in journal.head.players.values():  # the folder may come from someone else
                inprocess.require_trust(player, trust)
            return cls(folder, game, journal, is_new)
        except BaseException:
            journal.close()
            raise

    def close(self) -> None:
        self._journal.close()

    @property
    def names(self) -> dict[str, str]:
        """What everyone is called, by seat. The same bot may play several seats."""
        called = [
            Called(player, is_known=True) if player == PERSON else bot_names.called(self.game, player)
            for player in self.players.values()
        ]
        return dict(zip(self.players, bot_names.told_apart(self.game, called, numbered=False), strict=True))

    @property
    def wants_trust(self) -> bool:
        """Whether one of the bots is a class in a file, so that resuming needs --trust again."""
        return any(".py:" in player for player in self.players.values())

    @property
    def is_untouched(self) -> bool:
        """Whether nothing has been done since the start."""
        return not self._journal.acts

    def differing(
        self, options: Mapping[str, Any], players: Mapping[str, str], title: str = "", seed: object = None
    ) -> list[str]:
        """The options asked for that differ from this evening's, which keeps those it began with."""
        found = []
        one, other = (Match(self.game, options, seed=seed).options for seed in (1, 2))
        for name, value in options.items():
            drawn = one[name] != other[name]  # for example a random map: this may be the same one
            if (has := self.match.options[name]) != one[name] and not drawn:
                found.append(f"{name}={_brief(value)} (this evening has {name}={_brief(has)})")
        for seat, player in players.items():
            if (has := self.players.get(seat)) != player:
                found.append(f"{seat}={shown(player)} (this evening has {seat}={has})")
        if title and shown(title) != self.title:
            found.append(f"the title {shown(title)!r} (this evening is called {self.title!r})")
        if seed is not None and dice.derive(seed, "chance") != self.match.key:
            found.append("the seed (this evening has its own dice)")
        return found

    # ---- acts: each is checked, written, carried out

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
                    self.released = True  # the maps of the previous turn were handed out long ago
                case Party():
                    raise JournalError("This act belongs to a party.")
        except PolemosError as error:
            raise JournalError(f"The journal cannot be replayed: {error}") from None

    def _must_act(self, seat: str) -> None:
        if seat not in self.match.to_act:
            raise IllegalOrder(f"{seat} can't give orders now.")

    def draft(self, seat: str, lines: list[str]) -> Sheet[Any]:
        """Saves the lines of a sheet typed so far, and returns them with their faults."""
        self._must_act(seat)
        sheet: Sheet[Any] = self.game.check(self.match.state, seat, lines)
        self._act(Draft(seat, lines))
        return sheet

    def file(self, seat: str) -> Sheet[Any]:
        """Files the draft of a seat as its sheet, including void lines."""
        self._must_act(seat)
        self._act(File(seat))
        return self.match.filed[seat]

    def reopen(self, seat: str) -> None:
        """Turns a filed sheet back into a draft."""
        self._act(Reopen(seat))

    def call(self, text: str, reason: str = "") -> None:
        """A call by the umpire, such as announcing the last turn. Once maps are handed out, it needs a reason."""
        self.match.try_call(text)
        if self.released and self.match.awaited is None and not reason.strip():
            raise IllegalOrder("The maps of this turn have been handed out and do not show this call. Give a reason.")
        self._act(Call(text, reason.strip()))

    def drop(self, seat: str) -> None:
        """Makes a seat drop out."""
        self._must_act(seat)
        self._act(Drop(seat))

    def stay(self, seat: str) -> None:
        """Cancels a drop-out in this turn."""
        self._act(Stay(seat))

    def run(self) -> Step:
        """Lets the bots give orders, then plays the turn with the sheets filed so far."""
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
        """Notes that the first map was handed out: from now on the turn is final."""
        if not self.released:
            self._act(Release())

    def back(self, reason: str) -> Step:
        """Undoes the last turn and turns its sheets back into drafts. The same sheets will get the same dice."""
        if not self.match.steps:
            raise IllegalOrder("No turn has been played yet.")
        if self.released:
            rule = self.game.evening_rules.get("stands")
            raise IllegalOrder("The maps of this turn have been handed out, so the result stands.", rule=rule)
        if not reason.strip():
            rule = self.game.evening_rules.get("again")
            raise IllegalOrder("Give a reason; it is recorded in the journal.", rule=rule)
        step = self.match.steps[-1]
        self._act(Back(reason))
        (self.folder / REPLAY).unlink(missing_ok=True)  # it would reveal the key of a game still in play
        return step

    # ---- output

    def _bot_orders(self, seat: str) -> list[str]:
        """A bot's lines. The bot is created again and shown all its past views, so that a restart restores its memory.

        Its answer is read as in a match; a crash, or an answer that isn't a sheet, counts as an empty sheet.
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
            except BaseException:  # anything raised by a bot, or by its answer, is the bot's fault
                lines = []
        return lines

    def draw_maps(self, paper: str = "a4") -> list[Path]:
        """Draws the maps of the current position, one page for each audience."""
        persons = [seat for seat, player in self.players.items() if player == PERSON]
        return maps.draw(self.folder, self.match, self.title, paper, persons if self.secret else None)

    def write_replay(self) -> Path:
        """The replay of a finished game, with the key of the dice."""
        path = self.folder / REPLAY
        replay.write(path, self.match, self.names)
        return path


def _brief(value: object) -> str:
    """An option in a sentence; of a text of many lines, such as a map, how long it is."""
    lines = value.strip().splitlines() if isinstance(value, str) else []
    return f"a text of {len(lines)} lines" if len(lines) > 1 else shown(value)
