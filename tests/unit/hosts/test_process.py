"""Bots in processes of their own: what they are told, and that whatever they do wrong hurts only themselves."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from polemos import registry
from polemos.hosts import box, specs
from polemos.hosts.bundle import pack
from polemos.hosts.process import Launch, ProcessBot
from polemos.kernel.errors import BotFault, BotStrike
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.kernel.rooms import bots_of
from polemos.wire.bot import Budget
from processes import left_of

GAME = registry.load("skerries")
QUICK = Budget(start=5, bank=0.4, turn=0.05, wall_factor=1, wall_extra=0.3, memory=256 << 20, line=1 << 16, log=1 << 12)
HASTY = msgspec.structs.replace(QUICK, start=2)
CALM = msgspec.structs.replace(QUICK, start=60, bank=20, wall_extra=60, wall_bank=600)  # for those who behave
ROOMY = msgspec.structs.replace(QUICK, bank=20, wall_extra=30)  # slow pages of memory cost CPU time
PATIENT = msgspec.structs.replace(QUICK, wall_extra=15)  # the CPU clock decides, however busy the machine is
SLEEPY = msgspec.structs.replace(QUICK, wall_bank=1.5, wall_turn=0.1)  # for those who are silent for good
TURNS = 12


@pytest.fixture(params=[False, True], ids=["boxed", "trusted"])
def trust(request: pytest.FixtureRequest) -> bool:
    """Programs behave alike in the box and without, and so does the umpire."""
    chosen: bool = request.param
    return chosen


HEAD = """
import json, os, signal, sys, time
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
def say(message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()
def lines():
    for line in sys.stdin:
        yield json.loads(line)
"""
GOOD = """
for m in lines():
    if m["type"] == "hello": say({"type": "ready"})
    elif m["type"] == "view":
        say({"type": "orders", "orders": []})
    else: break
"""


def instead(answer: str) -> str:
    """A bot that does something else than answering."""
    return GOOD.replace('say({"type": "orders", "orders": []})', answer)


def bot(folder: Path, name: str, body: str) -> str:
    file = folder / f"{name}.py"
    file.write_text(HEAD + body, encoding="utf-8")
    return str(file)


def played(
    folder: Path,
    body: str,
    budget: Budget = QUICK,
    game: Any = GAME,
    options: Any = None,
    *,
    trust: bool = False,
    wakes: Callable[[int], bool] = lambda turn: False,
) -> tuple[AnyMatch, Any]:
    """A match of the bot in the first seat against one that behaves. `wakes`: see `Woken`."""
    match = Match(game, options or {"turns": TURNS}, seed=5)
    seats = match.seats
    bots = {
        seat: specs.make(
            game,
            bot(folder, f"bot {seat}", body if seat == seats[0] else GOOD),
            match.setting,
            seat,
            7,
            seats=seats,
            budget=budget if seat == seats[0] else CALM,
            log=folder / f"{seat}.log",
            trust=trust,
        )
        for seat in seats
    }
    if isinstance(one := bots[seats[0]], ProcessBot):
        one.orders = Woken(one, wakes)  # type: ignore[method-assign]
    outcome = None
    try:
        outcome = play(match, bots)
    finally:
        specs.close(list(bots.values()), outcome)
    return match, bots[seats[0]]


SILENT = "signal.sigwait([signal.SIGUSR1])"  # until the umpire has given up on it, however fast the machine is


class Woken:
    """Asks a bot, and sends it a signal after some of the turns that it has lost."""

    def __init__(self, one: ProcessBot, wakes: Callable[[int], bool]) -> None:
        self._one, self._ask, self._wakes, self._turn = one, one.orders, wakes, 0

    def __call__(self, view: Any, time_left: float, /) -> Any:
        self._turn += 1
        try:
            return self._ask(view, time_left)
        except BotStrike:
            if self._wakes(self._turn):
                assert self._one._child is not None
                self._one._child._running.signal(signal.SIGUSR1)
            raise


def verdict(match: AnyMatch) -> str:
    found = {seat: str(why) for step in match.steps for seat, why in step.forfeits.items()}
    assert set(found) <= {match.seats[0]}, "nobody else is hurt"
    assert match.outcome is not None
    for step in match.steps:
        assert all(step.orders[seat] is not None for seat in match.seats[1:] if seat in step.orders)
    return found.get(match.seats[0], "")


# ---- who behaves


def test_two_bots_play_to_the_end(tmp_path: Path, trust: bool) -> None:
    match, _ = played(tmp_path, GOOD, trust=trust)
    assert verdict(match) == ""
    assert len(match.steps) == TURNS
    assert all(step.cpu["red"] < 0.4 for step in match.steps)


@pytest.mark.parametrize(("ready", "bid"), [('"ready"', None), ('"ready", "bid": 7', 7)])
def test_a_bot_may_announce_its_bid(tmp_path: Path, ready: str, bid: int | None) -> None:
    match, one = played(tmp_path, GOOD.replace('"ready"', ready))
    assert verdict(match) == ""
    assert one.bid == bid


def test_what_a_bot_is_told(tmp_path: Path) -> None:
    match, _ = played(
        tmp_path,
        """
for m in lines():
    print(json.dumps(m), file=sys.stderr, flush=True)
    if m["type"] == "hello": say({"type": "ready", "name": "x", "options": True, "more": 1})
    elif m["type"] == "view": say({"type": "orders", "orders": ["A1-M 1", "nonsense"]})
    else: break
""",
        msgspec.structs.replace(QUICK, log=1 << 24),
    )
    told = [msgspec.json.decode(line) for line in (tmp_path / "red.log").read_bytes().splitlines()]
    hello, first, second, *_, last = told
    assert (hello["type"], hello["protocol"], hello["game"], hello["seat"]) == ("hello", 1, GAME.name, "red")
    assert hello["seed"] == 7
    assert hello["budget"]["bank"] == QUICK.bank
    assert msgspec.convert(hello["setting"], GAME.setting_type) == match.setting
    assert "key" not in str(hello["setting"])
    assert [first["step"], second["step"]] == [1, 2]
    assert msgspec.convert(first["view"], GAME.view_type) == GAME.observe(match.history[0], "red")
    assert first["options"]
    assert first["faults"] == []
    assert [fault["line"] for fault in second["faults"]] == [1, 2], "void lines of the sheet before"
    assert last["type"] == "result"
    assert last["outcome"]["reason"]
    assert verdict(match) == "", "unlawful lines lose no match"


@pytest.mark.parametrize("name", registry.names())
def test_orders_may_be_given_one_by_one_in_every_game(name: str, tmp_path: Path) -> None:
    game = registry.load(name)
    body = """
import random
for m in lines():
    if m["type"] == "hello":
        dice = random.Random(m["seed"])
        say({"type": "ready", "options": True})
    elif m["type"] == "view":
        options = m["options"]
        for _ in range(5):
            if not options: break
            chosen = dice.choice(options)
            order = dict(chosen["order"])
            if chosen.get("most"): order["number"] = dice.randint(chosen["least"], chosen["most"])
            say({"type": "order", "order": order})
            answer = json.loads(sys.stdin.readline())
            assert answer["type"] == "update", answer
            assert answer["fault"] is None, answer["fault"]
            options = answer["options"]
        say({"type": "order", "order": "nonsense"})
        assert json.loads(sys.stdin.readline())["fault"]["why"]
        say({"type": "end"})
    else: break
"""
    match, _ = played(tmp_path, body, Budget(), game, {**game.examples[0], "turns": 4})
    assert verdict(match) == "", (tmp_path / f"{match.seats[0]}.log").read_text()
    assert any(step.orders.get(match.seats[0]) for step in match.steps)
    assert not any(match.seats[0] in step.faults for step in match.steps)


def test_a_bot_that_is_started_again_gets_its_past(tmp_path: Path, trust: bool) -> None:
    match = Match(GAME, {"turns": 3}, seed=1)
    past = [match.view("red")]
    body = """
for m in lines():
    if m["type"] == "hello":
        print(len(m["resumed"]), m["resumed"][0]["turn"], file=sys.stderr, flush=True)
        say({"type": "ready"})
"""
    spec = bot(tmp_path, "again", body)
    command = specs.command_of(spec)
    assert command is not None
    bundle = None if trust else specs.bundle_for(GAME, spec)
    launch = Launch(tuple(command), QUICK, tmp_path / "log", bundle)
    again = ProcessBot(GAME, launch, match.setting, "red", 1, seats=match.seats, past=past)
    again.close(None)
    assert (tmp_path / "log").read_text().split() == ["1", "1"]


# ---- who does not

EVIL = {
    "cannot be loaded": ("def", "crash"),
    "ends at once": ("", "crash"),
    "says nothing at the start": ("time.sleep(600)", "start"),
    "speaks another version": ('say({"type": "ready", "protocol": 99})\ntime.sleep(600)', "protocol"),
    "begins with a line that is not a message": (
        "print('hello', flush=True); time.sleep(600)",
        "protocol: its first line",
    ),
    "crashes in its first turn": (instead("1 / 0"), "crash"),
    "is killed": (instead("os.kill(os.getpid(), 9)"), "crash: SIGKILL"),
    "is ended by a signal without a name": (instead("os.kill(os.getpid(), 40)"), "crash: signal 40"),
    "ends with a code that is no signal": (instead("os._exit(255)"), "crash: exit code 255"),
    "ends so before it is ready": ("os._exit(255)", "crash: exit code 255"),
    "closes its output": (
        instead("os.close(1); time.sleep(600)"),
        "protocol",
    ),
    "is silent": (instead("time.sleep(600)"), "time: its wall-clock time"),
    "is late again and again": (instead('time.sleep(1.4); say({"type": "orders", "orders": []})'), "3 strikes: late"),
    "answers nonsense": (
        instead('sys.stdout.write("{]\\n"); sys.stdout.flush()'),
        "3 strikes: unreadable",
    ),
    "answers with the wrong message": (
        instead('say({"type": "ready"})'),
        "3 strikes: unreadable",
    ),
    "orders with something else than a list": (
        instead('say({"type": "orders", "orders": 7})'),
        "3 strikes: unreadable",
    ),
    "burns its time": (instead("while True: pass"), "time: the bank"),
    "burns its time in a thread": (
        "import threading\ndef burn():\n    while True: pass\nthreading.Thread(target=burn, daemon=True).start()\n"
        + instead("time.sleep(600)"),
        "time: the bank",
    ),
    "fills the memory": (
        instead("x = [bytearray(1 << 24) for _ in range(99)]"),
        "memory",
    ),
    "says a line without end": (
        instead('while True: sys.stdout.write("x" * 65536)'),
        "output",
    ),
    "floods": (
        instead('while True: say({"type": "orders", "orders": []})'),
        "protocol",
    ),
    "babbles": (
        instead('print("hm"); say({"type": "orders", "orders": []})'),
        "",
    ),
    "floods its log": (
        instead('while True: sys.stderr.write("x" * 65536)'),
        "time: the bank",
    ),
    "never reads": ('say({"type": "ready"})\ntime.sleep(600)', "time: its wall-clock time"),
    "orders without end": (
        instead('while True: say({"type": "order", "order": "A1-A2 1"})'),
        "",
    ),
}


# What the box changes: its own first process keeps the pipe open, so that a closed output is only silence.
IN_THE_BOX = {"closes its output": "time: its wall-clock time"}


@pytest.mark.parametrize("kind", EVIL)
def test_a_bot_that_misbehaves_hurts_only_itself(kind: str, tmp_path: Path, trust: bool) -> None:
    body, wanted = EVIL[kind]
    if not trust:
        wanted = IN_THE_BOX.get(kind, wanted)
    budgets = {"start": HASTY, "time: the bank": PATIENT, "time: its wall-clock time": SLEEPY, "memory": ROOMY}
    budget = budgets.get(wanted, QUICK)
    began = time.monotonic()
    match, evil = played(tmp_path, body, budget, trust=trust)
    assert time.monotonic() - began < 120, "nobody waits for a bot that sleeps"
    why = verdict(match)
    assert why, "it drops out"
    assert wanted in why, why
    assert match.outcome is not None
    assert match.outcome.winner == "blue"
    assert (tmp_path / "red.log").stat().st_size <= QUICK.log
    with pytest.raises(BotFault):
        evil.orders(match.view("red"), 0)


def test_strikes_cost_the_turn_and_are_recorded(tmp_path: Path) -> None:
    body = """
turn = 0
for m in lines():
    if m["type"] == "hello": say({"type": "ready"})
    elif m["type"] == "view":
        turn += 1
        if turn in (2, 4): SILENT
        say({"type": "orders", "orders": []})
    else: break
"""
    budget = msgspec.structs.replace(QUICK, wall_extra=1.5)
    match, _ = played(tmp_path, body.replace("SILENT", SILENT), budget, wakes=lambda turn: True)
    assert verdict(match) == ""
    struck = [step.step for step in match.steps if "red" in step.strikes]
    assert struck == [2, 4], [step.strikes for step in match.steps]
    assert [step.orders["red"] for step in match.steps][1] is None
    assert match.steps[2].orders["red"] == (), "a late answer is not taken for the next one"


def test_one_silence_is_one_strike_however_many_turns_it_lasts(tmp_path: Path, trust: bool) -> None:
    body = """
turn = 0
for m in lines():
    if m["type"] == "hello": say({"type": "ready"})
    elif m["type"] == "view":
        turn += 1
        if turn == 2: SILENT
        say({"type": "orders", "orders": []})
    else: break
"""
    body = body.replace("SILENT", SILENT)
    match, _ = played(tmp_path, body, options={"turns": 20}, trust=trust, wakes=lambda turn: turn == 5)
    assert verdict(match) == ""
    assert [step.step for step in match.steps if "red" in step.strikes] == [2]
    lost = [step.step for step in match.steps if step.orders["red"] is None]
    assert lost == [2, 3, 4, 5], "it plays on when it has woken up"


def test_sleeping_is_paid_from_a_bank_of_its_own_and_the_bot_is_told(tmp_path: Path, trust: bool) -> None:
    body = """
for m in lines():
    if m["type"] == "hello":
        budget = m["budget"]
        print("bank", budget["wall_bank"], budget["wall_turn"], file=sys.stderr, flush=True)
        say({"type": "ready"})
    elif m["type"] == "view":
        print(m["wall_left"], file=sys.stderr, flush=True)
        time.sleep(1.5)
        say({"type": "orders", "orders": []})
    else: break
"""
    budget = msgspec.structs.replace(PATIENT, wall_bank=3.65, wall_turn=0.05)
    match, _ = played(tmp_path, body, budget, trust=trust)
    assert verdict(match) == "time: its wall-clock time is used up"
    first, *left = (tmp_path / "red.log").read_text().splitlines()
    assert first == "bank 3.65 0.05"
    assert float(left[0]) == 3.7, "the bank, and a turn"
    assert len(left) == len(match.steps) == 3, "3.7, 2.25 and 0.8 s were left"
    for before, after in pairwise(map(float, left)):  # one and a half seconds went, and a turn came
        assert after <= before - 0.7, "less only what the machine took"


def test_void_orders_given_one_by_one_fill_the_sheet_too(tmp_path: Path, trust: bool) -> None:
    """Each costs the umpire time, so that their number is bounded like that of lawful ones."""
    body = instead('while True: say({"type": "order", "order": "nonsense"}); sys.stdin.readline()')
    match, _ = played(tmp_path, body, msgspec.structs.replace(PATIENT, bank=20), trust=trust)
    assert verdict(match) == "protocol: more orders than fit on a sheet"


PARENT = """
import subprocess
for m in lines():
    if m["type"] == "hello":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)", "MARK"])
        print(child.pid, file=sys.stderr, flush=True)
        say({"type": "ready"})
    elif m["type"] == "view": say({"type": "orders", "orders": []})
    else: break
"""


def test_children_do_not_outlive_the_match(tmp_path: Path) -> None:
    mark = str(uuid4())
    match, _ = played(tmp_path, PARENT.replace("MARK", mark), Budget(), trust=True)
    assert verdict(match) == ""
    assert int((tmp_path / "red.log").read_text()), "there was one"
    assert left_of(mark) == []


def test_in_the_box_there_are_no_children(tmp_path: Path) -> None:
    mark = str(uuid4())
    match, _ = played(tmp_path, PARENT.replace("MARK", mark), Budget())
    assert "Operation not permitted" in verdict(match)
    assert left_of(mark) == []


# ---- what stands for a bot


def test_specs(tmp_path: Path) -> None:
    file = bot(tmp_path, "with blanks", GOOD)
    for quoted in (file, f'"{file}"', shlex.quote(file)):
        assert specs.command_of(quoted) == [sys.executable, file], quoted
    assert specs.command_of("python3 -c pass") == ["python3", "-c", "pass"]
    assert specs.command_of(f"{file}:Name") is None
    assert specs.command_of("") is None
    assert specs.command_of("no-such-program --at-all") is None
    with pytest.raises(BotFault):
        specs.command_of('"unfinished')
    for name in ("nobody", "no-such-program --at-all", "/nowhere/bot.py"):
        with pytest.raises(BotFault):
            specs.check(GAME, name)
    for name in ("human", file, "python3 -c pass", next(iter(bots_of(GAME)))):
        specs.check(GAME, name)


def test_a_class_in_a_file_wants_trust(tmp_path: Path) -> None:
    file = tmp_path / "classes.py"
    file.write_text("class Bot:\n    def __init__(self, *a): pass\n    def orders(self, *a): return []\n")
    match = Match(GAME, {"turns": 3}, seed=1)
    seat = match.seats[0]
    for spec in (f"{file}:Bot", f"{tmp_path}/missing.py:Bot"):
        with pytest.raises(BotFault, match="Add --trust"):
            specs.check(GAME, spec)
        with pytest.raises(BotFault, match="Add --trust"):
            specs.make(GAME, spec, match.setting, seat, 1, seats=match.seats)
    specs.check(GAME, f"{file}:Bot", trust=True)
    trusted = specs.make(GAME, f"{file}:Bot", match.setting, seat, 1, seats=match.seats, trust=True)
    assert trusted.orders(match.view(seat), 0) == []
    with pytest.raises(BotFault, match="There is no file"):
        specs.check(GAME, f"{tmp_path}/missing.py:Bot", trust=True)


def test_which_bots_are_programs(tmp_path: Path) -> None:
    file = bot(tmp_path, "program", GOOD)
    assert all(specs.is_program(GAME, spec) for spec in (file, f"python3 {file}", "python3 -c pass"))
    assert not any(specs.is_program(GAME, spec) for spec in (*bots_of(GAME), "human", f"{file}:Name", "nobody"))


def test_without_a_box_a_program_is_refused_and_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only with trust."""
    monkeypatch.setattr(box, "lack", lambda: "bwrap is not installed")
    spec = bot(tmp_path, "program", f"open({str(tmp_path / 'ran')!r}, 'w').close()\n" + GOOD)
    match = Match(GAME, {"turns": 3}, seed=1)
    with pytest.raises(BotFault, match=r"does not work on this machine: bwrap is not installed\..*--trust"):
        specs.check(GAME, spec)
    with pytest.raises(BotFault, match="needs the box, which does not work"):
        specs.make(GAME, spec, match.setting, "red", 1, seats=match.seats)
    assert not (tmp_path / "ran").exists()
    specs.check(GAME, spec, trust=True)
    specs.make(GAME, spec, match.setting, "red", 1, seats=match.seats, trust=True).close(None)
    assert (tmp_path / "ran").exists()


def test_a_program_that_cannot_be_started_loses_and_nobody_else(trust: bool) -> None:
    match = Match(GAME, {"turns": 3}, seed=1)
    command = (os.devnull,)
    launch = Launch(command, QUICK, bundle=None if trust else pack(command))
    lost = ProcessBot(GAME, launch, match.setting, "red", 1, seats=match.seats)
    with pytest.raises(BotFault, match="cannot be started" if trust else "failed to execute"):
        lost.orders(match.view("red"), 0)
    lost.close(None)
