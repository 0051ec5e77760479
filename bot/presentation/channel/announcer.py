"""Keeps the channel of each table up to date: its message, gangs, results of hands, titles and turn notices.

The database stores what each channel shows, so the announcer continues where it stopped after a crash.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import discord

from bot.presentation.channel.gang_announcer import GangAnnouncer, gang_nonce
from bot.presentation.channel.hand_reporter import HandReporter
from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts
from bot.presentation.channel.refresh_queue import RefreshQueue
from bot.presentation.channel.table_poster import TablePoster
from bot.presentation.channel.turn_notices import ActivePlayers, TurnNotices
from bot.presentation.records.pictures import Illustrator
from bot.presentation.records.titles import title_changes_message
from bot.presentation.table.duplicates import comparison_message
from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import Readers
from bot.services.archive import Archive
from bot.services.guild_settings import Guilds
from bot.services.tables import Tables
from bot.services.titles import Titles
from bot.services.user_settings import Users
from bot.table.guild import Celebrations
from bot.table.model import ChannelDisplay, Status
from bot.table.play import record_first_message
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table

_NO_CHANNEL: Final = 10003
"""Discord's error code for a channel or thread that doesn't exist."""


class Announcer:
    """Refreshes channels from a queue. Each refresh shows the latest state, not each state since the last refresh."""

    def __init__(
        self,
        *,
        tables: Tables,
        archive: Archive,
        users: Users,
        guilds: Guilds,
        titles: Titles,
        readers: Readers,
        illustrator: Illustrator,
        active: ActivePlayers,
        channels: ChannelClient,
    ) -> None:
        self._tables = tables
        self._displays = tables.displays
        self._archive = archive
        self._guilds = guilds
        self._titles = titles
        self._readers = readers
        self._posts = IdempotentPosts(channels)
        self._poster = TablePoster(tables, archive, self._posts, channels)
        self._reporter = HandReporter(archive, self._posts, channels, illustrator)
        self._gangs = GangAnnouncer(self._posts, channels, illustrator)
        self._turn_notices = TurnNotices(tables, users, readers, self._posts, active, channels)
        self._to_repost: set[int] = set()
        """Tables to post again at the end of their channel."""
        self._refresh_queue = RefreshQueue(self._refresh, table_of=int)

    def start(self) -> None:
        """Start with the tables requested until now. The client must be logged in."""
        self._refresh_queue.open()

    async def resume(self) -> None:
        """Refresh each outdated table. Its messages may have been posted without a confirmation."""
        outdated = await self._displays.outdated()
        self._posts.distrust(outdated)
        self._refresh_queue.request(*outdated)

    async def catch_up(self, guild_id: int | None) -> None:
        """Refresh each outdated table of one guild, or of all, after an obstacle may have gone."""
        self._refresh_queue.request(*await self._displays.outdated(guild_id))

    async def close(self) -> None:
        """Stop. The next start shows what is still outdated."""
        await self._refresh_queue.close()
        await self._reporter.close()

    def refresh(self, table_id: int) -> None:
        """Show a table's change soon."""
        self._refresh_queue.request(table_id)

    def repost(self, table_id: int) -> None:
        """Post a table again at the end of its channel soon."""
        self._to_repost.add(table_id)
        self._refresh_queue.request(table_id)

    def redraw(self, table_ids: Iterable[int]) -> None:
        """Edit the messages of tables soon, even if nothing has changed."""
        table_ids = list(table_ids)
        self._poster.to_redraw.update(table_ids)
        self._refresh_queue.request(*table_ids)

    async def _refresh(self, table_id: int) -> None:
        self._poster.begin(table_id)
        try:
            table = await self._tables.get(table_id)
            if table.row.in_channel:
                await self._show_all(table, await self._displays.get(table_id))
            else:
                self._poster.forget(table_id)
        except NoSuchTable:  # it was deleted
            self._poster.forget(table_id)
        except BaseException:
            self._posts.distrust([table_id])
            raise
        self._posts.trust(table_id)

    async def _show_all(self, table: Table, before: ChannelDisplay) -> None:
        guild = await self._guilds.get(table.row.guild_id)
        words = self._readers.public_words(guild)
        try:
            table, display = await self._show(table, before, words, celebrations=guild.celebrations)
            if await self._record_first_message(table, display):
                return
        except (discord.Forbidden, discord.NotFound) as error:
            if error.code == _NO_CHANNEL and (table.row.thread_id or table.row.parent_id):
                await self._poster.leave_thread(table)
                return
            # A player who gets direct messages can still be notified. A channel that is gone never shows more.
            revision = table.row.revision if error.code == _NO_CHANNEL else None
            await self._notify(table, await self._displays.get(table.id), words, revision=revision)
            raise
        await self._notify(table, display, words, revision=table.row.revision)

    async def _show(
        self, table: Table, before: ChannelDisplay, words: Words, *, celebrations: Celebrations
    ) -> tuple[Table, ChannelDisplay]:
        """Post new events, then the table. The returned table may have moved to its thread."""
        table, before = await self._poster.enter_thread(table, before, words)
        display = await self._report(table, before, words)
        display = await self._celebrate(table, display, words, celebrations)
        display = await self._post_title_changes(table, display, words, celebrations)
        must_repost = table.id in self._to_repost
        has_posted = (
            display.result_id != before.result_id
            or display.gang_id not in (before.gang_id, None)
            or display.announced_titles != before.announced_titles
        )
        display = await self._poster.draw(table, display, words, below=must_repost or has_posted)
        display = await self._post_comparison(table, display, words)
        if must_repost:
            self._to_repost.discard(table.id)
        return table, display

    async def _celebrate(
        self, table: Table, display: ChannelDisplay, words: Words, celebrations: Celebrations
    ) -> ChannelDisplay:
        """Celebrate the latest gang of the hand, if the guild wants to see it, and count all."""
        if table.is_gang_undone and display.gang_id is not None and table.gangs == display.announced_gangs:
            await self._posts.delete(table.row.place_id, display.gang_id)
            display = await self._displays.save(table.id, replace(display, gang_id=None))
        if table.gangs <= display.announced_gangs:
            return display
        gangs = await self._archive.gangs(table, display.announced_gangs)
        for number, played in enumerate(gangs, display.announced_gangs + 1):
            gang_id = display.gang_id
            is_undone = table.is_gang_undone and number == table.gangs
            if is_undone or played.hand <= table.hands_over:  # the hand's result has its gangs
                await self._posts.withdraw(table, gang_nonce(table, played, number))
            elif celebrations == Celebrations.ALL or (celebrations == Celebrations.PEOPLE and not played.by_ai):
                gang_id = await self._gangs.post(table, played, number, words)
                if display.gang_id != gang_id:
                    await self._posts.delete(table.row.place_id, display.gang_id)
            display = await self._displays.save(table.id, replace(display, announced_gangs=number, gang_id=gang_id))
        return display

    async def _report(self, table: Table, display: ChannelDisplay, words: Words) -> ChannelDisplay:
        """Post the results of finished hands. Each replaces the one before and the gangs of its hand."""
        if table.hands_over <= display.announced_hand:
            return display
        for report in await self._archive.reports(table, display.announced_hand):
            result_id = await self._reporter.post(table, report, words)
            for old in {display.result_id, display.gang_id} - {result_id}:
                await self._posts.delete(table.row.place_id, old)
            shown = replace(display, announced_hand=report.ended.hand, result_id=result_id, gang_id=None)
            display = await self._displays.save(table.id, shown)
        return display

    async def _post_title_changes(
        self, table: Table, display: ChannelDisplay, words: Words, celebrations: Celebrations
    ) -> ChannelDisplay:
        """Post title changes after a finished match if the guild wants that, and record that it's done."""
        if table.row.status is not Status.OVER or display.announced_titles:
            return display
        changes = await self._titles.changes(table.row.guild_id, table.id)
        if changes and celebrations != Celebrations.OFF:
            await self._posts.post(table, title_changes_message(changes, words), f"{table.id}.titles")
        return await self._displays.save(table.id, replace(display, announced_titles=True))

    async def _post_comparison(self, table: Table, display: ChannelDisplay, words: Words) -> ChannelDisplay:
        """Post the comparison of a duplicate match once both tables are over."""
        if table.row.duplicate_of is None or table.row.deals_secret or display.announced_duplicate:
            return display
        comparison = await self._archive.comparison(table)
        if comparison.is_announced_at(table):
            await self._posts.post(table, comparison_message(comparison, words), f"{table.id}.comparison")
        return await self._displays.save(table.id, replace(display, announced_duplicate=True))

    async def _notify(
        self, table: Table, display: ChannelDisplay, words: Words, *, revision: int | None = None
    ) -> None:
        """Notify the player to act. Then store the display, with the drawn `revision` if there is one.

        While a call is held back, the revision stays lower, so that a restart sends the call.
        """
        display, wait = await self._turn_notices.bring_up_to_date(table, display, words)
        if wait:
            self._refresh_queue.request_later(wait / 1000, table.id)
        elif revision is not None:
            display = replace(display, revision=revision)
        await self._displays.save_drawn(table.id, display)

    async def _record_first_message(self, table: Table, display: ChannelDisplay) -> bool:
        """Store the id of the first message that shows the table.

        Return True if that changed the table: another refresh follows. The second table of a duplicate match has the
        salt of the first, so it needs none.
        """
        row = table.row
        has_salt = row.first_table_id is not None or row.first_message_id is not None
        if row.status is not Status.LOBBY or has_salt or display.message_id is None:
            return False
        await self._tables.act(table.id, record_first_message, display.message_id)
        return True
