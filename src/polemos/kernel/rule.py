"""`@rule`: a rule function over records, compiled as written, or left to Python in interpreted mode.

The types of a rule come from its annotations, never from its call sites: there is one version of every rule, and the
sign of a number can never be shifted into a die. Compilation is lazy, cached on disk, and announced.

`@entry` marks the few rules that Python calls; `prepare` compiles them all and reports progress.
"""

from __future__ import annotations

import ctypes as c
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from polemos.kernel import cache
from polemos.kernel.mode import CHECKED, INTERPRETED
from polemos.kernel.record import Many, Record

F = TypeVar("F", bound=Callable[..., Any])

RULES: list[Any] = []
ENTRIES: list[Any] = []

_preparing = False
_announced: set[Path | None] = set()

if TYPE_CHECKING:
    numba: Any
elif not INTERPRETED:
    import numba
    import numba.core.caching
    import numba.core.event
    from numba.extending import typeof_impl

    @typeof_impl.register(Record)
    def _type_of_record(value, context):
        return numba.from_dtype(type(value).dtype)


def _whole(record: type[Record]) -> Any:
    return record.dtype


def signature(f: Any, layout: Callable[[type[Record]], Any] = _whole) -> Any:
    """The only signature of a rule, from its annotations; every int is 64 bits wide. `layout` is that of records."""
    hints = get_type_hints(f, include_extras=True)
    names = f.__code__.co_varnames[: f.__code__.co_argcount]
    return _type(hints["return"], layout)(*(_type(hints[name], layout) for name in names))


def _type(hint: Any, layout: Callable[[type[Record]], Any]) -> Any:
    if isinstance(hint, type) and issubclass(hint, Record):
        return numba.from_dtype(layout(hint))
    if get_origin(hint) is Many:
        (record,) = get_args(hint)
        return numba.types.Array(numba.from_dtype(layout(record)), 1, "A")
    if getattr(hint, "__metadata__", ())[:1] == (c.c_uint64,):
        return numba.uint64
    if hasattr(hint, "__metadata__"):
        return numba.int64
    return {int: numba.int64, bool: numba.boolean, type(None): numba.void}[hint]


def _as_it_is(locator: Any) -> None:
    """In place of a test whether a cache can be written to."""


def rule(f: F) -> F:
    """Compiles a rule function. Inside: no floats, no exceptions, no allocation, no default arguments."""
    if INTERPRETED:
        return f
    folder = cache.folder_for(f.__module__)
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
        if cache.is_frozen(folder):  # the compiler would not read a cache that it can't write to
            numba.core.caching._CacheLocator.ensure_cache_path = _as_it_is
    compiled: Any = numba.njit(
        cache=folder is not None,
        nogil=True,
        boundscheck=CHECKED,
        no_cfunc_wrapper=True,
        _nrt=False,  # allocation inside a rule becomes a compile error
    )(f)
    plain = compiled.compile

    def compile(asked: Any) -> Any:
        types, _ = numba.core.sigutils.normalize_signature(asked)
        declared = signature(f)
        # Without this check the first call would accept a wrong record class, and write past its end.
        for got, want in zip(types, declared.args, strict=True):
            if compiled.typingctx.can_convert(got, want) is None:
                raise TypeError(f"{f.__name__}: an argument has the wrong type ({got}, expected {want})")
        if not _preparing:
            _announce(folder)
        with numba.core.compiler_lock.global_compiler_lock:  # two threads may call a rule for the first time at once
            made = compiled.overloads.get(tuple(declared.args))
            if made is not None:
                return made.entry_point
            try:
                result = plain(declared)
            except numba.core.errors.NumbaError:
                raise
            except Exception:  # the cache on disk is damaged, or the disk is full: do without it
                if folder is None:
                    raise
                cache.wipe(folder)
                compiled._cache = numba.core.caching.NullCache()
                result = plain(declared)
            compiled.disable_compile()  # from now on only this version, with conversions
            return result

    compiled.compile = compile
    RULES.append(compiled)
    return compiled  # type: ignore[no-any-return]


def entry(f: F) -> F:
    """A rule that Python calls."""
    compiled = rule(f)
    ENTRIES.append(compiled)
    return compiled


def wake(*entries: Any) -> None:
    """Loads these compiled rules, or compiles them, now and not when they are first called: before a clock runs."""
    for entry in entries:
        if not INTERPRETED and entry in ENTRIES and not entry.signatures:
            entry.compile(signature(entry.py_func))


def _announce(folder: Path | None) -> None:
    """Explains the wait, once, when rules are first used without `prepare`."""
    if folder not in _announced and (folder is None or not cache.is_complete(folder)):
        print("polemos: compiling the rules, up to a minute, once per version", file=sys.stderr)
    _announced.add(folder)


def _of(package: str, rules: list[Any]) -> list[Any]:
    """The rules of a game's package, and the rules of the kernel that it may call."""
    inside = ("polemos.kernel.", package + ".")
    return [r for r in rules if (r.__module__ + ".").startswith(inside)]


def is_prepared(package: str) -> bool:
    """Whether the rules of this package are already compiled."""
    if INTERPRETED:
        return True
    folder = cache.folder_for(package)
    return folder is not None and cache.is_complete(folder)


def prepare(package: str, progress: Callable[[int, int], None] | None = None) -> None:
    """Compiles all entries of a game's package, or loads them from the cache. Calls `progress(done, of)` as it goes."""
    global _preparing
    if INTERPRETED:
        return
    folder = cache.folder_for(package)
    total = len(_of(package, RULES))
    done = 0

    def step() -> None:
        nonlocal done
        done = min(done + 1, total)
        if progress is not None:
            progress(done, total)

    _preparing = True
    try:
        with _each_compiled(step):
            for compiled in _of(package, ENTRIES):
                if not compiled.signatures:
                    compiled.compile(signature(compiled.py_func))
    finally:
        _preparing = False
    if progress is not None:
        progress(total, total)
    for room in (folder, cache.folder_for(__name__)):
        if room is not None:
            cache.complete(room)


@contextmanager
def _each_compiled(step: Callable[[], None]) -> Iterator[None]:
    class Listener(numba.core.event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            pass

        def on_end(self, event: Any) -> None:
            step()

    listener = Listener()
    numba.core.event.register("numba:compile", listener)
    try:
        yield
    finally:
        numba.core.event.unregister("numba:compile", listener)
