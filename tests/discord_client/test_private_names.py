"""The names of discord.py that the app uses although they aren't part of its interface: few, and in one folder."""

import ast
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

import pytest

from benchmarks.private_names import private_names

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = [path.relative_to(ROOT) for top in ("bot", "cogs") for path in sorted((ROOT / top).rglob("*.py"))]

OVERRIDDEN: Final[Mapping[str, str]] = {
    "discord.app_commands.CommandTree._call": "to count, limit and answer each command, even if it fails early",
}
REPLACED: Final[Mapping[str, str]] = {
    "discord.Message._handle_components": "to skip the components of Discord's copies of the app's messages",
    "discord.shard.DiscordWebSocket": "to skip unreadable payloads, and to begin sessions one after another",
    "discord.shard.ExponentialBackoff": "to try again to connect after a minute instead of 17",
    "discord.http.Route.BASE": "to send requests to the playground",
    "discord.VoiceClient.warn_nacl": "to start without warnings about voice, which isn't used",
    "discord.VoiceClient.warn_dave": "to start without warnings about voice, which isn't used",
}


def imported_from_discord(tree: ast.AST) -> dict[str, str]:
    """The full names of what a module imports from discord.py, by the names that it uses."""
    found = dict[str, str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name: alias.name for alias in node.names if alias.name == "discord"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "discord":
            found |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return found


def replaced(tree: ast.AST) -> Iterator[str]:
    """The attributes of discord.py's modules and classes that a module assigns."""
    imported = imported_from_discord(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            first, _, rest = ast.unparse(node).partition(".")
            if first in imported:
                yield f"{imported[first]}.{rest}"


def test_private_names_are_used_only_where_they_are_listed() -> None:
    used = private_names(MODULES)
    assert set(used) == {name.rpartition(".")[2] for name in (*OVERRIDDEN, *REPLACED) if "._" in name}
    assert {Path(module).parent for module in used.values()} == {Path("bot/discord_client")}


def test_parts_of_discord_py_are_replaced_only_where_they_are_listed() -> None:
    found = {module: set(replaced(ast.parse((ROOT / module).read_text()))) for module in MODULES}
    assert set().union(*found.values()) == set(REPLACED)
    assert {module.parent for module, names in found.items() if names} == {Path("bot/discord_client")}


def test_there_are_at_most_ten() -> None:
    assert len({**OVERRIDDEN, **REPLACED}) <= 10


@pytest.mark.parametrize("name", [*OVERRIDDEN, *REPLACED])
def test_discord_py_has_them(name: str) -> None:
    assert version("discord.py").startswith("2.7.")
    resolve_name(name)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import discord\ndiscord.shard.Shard = Other", {"discord.shard.Shard"}),
        ("from discord.http import Route as R\nR.BASE, x = '', 1", {"discord.http.Route.BASE"}),
        ("from discord.http import Route as R\nR.BASE = x = ''", {"discord.http.Route.BASE"}),
        ("from discord.http import Route\nroute = Route('GET', '/')", set()),
        ("import aiohttp\naiohttp.ClientSession = Other", set()),
    ],
)
def test_replaced_parts_are_found(source: str, names: set[str]) -> None:
    assert set(replaced(ast.parse(source))) == names
