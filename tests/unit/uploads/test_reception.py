"""Taking in a bot, step by step: everything is told, nothing is done twice, and no kill costs anything."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from languages import TESTED
from parcels import CALM, GAME, PASSES, PASSES_IN_C, Desk, built_by, tarred, toolchain_of_rust, zipped
from polemos import registry
from polemos.cli.new_bot import write_kit
from polemos.hosts import box, bundle
from polemos.hosts.workshop import Allowed
from polemos.kernel import replay
from polemos.uploads.apart import Failure, Job, line_of, read, receive
from polemos.uploads.reception import Accepted, Change, News, Reception, Rules, Unavailable, Upload
from polemos.uploads.refusals import STEPS, Refusal
from polemos.uploads.trial import Turn
from polemos.uploads.versions import Versions
from processes import left_of

pytestmark = pytest.mark.slow


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def steps(news: list[News]) -> list[str]:
    return [f"{one.step} {one.state}" for one in news if isinstance(one, Change)]


ALL = ["received done", *(f"{step} {state}" for step in STEPS[1:5] for state in ("began", "done")), "accepted done"]


@pytest.mark.parametrize("language", TESTED)
def test_a_kit_of_every_language_is_built_in_the_box_and_accepted(tmp_path: Path, language: str) -> None:
    folder = tmp_path / "my bot"
    write_kit(language, registry.load(GAME), folder)
    files = {f"my bot/{path.name}": path.read_bytes() for path in folder.iterdir()}
    with toolchain_of_rust() as toolchains:
        desk = Desk(tmp_path, rules=Rules(build=Allowed(seconds=300), play=CALM, toolchains=toolchains))
        end = desk.accepted(files)
    assert steps(desk.news) == ALL
    assert end.version.language == language
    assert (end.recipe.name, end.recipe.games) == ("my bot", (GAME,))
    words = {one.step: one.words for one in desk.news if isinstance(one, Change) and one.state == "done"}
    assert words["unpacked"] == f"{len(files)} files, nothing skipped"
    assert words["recognised"].endswith("from bot.toml")
    assert (words["built"] == "nothing to build") == (language in ("python", "javascript"))
    assert desk.left() == []


def test_turns_and_logs_are_told_while_the_trial_runs(desk: Desk) -> None:
    noisy = PASSES.replace("    elif", "        print('thinking', file=sys.stderr, flush=True)\n    elif")
    end = desk.accepted({"bot.py": noisy})
    turns = [one for one in desk.news if isinstance(one, Turn)]
    assert [turn.turn for turn in turns][:2] == [1, 2]
    assert turns[0].picture.startswith("<svg")
    assert turns[-1].picture.startswith("<svg")
    assert turns[-1].over
    assert turns[0].words() == "turn 1 of 3"
    assert turns[0].view["who"] == "umpire"
    assert desk.log("trial") == "thinking\n"
    (passed,) = end.trials
    assert passed.void_lines == passed.strikes == 0
    path = next((desk.versions.folder / "trials" / end.version.digest).glob("*.jsonl.gz"))
    assert replay.verify(replay.read(path), registry.load(GAME)) >= 1
    assert replay.read(path).header.seats[turns[0].seat] == "bot"


def test_a_manifest_with_several_games_is_tried_in_each(tmp_path: Path) -> None:
    others = [name for name in registry.names() if name != GAME][:1]
    files = {"bot.py": PASSES, "bot.toml": f"games = {[GAME, *others]!r}".replace("'", '"')}
    desk = Desk(tmp_path)
    end = desk.send(tarred(tmp_path / "x.tgz", files), None)
    assert isinstance(end, Accepted), end
    assert [passed.game for passed in end.trials] == [GAME, *others]


# ---- refusals


def test_a_build_that_fails_is_refused_with_the_line_of_its_log(desk: Desk) -> None:
    end = desk.refused({"bot.c": "int main(void) { return 0 }\n"})
    assert (end.step, end.word) == ("built", "build/error")
    assert "bot.c:1:26: error: expected" in end.line
    assert end.why.startswith("The build failed with exit code 1: bot.c:1:26: error: expected")
    assert [line.text for line in end.lines if line.is_cause] == [end.line]
    assert end.log.startswith("$ gcc ")
    assert steps(desk.news) == ALL[: ALL.index("built began") + 1]
    assert desk.versions.version(desk.news[2].digest) is None  # type: ignore[union-attr]


CRASH = PASSES.replace('print(\'{"type":"end"}\', flush=True)', "raise ValueError('7 archers')")


def test_a_trial_that_fails_is_refused_with_the_line_of_its_log(desk: Desk) -> None:
    end = desk.refused({"bot.py": CRASH, "bot.toml": 'name = "Palisade"'})
    assert (end.step, end.word, end.turn, end.game) == ("trial", "trial/crash", 1, GAME)
    assert end.why == (
        "Palisade stopped on turn 1 (exit code 1): ValueError: 7 archers. "
        "A bot has to finish the trial; it doesn't have to win."
    )
    assert end.line == "ValueError: 7 archers"
    assert [line.text for line in end.lines if line.is_cause] == [end.line]
    assert "Traceback" in end.log
    assert replay.read(Path(end.replay)).header.game == GAME


@pytest.mark.parametrize(
    ("program", "word", "why"),
    [
        ("1 / 0", "trial/crash", "stopped on turn 1 (exit code 1): ZeroDivisionError"),
        ("print('hello')", "trial/protocol", "its first line is not `ready`"),
        ("import time; time.sleep(600)", "trial/start", "did not start on turn 1: not ready after 2 s"),
        (PASSES.replace('\'{"type":"end"}\'', "'junk'"), "trial/unreadable", "third strike on turn 3"),
        (PASSES.replace('"end"', '"end"}\\n{"x":1'), "trial/protocol", "without being asked"),
        (PASSES.replace("import sys", "import sys; x = bytearray(600 << 20)"), "trial/memory", "too much memory"),
    ],
)
def test_every_way_to_fail_has_its_sentence(tmp_path: Path, program: str, word: str, why: str) -> None:
    desk = Desk(tmp_path, rules=Rules(play=msgspec.structs.replace(CALM, start=2.0 if "sleep" in program else 60.0)))
    end = desk.refused({"bot.py": program})
    assert (end.step, end.word) == ("trial", word), end.why
    assert why in end.why


def test_a_program_that_is_not_there_is_missed_before_the_trial(desk: Desk) -> None:
    end = desk.refused({"bot.toml": 'language = "c"\nstart = "./bot"', "bot.c": ""})
    assert (
        end.why
        == 'There is no program "./bot" in the bot\'s folder. Add a line build to bot.toml if it has to be built first.'
    )
    end = desk.refused(built_by("true", start="./out/bot"))
    assert end.why == 'There is no program "./out/bot" in the bot\'s folder after the build.'
    end = desk.refused({"bot.toml": 'language = "c"\nstart = "ruby x"', "bot.c": ""})
    assert 'no program "ruby" on this machine' in end.why
    end = desk.refused({"bot.toml": 'language = "c"\nstart = "../../etc/passwd"', "bot.c": ""})
    assert end.word == "build/start"


def test_a_language_that_is_not_here_is_said_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polemos.uploads.reception.missing", lambda *_: "rustc")
    end = desk.refused({"bot.rs": "fn main() {}"})
    assert (end.step, end.why) == ("recognised", "Bots in Rust can't be built here: rustc is not installed.")


def test_without_the_box_nobody_is_blamed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "lack", lambda: "no namespaces")
    for files in ({"bot.c": PASSES_IN_C}, {"bot.py": PASSES}):
        with pytest.raises(Unavailable, match="no namespaces"):
            desk.send_files(files)
    assert not any(isinstance(one, Refusal) for one in desk.news)
    monkeypatch.undo()
    desk.accepted({"bot.py": PASSES})


# ---- what is kept


def test_the_same_files_are_one_version_however_they_come(desk: Desk, tmp_path: Path) -> None:
    first = desk.accepted({"bot.c": PASSES_IN_C})
    built = (desk.versions.files(first.version.digest) / "bot").stat()
    again = desk.send(zipped(tmp_path / "other.zip", {"x/bot.c": PASSES_IN_C}))
    assert isinstance(again, Accepted)
    assert again.version == first.version
    assert desk.log("built") == ""
    assert not any(isinstance(one, Turn) for one in desk.news)
    assert (desk.versions.files(first.version.digest) / "bot").stat() == built
    assert steps(desk.news) == ALL


def test_a_version_cannot_be_changed(desk: Desk) -> None:
    end = desk.accepted({"src/bot.c": PASSES_IN_C, "notes.txt": "x"})
    for home in (desk.versions.source(end.version.digest), desk.versions.files(end.version.digest)):
        for path in (home, *home.rglob("*")):
            assert path.stat().st_mode & 0o222 == 0, path
    assert "$ gcc" in desk.versions.build_log(end.version.digest)


def test_a_version_plays_as_a_bundle(desk: Desk) -> None:
    end = desk.accepted({"bot.c": PASSES_IN_C})
    packed = desk.versions.bundle(end.version)
    assert packed.command == ("./bot",)
    assert {file.path: file.runs for file in packed.files} == {"bot.c": False, "bot": True}
    assert desk.versions.bundle(end.version).digest == packed.digest
    assert bundle.pack_folder(desk.versions.files(end.version.digest), ("./bot", "-x")).digest != packed.digest


def test_deleting_leaves_nothing(desk: Desk) -> None:
    end = desk.accepted({"a/bot.py": PASSES, "b.txt": "", "bot.py": PASSES})
    desk.versions.delete(end.version.digest)
    assert desk.versions.version(end.version.digest) is None
    assert not [path for path in desk.versions.folder.rglob("*") if path.is_file() and path.parent.name != "locks"]
    with pytest.raises(ValueError, match="not a digest"):
        desk.versions.delete("../../etc")


def test_a_new_edition_of_the_rules_is_a_new_trial(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.accepted({"bot.py": PASSES})
    game = registry.load(GAME)
    monkeypatch.setattr(type(game), "edition", game.edition + 1)
    desk.accepted({"bot.py": PASSES})
    assert any(isinstance(one, Turn) for one in desk.news)


# ---- interrupted


class _Killed(Exception):
    pass


def test_a_reception_that_was_stopped_anywhere_can_be_run_again(tmp_path: Path) -> None:
    files = {"bot.c": PASSES_IN_C}
    path = tarred(tmp_path / "bot.tgz", files)
    desk = Desk(tmp_path / "clean")
    wanted = desk.send(path)
    assert isinstance(wanted, Accepted)
    told = len(desk.news)
    for stop in range(told):
        here = Desk(tmp_path / str(stop))

        def tell(news: News, here: Desk = here, stop: int = stop) -> None:
            here.news.append(news)
            if len(here.news) > stop:
                raise _Killed

        with suppress(_Killed):
            Reception(here.versions, tell, here.rules).receive(Upload(str(path), "bot.tgz", GAME, options={"turns": 3}))
        end = here.send(path)
        assert isinstance(end, Accepted), stop
        assert end.version.digest == wanted.version.digest
        assert end.trials == wanted.trials or end.trials[0].words == wanted.trials[0].words
        assert here.left() == []


def test_what_killed_processes_left_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = Versions(tmp_path)
    (tmp_path / "making" / "left").mkdir()
    (tmp_path / "making" / "left" / "file").write_text("")
    with versions.making():
        assert (tmp_path / "making" / "left").exists()
    monkeypatch.setattr("polemos.uploads.versions.UNFINISHED", -1)
    with versions.making():
        assert not (tmp_path / "making" / "left").exists()


# ---- in a process of its own


def job(tmp_path: Path, files: dict[str, Any]) -> Job:
    path = tarred(tmp_path / "bot.tgz", files)
    rules = Rules(build=Allowed(seconds=300), play=CALM)
    return Job(str(tmp_path / "versions"), Upload(str(path), "bot.tgz", GAME, options={"turns": 3}), rules)


def test_a_process_of_its_own_tells_the_same(tmp_path: Path) -> None:
    news = list(receive(job(tmp_path, {"bot.py": PASSES})))
    assert steps([one for one in news if not isinstance(one, Failure)]) == ALL
    assert isinstance(news[-1], Accepted)
    desk = Desk(tmp_path / "here")
    assert isinstance(desk.send(tmp_path / "bot.tgz"), Accepted)
    assert [type(one) for one in news] == [type(one) for one in desk.news]
    for one in desk.news:
        assert line_of(read(line_of(one))) == line_of(one)


def test_a_process_of_its_own_that_cannot_work_says_so(tmp_path: Path) -> None:
    work = job(tmp_path, {"bot.py": PASSES})
    Path(work.upload.path).unlink()
    news = list(receive(work))
    assert isinstance(news[-1], Failure)


def test_a_process_of_its_own_dies_with_whoever_listens(tmp_path: Path) -> None:
    work = job(tmp_path, built_by("sleep 547.31"))
    talk = receive(work)
    for news in talk:
        if isinstance(news, Change) and news.step == "built":
            break
    talk.close()  # type: ignore[attr-defined]
    assert left_of("547.31") == []
