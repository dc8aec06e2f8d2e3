"""Case files: conformance cases as text that people can read and write. Knows no game.

A file holds cases; a case consists of keywords at the start of a line, with continuation lines indented. The word
`turn` on a line of its own begins the next step. The tests of each game define what the other words mean.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Part:
    """One step of a case: keyword to its lines."""

    lines: dict[str, list[str]] = field(default_factory=dict)

    def get(self, keyword: str) -> list[str]:
        return self.lines.get(keyword, [])


@dataclass
class Case:
    game: str
    id: str
    title: str
    where: str
    parts: list[Part] = field(default_factory=lambda: [Part()])

    @property
    def rules(self) -> list[str]:
        return " ".join(self.parts[0].get("rules")).split()


def read(path: Path) -> list[Case]:
    """The cases of one file."""
    cases: list[Case] = []
    keyword = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{path.name}:{number}"
        if line.startswith("case "):
            id, _, title = line[5:].strip().partition(" ")
            cases.append(Case(path.parent.name, id, title.strip(), where))
        elif not cases:
            raise ValueError(f"{where}: a file must begin with a case")
        elif line.rstrip() == "turn":
            cases[-1].parts.append(Part())
        elif line[0].isspace():
            cases[-1].parts[-1].lines[keyword].append(line.strip())
        else:
            keyword, _, rest = line.partition(" ")
            cases[-1].parts[-1].lines.setdefault(keyword, []).append(rest.strip())
    return cases


def read_all(folder: Path) -> list[Case]:
    """The cases of all files of a folder, in the order of their names."""
    return [case for path in sorted(folder.glob("*.case")) for case in read(path)]
