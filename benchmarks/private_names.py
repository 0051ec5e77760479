"""The private names of discord.py that the app uses: each may change with any of its releases."""

import ast
import inspect
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType


def private_names(modules: Iterable[Path]) -> dict[str, str]:
    """The private names of discord.py in some modules (paths from the current folder), each with its last module.

    These are attributes of other objects, and what a subclass of discord.py's classes overrides or reads.
    """
    found = {}
    for path in modules:
        source = path.read_text(encoding="utf-8")
        if "import discord" in source or "from discord" in source:
            module = import_module(".".join(path.with_suffix("").parts))
            for name in (*_foreign(ast.parse(source)), *_inherited(module)):
                found[name] = path.as_posix()
    return found


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _foreign(tree: ast.AST) -> Iterator[str]:
    """Private attributes of anything but `self`, `cls`, `super()` and what this module names so itself."""
    own = {name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for name in _names(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and _is_private(node.attr) and node.attr not in own:
            yield node.attr


def _inherited(module: ModuleType) -> Iterator[str]:
    """The private names of discord.py's classes that the classes of a module use."""
    for one in vars(module).values():
        if inspect.isclass(one) and one.__module__ == module.__name__:
            theirs = {name for base in one.__mro__ if base.__module__.startswith("discord.") for name in _of(base)}
            yield from theirs & set(_of(one)) if theirs else ()


def _of(one: type) -> frozenset[str]:
    return frozenset(_names(ast.parse(dedent(inspect.getsource(one)))))


def _names(tree: ast.AST) -> Iterator[str]:
    """The private methods, and the private attributes of `self`, `cls` and `super()`."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                pass
            case ast.Attribute(attr=name, value=ast.Name(id="self" | "cls") | ast.Call(func=ast.Name(id="super"))):
                pass
            case _:
                continue
        if _is_private(name):
            yield name
