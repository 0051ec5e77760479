"""Applies the rates of `bot.table.limits` to commands, presses and forms."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import discord

from bot.services.rate_limiter import Actor, RateLimiter
from bot.table.limits import Action
from bot.table.refusals import ManagersOnly, TryAgainLater, UnknownButton, UnknownCommand

FOR_MANAGERS: Final = frozenset({Action.EXPORT_GUILD, Action.SEASON})
"""Actions counted per guild. Presses of members who don't manage it don't use them up."""


def actor_of(interaction: discord.Interaction, guest_id: int = 0) -> Actor:
    """The user and the place that an interaction counts for."""
    return Actor(interaction.user.id, interaction.guild_id or 0, interaction.channel_id or 0, guest_id)


@contextmanager
def counting_mentions(limiter: RateLimiter, interaction: discord.Interaction, guests: Iterable[int]) -> Iterator[None]:
    """Count a mention of each guest by the user, unless the block raises. Raises `TryAgainLater`."""
    with ExitStack() as counted:
        for guest in guests:
            counted.enter_context(limiter.spending(Action.INVITE_AGAIN, actor_of(interaction, guest)))
        yield


class RateGate:
    """Admits interactions at the rates of `bot.table.limits`, before any database access."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter

    async def admits(self, interaction: discord.Interaction) -> bool:
        """Count a press, form or command. False if it's a press of a flood, which has then been acknowledged.

        Raises `TryAgainLater` for the forms and commands of a flood, and for some of its presses.
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
