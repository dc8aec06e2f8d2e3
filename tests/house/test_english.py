"""Plain English: the worst habits are refused in everything that people read.

Each habit is a pattern, with a reason, a better way to say it, and examples of both. It is searched for in docstrings
and string literals, in documents and rule books, and in the client. Comments in code are not searched.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]

# Everything below these paths is searched.
ROOTS: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Makefile",
    "benchmarks",
    "docs",
    "examples",
    "tools",
    "src/polemos/__init__.py",
    "src/polemos/registry.py",
    "src/polemos/arena",
    "src/polemos/cli",
    "src/polemos/desk",
    "src/polemos/games",
    "src/polemos/hosts",
    "src/polemos/kernel",
    "src/polemos/kits",
    "src/polemos/ladder",
    "src/polemos/library",
    "src/polemos/pictures",
    "src/polemos/server",
    "src/polemos/uploads",
    "src/polemos/wire",
    "web/src",
)
PROSE: Final = {".md", ".sh", ".c", ".h", ".go", ".java", ".js", ".rs"}  # searched as a whole, comments included
CLIENT: Final = {".svelte", ".ts"}
LEFT_OUT: Final = {"static", "node_modules", "__pycache__"}  # built, or not ours


@dataclass(frozen=True)
class Habit:
    """Something that a native speaker would not write."""

    pattern: str
    why: str
    instead: str  # an example that says it better
    planted: str  # an example with the habit
    fine: str = ""  # legitimate uses of the same words, as a pattern
    names: bool = False  # searched for in the names of code, not in text


_COUNTED = "boards|bots|cards|events|frames|games|hexes|lines|moves|orders|places|players|points|regiments|rounds|rows"
_COUNTED += "|rules|seats|seconds|steps|strikes|tables|tiles|turns|units|votes"
_COMPARED = "more|less|fewer|better|worse|larger|smaller|wider|longer|later|different|good|use|exception|secret"
_NO = "(?:is|are|was|were) no"

HABITS: Final = (
    Habit(
        rf"\b{_NO} \w+",
        "'is no' plus a noun is not idiomatic",
        "K5 is not next to G5. There is no game called chess.",
        "K5 is no neighbour of G5.",
        fine=rf"\bthere {_NO}\b|\b{_NO} (?:{_COMPARED})\b",
    ),
    Habit(
        r"\bwhom\b",
        "archaic",
        "Which side the portal attacks first, and who met whom",
        "Whom the portal begins with",
        fine=r"\bwho \w+ whom\b",
    ),
    Habit(
        r"\bshall\b",
        "archaic",
        "Share this link with the people you want to play.",
        "Send the address to those who shall join.",
    ),
    Habit(r"\blays? (?:\w+ ){0,2}down\b", "archaic", "Give up this role. Cards laid down", "Lays the role down"),
    Habit(
        r"\b(?:take|takes|took|taken|taking) up\b",
        "not what people say for choosing or resuming",
        "Pick a tower. It takes up space.",
        "Take up a tower.",
        fine=r"\btak\w+ up (?:space|room|memory|time)\b",
    ),
    Habit(r"\bparted by\b", "archaic", "clauses separated by `;`", "clauses parted by `;`"),
    Habit(
        r"\bhand (?:\w+ ){0,2}over\b",
        "stiff",
        "Share your seat, or pass the line to the next stage.",
        "Hand the seat over",
    ),
    Habit(r"\bmend(?:s|ed|ing)?\b", "archaic for software", "how to fix it", "how to mend it"),
    Habit(r"\banew\b", "archaic", "The page is written again.", "The page is written anew."),
    Habit(r"\b(?:be|is|are) had\b", "archaic", "You can download the replay.", "The replay can be had after the end."),
    Habit(r"\bto begin with\b", "means something else", "a starter bot", "a bot to begin with"),
    Habit(
        r"\b(?:bring|brings|brought) (?:\w+ )?along\b",
        "not idiomatic",
        "a command added by a game",
        "a verb that a game brings along",
    ),
    Habit(
        r"\bwhat is (?:answered|asked|lawful|the case|wanted)\b|\bwhat (?:may|can) be ordered\b",
        "name the thing",
        "legal orders, the reply, queries",
        "it lists what is lawful",
    ),
    Habit(r"\b(?:is|are) wanted\b", "a literal translation", "Write a whole number.", "A whole number is wanted."),
    Habit(
        r"\b(?:is|are) (?:not )?to (?:be )?order(?:ed)?\b",
        "a literal translation",
        "Red's orders are due. Blue can't give orders now.",
        "Blue is not to order now.",
    ),
    Habit(r"\bunless given\b", "stiff", "Default: all cores.", "all cores unless given"),
    Habit(
        r"\b(?:go|goes|going|went) on with\b",
        "not what people say for resuming",
        "The server resumes every match.",
        "The server goes on with every match.",
    ),
    Habit(r"\bin silence\b", "a literal translation", "Nothing is dropped silently.", "Nothing is dropped in silence."),
    Habit(r"\bthe own\b", "a literal translation", "destroy your tower", "destroy the own tower"),
    Habit(
        rf"(?<![\w.,:/-])(?<!to )(?<!\+ )1 (?:{_COUNTED})\b",
        "one of something is singular",
        "1 event, 2 events",
        "There was 1 events.",
    ),
    Habit(r"\b_?(?:MOST|LEAST)_[A-Z]\w*", "limits are called MAX and MIN", "MAX_LINES", "MOST_LINES", names=True),
)

ANY: Final = re.compile("|".join(habit.pattern for habit in HABITS if not habit.names), re.IGNORECASE)

# Where a habit is right: a quotation, or an example of what not to write. By file, with the words around it.
ALLOWED: Final[dict[str, tuple[str, ...]]] = {
    "CONTRIBUTING.md": ("not *is no command*",),
}


# ---- reading


def files() -> list[Path]:
    """All files that are searched, except built ones."""
    found: list[Path] = []
    for root in ROOTS:
        at = ROOT / root
        found += [at] if at.is_file() else (path for path in at.rglob("*") if path.is_file())
    return sorted(path for path in found if not LEFT_OUT & set(path.parts))


def is_python(path: Path, text: str) -> bool:
    return path.suffix == ".py" or (not path.suffix and text.startswith("#!") and "python" in text.splitlines()[0])


def strings(code: str) -> Iterator[str]:
    """Docstrings and string literals; a place to fill in reads as `{}`."""
    tree = ast.parse(code)
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield "".join(str(part) for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def of_client(path: Path, code: str) -> Iterator[str]:
    """The texts of a page or a script: its markup, and the strings in its code."""
    scripts = [code] if path.suffix == ".ts" else re.findall(r"<script\b.*?</script>", code, re.DOTALL)
    for script in scripts:
        bare = re.sub(r"/\*.*?\*/|(?<![:\w])//[^\n]*", " ", script, flags=re.DOTALL)
        yield from (found[2] for found in re.finditer(r"""(["'`])(.*?)(?<!\\)\1""", bare, re.DOTALL))
    if path.suffix == ".svelte":
        yield re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->|/\*.*?\*/", " ", code, flags=re.DOTALL)


def texts(path: Path, text: str) -> list[str]:
    """The texts of a file that people read."""
    if is_python(path, text):
        found = list(strings(text))
    elif path.suffix in CLIENT:
        found = list(of_client(path, text))
    elif path.suffix in PROSE or not path.suffix:
        found = [text]
    else:
        found = []
    return [" ".join(one.split()) for one in found]


def names(path: Path, text: str) -> list[str]:
    """The names in a file of code."""
    return sorted(set(re.findall(r"\b[A-Za-z_]\w*", text))) if is_python(path, text) or path.suffix in CLIENT else []


def complaints(path: Path, text: str, allowed: tuple[str, ...] = ()) -> Iterator[str]:
    """The habits in a file, with the words around each and a better example."""
    read = [one for one in texts(path, text) if ANY.search(one)]
    for phrase in allowed:
        read = [one.replace(phrase, "") for one in read]
    for habit in HABITS:
        for one in names(path, text) if habit.names else read:
            plain = re.sub(habit.fine, "", one, flags=re.IGNORECASE) if habit.fine else one
            for found in re.finditer(habit.pattern, plain, 0 if habit.names else re.IGNORECASE):
                around = plain[max(0, found.start() - 30) : found.end() + 30]
                yield f"{path.name}: ...{around}... ({habit.why}; write, for example: {habit.instead})"


@cache
def content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:  # a font, a picture
        return ""


# ---- the tests


def test_sentences_are_plain_english() -> None:
    found = [
        complaint
        for path in files()
        for complaint in complaints(path, content(path), ALLOWED.get(path.relative_to(ROOT).as_posix(), ()))
    ]
    assert not found, "\n".join(["These read like a translation:", *found])


def test_everything_is_searched() -> None:
    """A root that was moved, or a reader that finds nothing, would let every habit pass."""
    for root in ROOTS:
        below = [path for path in files() if path.is_relative_to(ROOT / root)]
        assert any(texts(path, content(path)) for path in below), root


def test_exceptions_are_still_needed() -> None:
    for file, phrases in ALLOWED.items():
        read = texts(ROOT / file, content(ROOT / file))
        for phrase in phrases:
            assert any(phrase in one for one in read), f"{file} no longer says {phrase!r}"


WAYS: Final = {  # to say something, by name of the file
    "module.py": 'def f(n):\n    """{}"""\n',
    "other.py": 'raise ValueError(f"Line {{n}}: {}")\n',
    "Page.svelte": "<p>\n  {}\n</p>\n",
    "lib.ts": 'const why = "{}";\n',
    "page.md": "# Title\n\n- {}\n",
}
NAMED: Final = {  # to call something so
    "module.py": "{} = 1\n",
    "other.py": "def f({}): ...\n",
    "Page.svelte": "<script>\n  const {} = 1;\n</script>\n",
    "lib.ts": "export const {} = 1;\n",
}


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.planted)
def test_a_planted_habit_is_found(habit: Habit) -> None:
    for name, way in (NAMED if habit.names else WAYS).items():
        for bad in {habit.planted} if habit.names else {habit.planted, habit.planted.upper(), habit.planted.lower()}:
            assert list(complaints(Path(name), way.format(bad))), f"{name}: {bad}"
        assert not list(complaints(Path(name), way.format(habit.instead))), f"{name}: {habit.instead}"


def test_a_habit_is_found_across_lines_and_not_in_comments() -> None:
    assert list(complaints(Path("a.py"), '"""This is\n\n    no\n    order."""\n'))
    assert list(complaints(Path("a.md"), "The page is written\nanew.\n"))
    assert not list(complaints(Path("a.py"), "x = 1  # this is no order\n"))
    assert not list(complaints(Path("a.ts"), "/* 'this is no order' */ // nor is no\nconst anew = 'http://a.b';\n"))
    assert not list(complaints(Path("a.svelte"), "<script>let anew = 1;</script><!-- anew --><p>{n}</p>\n"))


@pytest.mark.parametrize(
    "fine",
    [
        "There is no game called 'chess'.",
        "It is no longer there, and is no better than before.",
        "It takes up space. Rule 6.1 points to it. From 0 to 1 points.",
        "A box is 1 line long; 21 lines are more.",
    ],
)
def test_legitimate_sentences_pass(fine: str) -> None:
    assert not list(complaints(Path("a.md"), fine))
