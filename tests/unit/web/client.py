"""Modules of the client, run in Node as they stand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

WEB = Path(__file__).parents[3] / "web"

LOADER = """
const fs = require("fs"), path = require("path"), ts = require("typescript");
const known = {};
function load(file) {
  if (known[file]) return known[file];
  const made = (known[file] = {});
  const source = fs.readFileSync(file, "utf8");
  const options = { module: "commonjs", target: "es2022" };
  const plain = ts.transpileModule(source, { compilerOptions: options }).outputText;
  new Function("exports", "require", plain)(made, (name) => load(path.join(path.dirname(file), name + ".ts")));
  return made;
}
const given = JSON.parse(fs.readFileSync(0, "utf8"));
"""


def run(script: str, given: object) -> Any:
    """What the script prints as JSON. It has `load("src/lib/....ts")` and `given`."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # where set-up may have put Node
    node = subprocess.run(
        ["node", "-e", LOADER + script],
        cwd=WEB,
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": path},
    )
    assert node.returncode == 0, node.stderr
    return json.loads(node.stdout)
