"""Writing where nothing may be written."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

About = dict[str, Any]
WANTED = {"out_of_the_reach_of_the_memory_killer": 24}  # without the box: the capability for it
IN_THE_BOX = (  # without it they would change the machine
    "the_root",
    "devices",
    "programs",
    "settings",
    "settings_of_the_kernel",
    "keys_of_the_kernel",
    "the_first_process",
    "a_device_of_its_own",
)
HERE = Path(__file__).parent


def _write(path: Path) -> str:
    path.write_text("x")
    path.unlink()
    return str(path)


def its_own_folder(about: About) -> str:
    return _write(HERE / "new.txt")


def its_own_program(about: About) -> int:
    with open(__file__, "a", encoding="utf-8") as file:
        return file.write("\n")


def the_rights_of_its_folder(about: About) -> bool:
    HERE.chmod(0o777)
    return True


def a_file_of_ours(about: About) -> int:
    return Path(about["for us alone"]).write_text(about["secret"])


def a_common_folder(about: About) -> str:
    return _write(Path(about["folder"], "dropped.txt"))


def the_root(about: About) -> str:
    return _write(Path("/polemos-attack"))


def devices(about: About) -> str:
    return _write(Path("/dev/polemos-attack"))


def programs(about: About) -> str:
    return _write(Path("/usr/bin/polemos-attack"))


def settings(about: About) -> str:
    return _write(Path("/etc/polemos-attack"))


def settings_of_the_kernel(about: About) -> list[str]:
    """Any at all, also those of its own namespaces."""
    opened = []
    for path in Path("/proc").glob("sys/*/**/*"):
        with suppress(OSError):
            os.close(os.open(path, os.O_WRONLY))
            opened.append(str(path))
    assert opened
    return opened


def keys_of_the_kernel(about: About) -> bool:
    os.close(os.open("/proc/sysrq-trigger", os.O_WRONLY))
    return True


def the_first_process(about: About) -> int:
    return Path("/proc/1/oom_score_adj").write_text("1000")


def out_of_the_reach_of_the_memory_killer(about: About) -> int:
    return Path("/proc/self/oom_score_adj").write_text("-900")


def a_device_of_its_own(about: About) -> bool:
    os.mknod("/tmp/device", 0o600 | 0o020000, os.makedev(1, 3))
    with open("/tmp/device", "wb") as file:
        return file.write(b"x") == 1
