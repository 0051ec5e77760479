"""Notifies players of their turn: one mention or direct message, deleted when the turn is over."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts, was_refused
from bot.presentation.channel.notices import ChannelNotice, current_notice, direct_message
from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import Readers
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import InvalidCustomId, Press
from bot.services.tables import Tables
from bot.services.user_settings import Users
from bot.table.model import ChannelDisplay, Pace
from bot.table.quiet_hours import is_free
from bot.table.snapshot import Table
from bot.table.user import NotificationMode, UserSettings

ACTIVE_FOR: Final = 120_000
"""Milliseconds after an action, or after a turn was shown in an open hand, for which a player counts as active."""
_NOT_SENT: Final = 0
"""In place of the id of a notice that its reader doesn't want."""
_HELD_BACK: Final = (NotificationMode.AWAY, NotificationMode.DIRECT)
"""The settings with which an active player isn't called."""
DM_RETRY_AFTER: Final = 600_000
"""Milliseconds before the app tries another direct message to a user who refuses them: Discord bans an address for a
while after too many refused requests."""
MAX_CALLS: Final = 2
"""Calls and questions that mention a player in one hand of a live match. Later ones are posted without a mention."""


class ActivePlayers:
    """The latest action of each user at each table. Active players see their turn, so they aren't called.

    Nothing is stored: after a restart, players count as away until they act again.
    """

    def __init__(self, now: Callable[[], int], shows: Callable[[int, int], bool]) -> None:
        """`shows` is asked whether a user sees each change at a table, in an open hand or on a page."""
        self._now = now
        self._shows = shows
        self._acted: dict[tuple[int, int], int] = {}
        """UTC milliseconds by table and user, the earliest first."""

    def record(self, interaction: discord.Interaction) -> None:
        """Record a press at a table."""
        with suppress(InvalidCustomId):
            self.record_action(Press.parse(str(interaction.custom_id or "")).table, interaction.user.id)

    def record_action(self, table_id: int, user_id: int) -> None:
        """Record an action of a user at a table."""
        self._forget_inactive()
        self._acted.pop((table_id, user_id), None)
        self._acted[table_id, user_id] = self._now()

    def active_for(self, table: Table, user_id: int) -> int:
        """Milliseconds for which a user still counts as active at a table, if they don't act again."""
        moments = [self._acted.get((table.id, user_id), 0)]
        if table.row.clock is not None and table.user_to_act == user_id and self._shows(table.id, user_id):
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


class TurnNotices:
    """Keeps the one notice of a table up to date."""

    def __init__(
        self,
        tables: Tables,
        users: Users,
        readers: Readers,
        posts: IdempotentPosts,
        active: ActivePlayers,
        channels: ChannelClient,
    ) -> None:
        self._displays = tables.displays
        self._now = tables.now
        self._users = users
        self._readers = readers
        self._posts = posts
        self._active = active
        self._channels = channels
        self._refused_until: dict[int, int] = {}
        """Users who refuse direct messages, and when to try again (UTC milliseconds)."""
        self._calls: dict[int, Counter[tuple[int, int]]] = {}
        """The mentions at open tables: by table, then by number of the hand and user."""

    async def bring_up_to_date(self, table: Table, display: ChannelDisplay, words: Words) -> tuple[ChannelDisplay, int]:
        """Post the notice of a new turn, and delete it when the turn is over.

        Returns the display, and for how many milliseconds the notice is held back.
        """
        notice, wait = current_notice(table, words), 0
        if not table.row.status.is_open:
            self._calls.pop(table.id, None)
        if notice is not None and notice.nonce != display.notice:  # a posted one stays
            wait = await self._held_for(table, notice)
            notice = None if notice.is_automatic or wait else notice
        return await self._show(table, notice, display, words), wait

    async def _held_for(self, table: Table, notice: ChannelNotice) -> int:
        """Milliseconds until the call of an active player may be sent, unless they want every call."""
        if not notice.is_turn_call or notice.is_automatic:
            return 0
        (user_id,) = notice.user_ids
        wait = self._active.active_for(table, user_id)
        if wait and (await self._users.get(user_id)).notifications in _HELD_BACK:
            return wait
        return 0

    async def _show(
        self, table: Table, notice: ChannelNotice | None, display: ChannelDisplay, words: Words
    ) -> ChannelDisplay:
        """Replace the notice on display."""
        nonce = None if notice is None else notice.nonce
        if display.notice != nonce:
            await self._delete_earlier(table, display, words)
            place = None if notice is None else table.row.place_id
            display = replace(display, notice=nonce, notice_id=None, notice_channel_id=place)
            display = await self._displays.save(table.id, display)
        elif display.notice_id is not None:
            is_outdated = self._is_direct(table, display) and display.revision < table.row.revision
            if notice is not None and (notice.is_editable or is_outdated) and display.notice_id != _NOT_SENT:
                await self._edit(table, notice, display, display.notice_id)
            return display
        if notice is None:
            return display
        try:
            return await self._post(table, notice, display)
        except (discord.Forbidden, discord.NotFound):  # so it can't have been sent
            await self._displays.save(table.id, replace(await self._displays.get(table.id), notice=None))
            raise

    async def _edit(self, table: Table, notice: ChannelNotice, display: ChannelDisplay, message_id: int) -> None:
        place_id = display.notice_channel_id or table.row.place_id
        if not self._is_direct(table, display):
            view: Layout = notice.view(notice.user_ids)
        else:
            (user_id,) = notice.user_ids
            view = await self._direct_view(table, user_id, display, await self._users.get(user_id))
        with suppress(discord.NotFound, discord.Forbidden):  # it was deleted, or the user refuses direct messages now
            await self._posts.edit(table, message_id, view, notice.nonce, place_id=place_id)

    def _is_direct(self, table: Table, display: ChannelDisplay) -> bool:
        """True for a direct message. It has a link to the table's message, which may be posted again."""
        return display.notice_channel_id not in (None, table.row.place_id)

    async def _direct_view(self, table: Table, user_id: int, display: ChannelDisplay, reader: UserSettings) -> Layout:
        words = await self._readers.private_words(reader, table.row.guild_id)
        return direct_message(table, user_id, display.message_id, words)

    async def _post(self, table: Table, notice: ChannelNotice, display: ChannelDisplay) -> ChannelDisplay:
        """Post the notice according to its readers' settings."""
        settings = {user_id: await self._users.get(user_id) for user_id in notice.user_ids}
        if notice.is_personal:
            (reader,) = settings.values()
            if reader.notifications is NotificationMode.NEVER:
                return replace(display, notice_id=_NOT_SENT)
            if reader.notifications is NotificationMode.DIRECT:
                display = await self._send_direct(table, notice, display, reader)
                if display.notice_id is not None:
                    return display
        users = [user_id for user_id, each in settings.items() if each.notifications is not NotificationMode.NEVER]
        awake = [user_id for user_id in users if self._is_awake(table, settings[user_id])]
        asked = users if notice.is_personal else [user for user in awake if not self._active.active_for(table, user)]
        called = [user_id for user_id in asked if self._may_call(table, settings[user_id], user_id)]
        mention = discord.AllowedMentions(users=[discord.Object(each) for each in called])
        silent = notice.is_personal and not awake
        return replace(
            display,
            notice_id=await self._posts.post(table, notice.view(called), notice.nonce, mention=mention, silent=silent),
        )

    def _may_call(self, table: Table, settings: UserSettings, user_id: int) -> bool:
        """Count a call or question. False if the player has had `MAX_CALLS` in this hand."""
        public = table.public
        if public is None or table.row.pace is not Pace.LIVE or settings.notifications is NotificationMode.EVERY:
            return True
        calls = self._calls.setdefault(table.id, Counter())
        calls[public.hand_number, user_id] += 1
        return table.row.nudged_at is not None or calls[public.hand_number, user_id] <= MAX_CALLS

    def _is_awake(self, table: Table, settings: UserSettings) -> bool:
        """True if a phone may ring now. At a live match it always may: its players are awake."""
        return table.row.pace is Pace.LIVE or is_free(self._now(), settings)

    async def _send_direct(
        self, table: Table, notice: ChannelNotice, display: ChannelDisplay, reader: UserSettings
    ) -> ChannelDisplay:
        """Send a direct message in its reader's language. `notice_id` stays None if the user refuses it."""
        (user_id,) = notice.user_ids
        if self._now() < self._refused_until.get(user_id, 0):
            return display
        opened = display
        view = await self._direct_view(table, user_id, display, reader)
        named = discord.AllowedMentions(users=[discord.Object(user_id)])  # the lock screen shows others as numbers
        silent = not self._is_awake(table, reader)
        try:
            channel = await self._channels.create_dm(discord.Object(user_id))
            opened = await self._displays.save(table.id, replace(display, notice_channel_id=channel.id))
            message_id = await self._posts.post(
                table, view, notice.nonce, place_id=channel.id, mention=named, silent=silent
            )
        except discord.HTTPException as error:
            if not was_refused(error):
                raise
            self._record_refusal(user_id)
            return await self._displays.save(table.id, replace(opened, notice_channel_id=display.notice_channel_id))
        return replace(opened, notice_id=message_id)

    def _record_refusal(self, user_id: int) -> None:
        now = self._now()
        self._refused_until = {each: until for each, until in self._refused_until.items() if until > now}
        self._refused_until[user_id] = now + DM_RETRY_AFTER

    async def _delete_earlier(self, table: Table, display: ChannelDisplay, words: Words) -> None:
        """Delete the notice of an earlier turn. If its id is unknown, posting it again returns it."""
        place, message_id = display.notice_channel_id or table.row.place_id, display.notice_id
        if message_id is None and display.notice is not None:
            view = Layout(words.say("Table {number}", number=table.id))
            try:
                message_id = await self._posts.post(table, view, display.notice, place_id=place, silent=True)
            except discord.NotFound:
                return  # the channel was deleted with its messages
            except discord.HTTPException as error:
                if place in (table.row.place_id, table.row.channel_id) or not was_refused(error):
                    raise
                return  # the user refuses direct messages, so none was sent
        await self._posts.delete(place, message_id)
