"""`polemos kit --lib` and `new-bot --with-lib`, up to a bot in C that looks ahead and wins a series in the box."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from languages import TESTED
from polemos import registry
from polemos.cli.main import polemos
from polemos.cli.new_bot import LANGUAGES
from polemos.kernel.errors import NoLibrary
from polemos.kernel.layout import layout
from polemos.kernel.mode import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled then")
LIBRARY = {"polemos.h", "libpolemos.a", "libpolemos.so"}


def call(*arguments: str) -> Result:
    return CliRunner().invoke(polemos, arguments)


@pytest.mark.needs("monarchs", "demons")
def test_kit_builds_the_library_of_the_games_that_are_named(tmp_path: Path) -> None:
    done = call("kit", "--lib", "monarchs", "demons", "--out", str(tmp_path / "new"))
    assert done.exit_code == 0, done.output
    files = {path.name for path in (tmp_path / "new").iterdir()}
    assert files == LIBRARY | {"polemos_monarchs.h", "polemos_demons.h"}
    assert {Path(line).name for line in done.stdout.splitlines()} == files


def test_kit_says_what_it_can_build() -> None:
    done = call("kit", "skerries")
    assert done.exit_code == 2
    assert "--lib" in done.output


def test_kit_says_why_there_is_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*arguments: str) -> str:
        done = call(*arguments)
        assert isinstance(done.exception, NoLibrary)
        return str(done.exception)

    folder = tmp_path / "bot"
    assert refused("kit", "--lib", "skerries") == "Skerries has no C library."
    assert refused("new-bot", "skerries", str(folder), "--with-lib") == "Skerries has no C library."
    monkeypatch.setenv("PATH", str(tmp_path))
    game = next(name for name in registry.names() if name != "skerries")
    missing = "A C compiler is needed to build the library and is not installed. Install gcc or clang."
    assert refused("kit", "--lib", game, "--out", str(tmp_path)) == missing
    assert refused("new-bot", game, str(folder), "--language", "c", "--with-lib") == missing
    monkeypatch.setenv("CC", "my-cc")
    assert refused("kit", "--lib", game) == missing.replace("A C compiler", "The C compiler my-cc (from $CC)")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    monkeypatch.setattr("polemos.library.objects.INTERPRETED", True)
    assert refused("kit", "--lib", game) == "A library needs compiled rules. Unset POLEMOS_INTERPRET."


@pytest.mark.needs("monad")
@pytest.mark.parametrize("language", LANGUAGES)
def test_new_bot_puts_the_library_beside_a_bot_and_says_how_to_use_it(tmp_path: Path, language: str) -> None:
    folder = tmp_path / "my bot"
    done = call("new-bot", "monad", str(folder), "--language", language, "--with-lib")
    assert done.exit_code == 0, done.output
    assert {path.name for path in folder.iterdir()} > LIBRARY | {"polemos_monad.h", "README.md"}
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert "## The rules in your bot" in readme
    assert not re.search(r"__[A-Z_]+__", readme)
    assert shlex.quote(str(folder)) in readme.partition("kit --lib monad --out ")[2].splitlines()[0]
    if build := re.search(r"^Build it: +(.+)$", done.output, re.MULTILINE):
        assert f"    {build[1]}\n" in readme
        assert ("polemos" in build[1].partition(" -o ")[2]) == (language in ("c", "rust"))


# Programs that play a random game in the library, beginning with a state of zeros in which the last turn is due.
CALLS = {
    "c": """
#include <stdio.h>
#include "polemos_monarchs.h"
int main(void) {
    polemos_monarchs_state state = {.turn = 50};
    int played = polemos_monarchs_playout(&state, 1, 9);
    printf("%d %d %s\\n", polemos_monarchs_edition(), played, polemos_monarchs_layout());
}
""",
    "rust": """
use std::ffi::{c_char, c_int, CStr};
extern "C" {
    fn polemos_monarchs_edition() -> c_int;
    fn polemos_monarchs_layout() -> *const c_char;
    fn polemos_monarchs_state_size() -> usize;
    fn polemos_monarchs_playout(state: *mut u8, key: u64, turns: c_int) -> c_int;
}
fn main() {
    unsafe {
        let mut state = vec![0u8; polemos_monarchs_state_size()];
        state[0] = 50;
        let played = polemos_monarchs_playout(state.as_mut_ptr(), 1, 9);
        let layout = CStr::from_ptr(polemos_monarchs_layout()).to_str().unwrap();
        println!("{} {} {}", polemos_monarchs_edition(), played, layout);
    }
}
""",
    "go": """
package main

/*
#cgo LDFLAGS: ${SRCDIR}/libpolemos.a
#include "polemos_monarchs.h"
*/
import "C"
import "fmt"

func main() {
	state := C.polemos_monarchs_state{turn: 50}
	played := C.polemos_monarchs_playout(&state, 1, 9)
	fmt.Println(C.polemos_monarchs_edition(), played, C.GoString(C.polemos_monarchs_layout()))
}
""",
}


@pytest.mark.slow
@pytest.mark.needs("monarchs")
@pytest.mark.parametrize("language", [language for language in TESTED if language in CALLS])
def test_a_bot_calls_the_library_in_its_language(tmp_path: Path, language: str) -> None:
    """First the kit as it is, then a program that uses the library, both built as `new-bot` says."""
    folder = tmp_path / "my bot"
    done = call("new-bot", "monarchs", str(folder), "--language", language, "--with-lib")
    assert done.exit_code == 0, done.output
    build = re.findall(r"^Build it: +(.+)$", done.output, re.MULTILINE)[0]
    (source,) = (path for path in folder.iterdir() if path.stem == "bot" and path.suffix != ".toml")
    for text in (source.read_text(encoding="utf-8"), CALLS[language].lstrip()):
        source.write_text(text, encoding="utf-8")
        made = subprocess.run(build, shell=True, cwd="/", capture_output=True, text=True, check=False)
        assert (made.returncode, made.stderr) == (0, "")
    said = subprocess.run([str(folder / "bot")], capture_output=True, text=True, check=True).stdout
    game = registry.load("monarchs")
    assert said == f"{game.edition} 1 {layout(game.state_type)}\n"


# ---- bots that look ahead


@pytest.mark.slow
@pytest.mark.needs("monarchs")
def test_from_new_bot_to_a_won_series_with_a_look_ahead_in_c(tmp_path: Path) -> None:
    """In the box, over the protocol, with the commands that `new-bot` prints."""
    folder = tmp_path / "my bot"
    done = call("new-bot", "monarchs", str(folder), "--language", "c", "--with-lib")
    assert done.exit_code == 0, done.output
    build, match = re.findall(r"^Look ahead: +(.+)\n +(.+)$", done.output, re.MULTILINE)[0]
    assert f"    {build}\n    {match}\n" in (folder / "README.md").read_text(encoding="utf-8")
    made = subprocess.run(build, shell=True, cwd="/", capture_output=True, text=True, check=False)
    assert (made.returncode, made.stderr) == (0, "")
    _, verb, game, bot, *others = shlex.split(match)
    assert (verb, game, others) == ("match", "monarchs", ["random", "random"])
    done = call("series", game, bot, "random", "--seed", "1", "--elo1", "150", "--workers", "1", "--json")
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert result["verdict"] == "better"
    assert result["forfeits"] == [0, 0]


AHEAD = [
    pytest.param("demons", 4, [], marks=pytest.mark.needs("demons")),
    pytest.param("monad", 2, ["map=duel", "turns=120"], marks=pytest.mark.needs("monad")),
    pytest.param("minions", 2, ["boards=1", "turns=40"], marks=pytest.mark.needs("minions")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "games", "options"), AHEAD)
def test_bots_that_look_ahead_beat_random(tmp_path: Path, name: str, games: int, options: list[str]) -> None:
    folder = tmp_path / "my bot"
    done = call("new-bot", name, str(folder), "--language", "c", "--with-lib")
    assert done.exit_code == 0, done.output
    build = re.findall(r"^Look ahead: +(.+)$", done.output, re.MULTILINE)[0]
    made = subprocess.run(
        f"{build} -Wall -Wextra -Werror", shell=True, cwd="/", capture_output=True, text=True, check=False
    )
    assert (made.returncode, made.stderr) == (0, "")
    bot = shlex.quote(str(folder / "lookahead"))
    wishes = [part for option in options for part in ("-o", option)]
    done = call("match", name, bot, "random", "--games", str(games), "--seed", "1", "--json", *wishes)
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    assert result["wins"] == [games, 0]
    assert result["void_lines"] == [0, 0]
    assert result["forfeits"] == {}


IN_PYTHON = """
import base64, ctypes, json, pathlib, sys
library = ctypes.CDLL(str(pathlib.Path(__file__).with_name("libpolemos.so")))
library.polemos_GAME_layout.restype = ctypes.c_char_p
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "record": True}), flush=True)
    elif message["type"] == "view":
        assert message["record"]["layout"] == library.polemos_GAME_layout().decode()
        raw = base64.b64decode(message["record"]["state"])
        state = ctypes.create_string_buffer(library.polemos_GAME_state_size())
        state[: len(raw)] = raw
        played = library.polemos_GAME_playout(state, ctypes.c_uint64(1), 100000)
        assert played > 0 and library.polemos_GAME_winner(state) >= -1
        print(json.dumps({"type": "orders", "orders": []}), flush=True)
    else:
        break
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in registry.names() if name != "skerries"])
def test_a_bot_in_python_loads_the_library_in_the_box(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "my bot"
    assert call("new-bot", name, str(folder), "--language", "python", "--with-lib").exit_code == 0
    (folder / "bot.py").write_text(IN_PYTHON.replace("GAME", name), encoding="utf-8")
    bots = [shlex.join(["python3", str(folder / "bot.py")]), *["random"] * (registry.load(name).facts.min_seats - 1)]
    done = call("match", name, *bots, "--json", "-o", "turns=6", "--seed", "3")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["forfeits"] == {}
