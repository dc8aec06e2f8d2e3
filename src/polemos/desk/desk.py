"""The desk itself: drafts and sheets, running a turn, taking it back until its maps are handed out.

Every act is judged, written to the journal, and only then carried out; reopening the folder carries all of them out
again. Knows no game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from polemos.desk import maps
from polemos.desk.journal import Journal, JournalError
from polemos.hosts import inprocess
from polemos.kernel import dice, replay
from polemos.kernel.errors import BotFault, IllegalOrder, PolemosError
from polemos.kernel.match import Match, Step
from polemos.kernel.orders import Sheet

JOURNAL = "journal.jsonl"
PERSON = "person"


class Desk:
    """One evening in one folder."""

    def __init__(self, folder: Path, game: Any, journal: Journal) -> None:
        self.folder = folder
        self.game = game
        self._journal = journal
        head = journal.acts[0]
        try:
            self.title: str = head["title"]
            self.players: dict[str, str] = head["players"]
            self.secret: bool = head["secret"]  # a person plays: no maps of others are drawn
            self.match = Match(game, head["options"], key=head["key"])
        except KeyError as missing:
            raise JournalError(f"{journal.path} is no journal of a desk: {missing} is missing.") from None
        self.drafts: dict[str, list[str]] = {}
        self.released = False  # whether maps of the position on the table were handed out
        self._acts: dict[str, Callable[..., None]] = {
            "draft": self._do_draft,
            "file": self._do_file,
            "reopen": self._do_reopen,
            "call": self._do_call,
            "drop": self._do_drop,
            "run": self._do_run,
            "release": self._do_release,
            "back": self._do_back,
        }
        for act in journal.acts[1:]:
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
    ) -> Desk:
        """Goes on with the evening in this folder, or begins one there."""
        journal = Journal(folder / JOURNAL)
        try:
            if not journal.acts:
                begun = Match(game, options)
                players = {seat: players.get(seat, PERSON) for seat in begun.seats}
                for player in players.values():
                    if player != PERSON:
                        inprocess.maker(game, player)
                journal.add(
                    {
                        "desk": 1,
                        "game": game.name,
                        "edition": game.edition,
                        "title": title,
                        "options": begun.options,
                        "players": players,
                        "secret": secret,
                        "key": dice.new_key() if seed is None else dice.derive(seed, "chance"),
                    }
                )
            head = journal.acts[0]
            if head.get("game") != game.name:
                raise JournalError(f"In {folder} another game is being played: {head.get('game')}.")
            if head.get("edition") != game.edition:
                raise JournalError(
                    f"The evening in {folder} began under edition {head.get('edition')} of {game.title}."
                )
            return cls(folder, game, journal)
        except BaseException:
            journal.close()
            raise

    def close(self) -> None:
        self._journal.close()

    @property
    def is_new(self) -> bool:
        return len(self._journal.acts) == 1

    # ---- acts: each is judged, written, carried out

    def _act(self, act: dict[str, Any]) -> None:
        self._journal.add(act)
        self._carry_out(act)

    def _carry_out(self, act: Mapping[str, Any]) -> None:
        fields = dict(act)
        name = fields.pop("act", None)
        if name not in self._acts:
            raise JournalError(f"The journal has an act that this Polemos does not know: {name!r}.")
        try:
            self._acts[name](**fields)
        except (PolemosError, TypeError, KeyError) as error:
            raise JournalError(f"The journal cannot be carried out again: {name}: {error}") from None

    def _must_act(self, seat: str) -> None:
        if seat not in self.match.to_act:
            raise IllegalOrder(f"{seat} is not to order now.")

    def draft(self, seat: str, lines: list[str]) -> Sheet[Any]:
        """Keeps the lines of a sheet as typed so far, and tells their faults."""
        self._must_act(seat)
        sheet: Sheet[Any] = self.game.check(self.match.state, seat, lines)
        self._act({"act": "draft", "seat": seat, "lines": lines})
        return sheet

    def _do_draft(self, seat: str, lines: list[str]) -> None:
        self.drafts[seat] = lines
        self.match.withdraw(seat)

    def file(self, seat: str) -> Sheet[Any]:
        """Files the draft of a seat as its sheet, void lines and all."""
        self._must_act(seat)
        self._act({"act": "file", "seat": seat})
        return self.match.filed[seat]

    def _do_file(self, seat: str) -> None:
        self.match.submit(seat, self.drafts.get(seat, []))

    def reopen(self, seat: str) -> None:
        """Takes a filed sheet back to its draft."""
        self._act({"act": "reopen", "seat": seat})

    def _do_reopen(self, seat: str) -> None:
        self.match.withdraw(seat)

    def call(self, text: str) -> None:
        """A call of the umpire, such as announcing the last turn."""
        self.game.call(self.match.state.copy(), text)
        self._act({"act": "call", "text": text})

    def _do_call(self, text: str) -> None:
        self.match.call(text)

    def drop(self, seat: str) -> None:
        """A seat drops out."""
        self._must_act(seat)
        self._act({"act": "drop", "seat": seat})

    def _do_drop(self, seat: str) -> None:
        self.match.forfeit(seat, "dropped out")

    def run(self) -> Step:
        """Lets the bots order, then runs the turn with the sheets that are filed."""
        if self.match.outcome is not None:
            raise IllegalOrder("The game has ended.")
        for seat in self.match.to_act:
            if self.players[seat] != PERSON and seat not in self.match.filed:
                self._act({"act": "draft", "seat": seat, "lines": self._bot_orders(seat)})
                self._act({"act": "file", "seat": seat})
        self._act({"act": "run"})
        return self.match.steps[-1]

    def _do_run(self) -> None:
        self.match.run()
        self.drafts = {}
        self.released = False

    def release(self) -> None:
        """The first map is handed out: from now on the turn stands."""
        if not self.released:
            self._act({"act": "release"})

    def _do_release(self) -> None:
        self.released = True

    def back(self, reason: str) -> Step:
        """Takes the last turn back, with its sheets as drafts again. The same sheets will meet the same dice."""
        if not self.match.steps:
            raise IllegalOrder("No turn was run yet.")
        if self.released:
            raise IllegalOrder("Maps of this turn were handed out; the result stands.", rule="11.2")
        if not reason.strip():
            raise IllegalOrder("Say why: the reason is noted in the journal.", rule="11.1")
        step = self.match.steps[-1]
        self._act({"act": "back", "reason": reason})
        return step

    def _do_back(self, reason: str) -> None:
        step = self.match.take_back()
        self.drafts = {seat: list(lines) for seat, lines in step.orders.items() if lines is not None}
        self.released = True  # the maps of the turn before were handed out long ago

    # ---- what comes out

    def _bot_orders(self, seat: str) -> list[str]:
        """A bot's lines. It is made anew and shown all its past views, so that a restart leaves its memory whole."""
        match = self.match
        seed = dice.number(match.key, "bot", seat)
        try:
            bot = inprocess.maker(self.game, self.players[seat])(match.setting, seat, seed)
            answer = [bot.orders(self.game.observe(state, seat), float("inf")) for state in match.history][-1]
            return [line if isinstance(line, str) else self.game.write(self.game.read(line)) for line in answer]
        except PolemosError:
            raise
        except Exception as error:  # whatever a bot raises is the bot's fault
            raise BotFault(
                f"The bot {self.players[seat]} of {seat} failed ({type(error).__name__}: {error}). Type its sheet."
            ) from None

    def draw_maps(self, paper: str = "a4") -> list[Path]:
        """The maps of the position on the table, a page for each audience."""
        return maps.draw(self.folder, self.match, self.title, paper, self.players if self.secret else None)

    def write_replay(self) -> Path:
        path = self.folder / "replay.jsonl"
        replay.write(path, self.match, self.players)
        return path
