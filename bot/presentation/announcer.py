"""What channels are told: the table as it is, whose turn it is, what a hand came to.

It is remembered in the database what a channel has been told, so a start after a crash goes on where it stopped.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Final, Protocol

import discord

from bot.engine import Phase
from bot.presentation import texts
from bot.presentation.buttons import Press, button, layout, rows
from bot.presentation.report import report_message
from bot.presentation.rounds import Rounds
from bot.presentation.table import table_message
from bot.presentation.words import Words, words_in
from bot.services.table import Table
from bot.services.tables import Tables, Update
from bot.storage.rows import Shown

SLOW_EDITS_AFTER: Final = 50 * 60
"""Seconds: Discord slows down edits of messages older than an hour, so before that the table is posted anew."""


class Channels(Protocol):
    """Where messages are sent: Discord's client."""

    def get_partial_messageable(self, channel_id: int, /) -> discord.PartialMessageable:
        """A channel by its id, fetched or not."""
        ...


class Announcer:
    """Keeps channels up to date with the tables, in rounds: the newest state is told, not each on the way there."""

    def __init__(self, tables: Tables, channels: Channels) -> None:
        self._tables = tables
        self._channels = channels
        self._overdue: set[int] = set()
        self._buried: set[int] = set()
        self._rounds = Rounds(self._bring_up_to_date)

    async def start(self) -> None:
        """Begin to speak, first of what a crash has left untold. The client must be logged in."""
        for table_id in await self._tables.unshown():
            self._rounds.ask(table_id)
        self._rounds.open()

    async def close(self) -> None:
        """Stop; what is not told is told at the next start."""
        await self._rounds.close()

    def tell(self, update: Update) -> None:
        """Hear of a change at a table. It returns at once."""
        if update.time_is_up:
            self._overdue.add(update.table.id)
        self._rounds.ask(update.table.id)

    def post_anew(self, table_id: int) -> None:
        """Have the table posted again at the end of its channel."""
        self._buried.add(table_id)
        self._rounds.ask(table_id)

    async def _bring_up_to_date(self, table_id: int) -> None:
        """Tell of finished hands, draw the table, and call whose turn it is."""
        table = await self._tables.get(table_id)
        words = words_in(await self._tables.locale(table.row.guild_id))
        shown = await self._tables.shown(table.id)
        reported = await self._report(table, shown, words)
        is_buried = table.id in self._buried
        shown = await self._draw(table, reported, words, below=is_buried or reported != shown)
        if is_buried:
            self._buried.discard(table.id)
        shown = await self._notify(table, shown, words)
        await self._tables.show(table.id, replace(shown, revision=table.row.revision))

    async def _report(self, table: Table, shown: Shown, words: Words) -> Shown:
        """Post what the hands that are over came to."""
        for report in await self._tables.reports(table, shown.told_hand):
            channel = self._channel(table)
            view = report_message(table, report, words)
            await channel.send(view=view, nonce=f"{table.id}.hand{report.ended.hand}", allowed_mentions=_NOBODY)
            shown = replace(shown, told_hand=report.ended.hand)
            await self._tables.show(table.id, shown)
        return shown

    async def _draw(self, table: Table, shown: Shown, words: Words, *, below: bool) -> Shown:
        """Bring the table's message up to date; `below`: post it anew, as other messages have come after it."""
        if not below and shown.message_id is not None and shown.revision == table.row.revision:
            return shown
        view = table_message(table, words)
        if not below and shown.revision != _IN_DOUBT and await self._edit(table, shown.message_id, view):
            return shown
        return await self._post(table, shown, view)

    async def _post(self, table: Table, shown: Shown, view: discord.ui.LayoutView) -> Shown:
        """Post the table's message anew. Wherever this breaks off, the next attempt comes here and finds the same."""
        old, is_first = shown.message_id, table.row.revision == 0
        in_doubt = shown.revision == _IN_DOUBT and not is_first
        await self._tables.show(table.id, replace(shown, revision=_IN_DOUBT))
        nonce = f"{table.id}.table" if old is None else f"after.{old}"
        try:
            message = await self._channel(table).send(view=view, nonce=nonce, allowed_mentions=_NOBODY)
        except (discord.Forbidden, discord.NotFound):  # so it surely does not stand there
            await self._tables.show(table.id, shown)
            raise
        if in_doubt:  # the nonce may have led to what an earlier attempt has posted
            await self._edit(table, message.id, view)
        await self._delete(table, old)
        shown = replace(shown, message_id=message.id, revision=table.row.revision - 1)  # nobody is called yet
        await self._tables.show(table.id, shown)
        return shown

    async def _edit(self, table: Table, message_id: int | None, view: discord.ui.LayoutView) -> bool:
        """Edit the table's message; False where there is none any more, or it is better posted anew."""
        if message_id is None:
            return False
        age = discord.utils.utcnow() - discord.utils.snowflake_time(message_id)
        if age.total_seconds() > SLOW_EDITS_AFTER:
            return False
        try:
            message = self._channel(table).get_partial_message(message_id)
            await message.edit(view=view, allowed_mentions=_NOBODY)
        except discord.NotFound:
            return False
        return True

    async def _notify(self, table: Table, shown: Shown, words: Words) -> Shown:
        """One mention when a turn comes, deleted when it is over."""
        person = table.seats[table.turn].person if table.turn is not None and table.row.status.is_open else None
        turn, late = (f"{table.id}.{table.moment}.{kind}" for kind in ("turn", "late"))
        overdue = table.id in self._overdue or shown.notice == late
        self._overdue.discard(table.id)
        wanted = None if person is None else late if overdue else turn
        if shown.notice != wanted:
            await self._take_back(table, shown, words)
        elif shown.notice_id is not None:
            return shown
        shown = replace(shown, notice=wanted, notice_id=None)
        await self._tables.show(table.id, shown)
        if person is None or wanted is None:
            return shown
        view = _notice(table, person, words, overdue=overdue)
        mention = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(person)])
        try:
            message = await self._channel(table).send(view=view, nonce=wanted, allowed_mentions=mention)
        except (discord.Forbidden, discord.NotFound):  # so it surely does not stand there
            await self._tables.show(table.id, replace(shown, notice=None))
            raise
        return replace(shown, notice_id=message.id)

    async def _take_back(self, table: Table, shown: Shown, words: Words) -> None:
        """Delete the notice of an earlier turn; in doubt, its nonce leads to it: sent again, it is the same message."""
        if shown.notice_id is None and shown.notice is not None:
            view = layout(discord.ui.TextDisplay(words.say("Table {number}", number=table.id)))
            nonce = shown.notice
            found = await self._channel(table).send(view=view, nonce=nonce, silent=True, allowed_mentions=_NOBODY)
            await self._delete(table, found.id)
        else:
            await self._delete(table, shown.notice_id)

    async def _delete(self, table: Table, message_id: int | None) -> None:
        if message_id is None:
            return
        with suppress(discord.NotFound):
            await self._channel(table).get_partial_message(message_id).delete()

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._channels.get_partial_messageable(table.row.channel_id)


_NOBODY: Final = discord.AllowedMentions.none()
_IN_DOUBT: Final = Shown().revision
"""Shown while the table is being posted: if we end or hear nothing, it may stand there without our knowing."""


def _notice(table: Table, person: int, words: Words, *, overdue: bool) -> discord.ui.LayoutView:
    my_hand = button(Press("hand", table.id), words.say("My hand"), discord.ButtonStyle.primary)
    lines = [_call(table, person, words, overdue=overdue)]
    if table.row.due_at is not None and not overdue:
        lines.append(texts.small(words.say("Time is up {when}.", when=texts.relative(table.row.due_at))))
    return layout(discord.ui.TextDisplay("\n".join(lines)), *rows([my_hand]))


def _call(table: Table, person: int, words: Words, *, overdue: bool) -> str:
    facts = {"name": f"<@{person}>", "number": table.id}
    public = table.public()
    if overdue:
        return words.say("{name}, your time is up at table {number}: everybody waits for you.", **facts)
    if public is not None and public.phase is Phase.EXCHANGE:
        return words.say("{name}, it is your turn to give a card back at table {number}.", **facts)
    return words.say("{name}, it is your turn at table {number}.", **facts)
