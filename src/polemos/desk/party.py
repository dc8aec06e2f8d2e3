"""A party at the desk: the journal of its acts, and the board that follows from them. Knows no game.

Every act is checked, written to the journal, and only then carried out. Nothing else is kept: after a crash, or at a
second laptop that has the folder, reading the journal gives the same evening. Half-typed sheets are in it as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from polemos.desk.desk import JOURNAL, REPLAY
from polemos.desk.journal import PERSON, Draft, Head, Journal, JournalError
from polemos.desk.journal import Party as PartyAct
from polemos.hosts import inprocess
from polemos.kernel import dice, replay
from polemos.kernel.capabilities.party import Party, PartyRules, Turn
from polemos.kernel.capabilities.pictures import picture_of
from polemos.kernel.errors import BadOptions, IllegalOrder, PolemosError
from polemos.kernel.game import UMPIRE
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.orders import Sheet, shown
from polemos.kernel.playing import ask

MAX_LINES: Final = 200  # of a half-typed sheet
MAX_LINE: Final = 200
JOB: Final = "Polemos desk"  # the title of every print job: the printer's queue and the tab that shows it name nobody


def wall() -> int:
    """The wall clock in milliseconds."""
    return time.time_ns() // 1_000_000


def rules_of(game: Any) -> PartyRules:
    """The party of a game; refuses games that have none."""
    if not isinstance(game, Party):
        raise BadOptions(f"{game.title} has no rules for a party. Run it with: polemos play {game.name}")
    return game.party


def is_party(folder: Path) -> bool:
    """Whether this folder holds a party, which `PartyDesk` opens, and not just an evening at the board."""
    path = folder / JOURNAL
    if not path.is_file():
        return False
    with path.open("rb") as file:
        first = file.readline(1 << 20)
    try:
        return msgspec.json.decode(first, type=Head).party is not None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False  # whoever opens it says what is wrong


class PartyDesk:
    """One party in one folder."""

    def __init__(self, folder: Path, game: Any, journal: Journal, now: Callable[[], int] = wall) -> None:
        head = journal.head
        assert head is not None
        if head.party is None:
            raise JournalError(f"{folder} holds an evening without a party. Resume it with: polemos play {head.game}")
        self.folder = folder
        self.game = game
        self.rules = rules_of(game)
        self.key = head.key
        self.title = head.title
        self.players = head.players
        self.now = now
        self._journal = journal
        self.setup = self.rules.read_setup(head.party, head.key)
        self.evening = self.rules.begin(self.setup)
        self.drafts: dict[str, list[str]] = {}
        self._board: tuple[object, AnyMatch] | None = None
        try:
            for act in journal.acts:
                self._carry_out(act)
            self._settle([])
        except PolemosError as error:
            raise JournalError(f"The journal cannot be replayed: {error}") from None

    @classmethod
    def open(
        cls,
        folder: Path,
        game: Any,
        setup: Mapping[str, Any] | None = None,
        players: Mapping[str, str] | None = None,
        seed: object = None,
        now: Callable[[], int] = wall,
    ) -> PartyDesk:
        """Resumes the party in this folder, or starts one there with this setup."""
        journal = Journal(folder / JOURNAL)
        try:
            if journal.head is None:
                if setup is None:
                    raise JournalError(f"{folder} holds no party yet.")
                journal.begin(_head(game, setup, players or {}, seed))
            assert journal.head is not None
            if (journal.head.game, journal.head.edition) != (game.name, game.edition):
                raise JournalError(
                    f"{folder} holds {shown(journal.head.game)} in edition {journal.head.edition}, but this is"
                    f" {game.name} in edition {game.edition}."
                )
            return cls(folder, game, journal, now)
        except BaseException:
            journal.close()
            raise

    def close(self) -> None:
        self._journal.close()

    # ---- acts

    def _carry_out(self, act: object) -> None:
        match act:
            case PartyAct(entry):
                read = self.rules.read_entry(entry)
                self.evening = self.rules.add(self.evening, read, is_read=True)
                self._keep_drafts(read)
            case Draft(seat, lines):
                self.drafts[seat] = list(lines)
            case _:
                raise JournalError("A party has acts of its own, and this is not one of them.")

    def do(self, act: Mapping[str, Any], signed: str = "", by: str | None = None) -> None:
        """Carries out an act of the party, as of now. It is on disk before this returns."""
        said: dict[str, Any] = {"at": self.now(), "act": dict(act)}
        if signed:
            said["signed"] = signed
        if by is not None:
            said["by"] = by
        entry = self.rules.read_entry(said)
        after = self.rules.add(self.evening, entry)
        self._journal.add(PartyAct(msgspec.to_builtins(entry)))
        before, self.evening = self.rules.turns(self.evening), after
        self._keep_drafts(entry)
        self._settle(before)

    def _keep_drafts(self, entry: object) -> None:
        """What is half-typed follows from the act itself: a kill can't come between a filed sheet and its draft."""
        found = self.rules.draft_after(self.evening, entry)
        if found is not None and not (found[1] and self.drafts.get(found[0])):  # what is being typed is newer
            self.drafts[found[0]] = list(found[1])

    def _settle(self, before: Sequence[Turn]) -> None:
        """If the turns are others than before, as after a strike, scores are those of the board now."""
        turns = self.rules.turns(self.evening)
        if turns and turns != before:
            self.evening = self.rules.settled(self.evening, self.match.view(UMPIRE))

    def draft(self, seat: str, lines: Sequence[str]) -> None:
        """Saves the lines of a sheet that is being typed."""
        self.must_be_seat(seat)
        if len(lines) > MAX_LINES or any(len(line) > MAX_LINE for line in lines):
            raise IllegalOrder(f"A sheet has at most {MAX_LINES} lines of {MAX_LINE} letters.")
        if self.drafts.get(seat, []) != list(lines):
            self._journal.add(Draft(seat, list(lines)))
            self.drafts[seat] = list(lines)

    def file(self, seat: str, lines: Sequence[str], reason: str = "", signed: str = "") -> Sheet[Any]:
        """Files a sheet as it was delivered, void lines included; or corrects how it was typed."""
        self.must_be_seat(seat)
        sheet = self.check(seat, lines)
        self.do(self.rules.hand_in(self.evening, seat, list(lines), reason), signed)
        return sheet

    def play(self, signed: str = "") -> None:
        """Plays the turn with the sheets that were delivered."""
        trial = self.match.copy()
        if trial.outcome is not None:
            raise IllegalOrder("The last turn has been played.")
        self._run(trial, self.rules.next_turn(self.evening), len(trial.steps) + 1)
        self.do(self.rules.play(trial.view(UMPIRE)), signed)

    def rehearse(self, signed: str = "") -> int:
        """Lets the courts do what they can do at the desk now; bots write the sheets. Says how many acts."""
        done = 0
        for seat in self.match.seats:
            act = self.rules.next_errand(self.evening, seat, self.now())
            if act is None:
                continue
            if act["act"] == "handin":
                act["lines"] = self._bot_orders(seat)
            try:
                self.do(act, signed)
            except PolemosError:
                continue  # for example still waiting
            done += 1
        return done

    # ---- the board

    @property
    def match(self) -> AnyMatch:
        """The board after all turns that stand. Dice depend on the key and the turn alone, so it is the same again."""
        turns = self.rules.turns(self.evening)
        wanted = (turns, self.rules.last_turn(self.evening))
        if self._board is None or self._board[0] != wanted:
            self._board = (wanted, self.board(turns))
        return self._board[1]

    def board(self, turns: Sequence[Turn], is_last: bool = False) -> AnyMatch:
        """The board after these turns; with `is_last` the next one is announced as the last."""
        match: AnyMatch = Match(self.game, self.rules.board_options(self.setup), key=self.key)
        for number, turn in enumerate(turns, 1):
            self._run(match, turn, number)
        if match.outcome is None and (is_last or self.rules.last_turn(self.evening) == len(turns) + 1):
            match.call("last")
        return match

    def _run(self, match: AnyMatch, turn: Turn, number: int) -> None:
        if self.rules.last_turn(self.evening) == number:
            match.call("last")
        for seat, lines in turn.sheets.items():
            if lines is not None:
                match.submit(seat, list(lines))
        match.run()

    def check(self, seat: str, lines: Sequence[str]) -> Sheet[Any]:
        """The lines of a sheet with their faults."""
        match = self.match
        sheet: Sheet[Any] = self.game.check(match.state, seat, list(lines))
        return sheet

    def void_lines(self) -> dict[str, tuple[int, int]]:
        """By court: the lines on the sheet of the current turn, and how many of them are void."""
        turns = self.rules.turns(self.evening)
        turn = self.rules.next_turn(self.evening)
        before = self.match
        if turns and turns[-1] == turn:  # it has been played: it was checked against the position before
            before = self.board(turns[:-1])
        found = {}
        for seat, lines in turn.sheets.items():
            if lines is not None:
                found[seat] = (len(lines), len(self.game.check(before.state, seat, list(lines)).faults))
        return found

    def must_be_seat(self, seat: str) -> None:
        if seat not in self.match.seats:
            raise IllegalOrder(f"There is no court called {shown(seat)[:20]!r}.")

    def _bot_orders(self, seat: str) -> list[str]:
        """A bot's lines in a rehearsal; a bot that fails hands in an empty sheet."""
        match, player = self.match, self.players.get(seat, PERSON)
        if player == PERSON:
            return []
        bot = inprocess.make(self.game, player, match.setting, seat, dice.number(self.key, "bot", seat))
        lines: list[str] = []
        for state in match.history:
            try:
                lines = list(self.game.check(state, seat, list(ask(bot, self.game.observe(state, seat)))).texts)
            except Exception:  # a bot that fails has ordered nothing, and the rehearsal goes on
                lines = []
        return lines

    # ---- output

    def page(self, who: str, is_last: bool = False, paper: str = "a4", is_preview: bool = False) -> str:
        """A page for the printer: a court's map for its next orders. A preview plays the turn without committing it."""
        match = self._shown(is_last, is_preview)
        title = self.title
        if len(match.steps) <= self.rules.turns_before_maps(self.setup):
            title = f"Dice: {dice.fingerprint(self.key)}. {title}"  # first: a long title may be cut off
        return picture_of(self.game, match.setting, match.view(who), "page", paper=paper, title=title)

    def _shown(self, is_last: bool, is_preview: bool) -> AnyMatch:
        """The board as pages show it; a preview has played the next turn."""
        self.rules.refuse_locked(self.evening, is_preview)
        turns = list(self.rules.turns(self.evening))
        if is_preview:
            turns.append(self.rules.next_turn(self.evening))
        return self.board(turns, is_last) if is_last or is_preview else self.match

    def events(self, is_preview: bool = False) -> list[str]:
        """What happened in the last turn, or will happen in the next, in words and with all dice. For gamerunners."""
        words = self.game.chronicle.words
        return [words(event) for event in self._shown(False, is_preview).told(UMPIRE)]

    def maps(self, is_last: bool = False, paper: str = "a4") -> bytes:
        """The sealed maps of all courts as one print job. The umpire's map is never among them."""
        from polemos.pictures.convert import filled_up, pdf

        return filled_up(pdf([self.page(seat, is_last, paper) for seat in self.match.seats], paper, JOB))

    def papers(self, paper: str = "a4") -> bytes:
        """Everything that is printed before the party, as one print job."""
        from polemos.pictures.convert import filled_up, pdf

        start = self.board([])
        return filled_up(pdf(self.rules.papers(self.evening, start.setting, start.view(UMPIRE), paper), paper, JOB))

    def text_maps(self) -> str:
        """All courts' maps as text, for the case that the printer fails."""
        self.rules.refuse_locked(self.evening)
        match = self.match
        pages = [self.game.text(match.setting, match.view(seat)) for seat in match.seats]
        return "\n\f\n".join(pages)

    def write_replay(self) -> Path:
        """The replay of the board with the key of the dice. Refused until everything has been revealed."""
        self.rules.refuse_unrevealed(self.evening)
        path = self.folder / REPLAY
        replay.write(path, self.match, {seat: seat for seat in self.match.seats})
        return path

    # ---- the evening again, without the fog

    def told(self, number: int) -> dict[str, Any]:
        """A turn as it was delivered and, where that is known, as it was ordered, on the same dice."""
        turn = self._turn(number)
        before = self.board(self.rules.turns(self.evening)[: number - 1])
        ordered = Turn({**turn.sheets, **turn.written})
        sides: dict[str, Any] = {}
        for name, sheets in (("delivered", turn), ("ordered", ordered)):
            after = before.copy()
            self._run(after, sheets, number)
            reports = msgspec.to_builtins(after.view(UMPIRE))["reports"]
            sides[name] = {
                "sheets": {seat: self._words(before, seat, lines) for seat, lines in sheets.sheets.items()},
                "scores": {seat: report["score"] for seat, report in reports.items()},
            }
        # Compared as they were read: a copy that is only spelt differently is not a change.
        first, then = (sides[name]["sheets"] for name in ("ordered", "delivered"))
        changed = [seat for seat in turn.written if first[seat] != then[seat]]
        turns = len(self.rules.turns(self.evening))
        return {"turn": number, "turns": turns, "changed": changed, "carriers": turn.carriers, **sides}

    def told_picture(self, number: int, seat: str, side: str, theme: str) -> str:
        """The board before a turn, with one court's orders drawn on it. Those that changed on the way are marked."""
        turn = self._turn(number)
        self.must_be_seat(seat)
        before = self.board(self.rules.turns(self.evening)[: number - 1])
        sheets = (turn.written, turn.sheets) if side == "ordered" else (turn.sheets, turn.written)
        orders, others = (self.game.check(before.state, seat, list(sheet.get(seat) or ())).orders for sheet in sheets)
        changed = [order for order in orders if order not in others] if seat in turn.written else []
        return self.rules.board_with_orders(before.setting, before.view(UMPIRE), orders, theme, changed)

    def _turn(self, number: int) -> Turn:
        self.rules.refuse_unrevealed(self.evening)
        turns = self.rules.turns(self.evening)
        if not 1 <= number <= len(turns):
            raise IllegalOrder(f"There are turns 1 to {len(turns)}.")
        return turns[number - 1]

    def _words(self, match: AnyMatch, seat: str, lines: Sequence[str] | None) -> list[dict[str, Any]] | None:
        if lines is None:
            return None
        checked = self.game.check(match.state, seat, list(lines)).lines
        return [{"text": line.text, "void": "" if line.fault is None else line.fault.why} for line in checked]


def _head(game: Any, setup: Mapping[str, Any], players: Mapping[str, str], seed: object) -> Head:
    rules = rules_of(game)
    key = dice.new_key() if seed is None else dice.derive(seed, "chance")
    read = rules.read_setup(setup, key)
    board: AnyMatch = Match(game, rules.board_options(read), key=key)
    chosen = {seat: players.get(seat, PERSON) for seat in board.seats}
    for player in chosen.values():
        if player != PERSON:
            inprocess.require_trust(player, False)
            inprocess.maker(game, player)
    said = rules.write_setup(read)
    return Head(1, game.name, game.edition, shown(str(said["title"])), board.options, chosen, False, key, said)
