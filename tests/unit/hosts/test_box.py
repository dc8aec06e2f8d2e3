"""What a program finds in the box, as docs/reference/bots.md says, and which of its files come along."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from polemos import registry
from polemos.hosts import box, bundle, specs
from polemos.hosts.bundle import pack
from polemos.kernel.errors import BotFault
from polemos.kernel.match import Match
from polemos.kernel.playing import play

GAME = registry.load("skerries")
PAGE = (Path(__file__).parents[3] / "docs" / "reference" / "bots.md").read_text(encoding="utf-8")

LOOKING = """
import json, os, socket, sys, threading
sys.stdin.readline()
def why(do, *given):
    try:
        do(*given)
    except Exception as error:
        return type(error).__name__
def write(path, size):
    with open(path, "wb") as file:
        file.write(bytes(size))
held = []
def hold():
    while True:
        held.append(open("/dev/null"))
waiting = threading.Event()
def start(number):
    for _ in range(number):
        threading.Thread(target=waiting.wait, daemon=True).start()
found = {
    "folder": os.getcwd(), "files": sorted(os.listdir("/bot")), "beside": open("data/table.txt").read(),
    "python": sys.executable, "environment": dict(os.environ), "root": sorted(os.listdir("/")),
    "home": sorted(os.listdir("/tmp")), "processes": sum(name.isdigit() for name in os.listdir("/proc")),
    "write beside": why(write, "/bot/x", 1), "write scratch": why(write, "/tmp/x", 15 << 20),
    "fill scratch": why(write, "/tmp/y", 2 << 20), "write elsewhere": why(write, "/usr/x", 1),
    "child": why(os.fork), "network": why(socket.socket), "threads": why(start, 40), "too many threads": why(start, 40),
    "open": why(hold), "number": len(held),
}
held.clear()
print(json.dumps(found), file=sys.stderr, flush=True)
print('{"type":"ready"}', flush=True)
sys.stdin.readline()
"""


def looked(folder: Path) -> dict[str, Any]:
    """What a bot in this folder has found."""
    own = folder / "my bot"
    (own / "data").mkdir(parents=True)
    (own / "data" / "table.txt").write_text("7")
    (own / "bot.py").write_text(LOOKING)
    match = Match(GAME, {"turns": 3}, seed=1)
    log = folder / "log"
    specs.make(GAME, str(own / "bot.py"), match.setting, "red", 1, seats=match.seats, log=log).close(None)
    found: dict[str, Any] = json.loads(log.read_text())
    return found


def test_a_program_finds_what_the_page_promises(tmp_path: Path) -> None:
    found = looked(tmp_path)
    assert (found["folder"], found["files"], found["beside"]) == ("/bot", ["bot.py", "data"], "7")
    assert found["python"] == "/usr/bin/python3"
    assert found["home"] == []
    assert not set(found["root"]) - {"bot", "dev", "etc", "proc", "tmp", "usr", *os.listdir("/usr")}
    assert found["processes"] <= 2, "itself, and what holds the box"
    assert found["write beside"] == found["write elsewhere"] == "OSError"
    assert (found["write scratch"], found["fill scratch"]) == (None, "OSError")
    assert (found["child"], found["network"]) == ("PermissionError", "PermissionError")
    assert (found["threads"], found["too many threads"]) == (None, "RuntimeError")
    assert found["open"] == "OSError"
    assert 50 < found["number"] < 64
    promised = {"HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0"}
    assert promised.items() <= found["environment"].items()
    environment = {name: value for name, value in found["environment"].items() if name not in ("PWD", "LC_CTYPE")}
    assert environment == box.ENVIRONMENT, "nothing of ours; the two come from the shell and from Python itself"


def test_the_page_says_the_numbers() -> None:
    assert f"at most {bundle.MAX_FILES} files and {bundle.MAX_BYTES >> 20} MB" in PAGE
    assert "16 MB in `/tmp`" in PAGE
    assert "up to 64 threads" in PAGE
    assert f"always `{bundle.PYTHON}`" in PAGE


# ---- files


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of a bot with things in it that stay behind."""
    (tmp_path / "secret.txt").write_text("s")
    own = tmp_path / "my bot"
    for name in ("bot.js", "lib/help.js", "lib/deep/er.js", ".git/config", "lib/__pycache__/x.pyc", "games/a.gz"):
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        (own / name).write_text(name)
    (own / "out.txt").symlink_to(tmp_path / "secret.txt")
    (own / "up").symlink_to(tmp_path)
    (own / "inner.js").symlink_to(own / "lib" / "help.js")
    os.mkfifo(own / "pipe")
    return own


TAKEN = ["bot.js", "inner.js", "lib/deep/er.js", "lib/help.js"]


@pytest.mark.parametrize(
    ("command", "inside"),
    [
        (["node", "{home}/bot.js"], ["node", "/bot/bot.js"]),
        (["node", "--x", "{home}/bot.js", "more"], ["node", "--x", "/bot/bot.js", "more"]),
        (["java", "@{home}/bot.js", "-cp", "{home}", "Bot"], ["java", "@/bot/bot.js", "-cp", "/bot", "Bot"]),
        (["java", "-cp", "{home}", "Bot"], ["java", "-cp", "/bot", "Bot"]),
        (["/somewhere/bin/python3.12", "{home}/bot.js"], ["/usr/bin/python3", "/bot/bot.js"]),
        (["{home}/bot.js"], ["/bot/bot.js"]),
    ],
    ids=str,
)
def test_the_folder_of_the_first_path_is_taken(home: Path, command: list[str], inside: list[str]) -> None:
    packed = pack([word.format(home=home) for word in command], home / "games")
    assert sorted(file.path for file in packed.files) == TAKEN
    assert [packed.command[0].removeprefix("/usr/bin/"), *packed.command[1:]] == [
        inside[0].removeprefix("/usr/bin/"),
        *inside[1:],
    ]
    assert next(file.data for file in packed.files if file.path == "inner.js") == b"lib/help.js"


def test_a_bot_is_known_by_its_files(home: Path) -> None:
    command = ["node", str(home / "bot.js")]
    before = pack(command, home / "games")
    (home / "games" / "b.gz").write_text("another replay")
    assert pack(command, home / "games").digest == before.digest
    (home / "lib" / "help.js").write_text("better")
    assert pack(command, home / "games").digest != before.digest
    assert pack([*command, "hard"], home / "games").digest != before.digest


def test_what_cannot_be_packed_is_said(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "bin" / "tool"
    elsewhere.parent.mkdir()
    elsewhere.write_text("#!/bin/sh\n")
    elsewhere.chmod(0o755)
    monkeypatch.setenv("PATH", f"{elsewhere.parent}:{os.environ['PATH']}")
    with pytest.raises(BotFault, match=r"tool is not under /usr.*--trust"):
        pack(["tool", str(home / "bot.js")])
    with pytest.raises(BotFault, match="Put everything that the bot needs into one folder"):
        pack(["node", str(home / "bot.js"), str(elsewhere)])
    monkeypatch.setattr(bundle, "MAX_FILES", 3)
    with pytest.raises(BotFault, match=r"more than 3 files\. Put the bot into its own folder"):
        pack(["node", str(home / "bot.js")])
    monkeypatch.setattr(bundle, "MAX_FILES", 2000)
    (home / "big").write_bytes(bytes(3 << 20))
    monkeypatch.setattr(bundle, "MAX_BYTES", 2 << 20)
    with pytest.raises(BotFault, match=r"more than 2 MB\. Put the bot into its own folder"):
        pack(["node", str(home / "bot.js")])


def test_a_bot_plays_with_the_files_it_began_with(home: Path) -> None:
    spec = f"node '{home / 'bot.js'}'"
    specs.check(GAME, spec)
    before = specs.bundle_for(GAME, spec)
    (home / "bot.js").write_text("changed in the meantime")
    assert specs.bundle_for(GAME, spec) is before


def test_a_program_plays_where_its_files_came_from_elsewhere(tmp_path: Path) -> None:
    """On another machine there is no such path; the bundle is all that is needed."""
    (tmp_path / "away.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    kind = json.loads(line)['type']\n"
        "    if kind == 'hello': print(json.dumps({'type': 'ready'}), flush=True)\n"
        "    elif kind == 'view': print(json.dumps({'type': 'orders', 'orders': []}), flush=True)\n"
        "    else: break\n"
    )
    packed = bundle.pack([sys.executable, str(tmp_path / "away.py")])
    spec = str(tmp_path / "nowhere" / "away.py")
    bundle.install({spec: packed})
    game = registry.load("skerries")
    match = Match(game, {"turns": 3}, seed=1)
    bots = {seat: specs.make(game, spec, match.setting, seat, 1, seats=match.seats) for seat in match.seats}
    try:
        play(match, bots)
    finally:
        specs.close(list(bots.values()), match.outcome)
    assert [step.forfeits for step in match.steps] == [{}] * 3
