"""Posts the message that shows a table in its channel or in the thread of its match."""

from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts, was_refused
from bot.presentation.table.message import table_message
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Layout
from bot.services.archive import Archive
from bot.services.tables import Tables
from bot.table.model import ChannelDisplay, Status
from bot.table.play import forget_parent, remove_thread, set_thread
from bot.table.snapshot import Table

SLOW_EDITS_AFTER: Final = 50 * 60
"""Seconds. Discord slows down edits of messages older than an hour, so the table is posted again before that."""

_UNCERTAIN: Final = -2
"""The revision of a display while its message is being posted: after a failure it's unknown if it was.

It's lower than any revision, and lower than `revision - 1`, which means "drawn, but without a turn notice".
"""
_THREAD_EXISTS: Final = 160004
_ARCHIVED: Final = 50083
"""Discord's error codes: the message already has a thread; the thread is archived."""
_NOBODY: Final = discord.AllowedMentions.none()


class TablePoster:
    """Posts the message of a table, edits it, and posts it again when it is old or other messages are below it."""

    def __init__(self, tables: Tables, archive: Archive, posts: IdempotentPosts, channels: ChannelClient) -> None:
        self._tables = tables
        self._archive = archive
        self._displays = tables.displays
        self._posts = posts
        self._channels = channels
        self.to_redraw: set[int] = set()
        """Tables to draw again although nothing has changed."""
        self._redrawing: set[int] = set()
        """Those whose refresh has begun."""

    def begin(self, table_id: int) -> None:
        """Begin a refresh. It may have read the language already, so a redraw requested later needs another refresh."""
        if table_id in self.to_redraw:
            self.to_redraw.discard(table_id)
            self._redrawing.add(table_id)

    def forget(self, table_id: int) -> None:
        """Draw a deleted table no more."""
        self.to_redraw.discard(table_id)
        self._redrawing.discard(table_id)

    async def draw(self, table: Table, display: ChannelDisplay, words: Words, *, below: bool) -> ChannelDisplay:
        """Show the current table; if `below`, in a new message."""
        is_shown = display.message_id is not None and display.revision == table.row.revision
        if is_shown and not below and table.id not in self._redrawing:
            return display
        winners = None if table.row.status.is_open else await self._archive.winners(table)
        highlight = await self._archive.highlight(table) if table.row.status is Status.OVER else None
        view = table_message(table, words, winners, highlight)
        if below or display.revision == _UNCERTAIN or not await self._edit(table, display.message_id, view):
            display = await self._post(table, display, view)
        self._redrawing.discard(table.id)
        return display

    async def _post(self, table: Table, display: ChannelDisplay, view: Layout) -> ChannelDisplay:
        """Post a new message and delete the old one. After a failure at any point, the next attempt continues there."""
        old, revision = display.message_id, display.revision
        was_uncertain = revision == _UNCERTAIN and table.row.revision > 0
        display = await self._displays.save(table.id, replace(display, revision=_UNCERTAIN))
        nonce = f"{table.id}.table" if old is None else f"new{old:x}"
        try:
            message_id = await self._posts.post(table, view, nonce)
        except (discord.Forbidden, discord.NotFound):  # it wasn't posted
            await self._displays.save(table.id, replace(display, revision=revision))
            raise
        if was_uncertain:  # the message may be from an earlier attempt
            await self._edit(table, message_id, view)
        await self._posts.delete(table.row.place_id, old)
        display = replace(display, message_id=message_id, revision=table.row.revision - 1)
        return await self._displays.save(table.id, display)

    async def _edit(self, table: Table, message_id: int | None, view: Layout) -> bool:
        """Edit the message. False if it must be posted again: it is missing, old, or in an archived thread."""
        if message_id is None:
            return False
        age = discord.utils.utcnow() - discord.utils.snowflake_time(message_id)
        if age.total_seconds() > SLOW_EDITS_AFTER:
            return False
        try:
            message = self._posts.channel(table).get_partial_message(message_id)
            await message.edit(view=view, allowed_mentions=_NOBODY)
        except discord.NotFound:
            return False
        except discord.HTTPException as error:
            if error.code != _ARCHIVED:
                raise
            return False
        return True

    async def enter_thread(self, table: Table, display: ChannelDisplay, words: Words) -> tuple[Table, ChannelDisplay]:
        """Open a thread under the table's message if the table wants one.

        Discord gives the thread the message's id, so a second attempt can't open another thread.
        """
        wants = table.row.settings.thread and table.row.status is Status.PLAYING and table.row.thread_id is None
        if wants and display.message_id is None:
            display = await self.draw(table, display, words, below=False)
        if not wants or display.message_id is None:
            return table, display
        lobby = self._posts.channel(table).get_partial_message(display.message_id)
        try:
            name = words.say("Gang of Four · table {number}", number=table.id)
            if not await self._channels.open_thread(table.row.channel_id, lobby.id, name):
                return await self._stay(table, words), display
        except discord.NotFound:  # the message was deleted; it is posted again first
            return table, display
        except discord.HTTPException as error:
            if error.code != _THREAD_EXISTS:
                if not was_refused(error):
                    raise
                return await self._stay(table, words), display
        where = words.say("The match of table {number} is played in {place}.", number=table.id, place=f"<#{lobby.id}>")
        await lobby.edit(view=Layout(where), allowed_mentions=_NOBODY)
        table = await self._tables.act(table.id, set_thread, lobby.id)
        return table, await self._displays.save(table.id, replace(display, message_id=None))

    async def _stay(self, table: Table, words: Words) -> Table:
        """Play in the channel. Discord refused the thread: there are too many, or this kind of channel has none."""
        text = words.say(
            "I can't open a thread here, so the match of table {number} is played in this channel.", number=table.id
        )
        await self._posts.post(table, Layout(text), f"{table.id}.stay")
        return await self._tables.act(table.id, remove_thread)

    async def leave_thread(self, table: Table) -> None:
        """Return to the channel after the table's own thread was deleted. Delete the message that linked to it."""
        if table.row.thread_id is None:
            await self._tables.act(table.id, forget_parent)
            return
        with suppress(discord.Forbidden):
            await self._posts.delete(table.row.channel_id, table.row.thread_id)
        await self._tables.act(table.id, remove_thread)
