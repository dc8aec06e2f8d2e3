"""Reading what is not the bot's."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

About = dict[str, Any]
IN_THE_BOX = ("by_way_of_the_first_process",)  # outside it is the machine's own


def passwords(about: About) -> int:
    return len(Path("/etc/passwd").read_text())


def a_file_for_everybody(about: About) -> str:
    return Path(about["for everybody"]).read_text()


def a_file_for_us_alone(about: About) -> str:
    return Path(about["for us alone"]).read_text()


def a_file_beside_its_folder(about: About) -> str:
    return (Path(__file__).parent / ".." / "beside.txt").read_text()


def the_shelf_of_bots(about: About) -> list[str]:
    return os.listdir(about["shelf"])


def the_other_bot(about: About) -> str:
    return Path(about["other bot"]).read_text()


def replays(about: About) -> str:
    return Path(about["replay"]).read_text()


def our_home(about: About) -> list[str]:
    return os.listdir(about["home"])


def logs_of_the_machine(about: About) -> list[str]:
    return os.listdir("/var")


def names_of_the_network(about: About) -> list[str]:
    return os.listdir("/sys/class/net")


def name_of_the_machine(about: About) -> str:
    assert socket.gethostname() == about["machine"]
    return about["machine"]  # type: ignore[no-any-return]


def by_way_of_the_first_process(about: About) -> str:
    return Path(f"/proc/1/root{about['for everybody']}").read_text()


def by_way_of_its_own_root(about: About) -> str:
    return Path(f"/proc/self/root{about['for everybody']}").read_text()


def by_climbing(about: About) -> str:
    return Path("/bot", *[".."] * 20, about["for everybody"].lstrip("/")).resolve().read_text()
