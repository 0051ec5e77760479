"""The commands and the handlers that the cogs declare."""

import importlib
import pkgutil
from typing import Any

from discord import app_commands
from discord.ext import commands

import cogs


def cog_classes() -> list[type[commands.Cog]]:
    """All cogs."""
    for module in pkgutil.iter_modules(cogs.__path__):
        importlib.import_module(f"cogs.{module.name}")
    return [kind for kind in commands.Cog.__subclasses__() if kind.__module__.startswith("cogs.")]


def all_commands() -> dict[str, app_commands.Command[Any, ..., Any]]:
    """The commands of all cogs, by name."""
    declared = [command for kind in cog_classes() for command in kind.__cog_app_commands__]
    return {command.name: command for command in declared if isinstance(command, app_commands.Command)}


def number_options() -> dict[str, str]:
    """The option for the number of a table or match, by the command that has one."""
    return {
        name: parameter.display_name
        for name, command in all_commands().items()
        for parameter in command.parameters
        if parameter.autocomplete
    }
