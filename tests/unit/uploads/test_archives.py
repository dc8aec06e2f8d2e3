"""Opening archives: the same bot comes out of all of them."""

from __future__ import annotations

import io
import shutil
import stat
import tarfile
import zipfile
from pathlib import Path

import pytest

from parcels import entry, tarred, zip_link, zipped
from polemos.uploads.archives import unpack
from polemos.uploads.limits import Limits
from polemos.uploads.refusals import Refused

FILES = {"bot.py": "print()", "data/map.txt": "xyz", "run.sh": "#!/bin/sh\n"}


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_every_kind_of_archive_gives_the_same_bot(tmp_path: Path) -> None:
    ways = {mode: tarred(tmp_path / f"bot-{mode[2:]}", FILES, mode) for mode in ("w:", "w:gz", "w:bz2", "w:xz")}
    ways["zip"] = zipped(tmp_path / "bot.zip", FILES)
    ways["stored"] = zipped(tmp_path / "stored.zip", FILES, zipfile.ZIP_STORED)
    ways["in a folder"] = tarred(tmp_path / "in.tgz", {f"my bot/{name}": text for name, text in FILES.items()})
    ways["from here"] = tarred(tmp_path / "dot.tgz", {f"./{name}": text for name, text in FILES.items()})
    ways["the other way round"] = zipped(tmp_path / "back.zip", dict(reversed(FILES.items())))
    found = {way: unpack(path, path.name, tmp_path / f"out {way}") for way, path in ways.items()}
    assert len({contents.digest for contents in found.values()}) == 1
    for way, contents in found.items():
        assert names(tmp_path / f"out {way}") == FILES.keys(), way
        assert (contents.files, contents.size) == (3, sum(map(len, FILES.values())))
        assert contents.words() == "3 files, nothing skipped"
        assert (tmp_path / f"out {way}" / "data/map.txt").read_text() == "xyz"


def test_one_byte_or_one_name_gives_another_digest(tmp_path: Path) -> None:
    changed = [
        FILES,
        {**FILES, "bot.py": "print( )"},
        {**FILES, "bot.pyw": ""},
        {"data/map.txt": "x", "data/bot.py": ""},
    ]
    digests = {
        unpack(tarred(tmp_path / f"{n}.tgz", files), "x.tgz", tmp_path / str(n)).digest
        for n, files in enumerate(changed)
    }
    assert len(digests) == len(changed)


def test_names_and_contents_are_never_taken_for_each_other(tmp_path: Path) -> None:
    one = unpack(tarred(tmp_path / "1", {"a": "b", "c": "d"}), "x.tgz", tmp_path / "one")
    two = unpack(tarred(tmp_path / "2", {"a": "d", "c": "b"}), "x.tgz", tmp_path / "two")
    assert one.digest != two.digest


def test_modes_do_not_matter_and_programs_can_be_run(tmp_path: Path) -> None:
    """Archives from Windows have no modes. Whether a file can be run depends on what is in it."""
    digests = set()
    for mode in (0o000, 0o644, 0o4777):

        def with_modes(archive: tarfile.TarFile, mode: int = mode) -> None:
            for name, text in {"run.sh": b"#!/bin/sh\n", "bot": b"\x7fELF...", "notes.txt": b"x"}.items():
                info = tarfile.TarInfo(name)
                info.size, info.mode = len(text), mode
                archive.addfile(info, io.BytesIO(text))

        folder = tmp_path / f"{mode:o}"
        digests.add(unpack(tarred(tmp_path / f"{mode:o}.tgz", {}, also=with_modes), "x.tgz", folder).digest)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
        assert modes == {"run.sh": 0o700, "bot": 0o700, "notes.txt": 0o600}
    assert len(digests) == 1


def test_a_single_file_is_a_bot_of_one_file(tmp_path: Path) -> None:
    (tmp_path / "upload").write_text("print()")
    contents = unpack(tmp_path / "upload", "falcon.py", tmp_path / "out")
    assert names(tmp_path / "out") == {"falcon.py"}
    assert contents.words() == "1 file, nothing skipped"
    (tmp_path / "upload").write_bytes(b"\x7fELF" + bytes(100))
    with pytest.raises(Refused, match="compiled program"):
        unpack(tmp_path / "upload", "falcon", tmp_path / "no")


def test_hidden_files_and_leftovers_are_skipped_and_named(tmp_path: Path) -> None:
    extra = dict.fromkeys(
        (".env", ".git/config", "__pycache__/x.pyc", "__MACOSX/bot/._bot.py", "a/.DS_Store"), "secret"
    )
    path = zipped(tmp_path / "bot.zip", {**{f"bot/{name}": "x" for name in FILES}, **extra})
    contents = unpack(path, "bot.zip", tmp_path / "out")
    assert names(tmp_path / "out") == FILES.keys()
    assert contents.left_out == (".env", ".git", "__pycache__", "__MACOSX", "a/.DS_Store")
    assert contents.words() == "3 files, skipped .env, .git, __pycache__ and more"
    plain = unpack(zipped(tmp_path / "plain.zip", dict.fromkeys(FILES, "x")), "bot.zip", tmp_path / "plain")
    assert plain.digest == contents.digest


def test_links_within_the_archive_become_files(tmp_path: Path) -> None:
    def links(archive: tarfile.TarFile) -> None:
        archive.addfile(entry("data/same.py", tarfile.SYMTYPE, "../bot.py"))
        archive.addfile(entry("again.py", tarfile.SYMTYPE, "data/same.py"))
        archive.addfile(entry("hard.py", tarfile.LNKTYPE, "bot.py"))

    tar = unpack(tarred(tmp_path / "bot.tgz", FILES, also=links), "bot.tgz", tmp_path / "tar")
    with zipfile.ZipFile(zipped(tmp_path / "bot.zip", FILES), "a") as archive:
        zip_link(archive, "data/same.py", "../bot.py")
        zip_link(archive, "again.py", "data/same.py")
        archive.writestr("hard.py", FILES["bot.py"])
    zip_ = unpack(tmp_path / "bot.zip", "bot.zip", tmp_path / "zip")
    assert tar.digest == zip_.digest
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))
    for name in ("data/same.py", "again.py", "hard.py"):
        assert (tmp_path / "tar" / name).read_text() == FILES["bot.py"]


def test_several_members_of_gzip_are_one_archive(tmp_path: Path) -> None:
    import gzip

    raw = tarred(tmp_path / "bot.tar", FILES, "w:").read_bytes()
    (tmp_path / "two.tgz").write_bytes(gzip.compress(raw[:700]) + gzip.compress(raw[700:]))
    assert unpack(tmp_path / "two.tgz", "two.tgz", tmp_path / "out").files == 3


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "The file is empty"),
        (b"7z\xbc\xaf\x27\x1c" + bytes(50), "7z archives can't be opened here"),
        (b"Rar!\x1a\x07" + bytes(50), "RAR archives"),
        (b"\x28\xb5\x2f\xfd" + bytes(50), "zstd archives"),
        (b"PK\x03\x04" + bytes(50), "damaged"),
        (b"PK\x05\x06" + bytes(18), "no files"),
        (b"\x1f\x8b" + bytes(50), "damaged"),
        (b"BZh9" + bytes(50), "damaged"),
        (b"\xfd7zXZ\x00" + bytes(50), "damaged"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_a_reason(tmp_path: Path, raw: bytes, why: str) -> None:
    (tmp_path / "upload").write_bytes(raw)
    with pytest.raises(Refused, match=why):
        unpack(tmp_path / "upload", "upload", tmp_path / "out")


def test_a_cut_off_archive_is_refused(tmp_path: Path) -> None:
    files = {name: "".join(chr(33 + (i * i) % 90) for i in range(5000)) for name in FILES}
    for mode in ("gz", "bz2", "xz"):
        whole = tarred(tmp_path / f"whole.{mode}", files, f"w:{mode}").read_bytes()
        (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        with pytest.raises(Refused, match=r"cut off|damaged"):
            unpack(tmp_path / "cut", f"bot.tar.{mode}", tmp_path / "out")


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    path = zipped(tmp_path / "bot.zip", {"bot.py": "x"}, zipfile.ZIP_STORED)
    raw = bytearray(path.read_bytes())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(raw)
    with pytest.raises(Refused, match="encrypted"):
        unpack(path, "bot.zip", tmp_path / "out")


def test_a_big_upload_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    with (tmp_path / "big.zip").open("wb") as file:
        file.write(b"PK\x03\x04")
        file.truncate(Limits().upload + 1)
    with pytest.raises(Refused, match="more than 64 MB"):
        unpack(tmp_path / "big.zip", "big.zip", tmp_path / "out")
    assert not (tmp_path / "out").exists()
