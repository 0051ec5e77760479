"""Applies the rates of `bot.table.limits` to commands, presses and forms."""

from collections.abc import Mapping
from typing import Final

import discord

from bot.analysis.practice import DEALS
from bot.presentation.table.daily import PUZZLE_TODAY
from bot.presentation.table.hand_panel import MOVE_VERBS
from bot.presentation.table.practice import AGAIN, NEXT_SEAT
from bot.presentation.table.puzzle import BEFORE
from bot.presentation.ui.components import POST
from bot.presentation.ui.custom_ids import Press, Verb
from bot.services.rate_limiter import Actor, RateLimiter
from bot.table.limits import Action
from bot.table.refusals import ManagersOnly, TryAgainLater, UnknownButton, UnknownCommand

COMMAND_ACTIONS: Final[Mapping[str, Action]] = {
    "new": Action.OPEN,
    "duplicate": Action.OPEN,
    "import": Action.IMPORT,
    "match": Action.REPLAY,
    "verify": Action.VERIFY,
    "daily": Action.DAILY,
    **dict.fromkeys(("list", "turns", "history", "leaderboard", "profile", "versus", "privacy"), Action.FIGURES),
}
_PICTURES: Final = (Verb.CHART, Verb.CURVE, Verb.PENALTIES, Verb.MAP, Verb.TOTALS)
_FIGURES: Final = (Verb.LIST, Verb.HISTORY, Verb.LEADERBOARD, Verb.DAILY, Verb.PROFILE, Verb.VERSUS, Verb.HANDS)
_SETTINGS: Final = (
    Verb.NOTIFICATIONS,
    Verb.QUIET_HOURS,
    Verb.TIME_ZONE,
    Verb.LANGUAGE,
    Verb.CARDS,
    Verb.ALERTS,
    Verb.END_HOLIDAYS,
    Verb.FORM_SENT,
    Verb.GUILD_LANGUAGE,
    Verb.CELEBRATE,
    Verb.GUILD_CARDS,
    Verb.CHANNELS,
    Verb.ROLES,
    Verb.DEFAULT,
    Verb.LIMIT,
    Verb.SCHEDULE,
    Verb.SCHEDULE_CHANNEL,
    Verb.PRIVACY,
)
PRESS_ACTIONS: Final[Mapping[Verb, Action]] = {
    Verb.PLAY_AI: Action.OPEN,
    Verb.REMATCH: Action.REMATCH,
    Verb.UNDO: Action.UNDO,
    Verb.REPLAY: Action.REPLAY,
    Verb.REPLAY_HAND: Action.REPLAY,
    Verb.COACH: Action.COACH,
    Verb.PRACTICE_FROM: Action.PRACTICE,
    Verb.COACH_MATCH: Action.COACH_MATCH,
    **dict.fromkeys(_PICTURES, Action.PICTURE),
    **dict.fromkeys(_FIGURES, Action.FIGURES),
    **dict.fromkeys(_SETTINGS, Action.SETTINGS),
    Verb.SEASON: Action.SEASON,
    Verb.SEASON_NAME: Action.SEASON,
}
"""Actions by the verb of a press or form."""
ARGUMENT_ACTIONS: Final[Mapping[tuple[Verb, str], Action]] = {
    **{(verb, POST): Action.POST for verb in (*_PICTURES, Verb.DAILY, Verb.PUZZLE, Verb.PROFILE, Verb.REPLAY)},
    (Verb.REPLAY, "post-still"): Action.POST,
    (Verb.REPLAY, "post-moving"): Action.POST,
    (Verb.REPLAY, "still"): Action.PICTURE,
    (Verb.REPLAY, "moving"): Action.PICTURE,
    (Verb.REPLAY, "record"): Action.EXPORT,
    (Verb.REPLAY, "text"): Action.EXPORT,
    (Verb.REPLAY, "verify"): Action.VERIFY,
    **{(Verb.PRACTICE, what): Action.PRACTICE for what in (*DEALS, AGAIN, NEXT_SEAT)},
    (Verb.PUZZLE, PUZZLE_TODAY): Action.PRACTICE,
    (Verb.PUZZLE, BEFORE): Action.PRACTICE,
    **{(Verb.PUZZLE_HAND, what): Action.PRACTICE_MOVE for what in MOVE_VERBS},
    **{(Verb.PRACTICE_HAND, what): Action.PRACTICE_MOVE for what in (*MOVE_VERBS, Verb.HINT)},
    (Verb.PRIVACY, "export"): Action.EXPORT,
    (Verb.PRIVACY, "yes"): Action.DELETE,
    (Verb.GUILD_SETTINGS, "export"): Action.EXPORT_GUILD,
    (Verb.GUILD_SETTINGS, "activity"): Action.FIGURES,
}
"""Actions by verb and one of the arguments. They come first."""
FOR_MANAGERS: Final = frozenset({Action.EXPORT_GUILD, Action.SEASON})
"""Actions counted per guild. Presses of members who don't manage it don't use them up."""


def actor_of(interaction: discord.Interaction, guest_id: int = 0) -> Actor:
    """The user and the place that an interaction counts for."""
    return Actor(interaction.user.id, interaction.guild_id or 0, interaction.channel_id or 0, guest_id)


def action_of(press: Press) -> Action | None:
    """The action of a press or form, besides being a press."""
    if press.verb is Verb.HELP:
        return COMMAND_ACTIONS.get(press.arguments[-1] if press.arguments else "")
    keys = ((press.verb, argument) for argument in reversed(press.arguments))
    return next((ARGUMENT_ACTIONS[key] for key in keys if key in ARGUMENT_ACTIONS), PRESS_ACTIONS.get(press.verb))


class RateGate:
    """Admits interactions at the rates of `bot.table.limits`, before any database access."""

    def __init__(self, limiter: RateLimiter) -> None:
        self._limiter = limiter

    async def admits(self, interaction: discord.Interaction) -> bool:
        """Count an interaction. Raises `TryAgainLater` for some presses of a flood and acknowledges the others.

        One without a user is refused: discord.py has none if a guild's interaction comes without its member.
        Autocomplete requests of a flood aren't answered: Discord then shows no choices.
        """
        if interaction.user is discord.utils.MISSING:
            if interaction.type is discord.InteractionType.autocomplete:
                return False
            raise UnknownCommand if interaction.type is discord.InteractionType.application_command else UnknownButton
        try:
            self._limiter.spend(Action.PRESS, actor_of(interaction))
            if interaction.type is discord.InteractionType.autocomplete:
                self._limiter.spend(Action.COMPLETE, actor_of(interaction))
        except TryAgainLater:
            if interaction.type is discord.InteractionType.autocomplete:
                return False
            if interaction.type is not discord.InteractionType.component or self._may_refuse(interaction):
                raise
            await interaction.response.defer()
            return False
        return True

    def count(self, interaction: discord.Interaction, action: Action | None) -> None:
        """Count the action of a command, press or form. Raises `TryAgainLater` or `ManagersOnly`."""
        if action in FOR_MANAGERS and not interaction.permissions.manage_guild:
            raise ManagersOnly
        if action is not None:
            self._limiter.spend(action, actor_of(interaction))

    def _may_refuse(self, interaction: discord.Interaction) -> bool:
        try:
            self._limiter.spend(Action.REFUSE, actor_of(interaction))
        except TryAgainLater:
            return False
        return True
