"""Compiled rules as one object file with plain C symbols, for any processor of this kind.

The compiler keeps the LLVM module of every rule, with everything the rule calls. Here each gets a C function in front
of it, everything else becomes private, and what is left over (wrappers for Python) is dropped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm

from polemos.kernel import cache, rule
from polemos.kernel.errors import NoLibrary
from polemos.kernel.mode import INTERPRETED

SPEED: Final = 3  # the highest level of optimisation


def object_of(package: str, prefix: str, rules: Mapping[str, Any]) -> bytes:
    """The object file of these rules, as functions called `prefix` and their name. Kept beside the compiled rules."""
    if INTERPRETED:
        raise NoLibrary("A library needs compiled rules. Unset POLEMOS_INTERPRET.")
    kept = _place(package, prefix, rules)
    if kept is not None:
        with suppress(OSError):
            return kept.read_bytes()
    made = _emit(prefix, rules)
    if kept is not None:
        with suppress(OSError):  # the disk is full: the next run writes it again
            new = kept.with_suffix(f".{hashlib.blake2b(made, digest_size=4).hexdigest()}")
            new.write_bytes(made)
            new.replace(kept)
    return made


def _place(package: str, prefix: str, rules: Mapping[str, Any]) -> Path | None:
    """Where the object file is kept: its folder depends on the rules' sources, its name on everything else."""
    folder = cache.folder_for(package)
    parts = [prefix, llvmlite.__version__, llvm.get_default_triple(), Path(__file__).read_text(encoding="utf-8")]
    parts += [f"{name} {f.__module__}.{f.__name__}" for name, f in rules.items()]
    digest = hashlib.blake2b("\n".join(parts).encode(), digest_size=8).hexdigest()
    return None if folder is None else folder / f"library-{digest}.o"


def _emit(prefix: str, rules: Mapping[str, Any]) -> bytes:
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    # Not this machine's own processor: a bot may be built here and play elsewhere.
    machine = target.create_target_machine(opt=SPEED, reloc="pic", codemodel="default")
    whole = llvm.parse_assembly("")
    whole.triple, whole.data_layout = llvm.get_default_triple(), str(machine.target_data)
    for name, compiled in rules.items():
        whole.link_in(_module(f"{prefix}{name}", compiled))
    tuning = llvm.create_pipeline_tuning_options(speed_level=SPEED)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(whole, builder)
    code: bytes = machine.emit_object(whole)
    return code


def _module(name: str, compiled: Any) -> Any:
    """The module of a rule with one public function."""
    declared = rule.signature(compiled.py_func)
    if not compiled.signatures:
        compiled.compile(declared)
    made = compiled.overloads[tuple(declared.args)]
    module = made.library._get_module_for_linking().clone()
    module.link_in(llvm.parse_assembly(_front(name, made.fndesc.mangled_name, declared)))
    for inside in (*module.functions, *module.global_variables):
        if not inside.is_declaration and inside.name != name:
            inside.linkage = "internal"
    return module


def _front(name: str, inner: str, declared: Any) -> str:
    """A C function that calls a rule as rules call each other.

    A rule gets places for its result and for an exception, and an array as seven values. Rules raise no exceptions.
    """
    from numba import types

    taken, given = [], ["ptr %result", "ptr %exception"]
    for i, kind in enumerate(declared.args):
        if isinstance(kind, types.Record):
            taken.append(f"ptr %a{i}")
            given.append(f"ptr %a{i}")
        elif isinstance(kind, types.Array):
            each = kind.dtype.size
            taken += [f"ptr %a{i}", f"i64 %n{i}"]
            given += ["ptr null", "ptr null", f"i64 %n{i}", f"i64 {each}", f"ptr %a{i}", f"i64 %n{i}", f"i64 {each}"]
        elif kind in (types.int64, types.uint64):
            taken.append(f"i64 %a{i}")
            given.append(f"i64 %a{i}")
        else:
            raise TypeError(f"{name}: a C function cannot pass on {kind}")
    return f"""
        declare i32 @"{inner}"({", ".join(value.split()[0] for value in given)})
        define hidden i64 @{name}({", ".join(taken)}) {{
            %result = alloca i64
            %exception = alloca ptr
            store i64 0, ptr %result
            call i32 @"{inner}"({", ".join(given)})
            %value = load i64, ptr %result
            ret i64 {"0" if declared.return_type == types.none else "%value"}
        }}"""
