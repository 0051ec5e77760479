"""Who is called to their turn: one mention when it comes, or a direct message, deleted when it is over."""

from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from bot.presentation.channel.idempotent_posts import Channels, IdempotentPosts
from bot.presentation.channel.notices import Notice, direct_message, notice_of
from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import Readers
from bot.presentation.ui.custom_ids import layout
from bot.services.tables import Tables
from bot.services.user_settings import Users
from bot.table.model import ChannelDisplay, Pace
from bot.table.quiet_hours import is_free
from bot.table.snapshot import Table
from bot.table.user import NotificationMode, UserSettings

_NOWHERE: Final = 0
"""In place of the id of a notice that was not sent, as its reader wishes."""
REFUSED_FOR: Final = 600_000
"""Milliseconds for which a person who takes no direct messages is sent none: Discord bans an address for a while after
too many refused requests."""


class TurnPings:
    """Keeps the one notice of a table true."""

    def __init__(
        self, tables: Tables, users: Users, readers: Readers, posts: IdempotentPosts, channels: Channels
    ) -> None:
        self._displays = tables.displays
        self._now = tables.now
        self._users = users
        self._readers = readers
        self._posts = posts
        self._channels = channels
        self._refused_until: dict[int, int] = {}
        """People who take no direct messages, and until when they are sent none (UTC milliseconds)."""

    async def bring_up_to_date(self, table: Table, display: ChannelDisplay, words: Words) -> ChannelDisplay:
        """One mention when a turn comes, deleted when it is over."""
        notice = notice_of(table, words)
        if notice is not None and notice.is_idle and notice.nonce != display.notice:  # one that stands there stays
            notice = None
        nonce = None if notice is None else notice.nonce
        if display.notice != nonce:
            await self._take_back(table, display, words)
            place = None if notice is None else table.row.place_id
            display = replace(display, notice=nonce, notice_id=None, notice_channel_id=place)
            display = await self._displays.save(table.id, display)
        elif display.notice_id is not None:
            if notice is not None and notice.is_edited:
                await self._edit(table, notice, display.notice_id)
            return display
        if notice is None:
            return display
        try:
            return await self._call(table, notice, display)
        except (discord.Forbidden, discord.NotFound):  # so it was surely not sent
            await self._displays.save(table.id, replace(await self._displays.get(table.id), notice=None))
            raise

    async def _edit(self, table: Table, notice: Notice, notice_id: int) -> None:
        """Bring a notice up to date that may have changed. Nothing happens if a moderator has deleted it."""
        with suppress(discord.NotFound):
            await self._posts.edit(table, notice_id, notice.view, notice.nonce, ())

    async def withdraw(self, table: Table, sent: ChannelDisplay, now: ChannelDisplay) -> None:
        """Delete the notice that was just sent, if another process has called for another turn meanwhile."""
        if sent.notice != now.notice or now.notice_id not in (None, sent.notice_id):
            await self._posts.delete(sent.notice_channel_id or table.row.place_id, sent.notice_id)

    async def _call(self, table: Table, notice: Notice, display: ChannelDisplay) -> ChannelDisplay:
        """Tell people as they wish to be told."""
        settings = {person: await self._users.get(person) for person in notice.people}
        if notice.is_personal:
            (reader,) = settings.values()
            if reader.notifications is NotificationMode.NOTHING:
                return replace(display, notice_id=_NOWHERE)
            if reader.notifications is NotificationMode.DIRECT:
                display = await self._tell_directly(table, notice, display, reader)
                if display.notice_id is not None:
                    return display
        users = [person for person, each in settings.items() if each.notifications is not NotificationMode.NOTHING]
        awake = [person for person in users if self._is_awake(table, settings[person])]
        called = users if notice.is_personal else awake  # others see what they are all asked when they look
        mention = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(each) for each in called])
        silent = notice.is_personal and not awake
        return replace(
            display, notice_id=await self._posts.say(table, notice.view, notice.nonce, mention=mention, silent=silent)
        )

    def _is_awake(self, table: Table, settings: UserSettings) -> bool:
        """Whether a phone may ring now: at a live match always, as whoever sits down to it is awake."""
        return table.row.pace is Pace.LIVE or is_free(self._now(), settings)

    async def _tell_directly(
        self, table: Table, notice: Notice, display: ChannelDisplay, reader: UserSettings
    ) -> ChannelDisplay:
        """Send a direct message, in the words of its reader; there is no `notice_id` if the person takes none."""
        (person,) = notice.people
        if self._now() < self._refused_until.get(person, 0):
            return display
        there = display
        view = direct_message(table, person, await self._readers.in_private(reader, table.row.guild_id))
        silent = not self._is_awake(table, reader)
        try:
            channel = await self._channels.create_dm(discord.Object(person))
            there = await self._displays.save(table.id, replace(display, notice_channel_id=channel.id))
            message_id = await self._posts.say(table, view, notice.nonce, place_id=channel.id, silent=silent)
        except discord.Forbidden:
            self._note_refusal(person)
            return await self._displays.save(table.id, replace(there, notice_channel_id=display.notice_channel_id))
        return replace(there, notice_id=message_id)

    def _note_refusal(self, person: int) -> None:
        now = self._now()
        self._refused_until = {each: until for each, until in self._refused_until.items() if until > now}
        self._refused_until[person] = now + REFUSED_FOR

    async def _take_back(self, table: Table, display: ChannelDisplay, words: Words) -> None:
        """Delete the notice of an earlier turn; in doubt, it is said again: then it is the same message."""
        place, message_id = display.notice_channel_id or table.row.place_id, display.notice_id
        if message_id is None and display.notice is not None:
            view = layout(discord.ui.TextDisplay(words.say("Table {number}", number=table.id)))
            try:
                message_id = await self._posts.say(table, view, display.notice, place_id=place, silent=True)
            except discord.Forbidden:
                if place in (table.row.place_id, table.row.channel_id):
                    raise
                return  # this person takes no direct messages, so there is none
            except discord.NotFound:
                return  # the place has been deleted, and all that stood there
        await self._posts.delete(place, message_id)
