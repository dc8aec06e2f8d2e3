"""Hostile uploads. Each is refused with its reason, leaves nothing behind, and would do harm without its remedy.

Where a limit is the remedy, the same upload passes with a higher one: so the limit it is that stops it.
"""

from __future__ import annotations

import bz2
import io
import json
import lzma
import os
import random
import shutil
import signal
import stat
import struct
import subprocess
import tarfile
import threading
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attacks.harness import MODULES, SECRET, attempts, copy_of_programs, is_alive, world
from parcels import CALM, GAME, PASSES, PASSES_IN_C, Desk, built_by, entry, python, tarred, zip_link, zipped
from polemos.hosts import groups, workshop
from polemos.hosts.workshop import Allowed
from polemos.uploads.apart import COMMAND, Job, read, receive
from polemos.uploads.archives import Contents, unpack
from polemos.uploads.limits import Limits
from polemos.uploads.reception import Accepted, Change, Logged, Rules, Upload
from polemos.uploads.recognising import recognise
from polemos.uploads.refusals import Refused
from polemos.uploads.trial import Turn
from polemos.uploads.versions import Versions
from processes import left_of
from search import examples

MB = 1 << 20
# Small limits, so that small bombs will do.
SMALL = Limits(upload=8 * MB, files=50, size=4 * MB, entries=300, stream=16 * MB, ratio=100, free=MB)
WIDE = Limits(
    upload=1 << 40, files=10**6, size=1 << 40, entries=10**7, stream=1 << 40, ratio=10**9, common=1 << 40
)  # no limit that counts


def refusal(path: Path, limits: Limits = SMALL) -> str:
    """The word for which an archive is refused. It has written nothing beyond its folder, and little there."""
    home = path.parent / f"home of {path.name}"
    home.mkdir()
    beside = {one for one in path.parent.rglob("*") if home not in one.parents}
    with pytest.raises(Refused) as refused:
        unpack(path, path.name, home / "out", limits)
    assert {one for one in path.parent.rglob("*") if home not in one.parents} == beside
    written = [one for one in home.rglob("*") if not one.is_dir() or one.is_symlink()]
    assert not any(one.is_symlink() for one in written)
    assert sum(one.stat().st_size for one in written) <= limits.size
    assert refused.value.why[0].isupper() or refused.value.why[0] == '"'
    assert refused.value.why.endswith(".")
    shutil.rmtree(home)
    return refused.value.word


def opened(path: Path, limits: Limits = SMALL) -> Contents:
    home = path.parent / f"open {path.name}"
    contents = unpack(path, path.name, home, limits)
    shutil.rmtree(home)
    return contents


# ---- bombs


def test_the_limits_are_those_that_the_page_names() -> None:
    """At most 2,000 files and 64 MB; a gigabyte of zeros is a megabyte of gzip."""
    assert (Limits().files, Limits().size, Limits().upload) == (2000, 64 * MB, 64 * MB)
    assert Limits().ratio < 1000
    assert Limits().stream < 1024 * MB


def without_ratio(limits: Limits = SMALL) -> Limits:
    return msgspec.structs.replace(limits, ratio=10**9)


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz"])
def test_a_tar_bomb(tmp_path: Path, kind: str) -> None:
    path = tarred(tmp_path / f"bomb.tar.{kind}", {"bot.py": "", "zeros": bytes(9 * MB)}, f"w:{kind}")
    assert refusal(path) == "archive/bomb"
    assert refusal(path, without_ratio()) == "archive/size"
    assert opened(path, WIDE).size == 9 * MB


def test_a_bomb_costs_no_memory(tmp_path: Path) -> None:
    """900 KB of bzip2 can hold 20 GB: whatever it holds, it is never unpacked at once."""
    block = bz2.compress(bytes(40 * MB))
    path = tmp_path / "bomb.tar.bz2"
    header = tarfile.TarInfo("zeros")
    header.size = 1 << 36
    path.write_bytes(bz2.compress(header.tobuf()) + block * 50)
    tracemalloc.start()
    try:
        assert refusal(path, msgspec.structs.replace(WIDE, size=100 * MB)) == "archive/size"
        assert tracemalloc.get_traced_memory()[1] < 8 * MB
    finally:
        tracemalloc.stop()


def test_a_zip_bomb(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", {"bot.py": "", "zeros": bytes(9 * MB)})
    assert refusal(path) == "archive/bomb"
    assert refusal(path, without_ratio()) == "archive/size"
    assert opened(path, WIDE).size == 9 * MB


def test_a_zip_bomb_of_many_files(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bomb.zip", {f"{number}": bytes(MB // 4) for number in range(40)})
    assert refusal(path, without_ratio()) == "archive/size"
    assert opened(path, WIDE).files == 40


def test_a_zip_that_lies_about_its_sizes(tmp_path: Path) -> None:
    """The sizes in its headers say 10 bytes."""
    path = zipped(tmp_path / "bomb.zip", {"zeros": bytes(9 * MB)})
    raw = path.read_bytes().replace(struct.pack("<I", 9 * MB), struct.pack("<I", 10))
    path.write_bytes(raw)
    assert refusal(path) == "archive/damaged"


def test_a_zip_with_an_entry_far_behind_its_end(tmp_path: Path) -> None:
    path = zipped(tmp_path / "far.zip", {"bot.py": PASSES})
    raw = bytearray(path.read_bytes())
    at = raw.find(b"PK\x01\x02")
    where = struct.pack("<HHQ", 1, 8, 1 << 62)  # the extra field for what is beyond 4 GB
    raw[at + 42 : at + 46] = b"\xff" * 4
    raw[at + 30 : at + 32] = struct.pack("<H", len(where))
    raw[at + 46 + 6 : at + 46 + 6] = where
    end = raw.find(b"PK\x05\x06")
    raw[end + 12 : end + 16] = struct.pack("<I", end - at)
    path.write_bytes(raw)
    assert refusal(path) == "archive/damaged"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_zip_with_a_method_that_cannot_be_counted(tmp_path: Path, method: int) -> None:
    """A few kilobytes of bzip2 in a zip become gigabytes before the first byte is read."""
    path = zipped(tmp_path / "bomb.zip", {"zeros": bytes(20 * MB)}, method)
    assert refusal(path, WIDE) == "archive/method"


def test_a_zip_with_a_million_entries_is_not_even_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry_ = b"PK\x01\x02" + bytes(42)
    count = 1_000_000
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, count * 46, 0, 0)
    path = tmp_path / "many.zip"
    path.write_bytes(entry_ * count + end)
    path.write_bytes(b"PK\x03\x04" + path.read_bytes()[4:])
    assert path.stat().st_size < Limits().upload
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert refusal(path, Limits()) == "archive/files"


def test_too_many_files(tmp_path: Path) -> None:
    names = {f"{number}.txt": "" for number in range(SMALL.files + 1)}
    for path in (zipped(tmp_path / "many.zip", names), tarred(tmp_path / "many.tgz", names)):
        assert refusal(path) == "archive/files"
        assert opened(path, WIDE).files == SMALL.files + 1
    del names["0.txt"]
    assert opened(zipped(tmp_path / "fine.zip", names)).files == SMALL.files


@pytest.mark.parametrize("name", ["folder{}/", ".git/{}", "./", "__MACOSX/{}"])
def test_too_many_entries_that_are_not_kept(tmp_path: Path, name: str) -> None:
    """Folders and hidden files cost time as well."""

    def folders(archive: tarfile.TarFile) -> None:
        for number in range(SMALL.entries + 1):
            archive.addfile(entry(name.format(number), tarfile.DIRTYPE))

    path = tarred(tmp_path / "many.tgz", {"bot.py": ""}, also=folders)
    assert refusal(path) == "archive/files"
    assert opened(path, WIDE).files == 1


def test_a_hidden_bomb_counts_too(tmp_path: Path) -> None:
    """What is left out must still be read through in a tar."""
    path = tarred(tmp_path / "hidden.tar.xz", {".hidden": bytes(30 * MB), "bot.py": ""}, "w:xz")
    assert refusal(path, without_ratio()) == "archive/size"
    assert refusal(path) == "archive/bomb"
    assert opened(path, WIDE).files == 1


def test_a_bomb_in_a_bomb_stays_packed(tmp_path: Path) -> None:
    """Nothing in an archive is opened. A build that opens it has its own limits: see below."""
    inner = zipped(tmp_path / "0.zip", {"zeros": bytes(20 * MB)})
    for layer in range(4):
        inner = zipped(
            tmp_path / f"{layer + 1}.zip", {f"{n}.zip": inner.read_bytes() for n in range(3)}, zipfile.ZIP_STORED
        )
    contents = opened(inner)
    assert contents.files == 3
    assert contents.size < 10 * MB


def test_a_gzip_in_a_gzip_is_not_an_archive(tmp_path: Path) -> None:
    inner = tarred(tmp_path / "in.tgz", {"zeros": bytes(50 * MB)}).read_bytes()
    (tmp_path / "bot.tar.gz").write_bytes(zlib.compress(inner, wbits=31))
    assert refusal(tmp_path / "bot.tar.gz") == "archive/damaged"


def test_a_sparse_file_is_as_big_as_it_says(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    subprocess.run(["tar", "-cSf", tmp_path / "sparse.tar", "-C", tmp_path, "huge"], check=True)
    (tmp_path / "huge").unlink()
    assert (tmp_path / "sparse.tar").stat().st_size < MB
    assert refusal(tmp_path / "sparse.tar") == "archive/size"


def test_a_header_that_never_ends(tmp_path: Path) -> None:
    """The long name of an entry is read at once, so it has a limit of its own, and counts like a file."""
    long = tarfile.TarInfo("././@LongLink")
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 1 << 33
    raw = lzma.compress(long.tobuf(tarfile.GNU_FORMAT) + bytes(40 * MB), preset=0)
    (tmp_path / "long.tar.xz").write_bytes(raw)
    assert refusal(tmp_path / "long.tar.xz") == "archive/header"
    long_ones = msgspec.structs.replace(SMALL, header=1 << 40, headers=1 << 40)
    assert refusal(tmp_path / "long.tar.xz", long_ones) == "archive/bomb"


def told(about: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """A header that tells something about the next entry."""
    info = tarfile.TarInfo("about")
    info.type, info.size = kind, len(about)
    return info.tobuf(tarfile.USTAR_FORMAT) + about + bytes(-len(about) % 512)


def plain(name: str, data: bytes = b"x") -> bytes:
    """A file, as it stands in a tar."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    return info.tobuf(tarfile.USTAR_FORMAT) + data + bytes(-len(data) % 512)


def said(**words: object) -> bytes:
    """The same as lines of words, each of which begins with its own length."""
    lines = [f" {key.replace('_', '.')}={value}\n" for key, value in words.items()]
    assert all(8 <= len(line) < 98 for line in lines), "so that the length has two digits"
    return told(b"".join(f"{len(line) + 2}{line}".encode() for line in lines))


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE])
def test_a_header_that_takes_a_year_to_read(tmp_path: Path, kind: bytes) -> None:
    """Python's patterns for such headers take the square of their length: 3 MB of digits, packed, are 3 KB."""
    raw = told(b"1" * 3 * MB, kind) + plain("bot.py")
    (tmp_path / "bot.tar.gz").write_bytes(zlib.compress(raw, wbits=31))
    assert refusal(tmp_path / "bot.tar.gz", Limits()) == "archive/header"


def test_very_many_headers(tmp_path: Path) -> None:
    """Each is short, but they are not counted as entries."""
    small = msgspec.structs.replace(SMALL, headers=1000)
    many = told(b"17 comment=abcde\n" * 50)
    (tmp_path / "one.tar").write_bytes(many + plain("bot.py"))
    opened(tmp_path / "one.tar", small)
    (tmp_path / "two.tar").write_bytes(many + plain("bot.py") + many + plain("two.py"))
    assert refusal(tmp_path / "two.tar", small) == "archive/header"


def test_the_map_of_a_sparse_file_is_not_read(tmp_path: Path) -> None:
    """It can be as long as the archive, and every two bytes of it take eighty bytes of memory."""
    holes = b"2000000\n" + b"0\n" * 4_000_000
    about = said(GNU_sparse_major=1, GNU_sparse_minor=0, GNU_sparse_realsize=9, GNU_sparse_name="bot.py")
    (tmp_path / "new.tar.gz").write_bytes(zlib.compress(about + plain("bot.py", holes), wbits=31))
    tracemalloc.start()
    assert refusal(tmp_path / "new.tar.gz", Limits()) == "archive/sparse"
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 4 * MB
    info = tarfile.TarInfo("bot.py")
    info.type = tarfile.GNUTYPE_SPARSE
    old = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    old[482] = 1  # more of its map follows, block after block
    old[148:156] = b" " * 8
    old[148:156] = b"%06o\0 " % sum(old)
    more = bytearray(512)
    more[504] = 1
    (tmp_path / "old.tar.gz").write_bytes(zlib.compress(bytes(old) + bytes(more) * 40_000, wbits=31))
    assert refusal(tmp_path / "old.tar.gz", Limits()) == "archive/sparse"


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.GNUTYPE_LONGNAME, b"V"])
def test_an_entry_of_fewer_than_no_bytes(tmp_path: Path, kind: bytes) -> None:
    """Whoever goes on after it goes backwards, and never ends."""
    info = tarfile.TarInfo("bot.py")
    info.type = kind
    raw = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    raw[124:136] = b"\xff" * 10 + b"\xfe\0"
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw)
    (tmp_path / "bot.tar").write_bytes(bytes(raw) + bytes(1024))
    assert refusal(tmp_path / "bot.tar") == "archive/damaged"


@pytest.mark.parametrize("by", ["its header", "a header before it"])
def test_a_hidden_file_that_never_ends(tmp_path: Path, by: str) -> None:
    """Nobody reads it, but whoever looks for the entry after it reads on and on behind the end of the archive."""
    info = tarfile.TarInfo(".hidden")
    raw = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    if by == "its header":
        raw[124:136] = b"\x80" + (1 << 62).to_bytes(11, "big")
        raw[148:156] = b" " * 8
        raw[148:156] = b"%06o\0 " % sum(raw)
    else:
        raw[:0] = said(size=1 << 62)
    (tmp_path / "bot.tar.gz").write_bytes(zlib.compress(bytes(raw) + bytes(1024), wbits=31))
    assert refusal(tmp_path / "bot.tar.gz", Limits()) == "archive/damaged"


def test_what_all_entries_have_in_common_is_not_kept_for_each(tmp_path: Path) -> None:
    """Python gives each entry a copy of it: 400 KB with thousands of such words took 150 GB."""
    words = told(b"".join(b"9 %04x=\n" % number for number in range(1500)), tarfile.XGLTYPE)
    hidden = b"".join(plain(f".{number}", b"") for number in range(SMALL.entries - 1))
    (tmp_path / "much.tar").write_bytes(words + plain("bot.py") + hidden)
    assert refusal(tmp_path / "much.tar") == "archive/header"
    few = told(b"".join(b"9 %04x=\n" % number for number in range(100)), tarfile.XGLTYPE)
    (tmp_path / "few.tar").write_bytes(few + plain("bot.py") + hidden)
    for limits, path in ((WIDE, tmp_path / "much.tar"), (SMALL, tmp_path / "few.tar")):
        tracemalloc.start()
        opened(path, msgspec.structs.replace(limits, header=MB))
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert most < 2 * MB


def test_an_archive_that_git_made_is_taken(tmp_path: Path) -> None:
    """It has the name of the commit in common."""
    commit = told(b"52 comment=" + b"a" * 40 + b"\n", tarfile.XGLTYPE)
    (tmp_path / "bot.tar").write_bytes(commit + plain("bot/bot.py") + bytes(1024))
    assert opened(tmp_path / "bot.tar").files == 1


def test_an_xz_that_asks_for_gigabytes_of_memory(tmp_path: Path) -> None:
    path = tarred(tmp_path / "bot.tar.xz", {"bot.py": "x"}, "w:xz")
    raw = bytearray(path.read_bytes())
    length = (raw[12] + 1) * 4  # of the block's header; its fifth byte is the size of the dictionary
    assert raw[14:16] == b"\x21\x01"
    raw[16] = 37  # 1.5 GB
    raw[12 + length - 4 : 12 + length] = struct.pack("<I", zlib.crc32(bytes(raw[12 : 12 + length - 4])))
    path.write_bytes(raw)
    assert lzma.decompress(raw), "it is a good archive for those who have the memory"
    assert refusal(path) == "archive/memory"


# ---- ways out

OUT = {
    "archive/path": [
        "../evil",
        "a/../../evil",
        "/tmp/evil",
        "/etc/cron.d/evil",
        "C:/evil",
        "c:\\evil",
        "a/..",
        "..",
        "a/../b",
    ],
    "archive/name": ["..\\evil", "a\\..\\..\\evil"],
}


@pytest.mark.parametrize("word", OUT)
def test_names_that_lead_out(tmp_path: Path, word: str) -> None:
    for name in OUT[word]:
        for path in (zipped(tmp_path / "out.zip", {name: "x"}), tarred(tmp_path / "out.tgz", {name: "x"})):
            assert refusal(path) == word, name


ODD = {
    "control characters": ["a\nb.py", "a\x1b[2Jb", "a\x7f", "a\x00b"],
    "invisible ones": ["a\u202eyp.tob", "a\u200bb", "\ufeffbot.py", "a\u2028b"],
    "names of Windows": ["CON", "nul.txt", "a/Aux.py", "COM1", "lpt9.log", "com¹"],
    "signs of Windows": ["a:b", "a?.py", "a*b", "a|b", 'a"b', "a<b", "bot.py.", "bot.py ", " bot.py", "a./b"],
    "too long": ["x" * 101, "é" * 100 + "é", "/".join(["abcdefghijklmnopqr"] * 12), "\U0001f600" * 64],
    "too deep": ["/".join("a" * 17)],
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_names(tmp_path: Path, kind: str) -> None:
    for name in ODD[kind]:
        path = tarred(tmp_path / "odd.tgz", {name: "x"}) if "\0" not in name else None
        if path is not None:
            assert refusal(path) in ("archive/name", "archive/depth"), name
        zipped(tmp_path / "odd.zip", {name.replace("\0", "!"): "x"})
        raw = (tmp_path / "odd.zip").read_bytes()
        if "\0" in name:  # what is after it would be ignored
            raw = raw.replace(name.replace("\0", "!").encode(), name.encode())
        (tmp_path / "odd.zip").write_bytes(raw)
        assert refusal(tmp_path / "odd.zip") in ("archive/name", "archive/depth"), name


def test_names_that_are_not_text(tmp_path: Path) -> None:
    assert refusal(tarred(tmp_path / "odd.tgz", {"bot\udcff.py": "x"})) == "archive/name"


CLASHES = [
    ("bot.py", "Bot.py"),
    ("src/a.py", "SRC/b.py"),
    ("caf\u00e9.py", "cafe\u0301.py"),
    ("stra\u00dfe", "STRASSE"),
    ("a", "a/b"),
    ("a/b", "a"),
]


@pytest.mark.parametrize(("one", "two"), CLASHES)
def test_names_that_some_system_takes_for_one(tmp_path: Path, one: str, two: str) -> None:
    for path in (zipped(tmp_path / "x.zip", {one: "x", two: "y"}), tarred(tmp_path / "x.tgz", {one: "x", two: "y"})):
        assert refusal(path) == "archive/clash"
        assert opened(zipped(tmp_path / "one.zip", {one: "x"})).files == 1


def test_the_same_name_twice(tmp_path: Path) -> None:
    """Two programs may disagree on which of them counts: the one that checks and the one that plays."""

    def again(archive: tarfile.TarFile) -> None:
        archive.addfile(tarfile.TarInfo("./bot.py"))

    assert refusal(tarred(tmp_path / "twice.tgz", {"bot.py": "x"}, also=again)) == "archive/clash"


LINKS = [
    "/etc/passwd",
    "/bot.py",
    "../outside",
    "a/../../outside",
    "../../../../../../etc/passwd",
    "nowhere",
    ".",
    "data",
    "me",
]


@pytest.mark.parametrize("target", LINKS)
def test_links_that_lead_out_or_nowhere(tmp_path: Path, target: str) -> None:
    (tmp_path / "outside").write_text(SECRET)
    files = {"bot.py": "x", "data/x": "x"}
    for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
        path = tarred(tmp_path / "x.tgz", files, also=lambda tar, kind=kind: tar.addfile(entry("me", kind, target)))  # type: ignore[misc]
        assert refusal(path) == "archive/link"
    with zipfile.ZipFile(zipped(tmp_path / "x.zip", files), "a") as archive:
        zip_link(archive, "me", target)
    assert refusal(tmp_path / "x.zip") == "archive/link"


def test_a_file_is_never_written_through_a_link(tmp_path: Path) -> None:
    """First a link to a folder outside, then a file in it."""
    (tmp_path / "outside").mkdir()

    def trick(archive: tarfile.TarFile) -> None:
        archive.addfile(entry("a", tarfile.SYMTYPE, str(tmp_path / "outside")))
        archive.addfile(tarfile.TarInfo("a/evil"))

    def backwards(archive: tarfile.TarFile) -> None:
        archive.addfile(entry("a", tarfile.SYMTYPE, "b"))
        archive.addfile(tarfile.TarInfo("b/x"))
        archive.addfile(tarfile.TarInfo("a/evil"))

    for also in (trick, backwards):
        assert refusal(tarred(tmp_path / "x.tgz", {}, also=also)) in ("archive/link", "archive/clash")
    assert list((tmp_path / "outside").iterdir()) == []


def test_links_that_multiply_a_file(tmp_path: Path) -> None:
    def links(archive: tarfile.TarFile) -> None:
        for number in range(40):
            archive.addfile(entry(f"{number}", tarfile.SYMTYPE, "data"))

    random_ = random.Random(1).randbytes(MB // 4)
    path = tarred(tmp_path / "x.tgz", {"data": random_}, also=links)
    assert refusal(path) == "archive/size"
    assert opened(path, WIDE).size == 41 * MB // 4


@pytest.mark.parametrize("kind", [tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, b"Z"])
def test_devices(tmp_path: Path, kind: bytes) -> None:
    path = tarred(tmp_path / "x.tgz", {"bot.py": "x"}, also=lambda tar: tar.addfile(entry("dev", kind)))
    assert refusal(path) in ("archive/device", "archive/damaged")
    info = zipfile.ZipInfo("dev")
    info.create_system, info.external_attr = 3, stat.S_IFIFO << 16
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr(info, "")
    assert refusal(tmp_path / "x.zip") == "archive/device"


def _whole() -> list[bytes]:
    """Good archives, to be damaged."""
    files = {"bot.py": "print()" * 20, "data/x.txt": "y" * 700}
    made = []
    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        raw = io.BytesIO()
        with tarfile.open(fileobj=raw, mode=mode) as archive:
            for name, text in files.items():
                info = tarfile.TarInfo(name)
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text.encode()))
        made.append(raw.getvalue())
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as zip_:
        for name, text in files.items():
            zip_.writestr(name, text)
    return [*made, raw.getvalue()]


WHOLE = _whole()


@examples(150)
@given(
    which=st.sampled_from(WHOLE),
    edits=st.lists(st.tuples(st.integers(0, 20000), st.integers(0, 255)), max_size=6),
    cut=st.integers(0, 20000),
)
def test_damaged_archives_are_refused_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, which: bytes, edits: list[tuple[int, int]], cut: int
) -> None:
    raw = bytearray(which)
    for at, value in edits:
        raw[at % len(raw)] = value
    if cut < len(raw):
        del raw[cut:]
    home = tmp_path_factory.mktemp("damaged")
    (home / "upload").write_bytes(raw)
    with suppress(Refused):
        unpack(home / "upload", "bot.tar", home / "in" / "out")
    assert {path.name for path in home.iterdir()} <= {"upload", "in"}
    shutil.rmtree(home)


# ---- what files say of themselves


@pytest.mark.parametrize("file", ["bot.toml", "Cargo.toml"])
@pytest.mark.parametrize(
    "text",
    [
        ".".join("a" * 30_000) + " = 1\n",
        "[" + ".".join("a" * 30_000) + "]\n",
        '"\u2028" . ' * 15_000 + "a = 1\n",
        f"a = {'9' * 5000}\n",
        "a = " + "[" * 30_000,
        "a = " + "{a=" * 15_000,
    ],
    ids=["key", "table", "quoted key", "number", "lists", "tables"],
)
def test_toml_that_takes_all_memory(tmp_path: Path, file: str, text: str) -> None:
    """A key of 30,000 parts took 4 GB, and Python reads no number of 5,000 digits."""
    (tmp_path / file).write_text(text)
    (tmp_path / "main.rs").write_text("fn main() {}")
    tracemalloc.start()
    with pytest.raises(Refused, match=file):
        recognise(tmp_path, "bot.zip", GAME)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 40 * MB


@pytest.mark.parametrize("sign", ["\n", " ", "\t", "\r", "\n ", "package ", "package\n", "package a.", "main "])
def test_a_source_that_takes_an_hour_to_look_through(tmp_path: Path, sign: str) -> None:
    """A pattern began again at each of a million empty lines, and read on from there to the end."""
    (tmp_path / "Bot.java").write_text(sign * (MB // len(sign)))
    assert recognise(tmp_path, "bot.zip", GAME).language == "java"


@pytest.mark.parametrize("main", ["a" * 300, "a/" * 3000, "\0", "\ud800", ""])
def test_a_package_with_a_main_that_can_be_no_file(tmp_path: Path, main: str) -> None:
    (tmp_path / "bot.js").write_text("")
    (tmp_path / "package.json").write_text(json.dumps({"main": main}))
    assert recognise(tmp_path, "bot.zip", GAME).start == ("node", "bot.js")


def test_a_start_that_can_be_no_file(tmp_path: Path) -> None:
    end = Desk(tmp_path).refused({"bot.toml": f'language = "c"\nstart = "./{"a" * 300}"\n', "bot.c": ""})
    assert end.word == "build/start"
    assert end.why.startswith("There is no program")


# ---- builds


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path, Allowed(seconds=300))


def quick(tmp_path: Path, **limits: Any) -> Desk:
    return Desk(tmp_path, msgspec.structs.replace(Allowed(seconds=300), **limits))


@pytest.fixture
def mark() -> str:
    """A number of seconds by which the processes of this test are known, also from those of its like beside it."""
    return str(random.SystemRandom().randrange(10**8, 10**9))


ENDLESS = {
    "sleeps": "sleep MARK",
    "works": "while :; do :; done # MARK",
    "in the background": "sleep MARK & sleep MARK",
    "deaf": "trap '' TERM HUP INT; while :; do sleep MARK; done",
    "out of its session": "setsid -f sleep MARK; sleep MARK",
    "without output": "exec >&- 2>&-; sleep MARK",
}


@pytest.mark.parametrize("how", ENDLESS)
def test_an_endless_build(tmp_path: Path, how: str, mark: str) -> None:
    desk = quick(tmp_path, seconds=1.0)
    end = desk.refused(built_by(ENDLESS[how].replace("MARK", mark)))
    assert (end.step, end.word) == ("built", "build/time")
    assert end.why == "The build was not done after 1 seconds."
    assert left_of(mark) == []
    assert desk.left() == []


def test_a_build_leaves_no_process_behind(desk: Desk, mark: str) -> None:
    desk.accepted(built_by(f"setsid -f sleep {mark}; nohup sleep {mark} & true"))
    assert left_of(mark) == []


@pytest.mark.parametrize("command", ["yes", "yes >&2", "cat /dev/zero", "tr '\\0' x </dev/zero"])
def test_a_huge_log(tmp_path: Path, command: str) -> None:
    desk = quick(tmp_path, log=4 * MB)
    end = desk.refused(built_by(command))
    assert (end.word, end.why) == ("build/log", "The build wrote more than 4 MB to its log.")
    assert len(end.log) < 300_000
    assert "bytes left out" in end.log
    assert sum(len(news.text) for news in desk.news if isinstance(news, Logged)) < 300_000


def test_a_long_log_is_kept_at_both_ends(desk: Desk) -> None:
    end = desk.accepted(built_by("echo first; seq 300000; echo last"))
    log = desk.versions.build_log(end.version.digest)
    assert log.startswith("$ echo first; seq 300000; echo last\nfirst\n1\n2\n")
    assert log.endswith("299999\n300000\nlast\n")
    assert len(log) < 300_000


FORKS = """
import os, time
count = 0
try:
    while count < 2000:
        if os.fork() == 0:
            time.sleep(7533)  # it has the mark in its command line
        count += 1
except OSError as error:
    print(f"{count} and no more: {error}", flush=True)
"""


def test_a_build_has_a_limited_number_of_processes(tmp_path: Path, mark: str) -> None:
    desk = quick(tmp_path, processes=100)
    desk.accepted(built_by(f"python3 make.py {mark}", {"make.py": FORKS}))
    count = int(desk.log("built").split("\n")[1].split()[0])
    assert 50 < count < 100
    assert left_of(mark) == []


def test_a_fork_bomb(tmp_path: Path, mark: str) -> None:
    """It can't be stopped from multiplying, but from doing so without end and from staying."""
    desk = quick(tmp_path, seconds=6.0, processes=64)
    most = 0
    done = threading.Event()

    def count() -> None:
        nonlocal most
        while not done.wait(0.05):
            most = max(most, sum(mark in one for one in _command_lines()))

    watching = threading.Thread(target=count)
    watching.start()
    try:
        # It may be over within a few milliseconds; the first one stays long enough to be seen.
        bomb = "sleep MARK & sleep 2; b() { sleep MARK | b MARK & b; }; b; while :; do :; done"
        end = desk.refused(built_by(bomb.replace("MARK", mark)))
    finally:
        done.set()
        watching.join()
    assert end.word in ("build/time", "build/error", "build/log")
    assert 0 < most <= 70
    assert left_of(mark) == []


def _command_lines() -> Iterator[str]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_text(errors="replace").replace("\0", " ")
        except OSError:
            continue


HUNGRY = {
    "alone": "x = bytearray(400 << 20); print('got it')",
    "in many": """
import os, time
for _ in range(8):
    if os.fork() == 0:
        x = bytearray(60 << 20)
        time.sleep(600)
time.sleep(600)
""",
    "shared": """
import mmap, time
x = mmap.mmap(-1, 400 << 20)
for at in range(0, 400 << 20, 4096): x[at] = 1
time.sleep(600)
""",
}


@pytest.mark.parametrize("how", HUNGRY)
@pytest.mark.parametrize("grouped", [True, False], ids=["in a group", "watched"])
def test_a_build_that_takes_all_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, grouped: bool
) -> None:
    if not grouped:
        monkeypatch.setattr(groups, "make", lambda memory: None)
    desk = quick(tmp_path, memory=256 * MB, disk=16 * MB)
    end = desk.refused(python(HUNGRY[how]))
    assert end.word == "build/memory" or "MemoryError" in end.why
    assert "got it" not in end.log
    if how == "alone":
        more = quick(tmp_path / "more", memory=1024 * MB).refused(python(HUNGRY[how] + "; 1/0"))
        assert more.log.startswith("$ python3 make.py\ngot it\n")


def test_a_build_that_fills_the_disk(tmp_path: Path) -> None:
    desk = quick(tmp_path, disk=32 * MB)
    for command in ("dd if=/dev/zero of=x bs=1M count=100", "cat /dev/zero >/tmp/x"):
        end = desk.refused(built_by(f"{command} || exit 3"))
        assert end.word == "build/disk"
        assert end.why == "The build needs more than 32 MB of disk space."
        assert "No space left on device" in end.line
    desk.accepted(built_by("dd if=/dev/zero of=/tmp/x bs=1M count=30"))


def test_a_build_that_opens_a_bomb(tmp_path: Path) -> None:
    desk = quick(tmp_path, disk=32 * MB)
    bomb = zipped(tmp_path / "bomb.zip", {"zeros": random.Random(2).randbytes(1000) * 90_000}).read_bytes()
    end = desk.refused(built_by("python3 -m zipfile -e bomb.zip .", {"bomb.zip": bomb}))
    assert end.word == "build/disk"


def test_a_build_that_makes_files_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty files take no space, and a kilobyte of memory each."""
    monkeypatch.setattr(workshop, "MAX_FILES", 3000)
    end = quick(tmp_path).refused(python("n = 0\nwhile True:\n    open(f'/tmp/{n}', 'w').close(); n += 1"))
    assert (end.word, end.why) == ("build/memory", "The build used more than 3000 files.")


def test_a_build_that_leaves_too_much(tmp_path: Path) -> None:
    desk = Desk(tmp_path, rules=Rules(limits=SMALL, build=Allowed(seconds=300), play=CALM))
    end = desk.refused(built_by("dd if=/dev/urandom of=big bs=1M count=5"))
    assert (end.word, "more than 4 MB" in end.why) == ("build/result", True)
    end = desk.refused(built_by("for n in $(seq 60); do : >f$n; done"))
    assert (end.word, "more than 50 files" in end.why) == ("build/result", True)
    desk.accepted(built_by("dd if=/dev/urandom of=big bs=1M count=3"))


@pytest.mark.parametrize(
    "command",
    ["ln -s /etc/passwd bot.txt", "ln -s / all", "mkfifo pipe", "touch CON", "touch 'a\nb'", "touch BOT.py"],
)
def test_what_a_build_leaves_is_as_strange_as_what_was_sent(desk: Desk, command: str) -> None:
    end = desk.refused(python(f"import os; os.system({command!r})"))
    assert end.word == "build/result"
    assert not any(path.is_symlink() for path in desk.versions.folder.rglob("*"))


def test_a_build_that_writes_into_its_own_result(desk: Desk) -> None:
    """It can reach the pipe that carries its folder. It only hurts itself."""
    junk = "import os\nfd = os.open(f'/proc/{os.getppid()}/fd/1', os.O_WRONLY)\nos.write(fd, b'junk' * 500)\n"
    end = desk.refused(python(junk))
    assert end.word in ("build/result", "build/error")
    forged = io.BytesIO()
    with tarfile.open(fileobj=forged, mode="w") as archive:
        archive.addfile(entry("../../evil", tarfile.REGTYPE))
    program = (
        f"import os\nfd = os.open(f'/proc/{{os.getppid()}}/fd/1', os.O_WRONLY)\nos.write(fd, {forged.getvalue()!r})\n"
    )
    end = desk.refused(python(program))
    assert end.word in ("build/result", "build/error")
    assert not list(desk.versions.folder.rglob("evil"))


# ---- what a build can reach

TELL = """
import json, sys
for name, said in json.load(sys.stdin).items():
    for what, how in said.items():
        print(what, name, str(how)[:300])
"""
# A build may write to its own folder, as much as fits there, and reach other processes of its own.
OWN = {"its_own_folder", "its_own_program", "the_rights_of_its_folder", "a_common_folder", "others", "reach_everybody"}
OWN |= {"many_open_files", "bigger_files"}


@pytest.mark.parametrize("module", [module for module in MODULES if module != "multiplying"])
def test_everything_a_bot_may_not_do_a_build_may_not_do_either(tmp_path: Path, module: str) -> None:
    """Except for what compilers need."""
    folder = copy_of_programs(tmp_path)
    names = attempts(module)
    desk = Desk(tmp_path / "desk", Allowed(seconds=300))
    with world(tmp_path) as about:
        asked = json.dumps({"module": module, "names": names, "about": {**about, "folder": ""}})
        sources = {path.name: path.read_bytes() for path in folder.glob("*.py")}
        desk.send_files(
            {
                **built_by("python3 run.py <asked.json | python3 tell.py"),
                **sources,
                "asked.json": asked,
                "tell.py": TELL,
            }
        )
        assert is_alive(about["decoy"])
    said = [line.split(" ", 2) for line in desk.log("built").split("\n") if line.startswith(("got ", "refused "))]
    assert [name for _, name, _ in said] == names, desk.log("built")
    assert {name for what, name, _ in said if what == "got"} <= OWN, said


def test_a_build_has_no_network(desk: Desk) -> None:
    for program in ("import socket; socket.create_connection(('127.0.0.1', 80))", "import socket; socket.socket()"):
        end = desk.refused(python(program))
        assert "PermissionError: [Errno 1] Operation not permitted" in end.why


def test_a_build_does_not_see_the_uploads_of_others(tmp_path: Path) -> None:
    """Neither their sources nor what was built of them, nor the shelf from which they play."""
    desk = Desk(tmp_path, Allowed(seconds=300))
    other = desk.accepted({"bot.py": f"# {SECRET}\n{PASSES}", SECRET: ""})
    looks = f"""
import os
seen = []
for top in ("/", "/tmp", {str(tmp_path)!r}, {str(desk.versions.source(other.version.digest))!r}, "/source", "/bot"):
    for here, folders, files in os.walk(top):
        if here.startswith(("/proc", "/usr", "/sys", "/dev")):
            folders.clear()
        seen += [os.path.join(here, name) for name in files]
assert "/source/make.py" in seen and len(seen) > 3
print("SEEN", [name for name in seen if not name.startswith(("/source", "/bot", "/etc", "/lib", "/dev", "/proc"))])
for path in ({str(desk.versions.source(other.version.digest) / "bot.py")!r}, "/source/../../bot.py"):
    try:
        print("READ", open(path).read())
    except OSError as error:
        print(type(error).__name__)
open("/source/evil", "w")
"""
    end = desk.refused(python(looks))
    assert "SEEN []" in end.log
    assert "READ" not in end.log
    assert SECRET not in end.log
    assert end.line.startswith("OSError: [Errno 30] Read-only file system")
    assert (desk.versions.source(other.version.digest) / "bot.py").read_text() == f"# {SECRET}\n{PASSES}"


def test_a_build_does_not_see_the_one_beside_it(tmp_path: Path) -> None:
    """Two builds at the same time: each has its own processes, its own folders and its own user."""
    looks = """
import glob, os, time
os.makedirs("/tmp/mine"); open("/tmp/mine/SECRET-%s", "w").close()
time.sleep(1)
others = [one for one in glob.glob("/tmp/*/*") + glob.glob("/bot/*") + glob.glob("/dev/shm/*") if "SECRET" in one]
seen = [open(one + "/cmdline").read() for one in glob.glob("/proc/[0-9]*") if os.path.exists(one + "/cmdline")]
print("SEEN", len(others), sum("make.py" in one for one in seen))
"""
    desks = [Desk(tmp_path / name, Allowed(seconds=300)) for name in ("one", "two")]
    threads = [
        threading.Thread(target=desk.send_files, args=(python(looks % number),)) for number, desk in enumerate(desks)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for desk in desks:
        assert "SEEN 1 3" in desk.log("built"), desk.log("built")  # its own file; two shells and itself


# ---- two at once, and killed


def job(tmp_path: Path, name: str, files: dict[str, Any]) -> Job:
    path = tarred(tmp_path / f"{name}.tgz", files)
    rules = Rules(build=Allowed(seconds=300), play=CALM)
    return Job(str(tmp_path / "versions"), Upload(str(path), path.name, GAME, options={"turns": 3}), rules)


def test_the_same_upload_twice_at_once_is_built_and_tried_once(tmp_path: Path) -> None:
    slow = {**built_by("sleep 1; gcc -o bot bot.c", {"bot.c": PASSES_IN_C}, "./bot")}
    jobs = [job(tmp_path, name, slow) for name in ("one", "two", "three")]
    news: list[list[Any]] = [[] for _ in jobs]

    def listen(number: int) -> None:
        news[number] = list(receive(jobs[number]))

    threads = [threading.Thread(target=listen, args=(number,)) for number in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ends = [of[-1] for of in news]
    assert all(isinstance(end, Accepted) for end in ends), ends
    assert ends[0].version == ends[1].version == ends[2].version
    assert sum(any(isinstance(one, Logged) for one in of) for of in news) == 1
    assert sum(any(isinstance(one, Turn) for one in of) for of in news) == 1
    versions = Versions(tmp_path / "versions")
    assert [path.name for path in (versions.folder / "versions").iterdir()] == [ends[0].version.digest]
    assert list((versions.folder / "making").iterdir()) == []


STOPS: dict[str, Callable[[Any], bool]] = {
    "unpacking": lambda news: isinstance(news, Change) and (news.step, news.state) == ("unpacked", "began"),
    "recognising": lambda news: isinstance(news, Change) and (news.step, news.state) == ("recognised", "began"),
    "building": lambda news: isinstance(news, Logged) and news.step == "built",
    "after the build": lambda news: isinstance(news, Change) and (news.step, news.state) == ("built", "done"),
    "in the trial": lambda news: isinstance(news, Turn) and news.turn == 2,
    "after the trial": lambda news: isinstance(news, Change) and (news.step, news.state) == ("trial", "done"),
}


@pytest.mark.parametrize("when", STOPS)
def test_a_server_that_is_killed_at_any_step_takes_in_the_bot_the_next_time(
    tmp_path: Path, when: str, mark: str
) -> None:
    slow = built_by(f"sleep 0.7{mark}; gcc -o bot bot.c", {"bot.c": PASSES_IN_C}, "./bot")
    work = job(tmp_path, "bot", slow)
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(msgspec.json.encode(work) + b"\n")
        process.stdin.flush()
        for line in process.stdout:
            if STOPS[when](read(line)):
                break
        process.send_signal(signal.SIGKILL)
    assert left_of(mark) == []
    news = list(receive(work))
    assert isinstance(news[-1], Accepted)
    versions = Versions(tmp_path / "versions")
    version = versions.version(news[-1].version.digest)
    assert version == news[-1].version
    done = {"after the build": 0, "in the trial": 0, "after the trial": 0}
    assert sum(isinstance(one, Logged) for one in news) == done.get(when, 1), "what is built stays built"


def test_many_uploads_leave_neither_processes_nor_files_nor_handles(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Allowed(seconds=300))
    desk.refused(built_by("exit 1"))
    desk.accepted({"bot.py": PASSES})
    handles = len(os.listdir("/proc/self/fd"))
    children = _children()
    for number in range(5):
        desk.refused(built_by(f"exit 1 # {number}"))
        desk.accepted({"bot.py": f"# {number}\n{PASSES}"})
        desk.refused({"bot.py": f"1 / 0 # {number}"})
        desk.refused({"bot.py": "", f"../{number}": ""})
    assert len(os.listdir("/proc/self/fd")) == handles
    assert _children() == children
    assert desk.left() == []


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
