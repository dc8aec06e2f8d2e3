"""Verdicts: a type in the program, a text in files and messages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import polemos
from polemos.kernel.verdict import KINDS, Verdict
from together import together

SOURCE = Path(polemos.__file__).parent

# Texts that replays, journals, tables and messages to bots have had, and what they mean.
OLD = {
    "crash": Verdict("crash"),
    "crash: ValueError: 7 archers at H4": Verdict("crash", "ValueError: 7 archers at H4"),
    "crash: KeyError: 'slip'": Verdict("crash", "KeyError: 'slip'"),
    "crash: RuntimeError": Verdict("crash", "RuntimeError"),
    "crash: exit code 1: list index out of range": Verdict("crash", "exit code 1: list index out of range"),
    "crash: SIGKILL": Verdict("crash", "SIGKILL"),
    "crash: signal 35: oh": Verdict("crash", "signal 35: oh"),
    "crash: it ended by itself": Verdict("crash", "it ended by itself"),
    "late": Verdict("late"),
    "late: no answer in time": Verdict("late", "no answer in time"),
    "late: the time for the turn was up": Verdict("late", "the time for the turn was up"),
    "unreadable": Verdict("unreadable"),
    "unreadable: TypeError": Verdict("unreadable", "TypeError"),
    "3 strikes: unreadable": Verdict("unreadable", "", 3),
    "3 strikes: late: no answer in time": Verdict("late", "no answer in time", 3),
    "3 strikes: unreadable: JSON is malformed: x": Verdict("unreadable", "JSON is malformed: x", 3),
    "3 strikes": Verdict("other", "", 3),
    "3 strikes: nobody knows": Verdict("other", "nobody knows", 3),
    "time: the bank is empty": Verdict("time", "the bank is empty"),
    "memory: more than it may have": Verdict("memory", "more than it may have"),
    "memory: more than 4096 files in /tmp": Verdict("memory", "more than 4096 files in /tmp"),
    "output: a line of more than 1048576 bytes": Verdict("output", "a line of more than 1048576 bytes"),
    "protocol: it closed its output": Verdict("protocol", "it closed its output"),
    "protocol: it is not ready for version 1": Verdict("protocol", "it is not ready for version 1"),
    "start: not ready after 5 s": Verdict("start", "not ready after 5 s"),
    "box: bwrap: No permissions": Verdict("box", "bwrap: No permissions"),
    "resigned": Verdict("resigned"),
    "dropped out": Verdict("dropped out"),
    "request": Verdict("request"),
    "failed: it could not be adjudicated": Verdict("failed", "it could not be adjudicated"),
    "the match is over": Verdict("other", "the match is over"),
    "umi: a plain engine can play points=1, not 3.": Verdict("other", "umi: a plain engine can play points=1, not 3."),
    "'/opt/bots/own' cannot be started: Permission denied": Verdict(
        "other", "'/opt/bots/own' cannot be started: Permission denied"
    ),
    "There is no file bot.py.": Verdict("other", "There is no file bot.py."),
    "left": Verdict("other", "left"),
    "unreadable 2": Verdict("other", "unreadable 2"),
    "other": Verdict("other", "other"),
    "": Verdict("other"),
}  # fmt: skip


@pytest.mark.parametrize("text", OLD)
def test_texts_of_before_are_read_and_read_the_same_when_written(text: str) -> None:
    assert Verdict.read(text) == OLD[text]
    assert str(OLD[text]) == text


@pytest.mark.parametrize("kind", KINDS)
@together("detail", ["", "a detail", "one: two"])
@together("strikes", [0, 1, 3, 12])
def test_what_is_written_is_read_as_it_was(kind: str, detail: str, strikes: int) -> None:
    verdict = Verdict(kind, detail, strikes)  # type: ignore[arg-type]
    assert Verdict.read(str(verdict)) == verdict


NEAR = st.sampled_from([*KINDS, "3 strikes", "0 strikes", "03 strikes", ": ", ":", " ", "\n", "x"])


@given(st.one_of(st.text(), st.lists(NEAR).map("".join)))
def test_no_text_is_lost(text: str) -> None:
    verdict = Verdict.read(text)
    assert str(verdict) == text
    assert verdict.kind in KINDS


# ---- what everybody may know


def test_the_word_of_a_verdict_tells_no_detail() -> None:
    assert {verdict.word for verdict in OLD.values()} <= {*KINDS, "3 strikes", ""} - {"other"}
    assert Verdict("late", "no answer in time", strikes=3).word == "3 strikes"
    assert Verdict("other", "/home/own/bot.py is not a program").word == ""


# ---- one place


def test_no_text_of_a_verdict_is_put_together_anywhere_else() -> None:
    """`"crash: ..."` as a literal would be a verdict that has lost its type."""
    kinds = re.compile(rf"({'|'.join(kind for kind in KINDS if kind != 'other')}|.* strikes): ?")
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
                assert not kinds.match(node.value), f"{path}:{node.lineno}: {node.value!r}"
