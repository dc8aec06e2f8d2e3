"""Ctrl-C in the middle of many games: it ends at once, and no program of a bot stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from polemos.arena.workers import Workers, at_work
from processes import left_of, playing

SLOW = """
import json, sys, time
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "view": time.sleep(2)
    if kind == "result": break
    print('{"type":"ready"}' if kind == "hello" else '{"type":"orders","orders":[]}', flush=True)
while True: time.sleep(1)  # it would not go by itself
"""


@pytest.mark.parametrize("trust", [False, True], ids=["boxed", "trusted"])
def test_ctrl_c_ends_a_match_and_its_programs(tmp_path: Path, trust: bool) -> None:
    program = tmp_path / f"slow-{uuid4()}.py"
    program.write_text(SLOW, encoding="utf-8")
    bot = f"{sys.executable} {program}"
    command = [sys.executable, "-m", "polemos", "match", "skerries", bot, bot, "--games", "8", "--workers", "2"]
    command += ["--trust"] if trust else []
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.default_int_handler
        ),  # the tests may run in the background
    ) as run:
        until = time.monotonic() + 60
        while len(playing(program.name)) < 4 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(playing(program.name)) == 4, "two bots in each of two games at once"
        time.sleep(0.5)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        began = time.monotonic()
        _, err = run.communicate(timeout=60)
    assert time.monotonic() - began < 30, "a single game would take as long, and eight were to come"
    assert run.returncode == 0
    assert "Stopped after 0 of 8 games" in err
    assert "Traceback" not in err
    assert left_of(program.name) == []


IN_A_FINALISER = """
import os, signal, time
from polemos.arena.workers import Workers, at_work

class Finalised:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.01)  # the signal is handled in here

def task():
    Finalised()
    time.sleep(20)
    return "went on"

if __name__ == "__main__":
    with Workers(1) as pool:
        try:
            print(pool.submit(at_work, task).result())
        except KeyboardInterrupt:
            print("stopped")
"""


def test_a_request_to_stop_is_heard_inside_a_finaliser_too(tmp_path: Path) -> None:
    program = tmp_path / "finaliser.py"
    program.write_text(IN_A_FINALISER, encoding="utf-8")
    run = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout == "stopped\n"
    assert "Traceback" not in run.stderr


def test_workers_can_stand_back_behind_others() -> None:
    with Workers(1, nice=3) as pool:
        assert pool.submit(at_work, os.nice, 0).result() == os.nice(0) + 3
