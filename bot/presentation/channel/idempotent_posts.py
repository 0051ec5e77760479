"""What is posted once, whatever breaks off: each message carries a mark by which it is found again."""

import zlib
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, Protocol

import discord

from bot.services.table_cache import TableCache
from bot.table.model import ChannelDisplay
from bot.table.snapshot import Table

_NOBODY: Final = discord.AllowedMentions.none()
_FIRST_MARK: Final = 2**30
"""Of the ids of components, which are below twice as much; Discord counts from 1 where none is given."""


class Channels(Protocol):
    """Where messages are sent: Discord's client."""

    def get_partial_messageable(self, channel_id: int, /) -> discord.PartialMessageable:
        """A channel by its id, fetched or not."""
        ...

    async def create_dm(self, user: discord.abc.Snowflake) -> discord.DMChannel:
        """The channel in which to talk to one person."""
        ...

    async def open_thread(self, channel_id: int, message_id: int, name: str) -> bool:
        """Open a thread under a message; it gets the id of the message. False where we could not write in it."""
        ...

    async def is_in_guild(self, channel_id: int, guild_id: int) -> bool:
        """True if a channel or thread belongs to a guild. Raises `discord.NotFound` or `discord.Forbidden`."""
        ...

    async def find_message(self, channel_id: int, mark: int) -> int | None:
        """Our own message, among the latest of a channel, that has a component of this id; None where there is none."""
        ...

    async def find_table_messages(self, channel_id: int, table_id: int) -> list[int]:
        """Our own messages, among the latest of a channel, with which people act at a table: its own and notices."""
        ...

    def may_attach(self, channel_id: int) -> bool:
        """Whether files may be sent to a channel, as far as is known."""
        ...


def mark_of(nonce: str) -> int:
    """The id of the first component of a message of this nonce, by which it is found again."""
    return _FIRST_MARK + zlib.crc32(nonce.encode()) % _FIRST_MARK


class IdempotentPosts:
    """Messages about tables, in their channels and in people's direct messages."""

    def __init__(self, cache: TableCache, channels: Channels) -> None:
        self._cache = cache
        self._channels = channels
        self._in_doubt: set[int] = set()
        """Tables with messages that may have been posted without a confirmation."""

    def doubt(self, table_ids: Iterable[int]) -> None:
        """Look for the messages of these tables in their channels before posting them again."""
        self._in_doubt.update(table_ids)

    def trust(self, table_id: int) -> None:
        """Every message of this table was confirmed."""
        self._in_doubt.discard(table_id)

    async def say(
        self,
        table: Table,
        view: discord.ui.LayoutView,
        nonce: str,
        *,
        place_id: int | None = None,
        files: Sequence[discord.File] = (),
        mention: discord.AllowedMentions = _NOBODY,
        silent: bool = False,
    ) -> int:
        """Post a message once, by default where the table is shown. Returns its id.

        Discord returns the same message for the same nonce, but forgets nonces within minutes. So the nonce is also
        written into the view, as the id of its first component, and a message in doubt is looked for first.
        """
        place_id = table.row.place_id if place_id is None else place_id
        nonce = self._after_restores(nonce)
        view.children[0].id = mark = mark_of(nonce)
        found = await self._channels.find_message(place_id, mark) if table.id in self._in_doubt else None
        if found is not None:
            return found
        channel = self._channels.get_partial_messageable(place_id)
        message = await channel.send(view=view, files=files, nonce=nonce, allowed_mentions=mention, silent=silent)
        return message.id

    async def edit(
        self, table: Table, message_id: int, view: discord.ui.LayoutView, nonce: str, files: Sequence[discord.File]
    ) -> None:
        """Replace a message about a table that was posted under this nonce, and its files."""
        view.children[0].id = mark_of(self._after_restores(nonce))
        message = self.channel(table).get_partial_message(message_id)
        await message.edit(view=view, attachments=files, allowed_mentions=_NOBODY)

    def _after_restores(self, nonce: str) -> str:
        """The nonce; a different one after each restore, because everything is posted again then."""
        generation = self._cache.restore_generation
        return f"{mark_of(nonce)}.{generation}" if generation else nonce

    async def delete(self, place_id: int, message_id: int | None) -> None:
        """Delete a message, if it is there."""
        if not message_id:
            return
        with suppress(discord.NotFound):
            await self._channels.get_partial_messageable(place_id).get_partial_message(message_id).delete()

    async def sweep(self, table: Table, display: ChannelDisplay) -> None:
        """Delete what another process has left: messages to act at a table that are not those on display."""
        for place_id in {table.row.place_id, display.notice_channel_id or table.row.place_id}:
            for message_id in await self._channels.find_table_messages(place_id, table.id):
                if message_id not in (display.message_id, display.notice_id):
                    await self.delete(place_id, message_id)

    def channel(self, table: Table) -> discord.PartialMessageable:
        """Where a table is shown."""
        return self._channels.get_partial_messageable(table.row.place_id)
