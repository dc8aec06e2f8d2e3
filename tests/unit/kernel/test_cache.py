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

PACKAGE = "quiet_war"  # importable while a test runs


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("POLEMOS_CACHE", str(tmp_path / "cache"))
    forget()
    yield
    forget()


def forget() -> None:
    cache._folder.cache_clear()
    cache._room.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of some files."""
    package = tmp_path / "games" / PACKAGE
    for name in ("rules", "data", "book", "bots"):
        (package / name).mkdir(parents=True)
    for name in ("__init__.py", "rules/__init__.py", "rules/turn.py", "state.py", "draw.py", "bots/clever.py"):
        (package / name).write_text("")
    (package / "data" / "start.toml").write_text("a = 1")
    (package / "data" / "map.json").write_text("{}")
    (package / "book" / "rules.md").write_text("# Book")
    monkeypatch.syspath_prepend(str(tmp_path / "games"))
    importlib.invalidate_caches()
    return package


def folder(module: str = f"{PACKAGE}.state") -> Path:
    forget()
    found = cache.folder_for(module)
    assert found is not None
    return found


def test_all_modules_of_a_game_share_one_folder(room: Path) -> None:
    assert folder(f"{PACKAGE}.rules.turn") == folder(f"{PACKAGE}.state") == folder(PACKAGE)
    assert folder().name.startswith(f"{PACKAGE}-")


def test_modules_of_the_kernel_share_another(room: Path) -> None:
    assert folder("polemos.kernel.dice") == folder("polemos.kernel.log") != folder()


@pytest.mark.parametrize("name", ["rules/turn.py", "state.py", "data/start.toml", "data/map.json"])
def test_a_changed_source_or_data_file_means_another_folder(room: Path, name: str) -> None:
    before = folder()
    (room / name).write_text((room / name).read_text() + "\n")
    assert folder() != before


def test_a_new_a_missing_and_a_renamed_file_mean_another_folder(room: Path) -> None:
    folders = [folder()]
    (room / "rules" / "more.py").write_text("")
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


@pytest.mark.parametrize("name", ["book/rules.md", "bots/clever.py", "draw.py"])
def test_what_no_rule_can_depend_on_changes_nothing(room: Path, name: str) -> None:
    before = folder()
    (room / name).write_text("changed = True")
    assert folder() == before


def test_a_changed_kernel_means_other_folders_for_all_games(
    room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = folder()
    kernel = tmp_path / "kernel"
    kernel.mkdir()
    (kernel / "dice.py").write_text("")
    monkeypatch.setattr(cache, "_KERNEL", kernel)
    assert folder() != before


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
    with pytest.warns(UserWarning, match="compiled rules cannot be kept .*every run compiles anew"):
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


def test_an_unknown_module_falls_back_to_the_kernel() -> None:
    assert folder("no_such_module_anywhere") == folder("polemos.kernel.dice")
