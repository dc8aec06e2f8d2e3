"""Reads the settings of a server from flags, variables and a file, in this order; the first that has one decides."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct, inspect

from polemos.kernel.errors import PolemosError
from polemos.kernel.orders import shown
from polemos.kernel.valid import words
from polemos.server.settings import Settings

PREFIX: Final = "POLEMOS_"
FILE: Final = "POLEMOS_CONFIG"  # names the file
OTHERS: Final = frozenset(  # not settings of a server
    {
        FILE,
        "POLEMOS_CACHE",
        "POLEMOS_CHECKED",
        "POLEMOS_INTERPRET",
        "POLEMOS_SERVER",
        "POLEMOS_TOKEN",
        "POLEMOS_WORKER_TOKEN",
    }
)
NEAR: Final = 0.75  # how similar a misspelt variable is to the right one; less similar ones are not ours
HIDDEN: Final = "(hidden)"


class BadSettings(PolemosError):
    """A setting that does not exist, or cannot have this value."""

    word = "settings/bad"


class Declared(Struct, frozen=True):
    """One setting, as `Settings` declares it."""

    name: str  # in a file; the others follow from it
    attribute: str
    type: Any
    default: Any
    words: str
    example: str
    secret: bool
    stand_in: str

    @property
    def flag(self) -> str:
        return f"--{self.name}"

    @property
    def variable(self) -> str:
        return f"{PREFIX}{self.name.upper().replace('-', '_')}"

    @property
    def is_switch(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def is_many(self) -> bool:
        """Whether it can be given several times: bots."""
        return isinstance(self.default, dict)

    @property
    def placeholder(self) -> str:
        """Stands for the value in the help of a command."""
        if self.example:
            return self.example if self.is_many else self.stand_in
        kinds = _kinds(inspect.type_info(self.type))
        choices = [kind.values for kind in kinds if isinstance(kind, inspect.LiteralType)]
        if choices:
            return "|".join(map(str, choices[0]))
        if any(isinstance(kind, inspect.FloatType | inspect.IntType) for kind in kinds):
            return "NUMBER"
        return "TEXT" if self.secret else "PATH"

    @property
    def valid(self) -> str:
        """What would have been right."""
        kinds = _kinds(inspect.type_info(self.type))
        if self.is_many:
            return f"{self.example}, such as chess:mine=bot.py"
        if any(isinstance(kind, inspect.CustomType) and kind.cls is Path for kind in kinds):
            return "a path"
        if self.example:
            return f"a text, such as {self.example}"
        least = next((kind.min_length for kind in kinds if isinstance(kind, inspect.StrType)), None)
        if least:
            return f"a text of at least {least} characters"
        return words(self.type).removesuffix(" or null")


class Configured(Struct, frozen=True):
    """Settings, and where each came from."""

    settings: Settings
    sources: dict[str, str]

    def lines(self) -> Iterator[str]:
        """The settings in the form of a file, without secrets."""
        written = [(_line(one, getattr(self.settings, one.attribute)), one) for one in declared()]
        width = max(len(line) for line, _ in written if len(line) <= 60)
        for line, one in written:
            yield f"{line:{width}}  # {self.sources[one.name]}"


def declared() -> tuple[Declared, ...]:
    return tuple(_declared(field) for field in msgspec.structs.fields(Settings))


def read(flags: Mapping[str, Any], variables: Mapping[str, str], path: Path | None = None) -> Configured:
    """Reads all settings. `flags` holds those that were given, by name.

    Without a path, the file is the one that the variable POLEMOS_CONFIG names, if it does.
    """
    if path is None and variables.get(FILE):
        path = Path(variables[FILE])
    in_file = {} if path is None else _file(path)
    _refuse_unknown_variables(variables)
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for one in declared():
        given: tuple[Any, str, str]
        if flags.get(one.name) is not None and flags[one.name] != ():
            given = flags[one.name], one.flag, f"flag {one.flag}"
        elif variables.get(one.variable):
            text = variables[one.variable]
            given = (text.splitlines() if one.is_many else text), one.variable, f"variable {one.variable}"
        elif one.name in in_file:
            given = in_file[one.name], f"{one.name} in {path}", f"file {path}"
        else:
            sources[one.name] = "default"
            continue
        values[one.attribute] = _converted(one, given[0], given[1])
        sources[one.name] = given[2]
    settings = Settings(**values)
    _check_together(settings)
    return Configured(settings, sources)


def hidden(url: str) -> str:
    """An address of a database without its password.

    >>> hidden("postgresql://polemos:s3cret@db/polemos?password=s3cret&host=db")
    'postgresql://polemos:(hidden)@db/polemos?password=(hidden)&host=db'
    """
    url = re.sub(r"(://[^/@:]*:)[^/]*@", rf"\1{HIDDEN}@", url)
    return re.sub(r"\b(password=)[^&]*", rf"\1{HIDDEN}", url)


# ---- reading


def _declared(field: msgspec.structs.FieldInfo) -> Declared:
    meta = next(meta for meta in field.type.__metadata__ if isinstance(meta, msgspec.Meta))
    about = dict(meta.extra or {})
    default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return Declared(
        field.encode_name,
        field.name,
        field.type,
        default,
        meta.description or "",
        **{key: about[key] for key in _ABOUT},
    )


_ABOUT: Final = ("example", "secret", "stand_in")


def _kinds(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    """The types that a value may have."""
    if isinstance(kind, inspect.Metadata):
        return _kinds(kind.type)
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"The settings in {path} can't be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path} is not TOML: {error}. Write lines such as port = 8000.") from None
    names = [one.name for one in declared()]
    for name in found:
        if name not in names:
            raise BadSettings(f"There is no setting {shown(name)!r} in {path}.{_hint(name, names)}")
    return found


def _refuse_unknown_variables(variables: Mapping[str, str]) -> None:
    """Refuses misspelt variables. Others that begin like ours may belong to something else."""
    known = [one.variable for one in declared()]
    for name in variables:
        if name.startswith(PREFIX) and name not in OTHERS and name not in known:
            if near := get_close_matches(
                name.removeprefix(PREFIX), [one.removeprefix(PREFIX) for one in known], 1, NEAR
            ):
                raise BadSettings(f"There is no setting for the variable {name}. Did you mean {PREFIX}{near[0]}?")


def _hint(name: str, names: list[str]) -> str:
    near = get_close_matches(name.replace("_", "-"), names, n=1)
    return f" Did you mean {near[0]}?" if near else f" The settings are {', '.join(names)}."


def _converted(one: Declared, value: Any, where: str) -> Any:
    """A value of the right type; text is understood, as flags and variables are text."""
    try:
        if one.is_many:
            return _bots(value)
        if value == "" or (isinstance(value, bool) and not one.is_switch):
            raise ValueError
        return msgspec.convert(value, one.type, strict=False, dec_hook=_path)
    except (msgspec.ValidationError, ValueError, TypeError):
        what = HIDDEN if one.secret else repr(shown(value))
        raise BadSettings(f"{where} can't be {what}. It must be {one.valid}.") from None


def _path(kind: type, value: Any) -> Any:
    if kind is Path and isinstance(value, str):
        return Path(value)
    raise ValueError


def _bots(given: Any) -> dict[str, dict[str, str]]:
    """Reads bots such as `chess:mine=node bot.js`; a file can also have them as a table."""
    if isinstance(given, Mapping):
        return msgspec.convert(given, dict[str, dict[str, str]])
    found: dict[str, dict[str, str]] = {}
    for text in [given] if isinstance(given, str) else given:
        if not str(text).strip():
            continue
        game, colon, rest = str(text).strip().partition(":")
        name, equals, command = rest.partition("=")
        if not (colon and equals and name and command):
            raise ValueError
        found.setdefault(game, {})[name] = command
    return found


def _check_together(settings: Settings) -> None:
    """Checks settings that only make sense together."""
    if (settings.tls_cert is None) != (settings.tls_key is None):
        raise BadSettings("https needs both --tls-cert and --tls-key.")
    if settings.database is not None and not settings.database.startswith(("postgresql://", "sqlite:///")):
        raise BadSettings(
            f"database can't be {hidden(settings.database)!r}. It must begin with postgresql:// or sqlite:///."
        )
    if settings.processes > 1 and not settings.url.startswith("postgresql://"):
        raise BadSettings(
            f"processes can't be {settings.processes} with SQLite, which is for one process. Use PostgreSQL: --database"
            " postgresql://user@host/polemos."
        )
    if address_of(settings.inner, "inner")[0] in ("0.0.0.0", "::"):
        raise BadSettings(
            f"inner can't be {settings.inner!r}. It must be an address of this machine that the others can reach."
        )
    if settings.metrics is not None:
        address_of(settings.metrics)
    if settings.public is not None and not re.fullmatch(r"https?://[^/?#\s]+/?", settings.public):
        raise BadSettings(
            f"public can't be {shown(settings.public)!r}. It must be an address, such as https://play.example.org."
        )


def inner_address(settings: Settings, number: int | None) -> tuple[str, int]:
    """Where a process listens for others. Several in one folder have ports one after the other."""
    host, port = address_of(settings.inner, "inner")
    return host, port + (number or 0) if port else 0


def address_of(text: str, setting: str = "metrics") -> tuple[str, int]:
    """The host and port of an address such as `127.0.0.1:9100` or `[::1]:9100`."""
    host, colon, port = text.rpartition(":")
    if not (colon and host and port.isdecimal() and int(port) < 65536):
        raise BadSettings(
            f"{setting} can't be {shown(text)!r}. It must be an address and a port, such as 127.0.0.1:9100."
        )
    return host.strip("[]"), int(port)


# ---- showing


def _line(one: Declared, value: Any) -> str:
    if value is None or value == {}:
        return f"# {one.name} is not set"
    if one.secret:
        return f'{one.name} = "{HIDDEN}"'
    if one.name == "database":
        value = hidden(value)
    if one.is_many:
        value = [f"{game}:{name}={command}" for game, bots in value.items() for name, command in bots.items()]
    return f"{one.name} = {json.dumps(value, default=str, ensure_ascii=False)}"
