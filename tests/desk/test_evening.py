"""A gamerunner's evening as it is typed, killed in the middle and taken up again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from polemos.cli.main import VERBS

pytestmark = pytest.mark.needs("monarchs")


def polemos(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "polemos", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


class Typist:
    """Types at a running program and waits for what it says."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "polemos", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.seen = ""

    def wait_for(self, words: str, seconds: float = 60) -> str:
        """Reads until these words appear after the last ones found."""
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < end, f"{words!r} never came: {self.seen[-2000:]}"
            assert self.process.poll() is None or self.process.stdout.peek(), self.seen  # type: ignore[attr-defined]
            self.seen += (self.process.stdout.read() or b"").decode()
            time.sleep(0.01)
        before, _, self.seen = self.seen.partition(words)
        return before

    def type(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n".encode())
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()


def test_an_evening_survives_being_killed_while_a_sheet_is_typed_and_after_a_turn(tmp_path: Path) -> None:
    folder = str(tmp_path / "evening")
    typist = Typist("play", "monarchs", folder, "--bot", "green=holder", "--seed", "4")
    typist.wait_for("turn 1> ")
    typist.type("red")
    typist.wait_for("red> ")
    typist.type("g5 h4 2")
    typist.wait_for("1  G5-H4 2")
    typist.type("g5 k5 1")
    typist.wait_for("void: K5 is not next to G5")
    typist.kill()

    typist = Typist("play", "monarchs", folder)
    typist.wait_for("red      draft, 2 lines, not filed")
    typist.type("red")
    typist.wait_for("void: K5 is not next to G5")
    typist.type("strike 2")
    typist.wait_for("red> ")
    typist.type("done")
    typist.wait_for("Filed: 1 valid line.")
    typist.type("run")
    typist.wait_for("If not, type release.")
    typist.kill()

    typist = Typist("play", "monarchs", folder)
    typist.wait_for("resuming the evening")
    typist.wait_for("turn 2> ")
    typist.type("back blue came late")
    typist.wait_for("Turn 1 has been undone.")
    typist.wait_for("turn 1> ")
    typist.type("run")
    typist.wait_for("If not, type release.")
    typist.type("release")
    typist.wait_for("the turn is final.")
    typist.type("back again")
    typist.wait_for("the result stands.")
    typist.type("quit")
    typist.wait_for("Everything is saved")
    typist.process.wait()
    typist.kill()


def test_going_on_says_what_it_ignores_and_shows_the_last_turn_again(tmp_path: Path) -> None:
    folder = str(tmp_path / "evening")
    begun = polemos("play", "monarchs", folder, "--title", "Long Winter", "--seed", "4")
    again = polemos("play", "monarchs", folder, "-o", "turns=9", "--title", "Long Winter", "--seed", "5")
    assert "Ignored: turns=9 (this evening has turns=8), the seed (this evening has its own dice)." in again.stderr
    assert "resuming the evening" in again.stdout
    fingerprint = next(line for line in begun.stdout.splitlines() if line.startswith("Fingerprint"))
    assert fingerprint in again.stdout, "nobody may have seen it yet"
    run = polemos("play", "monarchs", folder, "-o", "turns=8", "--seed", "4", typed="red\nG5-H4 2\ndone\nrun\n")
    assert "Ignored" not in run.stderr
    shown = run.stdout.partition("What happened in turn 1")[2].partition("Maps: ")[0]
    assert "Red " in shown
    after = polemos("play", "monarchs", folder)
    assert after.stdout.partition("What happened in turn 1")[2].partition("Maps: ")[0] == shown
    assert fingerprint not in after.stdout


def test_a_call_after_the_maps_are_out_is_warned_of(tmp_path: Path) -> None:
    folder = str(tmp_path / "evening")
    typed = "run\nrelease\ncall dance\ncall last\n\ncall last\nit is midnight\nstatus\n"
    said = polemos("play", "monarchs", folder, "--seed", "4", typed=typed).stdout
    assert said.count("Careful: the maps of this turn have been handed out and do not show this call.") == 2
    assert said.count("Cancelled: no call was made.") == 1
    assert said.count("The call is made, and will be on the maps from now on.") == 1
    assert '"text":"last","reason":"it is midnight"' in (tmp_path / "evening" / "journal.jsonl").read_text()


def test_a_whole_evening_by_the_words(tmp_path: Path) -> None:
    sheet = tmp_path / "green.txt"
    sheet.write_text("# green's sheet\nbless G9\nG9-F8 2\nH8-F8 1\nH8-Z9 1\n")
    typed = f"""help
red
help
g5 h4 2; bless h4
m9 k9 1
show
clear
G5-I5 1

y
blue
leave
load green {sheet}
load purple {sheet}
load green {tmp_path / "nothing"}
sheet green
status
rules 3.5
rules 99
dance
run
show RED
show nobody
show spectator
maps
call turns 0
call last
call dance
drop blue
run
status
run
"""
    result = polemos("play", "monarchs", str(tmp_path / "e"), "--title", "Long Winter", "--seed", "1", typed=typed)
    assert result.returncode == 0, result.stderr
    said = result.stdout
    assert "Fingerprint of the dice" in said
    assert "void: You have no regiments on M9. Rule 3.6." in said
    assert "'Z9' is not a hex" in said
    assert "There is no seat called 'purple'. The seats are red, green, blue." in said
    assert "Unknown command 'dance'." in said
    assert "There is nobody called 'nobody'. Choose one of red, green, blue, spectator, umpire." in said
    assert "3.5 Enough regiments" in said
    assert "Blue drops out" in said
    assert "The game has ended." in said
    assert (tmp_path / "e" / "end" / "red.pdf").exists()
    verified = polemos("replay", str(tmp_path / "e" / "replay.jsonl"), "--verify-only")
    assert "Verified: 2 turns" in verified.stdout


def test_one_seat_against_bots_sees_only_its_own(tmp_path: Path) -> None:
    typed = "options G5\norders\nG5-H4 2\nG5-Z1 1\ndone\nnews\nmap\norders\ndone\nrules 9.1\nresign\norders\nquit\n"
    result = polemos(
        "play", "monarchs", str(tmp_path / "s"), "--as", "red", "-o", "turns=3", "--seed", "9", typed=typed
    )
    assert result.returncode == 0, result.stderr
    running, _, _ = result.stdout.rpartition("What you know about the last turn")
    assert "G5-H4 1 to 3" in running
    assert "'Z1' is not a hex" in running
    assert "K3:?" in running
    events = [line for line in running.splitlines() if "Rule" in line and "wins: " not in line]
    assert events
    assert not [line for line in events if "Green" in line or "Blue" in line]
    assert "Red marches G5-H4 with 2 regiments" in running or "Red is held at the border" in running
    assert "The game has ended." in result.stdout
    assert not list((tmp_path / "s").rglob("umpire*"))


def test_wrong_words_on_the_command_line_are_answered_in_words(tmp_path: Path) -> None:
    for arguments, said in (
        (["play", "monarch"], "Did you mean monarchs?"),
        (["play", "monarchs", str(tmp_path), "--as", "pink"], "The seats are red, green, blue"),
        (["play", "monarchs", str(tmp_path), "--bot", "red"], "SEAT=BOT"),
        (["play", "monarchs", str(tmp_path), "--bot", "red=stedy"], "Did you mean steady?"),
        (["play", "monarchs", str(tmp_path), "-o", "turns=99"], "from 0 to 50"),
        (["play", "monarchs", str(tmp_path), "-o", "colour=red"], "The options are rules, mode, scoring, turns"),
        (["match", "monarchs", "steady", "random"], "needs 3 bots, but you named 2"),
        (["match", "monarchs", "steady", "random", "nobody"], "has no bot called 'nobody'"),
        (["replay", str(tmp_path / "none")], "cannot be read"),
        (["draw", "monarchs", "--position", "start; red Z9"], "is not a hex"),
        (["draw", "monarchs", "--who", "nobody"], "There is nobody called 'nobody'"),
        (["rules", "monarchs", "12.99"], "has no paragraph"),
        (["ploy"], "Did you mean play?"),
    ):
        result = polemos(*arguments)
        assert result.returncode in (1, 2), arguments
        assert said in result.stderr, (arguments, result.stderr)
        assert "Traceback" not in result.stderr


def test_every_verb_has_help() -> None:
    for verb in VERBS:
        result = polemos(verb, "--help")
        assert result.returncode == 0, result.stderr
        assert "Usage:" in result.stdout
