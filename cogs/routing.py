"""The handlers of presses, forms and commands, each with the action that it counts for in `bot.table.limits`."""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.ui.custom_ids import Press, Verb
from bot.table.limits import Action

Method = TypeVar("Method", bound=Callable[..., Awaitable[None]])
Command = TypeVar("Command", bound=app_commands.Command[Any, ..., Any])


@dataclass(frozen=True, slots=True)
class ByArgument:
    """A cost that depends on an argument of the press."""

    actions: Mapping[str, Action]
    otherwise: Action | None = None
    """The action of presses without any of these arguments."""


Cost: TypeAlias = Action | ByArgument | None
"""The action that a press counts for, besides being a press."""


@dataclass(frozen=True, slots=True)
class Handler:
    """Handles the presses or forms with a verb."""

    kind: discord.InteractionType
    verb: Verb
    cost: Cost
    handle: Callable[[discord.Interaction, Press], Awaitable[None]]

    def action(self, press: Press) -> Action | None:
        """The action that a press counts for. The last argument that has one decides."""
        if not isinstance(self.cost, ByArgument):
            return self.cost
        actions = self.cost.actions
        return next((actions[each] for each in reversed(press.arguments) if each in actions), self.cost.otherwise)


_HANDLED: Final[dict[Callable[..., Awaitable[None]], list[tuple[discord.InteractionType, Verb, Cost]]]] = {}
_COST: Final = "cost"
"""The name of a command's cost among its extras."""


def on_press(*verbs: Verb, costs: Cost) -> Callable[[Method], Method]:
    """Route presses of buttons and menus with these verbs to a method `(interaction, press)` of a cog."""
    return partial(_keep, discord.InteractionType.component, verbs, costs)


def on_form(*verbs: Verb, costs: Cost) -> Callable[[Method], Method]:
    """Route submitted forms with these verbs to a method `(interaction, press)` of a cog."""
    return partial(_keep, discord.InteractionType.modal_submit, verbs, costs)


def _keep(kind: discord.InteractionType, verbs: tuple[Verb, ...], cost: Cost, method: Method) -> Method:
    _HANDLED.setdefault(method, []).extend((kind, verb, cost) for verb in verbs)
    return method


def handlers(cog: commands.Cog) -> Iterator[Handler]:
    """The handlers of presses and forms in a cog."""
    for name, method in inspect.getmembers(type(cog), inspect.isfunction):
        for kind, verb, cost in _HANDLED.get(method, ()):
            yield Handler(kind, verb, cost, getattr(cog, name))


def costs(action: Action | None) -> Callable[[Command], Command]:
    """Count a command as an action. Every command needs it: without a limit of its own, `None`."""

    def keep(command: Command) -> Command:
        command.extras[_COST] = action
        return command

    return keep


def cost_of(command: app_commands.Command[Any, ..., Any]) -> Action | None:
    """The action that a command counts for. Raises `KeyError` if it was forgotten."""
    return cast("Action | None", command.extras[_COST])
