"""The useful line of a crashed program's log. What is last is often the end of a stack dump, and tells nothing."""

from __future__ import annotations

import re
from typing import Final

MAX: Final = 160  # characters of it
MAX_LINE: Final = 1000  # characters of a line that are looked at: some patterns take the square of them

# How programs say what went wrong, the surest first. The last line that matches counts, unless said otherwise.
_SIGNS: Final = (
    re.compile(r"(?:Exception in thread .*?|Caused by: )(?P<said>[\w.$]+(?:Exception|Error)\b.*)"),  # Java
    re.compile(r"(?P<said>(?:panic|fatal error): .+)"),  # Go
    re.compile(r"thread '.*' (?:\(\d+\) )?(?P<said>panicked at .*)"),  # Rust: the reason may be on the next line
    re.compile(r"(?:Uncaught )?(?P<said>(?:\w+\.)*\w*(?:Error|Exception|Interrupt|Exit|Warning)\b(?:: .*)?)"),
    re.compile(r"\s*(?P<said>what\(\):.*|terminate called .*)"),  # C++
    re.compile(r".*?(?P<said>Assertion .*failed.*|Segmentation fault.*|(?:ERROR: )\w+Sanitizer: .*)"),  # C
)
_FIRST: Final = (_SIGNS[1],)  # of these the first is the cause, and others follow from it
_NOISE: Final = re.compile(
    r"\s+at |\s*\.\.\. \d+ more|\s*\^+\s*$|Node\.js v|note: |stack backtrace|goroutine \d|exit status|"
    r"\[signal|rax |rip |r\d+ |\s*File \"|Traceback|During handling|The above exception|\s*$|\s{4}"
)


# How compilers and their kind say it. Here the first is the cause, and others follow from it.
_BUILDING: Final = (
    re.compile(
        r"(?P<said>.*(?:No space left on device|Cannot allocate memory|[Oo]ut of memory).*)"
    ),  # all else follows
    re.compile(r"(?P<said>\S.*?:\d+(?::\d+)?: (?:fatal )?error: .+)"),  # C, C++, Java
    re.compile(r"(?P<said>error(?:\[\w+\])?: (?!aborting due|could not compile|process didn't exit).+)"),  # Rust
    re.compile(r"(?P<said>\S+\.go:\d+:\d+: .+)"),  # Go
    re.compile(r"(?P<said>.*(?:undefined reference to|cannot find -l|undefined symbol).*)"),  # linkers
    re.compile(r"(?P<said>(?:\w+\.)*\w*(?:Error|Exception)\b: .+)"),  # Python, JavaScript
    re.compile(r"(?P<said>.*: (?:command )?not found\b.*|(?:\S*/)?(?:sh|gcc|g\+\+|cc1|javac|go|cp|ld): .+)"),
    re.compile(r"(?P<said>make(?:\[\d+\])?: \*\*\* .+)"),
)


def first_error(log: str) -> str:
    """The line of a build's log that says what is wrong; for Rust with the place, which is on the next line.

    >>> first_error("bot.c: In function 'main':\\nbot.c:3:5: error: expected ';'\\nbot.c:9:1: error: so what\\n")
    "bot.c:3:5: error: expected ';'"
    >>> first_error("error[E0425]: cannot find value `x`\\n --> bot.rs:3:5\\n")
    'error[E0425]: cannot find value `x` (bot.rs:3:5)'
    """
    lines = _lines(log)
    for sign in _BUILDING:
        for at, line in enumerate(lines):
            found = sign.match(line)
            if found is not None:
                place = re.match(r"\s*--> (\S+)", lines[at + 1]) if at + 1 < len(lines) else None
                return _cut(f"{found['said']} ({place[1]})" if place else found["said"])
    return useful_line(log)


def useful_line(log: str) -> str:
    """The line that says why, at most so long; empty where nothing was said.

    >>> useful_line("Exception in thread \\"main\\" java.lang.Error: no fuel\\n\\tat Bot.main(Bot.java:9)\\n")
    'java.lang.Error: no fuel'
    >>> useful_line("thinking\\ngiving up\\n")
    'giving up'
    """
    lines = _lines(log)
    for sign in _SIGNS:
        order = range(len(lines)) if sign in _FIRST else reversed(range(len(lines)))
        for at in order:
            found = sign.match(lines[at])
            if found is not None:
                return _cut(_with_reason(found["said"], lines[at + 1 : at + 2]))
    told = [line for line in lines if not _NOISE.match(line)] or [line for line in lines if line.strip()]
    return _cut(told[-1]) if told else ""


def _lines(log: str) -> list[str]:
    return [line[:MAX_LINE] for line in log.splitlines()]


def _with_reason(said: str, after: list[str]) -> str:
    """Rust says where first, and why on the line that follows."""
    if said.startswith("panicked at") and said.endswith(":") and after:
        return f"{said} {after[0].strip()}"
    return said


def _cut(line: str) -> str:
    line = line.strip()
    return line if len(line) <= MAX else line[: MAX - 1] + "…"
