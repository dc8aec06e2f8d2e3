"""Logs of crashed programs as their languages write them, and the line that helps their authors."""

from __future__ import annotations

import pytest

from polemos.hosts.last_words import MAX, first_error, useful_line

PYTHON = """thinking about turn 3
Traceback (most recent call last):
  File "/bot/bot.py", line 12, in <module>
    main()
    ~~~~^^
  File "/bot/bot.py", line 9, in main
    return towers[9]
           ~~~~~~^^^
IndexError: list index out of range
"""
PYTHON_CHAINED = """Traceback (most recent call last):
  File "/bot/bot.py", line 2, in <module>
    {}["north"]
KeyError: 'north'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/bot/bot.py", line 4, in <module>
    raise mymodule.Lost("no way north")
mymodule.LostError: no way north
"""
JAVA = """turn 4
Exception in thread "main" java.lang.ArrayIndexOutOfBoundsException: Index 9 out of bounds for length 4
\tat Bot.choose(Bot.java:41)
\tat Bot.main(Bot.java:12)
"""
JAVA_CAUSED = """Exception in thread "main" java.lang.RuntimeException: cannot plan
\tat Bot.main(Bot.java:12)
Caused by: java.io.IOException: no map
\tat Bot.read(Bot.java:99)
\t... 1 more
"""
GO = """panic: runtime error: index out of range [9] with length 4

goroutine 1 [running]:
main.choose(...)
\t/bot/bot.go:41
main.main()
\t/bot/bot.go:12 +0x1d
exit status 2
"""
GO_FATAL = (
    "fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n\t/bot/bot.go:5\n"
)
RUST = """thread 'main' panicked at bot.rs:12:5:
index out of bounds: the len is 4 but the index is 9
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""
RUST_OLD = "thread 'main' panicked at 'no way north', bot.rs:12:5\nnote: run with `RUST_BACKTRACE=1`\n"
NODE = """/bot/bot.js:14
  return towers[9].height
                   ^

TypeError: Cannot read properties of undefined (reading 'height')
    at choose (/bot/bot.js:14:20)
    at Object.<anonymous> (/bot/bot.js:3:1)
    at Module._compile (node:internal/modules/cjs/loader:1554:14)

Node.js v20.20.2
"""
CPP = "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check: 9 >= 4\n"
ASSERTED = "bot: bot.c:12: choose: Assertion `way >= 0' failed.\n"


@pytest.mark.parametrize(
    ("log", "useful"),
    [
        (PYTHON, "IndexError: list index out of range"),
        (PYTHON_CHAINED, "mymodule.LostError: no way north"),
        (JAVA, "java.lang.ArrayIndexOutOfBoundsException: Index 9 out of bounds for length 4"),
        (JAVA_CAUSED, "java.io.IOException: no map"),
        (GO, "panic: runtime error: index out of range [9] with length 4"),
        (GO_FATAL, "fatal error: all goroutines are asleep - deadlock!"),
        (RUST, "panicked at bot.rs:12:5: index out of bounds: the len is 4 but the index is 9"),
        (RUST_OLD, "panicked at 'no way north', bot.rs:12:5"),
        (NODE, "TypeError: Cannot read properties of undefined (reading 'height')"),
        (CPP, "what():  vector::_M_range_check: 9 >= 4"),
        (ASSERTED, "Assertion `way >= 0' failed."),
        ("one\ntwo\n", "two"),
        ("giving up\n    at somewhere\n\n", "giving up"),
        ("    only this\n", "only this"),
        ("", ""),
        ("\n \n", ""),
    ],
)
def test_the_line_that_says_why(log: str, useful: str) -> None:
    assert useful_line(log) == useful


def test_a_long_line_is_cut() -> None:
    assert useful_line("ValueError: " + "x" * 1000) == ("ValueError: " + "x" * 1000)[: MAX - 1] + "…"


@pytest.mark.parametrize("begin", ["Exception in thread ", "Caused by: ", "thread '", "x:1: ", "a."])
def test_a_line_that_takes_an_hour_to_look_through(begin: str) -> None:
    """64 KB took twelve seconds, which somebody else's game had to wait."""
    for sign in ("a", "' ", ":1", "a.", " "):
        log = begin + sign * (1 << 20)
        assert len(useful_line(log)) <= MAX
        assert len(first_error(log)) <= MAX
