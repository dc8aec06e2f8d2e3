"""Line charts as SVG, for the pictures of the documentation.

    python benchmarks/chart.py learning out/learning/log.json > docs/pictures/learning.svg
    python benchmarks/chart.py costs out/costs.json > docs/pictures/costs.svg
    python benchmarks/chart.py judgement benchmarks/training/demons.jsonl > docs/pictures/judgement-demons.svg

`learning` draws what `examples/learning/ppo.py` logged, `costs` what `benchmarks/costs.py` measured, `judgement` what
`polemos train` logged.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

INKS = ("#1f4e8c", "#b3261e", "#2e7d32", "#7b4fa3", "#8a5a00", "#00707a")
WIDE, HIGH = 420, 260
LEFT, RIGHT, TOP, BOTTOM = 58, 110, 30, 44  # the names of the lines stand on the right

Line = tuple[str, Sequence[tuple[float, float]]]


class Chart(NamedTuple):
    title: str
    across: str
    up: str
    lines: Sequence[Line]
    logarithmic: bool = False  # across
    most: float | None = None  # up, if that is known


def drawn(charts: Sequence[Chart], columns: int = 2) -> str:
    """Charts side by side, in rows."""
    columns = min(columns, len(charts))
    rows = math.ceil(len(charts) / columns)
    parts = [
        f'<g transform="translate({at % columns * WIDE},{at // columns * HIGH})">{one(chart)}</g>'
        for at, chart in enumerate(charts)
    ]
    size = f'width="{columns * WIDE}" height="{rows * HIGH}" viewBox="0 0 {columns * WIDE} {rows * HIGH}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">'
    ground = f'<rect width="{columns * WIDE}" height="{rows * HIGH}" fill="#fff"/>'
    return "\n".join([head, ground, *parts, "</svg>"]) + "\n"


def one(chart: Chart) -> str:
    xs = [x for _, points in chart.lines for x, _ in points]
    most = chart.most or nice(max(y for _, points in chart.lines for _, y in points))
    low, high = min(xs), max(xs)
    right, bottom = WIDE - RIGHT, HIGH - BOTTOM

    def across(x: float) -> float:
        of = (lambda value: math.log(value)) if chart.logarithmic else float
        return LEFT + (right - LEFT) * (of(x) - of(low)) / ((of(high) - of(low)) or 1)

    def up(y: float) -> float:
        return bottom - (bottom - TOP) * y / most

    found = [f'<text x="{LEFT}" y="18" font-weight="bold">{escape(chart.title)}</text>']
    for share in range(5):
        y = most * share / 4
        found.append(f'<path d="M{LEFT} {up(y):.1f}H{right}" stroke="#ddd"/>')
        found.append(f'<text x="{LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end">{y:g}</text>')
    ticks = sorted(set(xs)) if chart.logarithmic or len(set(xs)) < 7 else [low + (high - low) * i / 4 for i in range(5)]
    found += [f'<text x="{across(x):.1f}" y="{bottom + 16}" text-anchor="middle">{short(x)}</text>' for x in ticks]
    found.append(f'<text x="{(LEFT + right) / 2}" y="{HIGH - 8}" text-anchor="middle">{escape(chart.across)}</text>')
    middle = (TOP + bottom) / 2
    found.append(f'<text transform="translate(14,{middle}) rotate(-90)" text-anchor="middle">{escape(chart.up)}</text>')
    ends: list[float] = []
    for number, (name, points) in enumerate(chart.lines):
        ink = INKS[number % len(INKS)]
        places = [f"{across(x):.1f},{up(y):.1f}" for x, y in points]
        found.append(f'<polyline points="{" ".join(places)}" fill="none" stroke="{ink}" stroke-width="2"/>')
        found += [
            f'<circle cx="{place.split(",")[0]}" cy="{place.split(",")[1]}" r="2.5" fill="{ink}"/>' for place in places
        ]
        end = up(points[-1][1]) + 4
        while any(abs(end - other) < 13 for other in ends):  # names do not lie on each other
            end += 13
        ends.append(end)
        found.append(f'<text x="{across(points[-1][0]) + 7:.1f}" y="{end:.1f}" fill="{ink}">{escape(name)}</text>')
    return "".join(found)


def nice(most: float) -> float:
    """A round number that is not below this one."""
    unit = 10.0 ** math.floor(math.log10(most))
    return next(step * unit for step in (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10) if step * unit >= most)


def short(x: float) -> str:
    return f"{x / 1024:g}k" if x >= 1024 and x % 1024 == 0 else f"{x:.4g}"


def of_learning(log: list[dict[str, float]]) -> list[Chart]:
    """Games won by turns that were learned from."""
    known = {"minutes", "cpu minutes", "updates", "turns", "loss", "seconds playing"}
    names = [name for name in log[0] if name not in known]
    lines = [(name, [(row["cpu minutes"], 100 * row[name]) for row in log]) for name in names]
    return [Chart("Games won against scripted players", "minutes of a core", "per cent", lines, most=100)]


def of_costs(measured: list[dict[str, object]]) -> list[Chart]:
    """One chart for each question that was asked."""
    return [Chart(**chart) for chart in measured]  # type: ignore[arg-type]


def of_judgement(log: list[dict[str, Any]]) -> list[Chart]:
    """For each part: how well the winner is foretold by games played, and by the stage of a game at the end."""
    charts = []
    for part in dict.fromkeys(row["part"] for row in log):
        rows = [row for row in log if row["part"] == part]
        kinds = ("learned", "by hand")
        lines: list[Line] = [
            (kind, [(row["games"] / 1000, row[f"winner, {kind}"][-1]) for row in rows]) for kind in kinds
        ]
        even = rows[-1]["winner, even"]
        lines.append(("even", [(row["games"] / 1000, even) for row in rows]))
        charts.append(Chart(f"{part}: log loss of the winner", "thousand games", "nats", lines, most=nice(even)))
        last: list[Line] = []
        for kind in kinds:
            losses = rows[-1][f"winner, {kind}"][:-1]
            last.append((kind, [(25 * i + 12.5, loss) for i, loss in enumerate(losses) if loss is not None]))
        charts.append(Chart(f"{part}: by stage", "per cent of a game", "nats", last, most=nice(even)))
    return charts


def main() -> None:
    kind, path = sys.argv[1:]
    text = Path(path).read_text(encoding="utf-8")
    if kind == "judgement":
        sys.stdout.write(drawn(of_judgement([json.loads(line) for line in text.splitlines()])))
        return
    read = json.loads(text)
    sys.stdout.write(drawn(of_learning(read) if kind == "learning" else of_costs(read)))


if __name__ == "__main__":
    main()
