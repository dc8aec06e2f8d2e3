"""Settings by flag, variable and file: one declaration makes all three, and mistakes are explained."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from polemos.cli.serve import command
from polemos.server.configuration import BadSettings, declared, hidden, read
from together import together

NAMES = [one.name for one in declared()]

# For every setting: how it is written as a flag, in a variable, in a file, and the value that this must give.
WRITTEN: dict[str, tuple[list[str], str, str, object]] = {
    "folder": (["--folder", "f"], "f", 'folder = "f"', Path("f")),
    "database": (["--database", "sqlite:///x"], "sqlite:///x", 'database = "sqlite:///x"', "sqlite:///x"),
    "host": (["--host", "::1"], "::1", 'host = "::1"', "::1"),
    "port": (["--port", "81"], "81", "port = 81", 81),
    "inner": (["--inner", "10.0.0.5:70"], "10.0.0.5:70", 'inner = "10.0.0.5:70"', "10.0.0.5:70"),
    "bot": (["--bot", "go:a=b c"], "go:a=b c", '[bot.go]\na = "b c"', {"go": {"a": "b c"}}),
    "exhibition": (["--no-exhibition"], "false", "exhibition = false", False),
    "open": (["--open"], "1", "open = true", True),
    "behind": (["--behind", "10.0.0.1"], "10.0.0.1", 'behind = "10.0.0.1"', "10.0.0.1"),
    "public": (["--public", "https://a.b"], "https://a.b", 'public = "https://a.b"', "https://a.b"),
    "secure": (["--secure"], "true", "secure = true", True),
    "limits": (["--limits", "2.5"], "2.5", "limits = 2.5", 2.5),
    "bot-processes": (["--bot-processes", "3"], "3", "bot-processes = 3", 3),
    "bot-ray": (["--bot-ray", "auto"], "auto", 'bot-ray = "auto"', "auto"),
    "ladder": (["--no-ladder"], "false", "ladder = false", False),
    "ladder-workers": (["--ladder-workers", "0"], "0", "ladder-workers = 0", 0),
    "ladder-folder": (["--ladder-folder", "l"], "l", 'ladder-folder = "l"', Path("l")),
    "toolchains": (["--toolchains", "/opt/rust"], "/opt/rust", 'toolchains = "/opt/rust"', "/opt/rust"),
    "log-format": (["--log-format", "json"], "json", 'log-format = "json"', "json"),
    "log-level": (["--log-level", "error"], "error", 'log-level = "error"', "error"),
    "access-log": (["--access-log"], "true", "access-log = true", True),
    "metrics": (["--metrics", "[::1]:91"], "[::1]:91", 'metrics = "[::1]:91"', "[::1]:91"),
    "metrics-token": (["--metrics-token", "t" * 16], "t" * 16, f'metrics-token = "{"t" * 16}"', "t" * 16),
    "operators": (["--operators", "ada,ben"], "ada,ben", 'operators = "ada,ben"', "ada,ben"),
    "stop-seconds": (["--stop-seconds", "4"], "4", "stop-seconds = 4", 4.0),
    "retry-seconds": (["--retry-seconds", "0.5"], "0.5", "retry-seconds = 0.5", 0.5),
}
PAIRS = {"tls-cert", "tls-key", "processes"}  # only make sense together with another


def attribute(name: str) -> str:
    return next(one.attribute for one in declared() if one.name == name)


def test_every_setting_is_written_here() -> None:
    assert set(WRITTEN) | PAIRS == set(NAMES)


def shown(*words: str, env: dict[str, str] | None = None) -> dict[str, tuple[str, str]]:
    """What `polemos serve --show-config` says: the value of each setting as in a file, and where it came from."""
    result = CliRunner().invoke(command, [*words, "--show-config"], env=env, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    found = {}
    for line in result.output.splitlines():
        setting, _, source = line.rpartition("  # ")
        name, _, value = setting.strip().partition(" = ")
        found[name.removeprefix("# ").removesuffix(" is not set")] = value, source
    return found


@together("name", list(WRITTEN))
def test_a_setting_by_flag_variable_and_file(name: str, tmp_path: Path) -> None:
    flags, variable, line, value = WRITTEN[name]
    file = tmp_path / "polemos.toml"
    file.write_text(line)
    env = {f"POLEMOS_{name.upper().replace('-', '_')}": variable}
    by_file, by_variable = read({}, {}, file), read({}, env)
    assert getattr(by_file.settings, attribute(name)) == value
    assert by_file.sources[name] == f"file {file}"
    assert getattr(by_variable.settings, attribute(name)) == value
    assert by_variable.sources[name] == f"variable {next(iter(env))}"
    by_flag = shown(*flags)
    assert by_flag[name][1] == f"flag --{name}"
    assert by_flag[name][0] == shown("--config", str(file))[name][0]
    assert {source for other, (_, source) in by_flag.items() if other != name} == {"default"}


def test_flags_go_before_variables_and_variables_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "polemos.toml"
    file.write_text('port = 1\nhost = "1.1.1.1"\nlimits = 7.0\n')
    made = read({"port": "3"}, {"POLEMOS_PORT": "2", "POLEMOS_HOST": "2.2.2.2", "POLEMOS_CONFIG": str(file)})
    assert (made.settings.port, made.settings.host, made.settings.limits) == (3, "2.2.2.2", 7.0)
    assert [made.sources[name] for name in ("port", "host", "limits", "folder")] == [
        "flag --port",
        "variable POLEMOS_HOST",
        f"file {file}",
        "default",
    ]


def test_the_settings_shown_can_be_used_as_a_file(tmp_path: Path) -> None:
    words = ["--port", "81", "--bot", "go:a=b", "--bot", "go:c=d", "--log-format", "json", "--no-exhibition"]
    result = CliRunner().invoke(command, [*words, "--show-config"], catch_exceptions=False)
    file = tmp_path / "polemos.toml"
    file.write_text(result.output)
    again = read({}, {}, file)
    assert again.settings.programs == {"go": {"a": "b", "c": "d"}}
    assert (again.settings.port, again.settings.log_format, again.settings.exhibition) == (81, "json", False)
    assert set(tomllib.loads(result.output)) <= set(NAMES)


def test_secrets_are_not_shown() -> None:
    token, password = "tokentokentoken1", "s3cret:p@ss"
    said = CliRunner().invoke(
        command,
        ["--show-config"],
        env={"POLEMOS_METRICS_TOKEN": token, "POLEMOS_DATABASE": f"postgresql://me:{password}@db/polemos"},
    )
    assert said.exit_code == 0
    assert token not in said.output
    assert "s3cret" not in said.output
    assert 'database = "postgresql://me:(hidden)@db/polemos"' in said.output
    assert hidden("postgresql:///p?password=abc&host=/run") == "postgresql:///p?password=(hidden)&host=/run"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("prot = 1", "no setting 'prot' in {file}. Did you mean port?"),
        ("tls_cert = 'a'", "Did you mean tls-cert?"),
        ("xyzzy = 1", "The settings are folder, database, host, port"),
        ("port = 65536", "port in {file} can't be '65536'. It must be a whole number from 0 to 65535."),
        ("port = true", "port in {file} can't be 'true'. It must be a whole number from 0 to 65535."),
        ("log-format = 'yaml'", "It must be one of json, plain."),
        ("secure = 'perhaps'", "It must be true or false."),
        ("limits = 0", "It must be a number"),
        ("bot = ['mine=bot.py']", "It must be GAME:NAME=COMMAND"),
        ("metrics-token = 'short'", "can't be (hidden). It must be a text of at least 16 characters."),
        ("metrics = '9100'", "such as 127.0.0.1:9100"),
        ("database = 'mysql://x:pw@y'", "can't be 'mysql://x:(hidden)@y'. It must begin with postgresql://"),
        ("tls-cert = 'a'", "https needs both --tls-cert and --tls-key."),
        ("processes = 2", "processes can't be 2 with SQLite, which is for one process. Use PostgreSQL"),
        ("inner = '7000'", "inner can't be '7000'. It must be an address and a port"),
        ("inner = '0.0.0.0:7000'", "an address of this machine that the others can reach"),
        ("public = 'play'", "such as https://play.example.org"),
        ("port = ", "{file} is not TOML"),
    ],
)
def test_mistakes_in_a_file_are_explained(line: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "polemos.toml"
    file.write_text(line)
    with pytest.raises(BadSettings) as error:
        read({}, {}, file)
    assert words.format(file=file) in error.value.why


def test_mistakes_in_flags_and_variables_are_explained() -> None:
    with pytest.raises(BadSettings, match=r"--port can't be 'x'. It must be a whole number from 0 to 65535."):
        read({"port": "x"}, {})
    with pytest.raises(BadSettings, match=r"POLEMOS_SECURE can't be 'maybe'. It must be true or false."):
        read({}, {"POLEMOS_SECURE": "maybe"})
    with pytest.raises(BadSettings, match=r"no setting for the variable POLEMOS_PROT. Did you mean POLEMOS_PORT\?"):
        read({}, {"POLEMOS_PROT": "1"})
    with pytest.raises(BadSettings, match="can't be read: No such file"):
        read({}, {"POLEMOS_CONFIG": "/nowhere/polemos.toml"})
    assert read({}, {"POLEMOS_CACHE": "x", "POLEMOS_INTERPRET": "1"}).settings.port == 8000
    said = CliRunner().invoke(command, ["--prot", "1"])
    assert said.exit_code == 2
    assert "--port" in said.output
