"""Keeps the private hands that users have open up to date."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

import aiohttp
import discord

from bot.presentation.channel.refresh_queue import RefreshQueue
from bot.presentation.help.guide import welcome_text
from bot.presentation.help.lessons import BASICS
from bot.presentation.table.daily import end_lines
from bot.presentation.table.hand import hand_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.i18n import Words
from bot.presentation.text.permissions import is_outside
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.services.archive import Archive
from bot.services.daily import Daily
from bot.services.tables import Tables
from bot.services.user_settings import Users
from bot.table.errors import StorageError
from bot.table.model import Status
from bot.table.refusals import DailyNotOver
from bot.table.snapshot import Table

ORIGINAL: Final[Any] = "@original"
"""The message of an interaction, in place of a message's id.

https://discord.com/developers/docs/interactions/receiving-and-responding#edit-original-interaction-response
"""
EDIT_WAIT: Final = 0.5
"""Seconds that the answer to a press waits for an edit of the same hand that is under way."""
BETWEEN_CHECKS: Final = 60.0
"""Seconds between two looks for hands whose token has expired."""

Edit: TypeAlias = Callable[[discord.Webhook, Layout], Awaitable[None]]


@dataclass(slots=True)
class OpenHand:
    """A user's open hand. It doesn't keep the interaction of its last press, which takes four times the memory."""

    webhook: discord.Webhook
    """Edits the message, with the token of the press."""
    expires_at: datetime
    """When Discord stops accepting the token."""
    words: Words
    hand_state: HandState
    revision: int
    welcome: str
    """Shown until the user's first move."""

    @property
    def is_expired(self) -> bool:
        """True if the message can't be edited any more."""
        return discord.utils.utcnow() >= self.expires_at


class OpenHands:
    """Refreshes open hands after changes at their tables. Each hand waits only for its own requests.

    Nothing is stored. A hand that isn't refreshed any more shows the current state when it's next pressed.
    """

    def __init__(self, tables: Tables, archive: Archive, daily: Daily, users: Users, edit: Edit) -> None:
        """`edit` edits the original answer to an interaction."""
        self._tables = tables
        self._archive = archive
        self._daily = daily
        self._users = users
        self._edit = edit
        self._hands: dict[tuple[int, int], OpenHand] = {}
        self._check: asyncio.TimerHandle | None = None
        """The next look for expired hands."""
        self._refresh_queue = RefreshQueue(self._refresh, table_of=lambda key: key[0])

    def start(self) -> None:
        """Start refreshing. The client must be logged in."""
        self._refresh_queue.open()

    async def close(self) -> None:
        """Stop."""
        if self._check is not None:
            self._check.cancel()
        await self._refresh_queue.close()

    def refresh(self, table_id: int) -> None:
        """Queue a refresh of each open hand of a table."""
        self._refresh_queue.request(*[key for key in self._hands if key[0] == table_id])

    def shows(self, table_id: int, user_id: int) -> bool:
        """True if the user's hand is open, so that it shows each change at the table."""
        hand = self._hands.get((table_id, user_id))
        return hand is not None and not hand.is_expired

    def show_again(self, table_id: int, user_id: int, words: Words) -> None:
        """Queue a refresh of the user's open hand, with other words."""
        hand = self._hands.get((table_id, user_id))
        if hand is not None:
            hand.words, hand.revision = words, -1
            self._refresh_queue.request((table_id, user_id))

    def welcome_shown(self, table_id: int, user_id: int) -> str:
        """The welcome that the user's open hand shows; otherwise empty."""
        hand = self._hands.get((table_id, user_id))
        return "" if hand is None else hand.welcome

    def track(self, interaction: discord.Interaction, table: Table, state: HandState, welcome: str = "") -> None:
        """Keep a hand up to date that shows `table`. The end of a solo match is completed with its result."""
        key = table.id, interaction.user.id
        self._hands.pop(key, None)  # the newest comes last
        has_result = not table.row.in_channel and table.row.status is Status.OVER
        revision = -1 if has_result else table.row.revision
        self._hands[key] = OpenHand(
            interaction.followup, interaction.expires_at, words_of(interaction), state, revision, welcome
        )
        if has_result or not self._tables.is_current(table):
            self._refresh_queue.request(key)
        if self._check is None:
            self._forget_expired()

    @asynccontextmanager
    async def answering(self, table_id: int, user_id: int) -> AsyncIterator[None]:
        """Answer a press in a hand during the block, and track it there.

        No refresh of the hand may arrive after the answer, or the user's cards would jump back. If one takes longer
        than `EDIT_WAIT`, the hand is shown once more after it.
        """
        key = table_id, user_id
        async with self._refresh_queue.paused(key, EDIT_WAIT) as has_settled:
            yield
            if not has_settled and key in self._hands:
                self._hands[key].revision = -1
                self._refresh_queue.request(key)

    async def welcome(self, interaction: discord.Interaction) -> str:
        """The welcome for a user who opens their first hand; otherwise empty."""
        with suppress(StorageError):
            if await self._users.is_new(interaction.user.id):
                has_learned = await self._users.lesson(interaction.user.id) >= BASICS
                can_learn = not is_outside(interaction)  # `/gang tutorial` is a command of servers
                return welcome_text(words_of(interaction), has_learned=has_learned or not can_learn)
        return ""

    async def track_new(self, interaction: discord.Interaction, table: Table, welcome: str = "") -> None:
        """Track a newly opened hand, and delete the one that the user opened before if its token is still valid."""
        old = self._hands.pop((table.id, interaction.user.id), None)
        if old is not None and not old.is_expired:
            with suppress(discord.HTTPException, aiohttp.ClientError):
                await old.webhook.delete_message(ORIGINAL)
        self.track(interaction, table, HandState(), welcome)
        if welcome:
            with suppress(StorageError):  # then the next hand brings another welcome
                await self._users.record_welcome(interaction.user.id)

    async def _refresh(self, key: tuple[int, int]) -> None:
        """Show the current state in an open hand."""
        table = await self._tables.get(key[0])
        hand = self._hands.get(key)
        if hand is None or hand.revision >= table.row.revision:
            return
        if table.row.status is Status.LOBBY:  # its match starts at once, as soon as its message has been posted
            return
        if hand.is_expired or table.public is None:
            del self._hands[key]
            return
        words = hand.words
        if table.seat_of(key[1]) is None:  # a substitute's seat was returned to its owner
            view = Layout(words.say("You don't play at table {number} any more.", number=key[0]))
        else:
            note = hand.welcome or await self._result(table, key[1], words)
            has_ended = table.row.is_solo and table.row.status is Status.OVER
            highlight = await self._archive.highlight(table) if has_ended else None
            view = hand_message(table, key[1], hand.hand_state, words, note, highlight=highlight)
        before, hand.revision = hand.revision, table.row.revision
        try:
            await self._edit(hand.webhook, view)
        except asyncio.CancelledError:  # it takes too long, and is tried again
            hand.revision = before
            raise
        except (discord.HTTPException, aiohttp.ClientError):
            # dismissed, expired or a network error: the user can open it again from the table
            if self._hands.get(key) is hand:
                del self._hands[key]

    async def _result(self, table: Table, user_id: int, words: Words) -> str:
        """The result of a finished hand of the day; otherwise empty."""
        if table.row.daily is None or table.row.status is not Status.OVER:
            return ""
        try:
            leaderboard = await self._daily.leaderboard(table.row.guild_id, table.row.daily, user_id)
        except DailyNotOver:  # the player's data has been deleted
            return ""
        return "\n".join(end_lines(leaderboard, user_id, words))

    def _forget_expired(self) -> None:
        """Forget hands whose token has expired, and look again soon. The oldest come first."""
        while self._hands:
            oldest, hand = next(iter(self._hands.items()))
            if not hand.is_expired:
                self._check = asyncio.get_running_loop().call_later(BETWEEN_CHECKS, self._forget_expired)
                return
            del self._hands[oldest]
        self._check = None
