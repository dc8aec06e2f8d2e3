"""The client unpacks frames into what the server would have sent unpacked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from unit.server.test_packing import frames, match

WEB = Path(__file__).parents[3] / "web"

SCRIPT = """
const fs = require("fs"), ts = require("typescript");
const source = fs.readFileSync("src/lib/unpack.ts", "utf8");
const made = {};
const plain = ts.transpileModule(source, { compilerOptions: { module: "commonjs", target: "es2022" } }).outputText;
new Function("exports", plain)(made);
const told = ({ words, rule, event, seat }) => ({ words, rule, event, seat });
const frames = JSON.parse(fs.readFileSync(0, "utf8")).map(made.unpacked);
console.log(JSON.stringify(frames.map(({ view, events }) => ({ view, events: events.map(told) }))));
"""


def test_the_client_loses_nothing() -> None:
    packed = frames(match(), packed=True)
    assert any(frame["bulk"] for frame in packed)
    assert any(frame["packed"] for frame in packed)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # where set-up may have put Node
    node = subprocess.run(
        ["node", "-e", SCRIPT],
        cwd=WEB,
        input=json.dumps(packed),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    whole = frames(match(), packed=False)
    assert json.loads(node.stdout) == [{"view": frame["view"], "events": frame["events"]} for frame in whole]
