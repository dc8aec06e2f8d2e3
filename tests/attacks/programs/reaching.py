"""Ways out of the machine, and to others on it."""

from __future__ import annotations

import os
import socket
from typing import Any

About = dict[str, Any]
IN_THE_BOX = ("pipes_of_others",)
WANTED = {"raw_packets": 13}  # without the box: the capability for it


def tcp(about: About) -> bool:
    with socket.create_connection(("127.0.0.1", about["tcp"]), timeout=2) as way:
        way.sendall(b"x")
    return True


def udp(about: About) -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        return way.sendto(b"x", ("127.0.0.1", about["udp"]))


def a_socket_by_path(about: About) -> bool:
    with socket.socket(socket.AF_UNIX) as way:
        way.connect(about["unix"])
    return True


def a_socket_by_name(about: About) -> bool:
    with socket.socket(socket.AF_UNIX) as way:
        way.connect("\0" + about["abstract"])
    return True


def a_server_of_its_own(about: About) -> bool:
    with socket.create_server(("127.0.0.1", 0)):
        return True


def netlink(about: About) -> bool:
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW) as way:
        way.bind((0, 0))
    return True


def raw_packets(about: About) -> bool:
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW):
        return True


def names_of_interfaces(about: About) -> list[tuple[int, str]]:
    return socket.if_nameindex()


def pipes_of_others(about: About) -> list[str]:
    """Handles that it was not meant to have; one is the listing's own."""
    found = [name for name in os.listdir("/proc/self/fd") if int(name) > 3]
    assert found
    return found
