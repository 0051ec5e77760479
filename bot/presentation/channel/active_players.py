"""Knows which users are playing right now: they see their turn, so they aren't called.

Nothing is stored: after a restart, players count as away until they act again.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import discord

from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.ui.custom_ids import InvalidCustomId, Press
from bot.table.snapshot import Table

ACTIVE_FOR: Final = 120_000
"""Milliseconds after an action, or after a turn was shown in an open hand, for which a player counts as active."""


class ActivePlayers:
    """The latest action of each user at each table."""

    def __init__(self, now: Callable[[], int], hands: OpenHands) -> None:
        self._now = now
        self._hands = hands
        self._acted: dict[tuple[int, int], int] = {}
        """UTC milliseconds by table and user, the earliest first."""

    def record(self, interaction: discord.Interaction) -> None:
        """Record a press at a table."""
        with suppress(InvalidCustomId):
            table_id = Press.parse(str(interaction.custom_id or "")).table
            self._forget_inactive()
            self._acted.pop((table_id, interaction.user.id), None)
            self._acted[table_id, interaction.user.id] = self._now()

    def active_for(self, table: Table, user_id: int) -> int:
        """Milliseconds for which a user still counts as active at a table, if they don't act again."""
        moments = [self._acted.get((table.id, user_id), 0)]
        if table.row.clock is not None and table.user_to_act == user_id and self._hands.shows(table.id, user_id):
            moments.append(table.row.clock.began)
        return max(0, ACTIVE_FOR - min(map(self._since, moments)))

    def _since(self, moment: int) -> int:
        """Milliseconds since a moment. A moment in the future has passed as well: the clock was set back."""
        return abs(self._now() - moment)

    def _forget_inactive(self) -> None:
        while self._acted:
            oldest = next(iter(self._acted))
            if self._since(self._acted[oldest]) < ACTIVE_FOR:
                return
            del self._acted[oldest]
