"""Ctrl-C in the middle of many games: it ends at once, and no program of a bot stays behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

SLOW = """
import json, sys, time
open(sys.argv[1] + "/" + str(__import__("os").getpid()), "w").close()
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "view": time.sleep(0.3)
    if kind == "result": break
    print('{"type":"ready"}' if kind == "hello" else '{"type":"orders","orders":[]}', flush=True)
while True: time.sleep(1)  # it would not go by itself
"""


def is_running(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_ctrl_c_ends_a_match_and_its_programs(tmp_path: Path) -> None:
    program, pids = tmp_path / "slow.py", tmp_path / "pids"
    program.write_text(SLOW, encoding="utf-8")
    pids.mkdir()
    bot = f"{sys.executable} {program} {pids}"
    command = [sys.executable, "-m", "polemos", "match", "monad", bot, bot, "--games", "8", "--workers", "2"]
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
        while len(list(pids.iterdir())) < 4 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(list(pids.iterdir())) >= 4
        time.sleep(0.5)
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        began = time.monotonic()
        _, err = run.communicate(timeout=60)
    assert time.monotonic() - began < 20
    assert run.returncode == 0
    assert "Stopped after 0 of 8 games" in err
    assert "Traceback" not in err
    until = time.monotonic() + 5
    while any(is_running(pid.name) for pid in pids.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert not [pid.name for pid in pids.iterdir() if is_running(pid.name)]
