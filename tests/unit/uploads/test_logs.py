"""Logs: the beginning and the end are kept, and the line that says why is found."""

from __future__ import annotations

import pytest

from polemos.hosts.last_words import first_error
from polemos.uploads.logs import KEPT, Log, around, plain


def test_a_short_log_is_kept_whole() -> None:
    log = Log()
    for chunk in (b"one\ntw", b"o\n"):
        log.add(chunk)
    assert log.text() == "one\ntwo\n"


@pytest.mark.parametrize("chunk", [1, 1000, 100_000, 3_000_000])
def test_of_a_long_log_both_ends_are_kept(chunk: int) -> None:
    raw = b"begin\n" + b"x" * (3 * KEPT) + b"\nend\n"
    log = Log()
    for at in range(0, len(raw), chunk):
        log.add(raw[at : at + chunk])
    text = log.text()
    assert text.startswith("begin\n")
    assert text.endswith("end\n")
    assert f"[{len(raw) - 2 * KEPT:,} bytes left out]" in text
    assert len(text) < 2 * KEPT + 100


def test_an_endless_log_takes_no_memory() -> None:
    log = Log()
    for _ in range(2000):
        log.add(bytes(100_000))
    assert sum(map(len, (log._head, log._tail))) <= 6 * KEPT + 100_000


def test_nothing_in_a_log_moves_the_cursor() -> None:
    text = plain(b"\x1b[2J\x1b]0;title\x07a\x08b\x9b1m\xe2\x80\xae" + b"y" * 5000)
    assert all(sign.isprintable() for sign in text)
    assert len(text) <= 1000


LOGS = {
    "C": (
        "bot.c: In function 'main':\nbot.c:3:5: error: expected ';'\nbot.c:9:1: error: x",
        "bot.c:3:5: error: expected ';'",
    ),
    "Rust": (
        "warning: unused\nerror[E0425]: no `x`\n --> bot.rs:3:5\nerror: aborting due to 1 previous error\n",
        "error[E0425]: no `x` (bot.rs:3:5)",
    ),
    "Java": (
        "Picked up JAVA_TOOL_OPTIONS: -Xmx1m\nBot.java:3: error: ';' expected\n  int x\n       ^\n1 error\n",
        "Bot.java:3: error: ';' expected",
    ),
    "Go": ("# command-line-arguments\n./bot.go:5:2: undefined: x\n", "./bot.go:5:2: undefined: x"),
    "a linker": (
        "/usr/bin/ld: /tmp/x.o: in function `main':\nbot.c:(.text+0x5): undefined reference to `f'\n"
        "collect2: error: ld returned 1 exit status",
        "bot.c:(.text+0x5): undefined reference to `f'",
    ),
    "Python": (
        '$ python3 make.py\nTraceback (most recent call last):\n  File "make.py", line 1\nValueError: no\n',
        "ValueError: no",
    ),
    "the shell": ("/bin/sh: 1: cmake: not found\n", "/bin/sh: 1: cmake: not found"),
    "make": ("cc x\nmake: *** No rule to make target 'bot'.\n", "make: *** No rule to make target 'bot'."),
}


@pytest.mark.parametrize(("log", "line"), LOGS.values(), ids=LOGS)
def test_the_line_that_says_what_is_wrong_with_a_build(log: str, line: str) -> None:
    assert first_error(log) == line


def test_the_lines_around_the_cause() -> None:
    log = "".join(f"line {number}\n" for number in range(1, 30)) + "ValueError: no\nbye\n"
    shown = around(log, "ValueError: no")
    assert [line.number for line in shown] == [26, 27, 28, 29, 30, 31]
    assert [line.text for line in shown if line.is_cause] == ["ValueError: no"]
    assert around("", "x") == ()
    assert not any(line.is_cause for line in around(log, "something else"))
    rust = "a\nthread 'main' panicked at src/a.rs:1:2:\nindex out of bounds\nnote: x\n"
    cause = [line.number for line in around(rust, "panicked at src/a.rs:1:2: index out of bounds") if line.is_cause]
    assert cause in ([2], [3])
