"""What channels are told: the table as it is, whose turn it is, what a hand came to.

It is remembered in the database what a channel has been told, so a start after a crash goes on where it stopped.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

import discord

from bot.presentation.channel.hand_reporter import HandReporter
from bot.presentation.channel.idempotent_posts import Channels, IdempotentPosts
from bot.presentation.channel.refresh_queue import RefreshQueue
from bot.presentation.channel.turn_pings import TurnPings
from bot.presentation.records.pictures import Illustrator
from bot.presentation.records.titles import change_message
from bot.presentation.table.celebration import celebration
from bot.presentation.table.duplicates import comparison_message
from bot.presentation.table.message import table_message
from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import Readers
from bot.presentation.ui.custom_ids import layout
from bot.services.archive import Archive
from bot.services.guild_settings import Guilds
from bot.services.tables import Tables, Update
from bot.services.titles import Titles
from bot.services.user_settings import Users
from bot.table.errors import StaleDisplay
from bot.table.model import Shown, Status
from bot.table.play import first_shown, in_thread, without_thread
from bot.table.refusals import NoSuchTable
from bot.table.snapshot import Table

SLOW_EDITS_AFTER: Final = 50 * 60
"""Seconds: Discord slows down edits of messages older than an hour, so before that the table is posted anew."""

_NOBODY: Final = discord.AllowedMentions.none()


class Announcer:
    """Keeps channels up to date with the tables, in rounds: the newest state is told, not each on the way there."""

    def __init__(
        self,
        tables: Tables,
        archive: Archive,
        users: Users,
        guilds: Guilds,
        titles: Titles,
        readers: Readers,
        illustrator: Illustrator,
        channels: Channels,
    ) -> None:
        self._tables = tables
        self._archive = archive
        self._guilds = guilds
        self._titles = titles
        self._readers = readers
        self._channels = channels
        self._posts = IdempotentPosts(tables, channels)
        self._reporter = HandReporter(archive, self._posts, channels, illustrator)
        self._turn_pings = TurnPings(tables, users, readers, self._posts, channels)
        self._buried: set[int] = set()
        self._outdated: set[int] = set()
        """Tables that look otherwise by now, though nothing has happened at them."""
        self._suspected: set[int] = set()
        """Tables of which another process may have left messages."""
        self._refresh_queue = RefreshQueue(self._bring_up_to_date)

    async def start(self) -> None:
        """Begin to speak, first of what a crash has left untold. The client must be logged in."""
        self._posts.in_doubt.update(await self._tables.unshown())
        await self.catch_up()
        self._refresh_queue.open()

    async def catch_up(self, guild_id: int | None = None) -> None:
        """Tell what is untold, in a server or everywhere: what stood in the way may have gone."""
        for table_id in await self._tables.unshown(guild_id):
            self._refresh_queue.ask(table_id)

    async def close(self) -> None:
        """Stop; what is not told is told at the next start."""
        await self._refresh_queue.close()
        await self._reporter.close()

    def tell(self, update: Update) -> None:
        """Hear of a change at a table. It returns at once."""
        self._refresh_queue.ask(update.table.id)

    def repost(self, table_id: int) -> None:
        """Have the table posted again at the end of its channel."""
        self._buried.add(table_id)
        self._refresh_queue.ask(table_id)

    def redraw(self, tables: Iterable[int]) -> None:
        """Have tables drawn again where they stand, as they look otherwise by now. It returns at once."""
        for table_id in tables:
            self._outdated.add(table_id)
            self._refresh_queue.ask(table_id)

    async def clean_up(self, since: int) -> None:
        """Bring up to date what another process, which is gone, may have shown since then (UTC milliseconds).

        It returns at once. Raises `StorageError`.
        """
        numbers = await self._tables.active_since(since)
        self._posts.in_doubt.update(numbers)
        self._suspected.update(numbers)
        self.redraw(numbers)

    async def _bring_up_to_date(self, table_id: int) -> None:
        try:
            await self._tell_all(table_id)
        except NoSuchTable:  # it has been forgotten
            pass
        except BaseException:
            self._posts.in_doubt.add(table_id)
            raise
        self._posts.in_doubt.discard(table_id)

    async def _tell_all(self, table_id: int) -> None:
        """Show the table, and call whose turn it is; the hand of a day is shown to nobody but its player."""
        table = await self._tables.newest(table_id)
        if table.row.daily is not None:
            return
        words = await self._readers.in_public(table.row.guild_id)
        try:
            table = await self._show(table, words)
            if await self._note_first_message(table):
                return
        except (discord.Forbidden, discord.NotFound) as error:
            if error.code == _NO_CHANNEL and table.row.thread_id is not None:
                await self._leave_its_thread(table)
                return
            await self._call(table, words, revision=None)  # whoever reads direct messages is called all the same
            raise
        await self._call(table, words, revision=table.row.revision)
        if table.id in self._suspected:
            await self._posts.sweep(table, await self._tables.shown(table.id))
            self._suspected.discard(table.id)

    async def _call(self, table: Table, words: Words, *, revision: int | None) -> None:
        """Call whose turn it is, and remember that, and which revision has been drawn, if it was."""
        shown = await self._turn_pings.bring_up_to_date(table, await self._tables.shown(table.id), words)
        try:
            await self._tables.show(table.id, shown if revision is None else replace(shown, revision=revision))
        except StaleDisplay:  # nobody else knows of the message
            await self._turn_pings.withdraw(table, shown, await self._tables.shown(table.id))
            raise

    async def _show(self, table: Table, words: Words) -> Table:
        """Tell of gangs and finished hands, draw the table, and compare it with another that had the same deals.

        Gives the table, as it may have moved into its thread.
        """
        celebrates = (await self._guilds.get(table.row.guild_id)).celebrates
        shown = await self._tables.shown(table.id)
        table = await self._to_its_thread(table, shown, words)
        if table.row.settings.thread:
            shown = await self._tables.shown(table.id)
        told = await self._celebrate(table, shown, words, aloud=celebrates)
        told = await self._report(table, told, words)
        told = await self._hand_over_titles(table, told, words, aloud=celebrates)
        is_buried = table.id in self._buried
        has_news = (told.announced_hand, told.announced_titles) != (shown.announced_hand, shown.announced_titles)
        has_news |= celebrates and told.announced_gangs > shown.announced_gangs
        told = await self._draw(table, told, words, below=is_buried or has_news)
        await self._compare(table, told, words)
        if is_buried:
            self._buried.discard(table.id)
        return table

    async def _celebrate(self, table: Table, shown: Shown, words: Words, *, aloud: bool) -> Shown:
        """Let the channel have its moment for each gang; not `aloud`: only count them."""
        for number, laid in enumerate(
            await self._archive.gangs(table, shown.announced_gangs), shown.announced_gangs + 1
        ):
            if aloud:
                await self._posts.say(table, celebration(table, laid, words), f"{table.id}.gang{number}")
            shown = await self._tables.show(table.id, replace(shown, announced_gangs=number))
        return shown

    async def _report(self, table: Table, shown: Shown, words: Words) -> Shown:
        """Post the results of finished hands."""
        for report in await self._archive.reports(table, shown.announced_hand):
            await self._reporter.post(table, report, words)
            shown = await self._tables.show(table.id, replace(shown, announced_hand=report.ended.hand))
        return shown

    async def _hand_over_titles(self, table: Table, shown: Shown, words: Words, *, aloud: bool) -> Shown:
        """Tell which titles a match that is over has won for somebody; not `aloud`: only note that it was told."""
        if table.row.status is not Status.OVER or shown.announced_titles:
            return shown
        changes = await self._titles.changes(table.row.guild_id, table.id)
        if aloud and changes:
            await self._posts.say(table, change_message(changes, words), f"{table.id}.titles")
        return await self._tables.show(table.id, replace(shown, announced_titles=True))

    async def _compare(self, table: Table, shown: Shown, words: Words) -> None:
        """Compare a duplicate match, once it is over at both tables."""
        if table.row.duplicate_of is None or table.row.deals_secret or shown.announced_duplicate:
            return
        comparison = await self._archive.comparison(table)
        if comparison.is_told_at(table):
            await self._posts.say(table, comparison_message(comparison, words), f"{table.id}.twin")
        await self._tables.show(table.id, replace(shown, announced_duplicate=True))

    async def _draw(self, table: Table, shown: Shown, words: Words, *, below: bool) -> Shown:
        """Bring the table's message up to date; `below`: post it anew, as other messages have come after it."""
        is_shown = shown.message_id is not None and shown.revision == table.row.revision
        if is_shown and not below and table.id not in self._outdated:
            return shown
        view = table_message(table, words)
        if below or shown.revision == _IN_DOUBT or not await self._edit(table, shown.message_id, view):
            shown = await self._post(table, shown, view)
        self._outdated.discard(table.id)
        return shown

    async def _post(self, table: Table, shown: Shown, view: discord.ui.LayoutView) -> Shown:
        """Post the table's message anew. Wherever this breaks off, the next attempt comes here and finds the same."""
        old, is_first = shown.message_id, table.row.revision == 0
        in_doubt = shown.revision == _IN_DOUBT and not is_first
        revision = shown.revision
        shown = await self._tables.show(table.id, replace(shown, revision=_IN_DOUBT))
        nonce = f"{table.id}.table" if old is None else f"after.{old}"
        try:
            message_id = await self._posts.say(table, view, nonce)
        except (discord.Forbidden, discord.NotFound):  # so it surely does not stand there
            await self._tables.show(table.id, replace(shown, revision=revision))
            raise
        if in_doubt:  # it may be what an earlier attempt has posted
            await self._edit(table, message_id, view)
        await self._posts.delete(table.row.place_id, old)
        shown = replace(shown, message_id=message_id, revision=table.row.revision - 1)  # nobody is called yet
        try:
            return await self._tables.show(table.id, shown)
        except StaleDisplay:  # no other process knows of this message
            if (await self._tables.shown(table.id)).message_id != message_id:
                await self._posts.delete(table.row.place_id, message_id)
            raise

    async def _edit(self, table: Table, message_id: int | None, view: discord.ui.LayoutView) -> bool:
        """Edit the table's message; False where there is none any more, or it is better posted anew."""
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

    async def _note_first_message(self, table: Table) -> bool:
        """Store which message first showed the commitment. True if that changed the table: another round follows.

        The second table of a duplicate match needs none, as it has the salt of the first.
        """
        row = table.row
        if row.status is not Status.LOBBY or row.follows is not None or row.first_message_id is not None:
            return False
        message_id = (await self._tables.shown(table.id)).message_id
        if message_id is None:
            return False
        await self._tables.act(table.id, first_shown, message_id)
        return True

    async def _to_its_thread(self, table: Table, shown: Shown, words: Words) -> Table:
        """Open the thread of a table that wants one: under its message, whose id it gets, so there is one at most."""
        wants = table.row.settings.thread and table.row.status is Status.PLAYING and table.row.thread_id is None
        if not wants:
            return table
        if shown.message_id is None:
            shown = await self._draw(table, shown, words, below=False)
        if shown.message_id is None:
            return table
        lobby = self._posts.channel(table).get_partial_message(shown.message_id)
        try:
            name = words.say("Gang of Four · table {number}", number=table.id)
            if not await self._channels.open_thread(table.row.channel_id, lobby.id, name):
                return await self._tables.act(table.id, without_thread)
        except discord.Forbidden:
            return await self._tables.act(table.id, without_thread)
        except discord.NotFound:  # somebody has deleted the message: first it is posted anew
            return table
        except discord.HTTPException as error:
            if error.code != _THREAD_EXISTS:
                raise
        where = words.say("The match of table {number} is played in {place}.", number=table.id, place=f"<#{lobby.id}>")
        await lobby.edit(view=layout(discord.ui.TextDisplay(where)), allowed_mentions=_NOBODY)
        table = await self._tables.act(table.id, in_thread, lobby.id)
        await self._tables.show(table.id, replace(shown, message_id=None))
        return table

    async def _leave_its_thread(self, table: Table) -> None:
        """Play on in the channel, as the thread has been deleted; so is the message that led to it, which has its id.

        The change has everything told there in another round.
        """
        with suppress(discord.Forbidden):
            await self._posts.delete(table.row.channel_id, table.row.thread_id)
        await self._tables.act(table.id, without_thread)


_IN_DOUBT: Final = -2
"""Shown while the table is being posted: if we end or hear nothing, it may stand there without our knowing.

No revision is that low, nor one less than it, which is shown while only the call of whose turn it is is missing.
"""
_NO_CHANNEL: Final = 10003
_THREAD_EXISTS: Final = 160004
_ARCHIVED: Final = 50083
"""Discord's codes: there is no such channel or thread; the message has a thread already; the thread is archived, until
somebody writes in it."""
