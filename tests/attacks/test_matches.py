"""Whole matches: who attacks loses with the right word for it, the other wins, and nobody learns what is not his."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from attacks.harness import PROGRAMS, SECRET
from polemos import registry
from polemos.hosts import groups, specs
from polemos.kernel.match import AnyMatch, Match
from polemos.kernel.playing import play
from polemos.wire.bot import Budget

GAME = registry.load("skerries")
QUICK = Budget(start=5, bank=0.4, turn=0.05, wall_factor=1, wall_extra=0.3, memory=256 << 20, line=1 << 16, log=1 << 12)
SILENT = msgspec.structs.replace(QUICK, wall_bank=1.5, wall_turn=0.0)  # for those who never answer again
PATIENT = msgspec.structs.replace(QUICK, wall_extra=10)  # for those who spend their time, also on a busy machine
GREEDY = msgspec.structs.replace(QUICK, bank=20, wall_extra=30)  # for all others: slow pages, say, cost CPU time
CALM = msgspec.structs.replace(QUICK, start=60, bank=20, wall_extra=60, wall_bank=600)  # for those who behave
GOOD = """
import ctypes, json, os, signal, sys, threading, time
def say(message):
    print(json.dumps(message), flush=True)
def spin():
    while True: pass
EXIT = {"x86_64": 60, "aarch64": 93}[os.uname().machine]
START
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say({"type": "ready"})
    elif m["type"] == "view":
        TURN
        say({"type": "orders", "orders": []})
    else:
        break
"""


def bot(turn: str = "pass", start: str = "pass") -> str:
    """A bot that does something before it answers a view, or before it is ready."""
    return GOOD.replace("TURN", turn).replace("START", start)


def played(
    folder: Path,
    first: str,
    second: str = bot(),
    budget: Budget = GREEDY,
    turns: int = 8,
    second_budget: Budget | None = None,
) -> AnyMatch:
    """A match of two bots, each in a folder of its own."""
    budgets = (budget, second_budget or budget)
    match = Match(GAME, {"turns": turns}, seed=SECRET)
    bots: dict[str, Any] = {}
    outcome = None
    try:
        for seat, text, its in zip(match.seats, (first, second), budgets, strict=True):
            file = folder / seat / "bot.py"
            file.parent.mkdir()
            file.write_text(text)
            bots[seat] = specs.make(
                GAME, str(file), match.setting, seat, 7, seats=match.seats, budget=its, log=folder / f"{seat}.log"
            )
        outcome = play(match, bots)
    finally:
        specs.close(list(bots.values()), outcome)
    return match


def verdicts(match: AnyMatch) -> dict[str, str]:
    return {seat: str(why) for step in match.steps for seat, why in step.forfeits.items()}


LOSERS = {
    "spins": (bot("spin()"), "time"),
    "spins in many threads": (bot("for _ in range(20): threading.Thread(target=spin, daemon=True).start()"), "time"),
    "ends its first thread and spins on": (
        bot("threading.Thread(target=spin).start(); ctypes.CDLL(None).syscall(EXIT, 0)"),
        "time",
    ),
    "takes memory": (bot("x = bytearray(1 << 30)"), "memory"),
    "takes memory bit by bit": (bot("x = [bytearray(1 << 20) for _ in range(999)]"), "memory"),
    "forks": (bot("os.fork()"), "crash: exit code 1: PermissionError"),
    "fills its scratch": (bot("open('/tmp/x', 'wb').write(bytes(1 << 30))"), "memory|crash: exit code 1: OSError"),
    "reads where there is nothing": (bot("ctypes.string_at(0)"), "crash: SIGSEGV"),
    "aborts": (bot("os.abort()"), "crash: SIGABRT"),
    "kills itself": (bot("os.kill(os.getpid(), 9)"), "crash: SIGKILL"),
    "kills its first process, and itself": (bot("os.kill(1, 9); os.kill(os.getpid(), 9)"), "crash: SIGKILL"),
    "ends by a signal without a name": (bot("os.kill(os.getpid(), 40)"), "crash: signal 40"),
    "ends at the start with a number like a signal's": (bot(start="os._exit(200)"), "crash: exit code 200"),
    "ends with a number like a signal's": (bot("os._exit(255)"), "crash: exit code 255"),
    "stops itself": (bot("os.kill(os.getpid(), signal.SIGSTOP)"), "time: its wall-clock"),
    "makes a forbidden call in another tongue": (bot("ctypes.CDLL(None).syscall(0x40000027)"), "crash: SIGSYS"),
    "says a line without end": (bot("while True: sys.stdout.write('x' * 65536)"), "output"),
    "says too much": (bot("for _ in range(9999): say({'type': 'orders', 'orders': []})"), "protocol|time"),
    "floods its log": (bot("while True: sys.stderr.write('x' * 65536)"), "time|3 strikes: late"),
    "closes its output": (bot("os.close(1); time.sleep(9)"), "protocol|time: its wall-clock"),
    "closes everything": (bot("os.closerange(0, 64); time.sleep(9)"), "protocol|time: its wall-clock"),
    "nests": (bot("print('[' * 60000, flush=True); continue"), "3 strikes: unreadable"),
    "counts without end": (bot("print('9' * 60000, flush=True); continue"), "3 strikes: unreadable"),
    "speaks no language": (bot("os.write(1, bytes(range(128, 256)) + b'\\n'); continue"), "3 strikes: unreadable"),
    "asks for handles": (bot("import socket; socket.socket()"), "crash: exit code 1: PermissionError"),
}


@pytest.mark.parametrize("kind", LOSERS)
def test_who_attacks_loses(kind: str, tmp_path: Path) -> None:
    text, wanted = LOSERS[kind]
    budget = SILENT if "wall-clock" in wanted else PATIENT if wanted.startswith("time") else GREEDY
    match = played(tmp_path, text, budget=budget, second_budget=CALM)
    assert list(verdicts(match)) == ["red"]
    assert re.match(wanted, verdicts(match)["red"]), verdicts(match)
    assert match.outcome is not None
    assert match.outcome.winner == "blue"
    assert (tmp_path / "red.log").stat().st_size <= QUICK.log


def test_the_same_bot_loses_nothing_if_it_behaves(tmp_path: Path) -> None:
    assert verdicts(played(tmp_path, bot(), budget=QUICK)) == {}


def test_thinking_in_the_time_of_the_other_is_not_free(tmp_path: Path) -> None:
    """The spinner answers at once, is stopped while the other one sleeps, and pays for what it took until then.

    It begins with that after its first answer, because nobody knows how soon a busy machine lets us stop it.
    """
    begin = """
burns = threading.Event()
def later():
    burns.wait()
    spin()
threading.Thread(target=later, daemon=True).start()
sys.setswitchinterval(1e-4)
answers = 0
"""
    text = bot("answers += 1; answers < 2 or burns.set()", begin)
    budget = msgspec.structs.replace(PATIENT, bank=0.1, turn=0.001)
    match = played(tmp_path, text, bot("time.sleep(0.2)"), budget, turns=50, second_budget=CALM)
    assert verdicts(match).get("red", "").startswith("time"), [step.cpu for step in match.steps]
    assert len(match.steps) > 1


def test_many_files_cost_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups, "make", lambda *limits: None)
    text = bot("for n in range(10**7): os.close(os.open(f'/tmp/{n}', os.O_CREAT))")
    assert verdicts(played(tmp_path, text))["red"].startswith("memory: more than")


def test_last_words_are_only_words(tmp_path: Path) -> None:
    """They are shown to people: in terminals, and on pages."""
    text = bot("sys.exit('\\x1b[2J\\x1b]0;owned\\x07\\r\\x9b31m' + 'x' * 999)")
    why = verdicts(played(tmp_path, text))["red"]
    assert why.startswith("crash: exit code 1: ")
    assert why.isprintable()
    assert len(why) < 250


# ---- what a bot can find out


def spied(folder: Path, *, trust: bool, monkeypatch: pytest.MonkeyPatch) -> tuple[str, AnyMatch]:
    """What the spy has seen in the middle of a match against a bot that keeps secrets in every place it has."""
    monkeypatch.setenv("POLEMOS_TEST_SECRET", "secret of the umpire")
    out, ours, theirs = folder / "out", folder / "spy", folder / "theirs"
    for place in (out, ours, theirs):
        place.mkdir()
    shutil.copy(PROGRAMS / "spy.py", ours)
    (ours / "spy.txt").write_text(str(folder) if trust else "")
    say = "print('secret of the log', file=sys.stderr, flush=True)"
    keep = "open('/tmp/polemos-secret', 'w').write('secret ' + 'in scratch')" if not trust else "pass"
    (theirs / "bot.py").write_text(bot(say, keep) + "# secret of the source\n")
    (out / "game-00000.jsonl").write_text("secret of the replay")
    match = Match(GAME, {"turns": 3}, seed="a seed")
    bots: dict[str, Any] = {}
    budget = Budget(log=1 << 25, bank=20)
    try:
        for seat, file in zip(match.seats, (theirs / "bot.py", ours / "spy.py"), strict=True):
            log = out / f"game-00001-{seat}.log"
            bots[seat] = specs.make(
                GAME, str(file), match.setting, seat, 7, seats=match.seats, budget=budget, log=log, trust=trust
            )
        play(match, bots)
    finally:
        specs.close(list(bots.values()), None)
    assert verdicts(match) == {}
    return json.loads((out / f"game-00001-{match.seats[1]}.log").read_text()), match


def test_a_spy_finds_nothing_in_the_box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, match = spied(tmp_path, trust=False, monkeypatch=monkeypatch)
    assert "A bot that plays on and meanwhile looks" in found, "it can read itself"
    assert re.findall("secret of the [a-z]+|secret in scratch", found) == []
    assert match.key not in found
    assert str(tmp_path) not in found, "nor where it comes from"


def test_a_spy_finds_everything_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = spied(tmp_path, trust=True, monkeypatch=monkeypatch)
    wanted = {f"secret of the {what}" for what in ("umpire", "log", "source", "replay")}
    assert set(re.findall("secret of the [a-z]+", found)) >= wanted


def test_the_key_of_the_match_is_told_to_nobody(tmp_path: Path) -> None:
    """A bot has a seed of its own, from which that of the match cannot be had."""
    text = bot("print(line, file=sys.stderr)").replace(
        'say({"type": "ready"})', 'print(line, file=sys.stderr); say({"type": "ready"})'
    )
    match = played(tmp_path, text, budget=msgspec.structs.replace(GREEDY, log=1 << 22))
    told = (tmp_path / "red.log").read_text()
    assert '"seed":7' in told
    assert match.key not in told
    assert SECRET not in told
    assert str(os.getpid()) not in re.findall(r"\b\d+\b", told.split("\n")[0])
