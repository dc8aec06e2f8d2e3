"""Bots to begin with: each is written by the verb, built, and plays every game by the rules."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result

import built
from languages import TESTED
from polemos import registry
from polemos.arena import games as arena
from polemos.cli import new_bot
from polemos.cli.main import polemos
from polemos.cli.new_bot import KITS, LANGUAGES, words_of, write_kit
from polemos.hosts import inprocess, specs
from polemos.kernel import playing, replay
from polemos.kernel.match import Match
from polemos.wire.bot import Budget
from unit.kits.driver import RECORD, Process, lines_with, play, recorded, umpire

GAMES = registry.names()


def call(*arguments: str) -> Result:
    return CliRunner().invoke(polemos, arguments)


@pytest.fixture(params=TESTED)
def kit(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """A language, and the folder in which its bot stands ready."""
    return request.param, built.kit(request.param, tmp_path_factory)


def command_of(kit: tuple[str, Path]) -> list[str]:
    return built.command(*kit)


@pytest.mark.parametrize("name", GAMES)
def test_a_kit_plays_every_game_lawfully_and_again_the_same(kit: tuple[str, Path], name: str) -> None:
    game = registry.load(name)
    said = play(command_of(kit), umpire(game, game.examples[0], seed="first"))
    kinds = [json.loads(line)["type"] for line in said]
    assert kinds[:2] == ["hello", "ready"]
    assert kinds[-1] == "result"
    assert kinds.count("view") == kinds.count("end") > 3
    assert kinds.count("order") == kinds.count("update") > 3
    assert said == play(command_of(kit), umpire(game, game.examples[0], seed="first"))


CALM = Budget(start=60, wall_extra=60)  # all else as ever; this machine may be busy


@pytest.mark.parametrize("name", GAMES)
def test_a_kit_plays_every_game_in_the_box(kit: tuple[str, Path], name: str, tmp_path: Path) -> None:
    game = registry.load(name)
    spec = shlex.join(command_of(kit))
    bots = [spec] + ["random"] * (game.facts.min_seats - 1)
    (task,) = arena.tasks(game, bots, 1, "box", {**game.examples[0], "turns": 8}, tmp_path, budget=CALM)
    assert not task.trust
    assert specs.is_program(game, spec)
    result = arena.play_one(task)
    assert result.forfeits == {}, [log.read_text() for log in tmp_path.glob("*.log")]
    assert result.faults[0] == 0
    assert result.replay is not None
    steps = replay.read(Path(result.replay)).steps
    assert any(step.orders.get(result.seats[0]) for step in steps)
    assert not any(step.strikes for step in steps)


SEEDS = (0, 1, 4361294190412738325, 2**63 - 1)


def test_the_seed_of_hello_is_used_also_a_big_one(kit: tuple[str, Path]) -> None:
    game = registry.load("skerries")
    courses = set()
    for seed in SEEDS:
        talk = umpire(game, {"turns": 5}, "same", number=1, bot_seed=seed)
        said = play(command_of(kit), talk)
        courses.add(b"".join(said[1:]))
    assert len(courses) == len(SEEDS)


def test_a_kit_ends_when_its_input_ends(kit: tuple[str, Path]) -> None:
    with Process(command_of(kit)) as bot:
        assert bot.answer(RECORD.read_bytes().splitlines()[0])
        assert bot.end() == (0, b"")
    with Process(command_of(kit)) as bot:
        assert bot.end() == (0, b"")


# ---- reading JSON: three kits do it by hand

ODD: list[tuple[str, dict[str, Any] | None]] = [
    (r'"options":[{"order":{"order":"go","to":"A\"},{]\\"},"text":"x"}]', {"order": "go", "to": 'A"},{]\\'}),
    (r'"options":[{"least":3,"most":3,"order":{"order":"go","number":1}}]', {"order": "go", "number": 3}),
    (r'"options":[{"order":{"order":"go","a":{"number":7}},"least":2,"most":2}]', {"order": "go", "a": {"number": 7}}),
    (r'"options":[{"text":"\"order\":{","order":{"order":"go","l":[1,[2,{"x":"]"}]]}}]', {"order": "go"}),
    (r' "options" : [ { "order" : { "order" : "go" , "number" : 1 } , "least" : 4 , "most" : 4 } ] ', {"number": 4}),
    (r'"view":{"options":[{"order":{"order":"no"}}],"type":"result"},"options":[{"order":{"order":"go"}}]', {}),
    (r'"figures":"\\","options":[{"order":{"order":"go","name":"Ω\u00e9 ☃"},"least":null,"most":null}]', {}),
    (r'"options":[{"order":{"order":"resign"}},{"order":{"order":"go"}}]', {}),
    (r'"options":[{"order":{"order":"resign"},"text":"1 resign"}]', None),
    (r'"options":[]', None),
    (r'"options":null', None),
    (r'"faults":[{"line":1}],"fault":{"line":1,"why":"no } \" no"},"options":[{"order":{"order":"go"}}]', None),
]


def test_a_kit_reads_json_whatever_stands_in_it(kit: tuple[str, Path]) -> None:
    """One lawful order is offered; the kit must send that one, or end the turn where there is none."""
    language, command = kit[0], command_of(kit)
    for text, wanted in ODD:
        given = set()
        with Process(command) as bot:
            bot.answer(b'{"type":"hello","seed":5,"setting":{"seed":6,"type":"view","s":"\\\\"}}')
            for _ in range(30):  # now and then a kit ends its turn by chance
                line = bot.answer(f'{{"step":1,{text},"type":"view","more":{{"type":"end"}}}}'.encode())
                given.add(msgspec.json.format(line.strip(), indent=-1))
        orders = [json.loads(line) for line in given if b'"end"' not in line]
        if wanted is None:
            assert orders == [], (language, text)
            continue
        assert len(orders) == 1, (language, text, given)
        options = json.loads("{" + text + "}")["options"]
        option = options[-1]
        number = {} if option.get("least") is None else {"number": option["least"]}
        assert orders[0] == {"type": "order", "order": {**option["order"], **number}}, (language, text)
        assert orders[0]["order"] == orders[0]["order"] | wanted


# ---- the recorded conversation


@pytest.mark.needs("monad")
def test_the_recorded_conversation_is_what_the_umpire_says_today() -> None:
    """If this fails after a change of rules or messages, record it anew: see driver.py."""
    lines = RECORD.read_bytes().splitlines()
    answers = iter([line for line in lines if json.loads(line)["type"] in ("ready", "order", "end")])
    assert lines_with(recorded(), lambda line: next(answers)) == lines


def test_the_recorded_conversation_replays(kit: tuple[str, Path]) -> None:
    command = [sys.executable, str(kit[1] / "check.py"), *command_of(kit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"ok: 5 turns, [1-9]\d* orders\n", done.stdout)


READY = 'import sys; sys.stdin.readline(); print(\'{"type":"ready"}\', flush=True); sys.stdin.readline(); '


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("", "no answer to this hello|exited before it could read this hello"),
        ("print('hello')", "this line is not JSON: hello"),
        ("print(7)", "not a JSON object: 7"),
        ("print('{}')", "the answer to hello must be ready"),
        (READY + "print('{}', flush=True)", "expected order, orders or end"),
        (READY + 'print(\'{"type":"order","order":{"order":"dig"}}\', flush=True)', "not one of the options"),
        (READY + "1/0", "no answer to this view"),
    ],
)
def test_the_check_says_what_is_wrong(tmp_path: Path, code: str, wrong: str) -> None:
    folder = tmp_path / "kit"
    write_kit("python", registry.load(GAMES[0]), folder)
    command = [sys.executable, str(folder / "check.py"), sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(f"wrong: .*({wrong})", done.stderr)


# ---- the verb


def test_the_tested_languages_are_here() -> None:
    assert [program for name in TESTED for program in new_bot.missing(LANGUAGES[name])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_new_bot_writes_a_kit_and_says_what_to_type(tmp_path: Path, language: str) -> None:
    game = registry.load("skerries")
    folder = tmp_path / "bots & co" / "my bot"
    done = call("new-bot", "skerries", str(folder), "--language", language)
    assert done.exit_code == 0, done.output
    files = {path.name for path in folder.iterdir()}
    own = {path.name for path in (KITS / language).iterdir() if path.is_file()}
    assert files == own | {"check.py", "conversation.jsonl", "bot.toml"}
    assert "README.md" in files
    for path in folder.iterdir():
        assert not re.search(r"__[A-Z]+__", path.read_text(encoding="utf-8")), path
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert f"# A bot for {game.title}, in " in readme
    assert "schema skerries" in readme
    typed = dict(re.findall(r"^(Build it|Check it|Let it play): +(.+)$", done.output, re.MULTILINE))
    assert all(f"    {line}\n" in readme for line in typed.values())
    words = shlex.split(typed["Let it play"])
    run = words_of(LANGUAGES[language].run, folder)
    assert words[1:] == ["match", "skerries", shlex.join(run), "random"]
    assert shlex.split(typed["Check it"])[1:] == [str(folder / "check.py"), *run]
    assert ("Build it" in typed) == bool(LANGUAGES[language].build)


def test_the_readme_of_the_python_kit_lets_the_class_play_too(tmp_path: Path) -> None:
    folder = tmp_path / "my bot"
    assert call("new-bot", "skerries", str(folder), "--language", "python").exit_code == 0
    readme = (folder / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^    (.*inprocess\.py:Starter.*)$", readme, re.MULTILINE)
    done = call(*shlex.split(line)[1:], "--json", "-o", "turns=2")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["forfeits"] == {}


def test_new_bot_refuses_a_folder_in_use(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    done = call("new-bot", "skerries", str(tmp_path))
    assert done.exit_code == 2
    assert "is not empty" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    done = call("new-bot", "skerries", str(tmp_path / "mine.txt"))
    assert "is a file" in done.output
    empty = tmp_path / "empty"
    empty.mkdir()
    assert call("new-bot", "skerries", str(empty)).exit_code == 0
    assert call("new-bot", "skerries", str(tmp_path / "x"), "--language", "cobol").exit_code == 2
    assert call("new-bot", "chess", str(tmp_path / "x")).exit_code == 1
    assert not (tmp_path / "x").exists()


def test_new_bot_says_what_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    done = call("new-bot", "skerries", str(tmp_path / "bot"), "--language", "java")
    assert done.exit_code == 0
    assert "javac and java are not installed. Install JDK 17 or newer first." in done.output
    done = call("new-bot", "skerries", str(tmp_path / "other"), "--language", "go")
    assert "go is not installed. Install Go 1.18 or newer first." in done.output


@pytest.mark.parametrize("name", GAMES)
def test_the_python_kit_plays_inside_polemos_too(tmp_path: Path, name: str) -> None:
    game = registry.load(name)
    folder = tmp_path / "my bot"
    write_kit("python", game, folder)
    courses = []
    for _ in range(2):
        match = Match(game, game.examples[0], seed="inside")
        bots = {
            seat: inprocess.make(game, f"{folder / 'inprocess.py'}:Starter", match.setting, seat, number)
            for number, seat in enumerate(match.seats)
        }
        assert playing.play(match, bots) is not None
        assert not any(step.faults or step.forfeits for step in match.steps)
        courses.append([step.digest for step in match.steps])
    assert courses[0] == courses[1]
    assert len(courses[0]) > 3
