"""The hands that people have open: each is kept up to date while the token of its last press lives."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import aiohttp
import discord

from bot.presentation.channel.refresh_queue import RefreshQueue
from bot.presentation.table.hand import hand_message
from bot.presentation.table.hand_state import Panel
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import layout
from bot.services.tables import Tables
from bot.table.snapshot import Table


@dataclass(slots=True)
class OpenHand:
    """A hand that somebody has open, and the press whose token can change it for 15 minutes."""

    interaction: discord.Interaction
    panel: Panel
    revision: int


class OpenHands:
    """Follows the tables, each hand in rounds of its own, so that nobody's waits for a slow channel or somebody else's.

    Nothing of it is kept: a hand that is not refreshed any more shows what is true as soon as it is pressed.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._hands: dict[tuple[int, int], OpenHand] = {}
        self._refresh_queue = RefreshQueue(self._refresh)

    def start(self) -> None:
        """Begin to speak. The client must be logged in."""
        self._refresh_queue.open()

    async def close(self) -> None:
        """Stop."""
        await self._refresh_queue.close()

    def refresh(self, table_id: int) -> None:
        """Have the open hands of a table shown as they are. It returns at once."""
        for key in self._hands:
            if key[0] == table_id:
                self._refresh_queue.ask(key)

    def refresh_all(self) -> None:
        """Have every open hand shown as it is, whatever it showed before. It returns at once."""
        for key, hand in self._hands.items():
            hand.revision = -1
            self._refresh_queue.ask(key)

    def opened(self, interaction: discord.Interaction, table: Table, panel: Panel) -> None:
        """Remember the hand that somebody has just opened or changed, as of `table`."""
        self._forget_expired()
        self._hands[table.id, interaction.user.id] = OpenHand(interaction, panel, table.row.revision)
        if not self._tables.cache.is_current(table):
            self._refresh_queue.ask((table.id, interaction.user.id))

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

    async def _refresh(self, key: tuple[int, int]) -> None:
        """Bring an open hand up to date."""
        table = await self._tables.get(key[0])
        hand = self._hands.get(key)
        if hand is None or hand.revision >= table.row.revision:
            return
        if hand.interaction.is_expired() or table.public() is None:
            del self._hands[key]
            return
        words = words_of(hand.interaction)
        if table.seat_of(key[1]) is None:  # somebody sat in, and the owner is back
            view = layout(
                discord.ui.TextDisplay(words.say("You do not play at table {number} any more.", number=key[0]))
            )
        else:
            view = hand_message(table, key[1], hand.panel, words)
        hand.revision = table.row.revision
        try:
            await hand.interaction.edit_original_response(view=view)
        except (discord.HTTPException, aiohttp.ClientError):
            # dismissed, or the token has gone, or a bad day: it can be opened again from the table
            if self._hands.get(key) is hand:
                del self._hands[key]
            return
        newer = self._hands.get(key)
        if newer is not None and newer is not hand:  # a press came meanwhile, and this may have overwritten its answer
            newer.revision = -1
            self._refresh_queue.ask(key)

    def _forget_expired(self) -> None:
        """Forget hands that nothing can change any more; the oldest come first."""
        while self._hands:
            oldest, hand = next(iter(self._hands.items()))
            if not hand.interaction.is_expired():
                return
            del self._hands[oldest]
