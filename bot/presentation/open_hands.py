"""The hands that people have open: each is kept up to date while the token of its last press lives."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import aiohttp
import discord

from bot.presentation.hand import Panel, hand_message
from bot.presentation.rounds import Rounds
from bot.presentation.words import words_in
from bot.services.table import Table
from bot.services.tables import Tables


@dataclass(slots=True)
class OpenHand:
    """A hand that somebody has open, and the press whose token can change it for 15 minutes."""

    interaction: discord.Interaction
    panel: Panel
    revision: int


class OpenHands:
    """Follows the tables in rounds of its own, so that nobody's hand waits for a slow channel.

    Nothing of it is kept: a hand that is not refreshed any more shows what is true as soon as it is pressed.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._hands: dict[tuple[int, int], OpenHand] = {}
        self._rounds = Rounds(self._refresh)

    def start(self) -> None:
        """Begin to speak. The client must be logged in."""
        self._rounds.open()

    async def close(self) -> None:
        """Stop."""
        await self._rounds.close()

    def refresh(self, table_id: int) -> None:
        """Have the open hands of a table shown as they are. It returns at once."""
        self._rounds.ask(table_id)

    def opened(self, interaction: discord.Interaction, table: Table, panel: Panel) -> None:
        """Remember the hand that somebody has just opened or changed, as of `table`."""
        self._forget_expired()
        self._hands[table.id, interaction.user.id] = OpenHand(interaction, panel, table.row.revision)
        if not self._tables.is_newest(table):
            self.refresh(table.id)

    @contextmanager
    def leaving_alone(self, table_id: int, user_id: int) -> Iterator[None]:
        """Leave an open hand to the block, which changes it; if that fails, it is kept up to date as before."""
        hand = self._hands.pop((table_id, user_id), None)
        try:
            yield
        except BaseException:
            if hand is not None:
                self._hands.setdefault((table_id, user_id), hand)
            raise

    async def take_away(self, table_id: int, user_id: int) -> None:
        """Delete the hand that was open before another was opened, if its token still lives."""
        old = self._hands.pop((table_id, user_id), None)
        if old is not None and not old.interaction.is_expired():
            with suppress(discord.HTTPException, aiohttp.ClientError):
                await old.interaction.delete_original_response()

    async def _refresh(self, table_id: int) -> None:
        """Bring the open hands of a table up to date."""
        open_here = [(user_id, hand) for (number, user_id), hand in self._hands.items() if number == table_id]
        if not open_here:
            return
        table = await self._tables.get(table_id)
        async with asyncio.TaskGroup() as refreshes:
            for user_id, hand in open_here:
                if hand.revision < table.row.revision:
                    refreshes.create_task(self._refresh_one(table, user_id, hand))

    async def _refresh_one(self, table: Table, user_id: int, hand: OpenHand) -> None:
        if hand.interaction.is_expired() or table.public() is None:
            self._hands.pop((table.id, user_id), None)
            return
        words = words_in(hand.interaction.locale.value)
        view = hand_message(table, table.view_of(user_id), hand.panel, words)
        hand.revision = table.row.revision
        try:
            await hand.interaction.edit_original_response(view=view)
        except (discord.HTTPException, aiohttp.ClientError):
            # dismissed, or the token has gone, or a bad day: it can be opened again from the table
            if self._hands.get((table.id, user_id)) is hand:
                del self._hands[table.id, user_id]
            return
        newer = self._hands.get((table.id, user_id))
        if newer is not None and newer is not hand:  # a press came meanwhile, and this may have overwritten its answer
            newer.revision = -1
            self.refresh(table.id)

    def _forget_expired(self) -> None:
        """Forget hands that nothing can change any more; the oldest come first."""
        while self._hands:
            oldest, hand = next(iter(self._hands.items()))
            if not hand.interaction.is_expired():
                return
            del self._hands[oldest]
