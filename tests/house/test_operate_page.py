"""`docs/how-to/operate.md` followed to the letter, and the files of `deploy/` as far as they can be checked here."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

from polemos import registry
from polemos.cli.common import prepare
from polemos.cli.serve import command
from polemos.server.configuration import FILE, OTHERS, declared, read
from polemos.server.folder import secret_in
from polemos.server.metrics import REGISTRY

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "how-to" / "operate.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent


def free_ports(count: int) -> list[int]:
    found = [socket.socket() for _ in range(count)]
    for one in found:
        one.bind(("127.0.0.1", 0))
    ports = [int(one.getsockname()[1]) for one in found]
    for one in found:
        one.close()
    return ports


@pytest.mark.slow
def test_the_commands_of_the_page_work(tmp_path: Path) -> None:
    """Word for word, but for the ports."""
    for name in registry.names():
        prepare(registry.load(name))
    script = "\n".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL))
    for old, new in zip(("8000", "8001", "9100", "9101"), free_ports(4), strict=True):
        assert old in script
        script = script.replace(old, str(new))
    done = subprocess.run(
        ["bash", "-c", f"set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n{script}"],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# variable POLEMOS_RETRY_SECONDS" in done.stdout
    assert "# flag --stop-seconds" in done.stdout
    assert done.stdout.count('{"status":"ready"}') == 2
    assert '"path": "/api/games"' in done.stdout
    assert 'polemos_tables{status="playing"} 0.0' in done.stdout
    assert "Restored sqlite:///elsewhere/polemos.db" in done.stdout
    assert "connections are told to come back" in done.stdout.splitlines()[-1]


def test_notes_beside_commands_are_comments() -> None:
    """Whoever copies a whole line must not give the note to the command."""
    for line in re.findall(r"^    (\S.*)$", PAGE, re.MULTILINE):
        note = line.partition("   ")[2].strip()
        assert not note or note.startswith("#"), line


def test_the_page_names_settings_and_figures_that_exist() -> None:
    flags = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for line in re.findall(r"polemos serve (.*)", PAGE):
        assert set(re.findall(r"(?<!\S)--[a-z-]+", line)) <= flags | {"--help"}, line
    variables = {one.variable for one in declared()} | OTHERS
    assert set(re.findall(r"POLEMOS_[A-Z_]+", PAGE)) <= variables
    figures = {sample.name for family in REGISTRY.collect() for sample in family.samples}
    figures |= {f"{family.name}_total" for family in REGISTRY.collect() if family.type == "counter"}
    figures |= {family.name for family in REGISTRY.collect()} | {"polemos_tables", "polemos_sockets", "polemos_queue"}
    figures |= {f"polemos_ladder_{of}" for of in ("games", "pace", "pending", "duty", "cpu_seconds_total")}
    assert set(re.findall(r"polemos_[a-z_]+", PAGE)) - {"polemos_"} <= figures


# ---- deploy


@pytest.mark.needs("monad")
def test_the_settings_file_is_understood(tmp_path: Path) -> None:
    made = read({}, {}, DEPLOY / "polemos.toml")
    assert (made.settings.behind, made.settings.metrics) == ("127.0.0.1", "127.0.0.1:9100")
    whole = re.sub(r"^# (database|\[bot|mine)", r"\1", (DEPLOY / "polemos.toml").read_text(), flags=re.MULTILINE)
    (tmp_path / "whole.toml").write_text(whole)
    made = read({}, {}, tmp_path / "whole.toml")
    assert made.settings.programs == {"monad": {"mine": "node /srv/bots/bot.js"}}
    assert made.settings.url == "postgresql://polemos@localhost/polemos"


def test_variables_in_deploy_are_settings() -> None:
    known = {one.variable for one in declared()} | OTHERS | {FILE}
    for path in DEPLOY.iterdir():
        assert set(re.findall(r"\bPOLEMOS_[A-Z_]+", path.read_text())) <= known, path


def test_the_unit_starts_what_exists() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(DEPLOY / "polemos.service")
    service = unit["Service"]
    program, *words = shlex.split(service["ExecStart"])
    assert program.endswith("/polemos")
    assert words == ["serve", "--config", "/etc/polemos/polemos.toml"]
    settings = read({}, {}, DEPLOY / "polemos.toml").settings
    assert f"/var/lib/{service['StateDirectory']}" == str(settings.folder)
    assert float(service["TimeoutStopSec"]) > settings.stop_seconds + 5
    for forbidden in ("RestrictNamespaces", "ProtectProc", "ProtectKernelLogs", "ProtectKernelTunables"):
        assert forbidden not in service, "it would stop the box for bots"
    assert "MemoryDenyWriteExecute" not in service, "rules are compiled when they are first used"


def test_the_compose_file_has_two_servers_and_a_worker_on_postgresql() -> None:
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = found["services"]
    assert set(services) == {"database", "secret", "worker", "one", "two"}
    folders, ports = set(), set()
    for name in ("one", "two"):
        server = services[name]
        assert server["environment"]["POLEMOS_DATABASE"].startswith("postgresql://")
        assert server["environment"]["POLEMOS_INNER"] == f"{name}:7000"
        assert server["environment"]["POLEMOS_BOT_RAY"] == "worker:6379"
        assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).exists()
        assert server["build"]["context"] == ".."
        assert server["depends_on"]["secret"]["condition"] == "service_completed_successfully"
        folders.update(server["volumes"])
        ports.update(server["ports"])
    assert folders == {"one:/var/lib/polemos", "two:/var/lib/polemos"}, "no two servers in one folder"
    assert len(ports) == 2
    assert all(port.startswith("127.0.0.1:") for port in ports), "only through a proxy"
    assert "ray" in services["worker"]["command"]
    assert ",ray]" in (DEPLOY / "Containerfile").read_text()


def test_the_secret_of_the_compose_file_is_one_for_both(tmp_path: Path) -> None:
    """Its command, run here with two folders in place of the volumes."""
    command = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["secret"]["command"]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    words = [word.replace("/one", f"{tmp_path}/one").replace("/two", f"{tmp_path}/two") for word in command]
    subprocess.run(words, check=True)
    kept = secret_in(tmp_path / "one")
    subprocess.run(words, check=True)  # when all are started again
    assert secret_in(tmp_path / "one") == secret_in(tmp_path / "two") == kept


def test_the_container_file_is_unprivileged_and_copies_what_exists() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    stages = re.findall(r"^FROM .*", text, re.MULTILINE)
    assert len(stages) == 3
    assert re.findall(r"^USER (\d+)$", text, re.MULTILINE) == ["10001"]
    for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source


def test_linters_have_no_complaints() -> None:
    rules = "{extends: default, rules: {line-length: {max: 140}}}"
    for words in (
        [str(BIN / "hadolint"), str(DEPLOY / "Containerfile")],
        [sys.executable, "-m", "yamllint", "--strict", "-d", rules, str(DEPLOY / "compose.yaml")],
    ):
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
