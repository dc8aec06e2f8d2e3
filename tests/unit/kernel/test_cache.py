"""Where compiled rules are kept: one folder for each version of sources, data and mode, for the user alone."""

from __future__ import annotations

import importlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from polemos.kernel import cache, mode

pytestmark = pytest.mark.slow

PACKAGE = "quiet_war"  # importable while a test runs


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("POLEMOS_CACHE", str(tmp_path / "cache"))
    forget()
    yield
    forget()


def forget() -> None:
    for known in (cache._folder, cache._place, cache._of_room):
        known.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


FILES = {
    "__init__.py": "",
    "state.py": "from polemos.kernel.record import Record\n",
    "board.py": "WIDTH = 8\n",
    "rules/__init__.py": "",
    "rules/turn.py": f"from {PACKAGE}.rules import march\nfrom polemos.kernel.rule import entry\n@entry\ndef turn(): 0",
    "rules/march.py": f"from {PACKAGE} import board\nfrom {PACKAGE}.state import (\n    State,\n)\n",
    "search/value.py": f"from polemos.kernel import rule\nfrom {PACKAGE}.tastes import GREED\n@rule.rule\ndef v(): 0",
    "tastes.py": "GREED = 3\n",
    "view.py": f"from {PACKAGE}.rules.turn import turn\n",
    "events.py": f"from {PACKAGE}.state import State\nWORDS = ('fell', 'rose')\n",
    "notation.py": "",
    "guests_words.py": "",
    "game.py": f"from {PACKAGE} import view\nfrom polemos.kernel.rule import prepare\n",
    "bots/clever.py": f"from {PACKAGE}.view import turn\n",
    "draw/__init__.py": f"from {PACKAGE}.draw.picture import board\n",
    "draw/picture.py": f"from {PACKAGE}.draw.words import name\n",
    "draw/words.py": f"from {PACKAGE}.view import View\n",
    "draw_words.py": "",
    "book/rules.md": "# Book",
    "data/start.toml": "a = 1",
    "data/map.json": "{}",
}
DECIDES = {"state.py", "board.py", "rules/turn.py", "rules/march.py", "search/value.py", "tastes.py"}
DECIDES |= {"__init__.py", "rules/__init__.py", "data/start.toml", "data/map.json"}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of some files: rules, a search that is compiled too, and everything that people see."""
    package = tmp_path / "games" / PACKAGE
    for name, text in FILES.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path / "games"))
    importlib.invalidate_caches()
    return package


def folder(module: str = f"{PACKAGE}.state") -> Path:
    forget()
    found = cache.folder_for(module)
    assert found is not None
    return found


def test_all_modules_of_a_game_share_one_folder(room: Path) -> None:
    modules = ("rules.turn", "rules.march", "state", "search.value")
    assert {folder(f"{PACKAGE}.{module}") for module in modules} == {folder(PACKAGE)}
    assert folder().name.startswith(f"{PACKAGE}-")


def test_modules_of_the_kernel_share_another(room: Path) -> None:
    assert folder("polemos.kernel.dice") == folder("polemos.kernel.log") != folder()


@pytest.mark.parametrize("name", sorted(DECIDES))
def test_a_changed_source_or_data_file_means_another_folder(room: Path, name: str) -> None:
    before = folder()
    (room / name).write_text((room / name).read_text() + "\n")
    assert folder() != before


def test_a_new_a_missing_and_a_renamed_file_mean_another_folder(room: Path) -> None:
    folders = [folder()]
    (room / "rules" / "more.py").write_text("@rule\ndef more(): ...\n")
    folders.append(folder())
    (room / "rules" / "more.py").rename(room / "rules" / "other.py")
    folders.append(folder())
    (room / "rules" / "other.py").unlink()
    (room / "data" / "map.json").unlink()
    folders.append(folder())
    assert len(set(folders)) == 4


def test_a_copy_elsewhere_and_a_source_written_again_mean_another_folder(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The compiler would not take what was compiled from there: nobody shall believe that it is all there."""
    before = folder()
    os.utime(room / "state.py", ns=(1, 1))
    again = folder()
    copy = shutil.copytree(tmp_path / "games", tmp_path / "copy")
    monkeypatch.syspath_prepend(str(copy))
    importlib.invalidate_caches()
    assert len({before, again, folder()}) == 3


@pytest.mark.parametrize("name", sorted({*FILES, "draw/new.py", "client_words.py"} - DECIDES))
def test_what_no_rule_can_depend_on_changes_nothing(room: Path, name: str) -> None:
    """Pictures, words, views, bots and the book: edited or added, they compile nothing anew."""
    before = folder()
    (room / name).write_text("changed = True")
    assert folder() == before


def test_a_compiled_bot_is_covered_by_its_own_folder_as_well(room: Path) -> None:
    """Its decorator may hide behind another name; what it is compiled from decides nevertheless."""
    source = room / "bots" / "clever.py"
    source.write_text(f"from polemos.kernel.rule import rule as quick\nfrom {PACKAGE}.rules import march\n@quick\n")
    folders = [folder(f"{PACKAGE}.bots.clever")]
    for path in (source, room / "rules" / "march.py", room / "board.py"):
        path.write_text(path.read_text() + "\n")
        folders.append(folder(f"{PACKAGE}.bots.clever"))
    assert len(set(folders)) == 4


def test_a_compiled_bot_outside_is_covered_with_its_helpers_and_the_rules_it_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "quiet_bot.py").write_text("import quiet_helper\nfrom skerries.rules import turn\n")
    (mine / "quiet_helper.py").write_text("")
    (mine / "stranger.py").write_text("")
    monkeypatch.syspath_prepend(str(mine))
    importlib.invalidate_caches()
    first = folder("quiet_bot")
    assert first.name.startswith("quiet_bot-")
    (mine / "stranger.py").write_text("changed = True")
    assert folder("quiet_bot") == first
    (mine / "quiet_helper.py").write_text("changed = True")
    assert folder("quiet_bot") != first
    _, files = cache._place("quiet_bot") or ("", ())
    assert {"quiet_bot.py", "quiet_helper.py", "turn.py", "sea.py", "dice.py"} <= {path.name for path in files}


@pytest.mark.parametrize("name", ["dice", "log", "record", "rule", "mode"])
def test_what_rules_use_of_the_kernel_means_other_folders(room: Path, name: str) -> None:
    (room / "state.py").write_text("from polemos.kernel import dice, log\n")
    folder()
    _, files = cache._place(f"{PACKAGE}.state") or ("", ())
    assert cache._KERNEL / f"{name}.py" in files


@pytest.mark.parametrize("name", ["match", "replay", "game", "simulate"])
def test_the_rest_of_the_kernel_compiles_nothing_anew(name: str) -> None:
    for module in ("polemos.kernel.dice", "skerries.rules.turn"):
        _, files = cache._place(module) or ("", ())
        assert cache._KERNEL / f"{name}.py" not in files


def test_every_mode_has_a_folder_of_its_own(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = set()
    for name in ("compiled", "checked", "interpreted"):
        monkeypatch.setattr(mode, "name", lambda name=name: name)
        folders.add(folder())
    assert len(folders) == 3


def test_another_version_of_the_compiler_means_another_folder(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = folder()
    monkeypatch.setattr(metadata, "version", lambda name: "0.0.0")
    assert folder() != before


def test_the_folder_belongs_to_the_user_alone(room: Path) -> None:
    found = folder()
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    found.chmod(0o777)
    assert stat.S_IMODE(folder().stat().st_mode) == 0o700, "and is closed again"
    assert list(found.iterdir()) == []


def test_a_folder_is_complete_once_it_was_marked_so(room: Path) -> None:
    found = folder()
    assert not cache.is_complete(found)
    cache.complete(found)
    assert cache.is_complete(found)


def test_where_nothing_can_be_written_a_warning_says_so_and_nothing_is_kept(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("")
    monkeypatch.setenv("POLEMOS_CACHE", str(blocked))
    forget()
    with pytest.warns(UserWarning, match="compiled rules cannot be cached .*every run compiles them again"):
        assert cache.folder_for(f"{PACKAGE}.state") is None
    assert cache.folder_for(f"{PACKAGE}.state") is None, "and says so once"


def test_a_folder_of_another_user_is_not_trusted(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: stranger)
    forget()
    with pytest.warns(UserWarning, match="belongs to another user"):
        assert cache.folder_for(f"{PACKAGE}.state") is None


def test_the_root_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.root() == tmp_path / "cache"
    monkeypatch.delenv("POLEMOS_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.root() == tmp_path / "xdg" / "polemos"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert cache.root() == tmp_path / "home" / ".cache" / "polemos"


@pytest.mark.parametrize("module", ["no_such_module_anywhere", "no.such.module", "__main__x"])
def test_nothing_is_kept_for_a_module_whose_source_is_not_known(module: str) -> None:
    """Nobody would notice when it changes."""
    assert cache.folder_for(module) is None
