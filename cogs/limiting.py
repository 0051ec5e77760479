"""The rates of `services.limits` as they apply to commands, presses and forms."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.presentation.ui.custom_ids import Press
from bot.services.rate_limiter import RateLimiter, Who
from bot.table.limits import Action
from bot.table.refusals import ManagersOnly, TryAgainLater

COMMANDS: Final[Mapping[str, Action]] = {
    "new": Action.OPEN,
    "duplicate": Action.OPEN,
    "show": Action.POST,
    "import": Action.IMPORT,
    "match": Action.REPLAY,
    "verify": Action.VERIFY,
    "daily": Action.DAILY,
    "list": Action.FIGURES,
    "turns": Action.FIGURES,
    "history": Action.FIGURES,
    "leaderboard": Action.FIGURES,
    "profile": Action.FIGURES,
    "versus": Action.FIGURES,
    "privacy": Action.FIGURES,
}
PRESSES: Final[Mapping[str, Action]] = {
    "rematch": Action.REMATCH,
    "undo": Action.UNDO,
    "past": Action.REPLAY,
    "replay": Action.REPLAY,
    "chart": Action.PICTURE,
    "curve": Action.PICTURE,
    "penalties": Action.PICTURE,
    "map": Action.PICTURE,
    "totals": Action.PICTURE,
    "list": Action.FIGURES,
    "history": Action.FIGURES,
    "board": Action.FIGURES,
    "daily": Action.FIGURES,
    "profile": Action.FIGURES,
    "versus": Action.FIGURES,
    "hands": Action.FIGURES,
    **dict.fromkeys(("notifications", "quiet", "zone", "language", "cards", "home", "typed"), Action.SETTINGS),
    **dict.fromkeys(("publiclanguage", "celebrate", "channels", "roles", "default"), Action.SETTINGS),
    **dict.fromkeys(("limit", "schedule", "postin", "privacy"), Action.SETTINGS),
    "season": Action.SEASON,
    "seasonname": Action.SEASON,
}
"""By the verb of a press or form."""
PARTS: Final[Mapping[tuple[str, str], Action]] = {
    ("past", "still"): Action.PICTURE,
    ("past", "moving"): Action.PICTURE,
    ("past", "record"): Action.EXPORT,
    ("past", "text"): Action.EXPORT,
    ("past", "verify"): Action.VERIFY,
    ("privacy", "export"): Action.EXPORT,
    ("privacy", "yes"): Action.DELETE,
    ("server", "export"): Action.EXPORT_GUILD,
}
"""By the verb and the last argument; these come first."""
FOR_MANAGERS: Final = frozenset({Action.EXPORT_GUILD, Action.SEASON})
"""Actions of members who manage the server, counted for the server: presses of other members don't use them up."""


def who_asks(interaction: discord.Interaction, guest_id: int = 0) -> Who:
    """The user and the place that an interaction counts for."""
    return Who(interaction.user.id, interaction.guild_id or 0, interaction.channel_id or 0, guest_id)


def action_of(press: Press) -> Action | None:
    """The action that a press or a form counts as, beside being a press."""
    return PARTS.get((press.verb, press.arguments[-1] if press.arguments else "")) or PRESSES.get(press.verb)


class Gate:
    """Lets interactions in at the rates of `services.limits`, before the database is asked for anything."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter

    async def admits(self, interaction: discord.Interaction) -> bool:
        """Count any interaction. Raises `TryAgainLater`, but not for each press of a flood: those are acknowledged.

        Requests for completions in a flood aren't answered; Discord then shows none.
        """
        try:
            self._limiter.spend(Action.PRESS, who_asks(interaction))
        except TryAgainLater:
            if interaction.type is discord.InteractionType.autocomplete:
                return False
            if interaction.type is not discord.InteractionType.component or self._may_refuse(interaction):
                raise
            await interaction.response.defer()
            return False
        return True

    def count(self, interaction: discord.Interaction, action: Action | None) -> None:
        """Count what a command, press or form does. Raises `TryAgainLater` or `ManagersOnly`."""
        if action in FOR_MANAGERS and not interaction.permissions.manage_guild:
            raise ManagersOnly
        if action is not None:
            self._limiter.spend(action, who_asks(interaction))

    def _may_refuse(self, interaction: discord.Interaction) -> bool:
        try:
            self._limiter.spend(Action.REFUSE, who_asks(interaction))
        except TryAgainLater:
            return False
        return True
