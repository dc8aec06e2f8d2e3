"""Writes down what an operator does: each deed is checked, and stored together with its line in the audit log."""

from __future__ import annotations

import re
import time
from typing import Final

import msgspec
from sqlalchemy import Executable, delete, insert, select, update

from polemos.kernel.errors import PolemosError
from polemos.ladder import bots, leases
from polemos.ladder.ladders import pausing
from polemos.server.names import looks
from polemos.server.office import ladders, lists
from polemos.server.office.bans import Network, network_of, shortened
from polemos.server.store import schema
from polemos.server.words import tidy
from polemos.wire.office import (
    Announce,
    Ban,
    CloseParty,
    CloseTable,
    Deed,
    EndNotice,
    EndSessions,
    FinishReport,
    LetWorkerIn,
    PauseLadder,
    PauseLadderBot,
    ResumeLadder,
    ResumeLadderBot,
    SetAside,
    SetQuota,
    StopBot,
    Unban,
)

WIDEST: Final = {4: 16, 6: 32}  # bits of the largest network that can be banned: more would be whole countries
MAX_WHY: Final = 500
MAX_NOTICE: Final = 300


class BadDeed(PolemosError):
    """Something that an operator can't do in this way."""

    word = "operator/refused"


class Clerk:
    """Prepares the deeds of one operator as statements, which are to be written all or none."""

    def __init__(self, read: lists.Read, by: str, named: frozenset[int] = frozenset(), here: str | None = None) -> None:
        """`named`: the operators by a setting. `here`: the address the operator comes from."""
        self._read, self._by, self._named, self._here = read, by[:80], named, here

    def do(self, deed: Deed) -> list[Executable]:
        match deed:
            case Ban():
                return self._ban(deed)
            case Unban():
                return self._unban(deed)
            case EndSessions():
                id, name = self._account(deed.name)
                ended = delete(schema.sessions).where(schema.sessions.c.account_id == id)
                return [ended, *self._noted("end sessions", name, deed.why, deed)]
            case SetQuota():
                return self._set_quota(deed)
            case CloseTable():
                title = self._unfinished(deed.table)
                return self._noted("close table", title, deed.why, deed)
            case CloseParty():
                of = schema.parties
                rows = self._read(select(of.c.game).where(of.c.id == deed.party[:24], ~of.c.over))
                if not rows:
                    raise BadDeed(f"There is no unfinished party {deed.party[:24]!r}.")
                return self._noted("close party", f"{deed.party} ({rows[0]['game']})", deed.why, deed)
            case StopBot():
                self._unfinished(deed.table)
                bots = [bot for bot in lists.bots_at(self._read, deed.table) if bot.seat == deed.seat]
                if not bots:
                    raise BadDeed(f"There is no bot in the seat {deed.seat[:40]!r} of table {deed.table}.")
                return self._noted("stop bot", f"{bots[0].bot} in {deed.seat} of {deed.table}", deed.why, deed)
            case FinishReport():
                return self._finish(deed)
            case SetAside():
                name = self._worker(deed.worker)
                statements = leases.setting_aside(deed.worker, _text(deed.why, MAX_WHY))
                return [*statements, *self._noted("set worker aside", name, deed.why)]
            case LetWorkerIn():
                name = self._worker(deed.worker)
                return [leases.letting_in(deed.worker), *self._noted("let worker in", name, deed.why)]
            case PauseLadder() | ResumeLadder():
                return self._pause(deed)
            case PauseLadderBot() | ResumeLadderBot():
                return self._pause_bot(deed)
            case Announce():
                text = _text(deed.text, MAX_NOTICE)
                row = {"text": text, "begun": time.time(), "until": time.time() + deed.seconds}
                return [insert(schema.notices).values(row), *self._noted("announce", "everyone", text)]
            case EndNotice():
                return self._end_notice(deed)

    # ---- operators

    def add_operator(self, name: str) -> list[Executable]:
        """Only for commands: nobody becomes an operator through the web."""
        id, known = self._account(name)
        if id in self._operators():
            raise BadDeed(f"{known} already is an operator.")
        row = {"account_id": id, "since": time.time()}
        return [insert(schema.operators).values(row), *self._noted("add operator", known, "")]

    def remove_operator(self, name: str) -> list[Executable]:
        id, known = self._account(name)
        if id in self._named:
            raise BadDeed(f"{known} is an operator by the setting `operators`. Change the setting and restart.")
        if id not in self._operators():
            raise BadDeed(f"{known} isn't an operator.")
        gone = delete(schema.operators).where(schema.operators.c.account_id == id)
        return [gone, *self._noted("remove operator", known, "")]

    def _operators(self) -> set[int]:
        rows = self._read(select(schema.operators.c.account_id))
        return {row["account_id"] for row in rows} | self._named

    # ---- bans

    def _ban(self, deed: Ban) -> list[Executable]:
        also: list[Executable] = []
        if deed.kind == "account":
            id, shown = self._account(deed.target)
            if id in self._operators():
                raise BadDeed(f"{shown} is an operator. Run `polemos operator remove` first.")
            kind, target = "account", str(id)
            also.append(delete(schema.sessions).where(schema.sessions.c.account_id == id))
        elif deed.kind == "name":
            kind, target, shown = "name", looks(deed.target), tidy(deed.target, 80)
            owner = self._read(select(schema.accounts.c.id).where(schema.accounts.c.looks == target))
            if not target:
                raise BadDeed("A name needs a letter or a digit.")
            if owner and owner[0]["id"] in self._operators():
                raise BadDeed(f"{shown} is the name of an operator.")
        else:
            kind, (network, shown) = "address", self._network(deed)
            target = str(network)
        row = {
            "kind": kind,
            "target": target,
            "shown": shown,
            "why": _text(deed.why, MAX_WHY),
            "begun": time.time(),
            "until": None if deed.seconds is None else time.time() + deed.seconds,
        }
        how_long = "for good" if deed.seconds is None else f"for {_time(deed.seconds)}"
        return [insert(schema.bans).values(row), *also, *self._noted("ban", f"{kind} {shown} {how_long}", deed.why)]

    def _network(self, deed: Ban) -> tuple[Network, str]:
        """The network to ban, and how operators see it: in part, if they have not named it themselves."""
        text = deed.target if deed.kind == "address" else self._address_behind(deed)
        network = network_of(text)
        if network is None:
            raise BadDeed(f"{text[:60]!r} isn't an address or a network. Write it like 203.0.113.7 or 203.0.113.0/24.")
        if network.prefixlen < WIDEST[network.version]:
            raise BadDeed(f"{network} is too large a network to ban. Ban at most a /{WIDEST[network.version]}.")
        here = None if self._here is None else network_of(self._here)
        if here is not None and here.version == network.version and here.overlaps(network):
            raise BadDeed(f"{network} contains your own address: you would lock yourself out.")
        return network, str(network) if deed.kind == "address" else shortened(text)

    def _address_behind(self, deed: Ban) -> str:
        """The address of a session, or of the player that a report is about."""
        sessions, reports = schema.sessions, schema.reports
        if deed.kind == "session":
            begins = sessions.c.id.startswith(deed.target, autoescape=True)
            rows = self._read(select(sessions.c.address).where(begins).limit(2)) if len(deed.target) >= 8 else []
        else:
            number = int(deed.target) if re.fullmatch("[0-9]{1,15}", deed.target, re.ASCII) else -1
            rows = self._read(select(reports.c.address).where(reports.c.id == number))
        if len(rows) != 1 or not rows[0]["address"]:
            raise BadDeed(f"There is no such {deed.kind} any more, or its address isn't known.")
        found: str = rows[0]["address"]
        return found

    def _unban(self, deed: Unban) -> list[Executable]:
        found = next((ban for _, ban in lists.bans(self._read) if ban.id == deed.ban), None)
        if found is None:
            raise BadDeed(f"There is no ban {deed.ban} in force.")
        lifted = update(schema.bans).where(schema.bans.c.id == deed.ban).values(lifted=time.time())
        return [lifted, *self._noted("unban", f"{found.kind} {found.target}", deed.why)]

    # ---- the rest

    def _set_quota(self, deed: SetQuota) -> list[Executable]:
        id, name = (lists.EVERYONE, "everyone") if deed.name is None else self._account(deed.name)
        of = schema.quotas
        statements: list[Executable] = [delete(of).where(of.c.account_id == id, of.c.what == deed.what)]
        if deed.most is not None:
            statements.append(insert(of).values(account_id=id, what=deed.what, most=deed.most))
        what = f"{deed.what} of {name}: {'default' if deed.most is None else deed.most}"
        return [*statements, *self._noted("quota", what, deed.why)]

    def _finish(self, deed: FinishReport) -> list[Executable]:
        of = schema.reports
        rows = self._read(select(of.c.table_id, of.c.target).where(of.c.id == deed.report, of.c.done.is_(None)))
        if not rows:
            raise BadDeed(f"There is no open report {deed.report}.")
        about = f"{deed.report}: {rows[0]['target'] or 'nobody'} at {rows[0]['table_id']}"
        done = update(of).where(of.c.id == deed.report).values(done=time.time())
        return [done, *self._noted("report done", about, deed.why)]

    def _end_notice(self, deed: EndNotice) -> list[Executable]:
        found = next((notice for notice in lists.notices(self._read) if notice.id == deed.notice), None)
        if found is None:
            raise BadDeed(f"There is no announcement {deed.notice} in force.")
        over = update(schema.notices).where(schema.notices.c.id == deed.notice).values(until=time.time())
        return [over, *self._noted("end notice", found.text[:160], deed.why)]

    def add_worker(self, name: str, secret: str) -> list[Executable]:
        """A machine that plays games of ladders, known by a secret of which only the digest is kept."""
        known = tidy(name, 80)
        if not known:
            raise BadDeed("A worker needs a name.")
        if ladders.is_worker(self._read, known):
            raise BadDeed(f"There already is a worker called {known}. Choose another name.")
        return [ladders.adding(known, secret), *self._noted("add worker", known, "")]

    def _worker(self, id: int) -> str:
        name = ladders.worker_called(self._read, id)
        if name is None:
            raise BadDeed(f"There is no worker {id}.")
        return name

    def _pause(self, deed: PauseLadder | ResumeLadder) -> list[Executable]:
        title = ladders.title_of(self._read, deed.ladder)
        if title is None:
            raise BadDeed(f"There is no ladder {deed.ladder}.")
        paused = isinstance(deed, PauseLadder)
        return [
            pausing(deed.ladder, paused=paused),
            *self._noted("pause ladder" if paused else "resume ladder", title, deed.why),
        ]

    def _pause_bot(self, deed: PauseLadderBot | ResumeLadderBot) -> list[Executable]:
        found = ladders.bot_of(self._read, deed.bot)
        if found is None:
            raise BadDeed(f"There is no bot {deed.bot} of an author. Its number is in the address of its page.")
        name, account = found
        if isinstance(deed, ResumeLadderBot):
            return [bots.letting_play(deed.bot), *self._noted("resume bot", f"{name} ({deed.bot})", deed.why)]
        statements = bots.stopping(deed.bot, account, name, _text(deed.why, MAX_WHY))
        return [*statements, *self._noted("pause bot", f"{name} ({deed.bot})", deed.why)]

    def _account(self, name: str) -> tuple[int, str]:
        found = lists.account_called(self._read, name)
        if found is None:
            raise BadDeed(f"There is no account called {tidy(name, 40)!r}.")
        return found["id"], found["name"]

    def _unfinished(self, table: str) -> str:
        """The number and the title of a table that can still be played."""
        of = schema.game_tables
        rows = self._read(select(of.c.id, of.c.game, of.c.wish).where(of.c.id == table[:24], of.c.status != "over"))
        if not rows:
            raise BadDeed(f"There is no unfinished table {table[:24]!r}.")
        title = msgspec.json.decode(rows[0]["wish"]).get("title", "")
        return f"{table} ({rows[0]['game']}{f', {title}' if title else ''})"

    def _noted(self, what: str, target: str, why: str, errand: Deed | None = None) -> list[Executable]:
        """The line in the audit log; and, if a running server has to do it, the errand."""
        why = _text(why, MAX_WHY) if errand is not None or what not in _WITHOUT_REASON else tidy(why, MAX_WHY)
        row = {"at": time.time(), "by": self._by, "what": what, "target": target[:160], "why": why}
        statements: list[Executable] = [insert(schema.audit).values(row)]
        if errand is not None:
            statements.append(insert(schema.errands).values(at=time.time(), body=msgspec.json.encode(errand)))
        return statements


_WITHOUT_REASON: Final = ("add operator", "remove operator", "add worker")


def _text(said: str, most: int) -> str:
    text = tidy(said, most)
    if not text:
        raise BadDeed("Give a reason: the people concerned are told, and it goes to the audit log.")
    return text


def _time(seconds: float) -> str:
    """A time in the largest unit that fits.

    >>> _time(86400), _time(5400), _time(60)
    ('1 day', '90 minutes', '1 minute')
    """
    for size, unit in ((86400, "day"), (3600, "hour")):
        if seconds % size == 0:
            return f"{seconds / size:g} {unit}{'' if seconds == size else 's'}"
    minutes = round(seconds / 60)
    return f"{minutes} minute{'' if minutes == 1 else 's'}"
