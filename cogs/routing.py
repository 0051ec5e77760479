"""The handlers of presses, forms and commands, and the limits that they count for (`bot.table.limits`)."""

import inspect
from collections.abc import Awaitable, Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.ui.custom_ids import Press, Verb
from bot.services.rate_limiter import Actor, RateLimiter
from bot.table.limits import Action
from bot.table.refusals import ManagersOnly, TryAgainLater, UnknownButton, UnknownCommand
from cogs.base import chosen_value, guild_id_of

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


FOR_MANAGERS: Final = frozenset({Action.EXPORT_GUILD, Action.SEASON})
"""Actions counted per guild. Presses of members who don't manage it don't use them up."""
_HANDLED: Final[dict[Callable[..., Awaitable[None]], list[tuple[discord.InteractionType, Verb, Cost]]]] = {}
_IN_APPS_MENU: Final[dict[Callable[..., Awaitable[None]], tuple[str, Action | None]]] = {}
"""The name and the cost of each method in the Apps menu."""
_COST: Final = "cost"
"""The name of a command's cost among its extras."""
_OPTION_COSTS: Final = "costs of options"
"""The same for the costs of its options."""


def on_press(*verbs: Verb, costs: Cost) -> Callable[[Method], Method]:
    """Route presses of buttons and menus with these verbs to a method `(interaction, press)` of a cog."""
    return partial(_keep, discord.InteractionType.component, verbs, costs)


def on_form(*verbs: Verb, costs: Cost) -> Callable[[Method], Method]:
    """Route submitted forms with these verbs to a method `(interaction, press)` of a cog."""
    return partial(_keep, discord.InteractionType.modal_submit, verbs, costs)


def in_apps_menu(name: str, *, costs: Action | None) -> Callable[[Method], Method]:
    """Offer a method `(interaction, target)` of a cog in Discord's Apps menu.

    It's the menu of a person or of a message, as the annotation of `target` says.
    """

    def keep(method: Method) -> Method:
        _IN_APPS_MENU[method] = name, costs
        return method

    return keep


def apps_menu(cog: commands.Cog) -> Iterator[app_commands.ContextMenu]:
    """The commands of a cog in Discord's Apps menu."""
    for own_name, method in inspect.getmembers(type(cog), inspect.isfunction):
        if method in _IN_APPS_MENU:
            name, action = _IN_APPS_MENU[method]
            extras: dict[str, object] = {_COST: action, _OPTION_COSTS: {}}
            yield app_commands.ContextMenu(name=name, callback=getattr(cog, own_name), extras=extras)


def _keep(kind: discord.InteractionType, verbs: tuple[Verb, ...], cost: Cost, method: Method) -> Method:
    _HANDLED.setdefault(method, []).extend((kind, verb, cost) for verb in verbs)
    return method


def handlers(cog: commands.Cog) -> Iterator[Handler]:
    """The handlers of presses and forms in a cog."""
    for name, method in inspect.getmembers(type(cog), inspect.isfunction):
        for kind, verb, cost in _HANDLED.get(method, ()):
            yield Handler(kind, verb, cost, getattr(cog, name))


def costs(action: Action | None, **of_options: Action) -> Callable[[Command], Command]:
    """Declare the rate limit of a command, None if it has no limit of its own. Every command needs this.

    `of_options` names other limits for single options. The first option that is given decides.
    """

    def keep(command: Command) -> Command:
        command.extras[_COST], command.extras[_OPTION_COSTS] = action, of_options
        return command

    return keep


def cost_of(
    command: app_commands.Command[Any, ..., Any] | app_commands.ContextMenu, given: Container[str] = ()
) -> Action | None:
    """The action that a command counts for with the `given` options. Raises `KeyError` if it was forgotten."""
    of_options = cast("Mapping[str, Action]", command.extras[_OPTION_COSTS])
    otherwise = cast("Action | None", command.extras[_COST])
    return next((action for option, action in of_options.items() if option in given), otherwise)


def press_of(interaction: discord.Interaction) -> Press:
    """The pressed button or menu, or the chosen button of a menu. Raises `InvalidCustomId`."""
    press = Press.parse(str(interaction.custom_id))
    return Press.parse(chosen_value(interaction)) if press.verb is Verb.BUTTONS else press


def actor_of(interaction: discord.Interaction) -> Actor:
    """The user and the place that an interaction counts for."""
    return Actor(interaction.user.id, guild_id_of(interaction), interaction.channel_id or 0)


class RateGate:
    """Admits interactions at the rates of `bot.table.limits`, before any database access."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter

    async def admits(self, interaction: discord.Interaction) -> bool:
        """Count a press, form or command. Returns False for a press beyond the limit, which is acknowledged silently.

        Raises `TryAgainLater` for forms and commands beyond it, and now and then for a press, to tell the user.
        """
        if interaction.user is discord.utils.MISSING:  # discord.py has none if a guild's interaction lacks its member
            raise UnknownCommand if interaction.type is discord.InteractionType.application_command else UnknownButton
        try:
            self._limiter.spend(Action.PRESS, actor_of(interaction))
        except TryAgainLater:
            if interaction.type is not discord.InteractionType.component or self._may_refuse(interaction):
                raise
            await interaction.response.defer()
            return False
        return True

    def admits_completion(self, interaction: discord.Interaction) -> bool:
        """Count an autocompletion. False for those of a flood: Discord then shows no choices."""
        if interaction.user is discord.utils.MISSING:
            return False
        try:
            self._limiter.spend(Action.PRESS, actor_of(interaction))
            self._limiter.spend(Action.COMPLETE, actor_of(interaction))
        except TryAgainLater:
            return False
        return True

    def count(self, interaction: discord.Interaction, action: Action | None) -> None:
        """Count the action of a command, press or form. Raises `TryAgainLater` or `ManagersOnly`."""
        if action in FOR_MANAGERS and not interaction.permissions.manage_guild:
            raise ManagersOnly
        if action is not None:
            self._limiter.spend(action, actor_of(interaction))

    def _may_refuse(self, interaction: discord.Interaction) -> bool:
        """True if the user hasn't just been asked to wait."""
        try:
            self._limiter.spend(Action.REFUSE, actor_of(interaction))
        except TryAgainLater:
            return False
        return True
