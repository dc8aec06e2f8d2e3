"""The useful line of a crashed program's log. What is last is often the end of a stack dump, and tells nothing."""

from __future__ import annotations

import re
from typing import Final

MAX: Final = 160  # characters of it

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


def useful_line(log: str) -> str:
    """The line that says why, at most so long; empty where nothing was said.

    >>> useful_line("Exception in thread \\"main\\" java.lang.Error: no fuel\\n\\tat Bot.main(Bot.java:9)\\n")
    'java.lang.Error: no fuel'
    >>> useful_line("thinking\\ngiving up\\n")
    'giving up'
    """
    lines = log.splitlines()
    for sign in _SIGNS:
        order = range(len(lines)) if sign in _FIRST else reversed(range(len(lines)))
        for at in order:
            found = sign.match(lines[at])
            if found is not None:
                return _cut(_with_reason(found["said"], lines[at + 1 : at + 2]))
    told = [line for line in lines if not _NOISE.match(line)] or [line for line in lines if line.strip()]
    return _cut(told[-1]) if told else ""


def _with_reason(said: str, after: list[str]) -> str:
    """Rust says where first, and why on the line that follows."""
    if said.startswith("panicked at") and said.endswith(":") and after:
        return f"{said} {after[0].strip()}"
    return said


def _cut(line: str) -> str:
    line = line.strip()
    return line if len(line) <= MAX else line[: MAX - 1] + "…"
