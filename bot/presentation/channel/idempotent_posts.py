"""Posts each message once, even after crashes: a mark in the message makes it possible to find it again."""

import secrets
import zlib
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, Protocol

import discord

from bot.presentation.ui.components import Layout
from bot.table.snapshot import Table

_NOBODY: Final = discord.AllowedMentions.none()
_FIRST_MARK: Final = 2**30
"""Ids of marked components start here and stay below twice this number. Discord counts unmarked ones from 1."""
_PLACES: Final = 0xFFFFD
"""Places are told apart by the remainder of their ids. All digits count, because it's a prime number."""
_MESSAGE_DELETED: Final = 10008
"""Discord's error code if the message with the nonce of a new one has been deleted: it isn't posted again."""


class ChannelClient(Protocol):
    """The parts of Discord's client that post messages."""

    def get_partial_messageable(self, channel_id: int, /) -> discord.PartialMessageable:
        """Return a channel by its id, without fetching it."""

    async def create_dm(self, user: discord.abc.Snowflake) -> discord.DMChannel:
        """Open the direct message channel with a user."""

    async def open_thread(self, channel_id: int, message_id: int, name: str) -> bool:
        """Open a thread under a message, with the same id. False if the app couldn't write in it."""

    async def is_in_guild(self, channel_id: int, guild_id: int) -> bool:
        """True if a channel or thread belongs to a guild. Raises `discord.NotFound` or `discord.Forbidden`."""

    async def find_message(self, channel_id: int, mark: int) -> int | None:
        """Return the id of the app's message with a component of this id, among the latest of a channel."""

    def may_attach(self, channel_id: int) -> bool:
        """True if the app may send files to a channel, as far as is known."""


def mark_of(nonce: str) -> int:
    """The id of the first component of a message with this nonce."""
    return _FIRST_MARK + zlib.crc32(nonce.encode()) % _FIRST_MARK


def nonce_in(place_id: int, nonce: str) -> str:
    """The nonce with its place, in at most 25 characters: Discord compares those of all the app's channels."""
    return f"{nonce}@{place_id % _PLACES:x}"


def was_refused(error: discord.HTTPException) -> bool:
    """True if Discord refused a request, so that repeating it won't help. False for its failures and rate limits."""
    return error.status < 500 and error.status != 429


async def post_once(
    channels: ChannelClient,
    place_id: int,
    view: Layout,
    nonce: str,
    *,
    search: bool,
    mention: discord.AllowedMentions = _NOBODY,
    silent: bool = False,
) -> int:
    """Post a message once, with a nonce of this place (see `nonce_in`). Return its id.

    Discord returns the same message for the same nonce, but forgets nonces within minutes. So the nonce is also
    written into the message, as the id of its first component; `search` looks for it in the channel first.
    """
    mark = mark_of(nonce)
    content = view.marked(mark).sent()
    found = await channels.find_message(place_id, mark) if search else None
    if found is not None:
        return found

    async def send(nonce: str) -> int:
        channel, files = channels.get_partial_messageable(place_id), view.files()
        message = await channel.send(**content, files=files, nonce=nonce, allowed_mentions=mention, silent=silent)
        return int(message.id)

    try:
        return await send(nonce)
    except discord.NotFound as error:
        if error.code != _MESSAGE_DELETED:
            raise
        return await send(secrets.token_hex(12))  # if its confirmation is lost, the mark still finds it


class IdempotentPosts:
    """Posts, edits and deletes messages about tables, in their channels and in direct messages."""

    def __init__(self, channels: ChannelClient) -> None:
        self._channels = channels
        self._distrusted: set[int] = set()
        """Tables with messages that may have been posted without a confirmation."""

    def distrust(self, table_ids: Iterable[int]) -> None:
        """Look for messages of these tables in their channels before posting them again."""
        self._distrusted.update(table_ids)

    def trust(self, table_id: int) -> None:
        """Record that every message of this table was confirmed."""
        self._distrusted.discard(table_id)

    async def post(
        self,
        table: Table,
        view: Layout,
        nonce: str,
        *,
        place_id: int | None = None,
        mention: discord.AllowedMentions = _NOBODY,
        silent: bool = False,
    ) -> int:
        """Post a message once, by default where the table is shown. Return its id."""
        place_id = table.row.place_id if place_id is None else place_id
        return await post_once(
            self._channels,
            place_id,
            view,
            nonce_in(place_id, nonce),
            search=table.id in self._distrusted,
            mention=mention,
            silent=silent,
        )

    async def edit(
        self,
        table: Table,
        message_id: int,
        view: Layout,
        nonce: str,
        *,
        place_id: int | None = None,
    ) -> None:
        """Replace a table's message and its pictures. It was posted in this place with this nonce."""
        place_id = table.row.place_id if place_id is None else place_id
        content = view.marked(mark_of(nonce_in(place_id, nonce))).sent()
        message = self._channels.get_partial_messageable(place_id).get_partial_message(message_id)
        await message.edit(**content, attachments=view.files(), allowed_mentions=_NOBODY)

    async def withdraw(self, table: Table, nonce: str) -> None:
        """Delete a message that isn't needed any more and may have been posted without a confirmation."""
        if table.id in self._distrusted:
            place_id = table.row.place_id
            await self.delete(place_id, await self._channels.find_message(place_id, mark_of(nonce_in(place_id, nonce))))

    async def delete(self, place_id: int, message_id: int | None) -> None:
        """Delete a message if it exists."""
        if not message_id:
            return
        with suppress(discord.NotFound):
            await self._channels.get_partial_messageable(place_id).get_partial_message(message_id).delete()

    def channel(self, table: Table) -> discord.PartialMessageable:
        """The channel or thread where a table is shown."""
        return self._channels.get_partial_messageable(table.row.place_id)
