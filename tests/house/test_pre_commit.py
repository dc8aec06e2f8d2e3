"""The hooks of `.pre-commit-config.yaml` need no host, run programs that are here, and concern files that are here."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / ".pre-commit-config.yaml"


class Hook(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    name: str
    language: str
    entry: str
    files: str
    pass_filenames: bool = True


class Repo(msgspec.Struct, forbid_unknown_fields=True):
    repo: str
    hooks: list[Hook]


class Config(msgspec.Struct, forbid_unknown_fields=True):
    default_install_hook_types: list[str]
    repos: list[Repo]


def hooks() -> list[Hook]:
    repos = msgspec.yaml.decode(CONFIG.read_bytes(), type=Config).repos
    assert {repo.repo for repo in repos} == {"local"}
    return [hook for repo in repos for hook in repo.hooks]


def programs(entry: str) -> list[Path]:
    """What a hook runs: from the environment, or from the client's packages by way of `tools/in-web`."""
    first, second, *_ = entry.split()
    return [ROOT / first] + [ROOT / "web/node_modules/.bin" / second] * (first == "tools/in-web")


def test_pre_commit_takes_the_config() -> None:
    program = Path(sys.executable).with_name("pre-commit")
    done = subprocess.run([program, "validate-config", CONFIG], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hooks_run_programs_that_set_up_installs() -> None:
    for hook in hooks():
        assert hook.language == "system", hook.id
        for program in programs(hook.entry):
            assert program.exists(), f"{hook.id}: {program}"


def test_every_hook_concerns_some_file() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    for hook in hooks():
        assert any(re.search(hook.files, path) for path in listed), hook.id


def test_the_quick_half_is_complete() -> None:
    assert {hook.id for hook in hooks()} == {"ruff-format", "ruff-check", "lint-imports", "prettier", "eslint"}
