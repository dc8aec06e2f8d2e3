"""Uploads for tests: archives made from names and contents, and a place to take them in."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from polemos.hosts.workshop import Allowed
from polemos.uploads.reception import Accepted, Logged, News, Reception, Rules, Upload
from polemos.uploads.refusals import Refusal
from polemos.uploads.versions import Versions
from polemos.wire.bot import Budget

CALM = Budget(start=60, wall_extra=60)  # all else as ever; this machine may be busy
GAME = "skerries"  # the model of a game, which is always installed with the tests

# A bot that passes every turn: short enough to stand in a test.
PASSES = """
import sys
for line in sys.stdin:
    if '"type":"hello"' in line:
        print('{"type":"ready"}', flush=True)
    elif '"type":"view"' in line:
        print('{"type":"end"}', flush=True)
"""
# The same in C, which has to be built.
PASSES_IN_C = """
#include <stdio.h>
#include <string.h>
static char line[1 << 20];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\\"type\\":\\"hello\\"")) puts("{\\"type\\":\\"ready\\"}");
        else if (strstr(line, "\\"type\\":\\"view\\"")) puts("{\\"type\\":\\"end\\"}");
        fflush(stdout);
    }
    return 0;
}
"""

Files = Mapping[str, str | bytes]


def data(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def zipped(path: Path, files: Files, method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, data(text))
    return path


def tarred(path: Path, files: Files, mode: str = "w:gz", also: Callable[[tarfile.TarFile], None] | None = None) -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data(text))
            archive.addfile(info, io.BytesIO(data(text)))
        if also is not None:
            also(archive)
    return path


def entry(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """An entry of a tar that is not a plain file."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def zip_link(archive: zipfile.ZipFile, name: str, target: str) -> None:
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    archive.writestr(info, target)


def built_by(command: str, files: Files | None = None, start: str = "python3 bot.py") -> dict[str, str | bytes]:
    """The files of a bot with a command that is run to build it."""
    quoted = command.replace("\\", "\\\\").replace('"', '\\"')
    manifest = f'language = "python"\ngame = "{GAME}"\nbuild = "{quoted}"\nstart = "{start}"\n'
    return {"bot.toml": manifest, "bot.py": PASSES, **(files or {})}


def python(program: str) -> dict[str, str | bytes]:
    """The files of a bot that a Python program builds."""
    return built_by("python3 make.py", {"make.py": program})


class Desk:
    """A reception for tests, and everything it tells."""

    def __init__(self, folder: Path, allowed: Allowed | None = None, rules: Rules | None = None) -> None:
        self.folder = folder
        self.versions = Versions(folder / "versions")
        self.news: list[News] = []
        self.rules = rules or Rules(build=allowed or Allowed(seconds=300), play=CALM)

    def send(self, path: Path, game: str | None = GAME) -> Accepted | Refusal:
        self.news = []
        upload = Upload(str(path), path.name, game, options={"turns": 3})
        return Reception(self.versions, self.news.append, self.rules).receive(upload)

    def send_files(self, files: Files) -> Accepted | Refusal:
        return self.send(tarred(self.folder / "bot.tar.gz", files))

    def refused(self, files: Files) -> Refusal:
        end = self.send_files(files)
        assert isinstance(end, Refusal), end
        return end

    def accepted(self, files: Files) -> Accepted:
        end = self.send_files(files)
        assert isinstance(end, Accepted), end
        return end

    def log(self, step: str) -> str:
        return "".join(news.text for news in self.news if isinstance(news, Logged) and news.step == step)

    def left(self) -> list[Path]:
        """What is not finished."""
        return list((self.versions.folder / "making").iterdir())


@contextmanager
def toolchain_of_rust() -> Iterator[tuple[str, ...]]:
    """Where the box finds Rust: under /usr, or else in a copy that everybody can read, made of links to its files."""
    if shutil.which("rustc", path="/usr/local/bin:/usr/bin"):
        yield ()
        return
    root = subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="polemos-rust-") as folder:
        os.chmod(folder, 0o755)
        for name in ("bin", "lib"):
            subprocess.run(["cp", "-al", f"{root}/{name}", f"{folder}/{name}"], check=True)
        yield (folder,)
