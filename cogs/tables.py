"""Tables: open, list, post again, leave, rematch."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine import Options
from bot.players.levels import Level
from bot.presentation.channel.announcer import Announcer
from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.channel.table_alerts import TableAlertPosts
from bot.presentation.table.closing import conceding_message
from bot.presentation.table.hand import hand_message
from bot.presentation.table.lists import list_message
from bot.presentation.table.opening import bot_missing_message, goes_on_text, opened_message, starts_at_once
from bot.presentation.table.selection import HandState
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import short_texts
from bot.presentation.text.permissions import (
    is_bot_missing,
    is_gone,
    is_outside,
    missing_permissions,
    opener_at,
    opener_in,
    unreachable_text,
)
from bot.presentation.text.readers import Readers, chosen_locale, words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import MAX_PAGES, InvalidCustomId, Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.guild_settings import Guilds
from bot.services.rate_limiter import RateLimiter
from bot.services.tables import Tables
from bot.table import lobby, play
from bot.table.errors import StorageError
from bot.table.guild import TableDefaults
from bot.table.limits import Action
from bot.table.match_length import suggested_target
from bot.table.model import Pace, Status
from bot.table.snapshot import Table
from cogs.base import (
    chosen_value,
    find_table,
    guild_id_of,
    is_in_own_message,
    own_table_of,
    person,
    require_own_message,
    table_of,
    visible_tables,
)
from cogs.completion import Choices, open_tables
from cogs.routing import actor_of, costs, on_press


def _choices(option: str) -> list[app_commands.Choice[str]]:
    """The values of an option as choices of a slash command."""
    return [app_commands.Choice(name=name, value=str(value)) for value, name in short_texts(option).items()]


def _level(interaction: discord.Interaction, press: Press) -> Level | None:
    """The level that a menu or a button asks for; None for the guild's. Raises `InvalidCustomId`."""
    match press.arguments:
        case ():
            return None
        case (Part.LEVEL,):
            return Level(chosen_value(interaction, *Level))
        case (level,) if level in list(Level):
            return Level(level)
    raise InvalidCustomId(str(press))


@dataclass(eq=False)
class TablesCog(commands.Cog):
    """Actions around tables, apart from playing."""

    tables: Tables
    guilds: Guilds
    announcer: Announcer
    hands: OpenHands
    alerts: TableAlertPosts
    readers: Readers
    limiter: RateLimiter

    @costs(Action.OPEN)
    @app_commands.command(name="new", description="Open a table in this channel")
    @app_commands.describe(
        seats="Seats (default: 4 or the server's)",
        edition="Edition of the rules (default: Days of Wonder or the server's)",
        target="Points at which the match ends (25: 8 minutes, 50: 20, 100: 40; default: 100 or the server's)",
        last_card='Saying "Last card!" (default: players do, or as the server has set)',
        pace="Time limit per turn (default: none or the server's)",
        rated="A match between people changes ratings (default: yes or the server's)",
        with_ai="Fill all other seats with AI players and start at once (default: no)",
        level="Level of the AI players (default: easy or the server's)",
        same_deals="Open a table that plays the same deals as another",
    )
    @app_commands.choices(seats=[app_commands.Choice(name="3", value=3), app_commands.Choice(name="4", value=4)])
    @app_commands.choices(
        edition=_choices("edition"),
        last_card=_choices("last_card"),
        pace=_choices("pace"),
        level=_choices("ai_level"),
    )
    async def new(
        self,
        interaction: discord.Interaction,
        seats: int | None = None,
        edition: str | None = None,
        target: app_commands.Range[int, 1, 1000] | None = None,
        last_card: str | None = None,
        pace: str | None = None,
        rated: bool | None = None,
        with_ai: bool = False,
        level: str | None = None,
        same_deals: int | None = None,
    ) -> None:
        """Open a table with the user in the first seat, perhaps for the same deals as another, with its options."""
        if same_deals is not None:
            await self._duplicate(interaction, same_deals)
            return
        default = await self._defaults(interaction)
        edition, turn = edition or default.edition, Pace(pace or default.pace)
        target = target or suggested_target(default.target, TableDefaults().target, turn)
        options = Options.of(edition, {"target": target, "last_card": last_card or default.last_card})
        settings = replace(
            default.settings,
            rated=default.rated if rated is None else rated,
            ai_level=Level(level or default.ai_level),
        )
        wanted = lobby.TableSetup(seats or default.size, edition, options, turn, settings)
        await self._create(interaction, wanted, with_ai=with_ai)

    @costs(Action.OPEN)
    @app_commands.command(name="play", description="A match against AI players, which only you see")
    async def play(self, interaction: discord.Interaction) -> None:
        """Start a match against AI players, or go on with the user's."""
        await self.play_against_ai(interaction, Press(Verb.PLAY_AI))

    @on_press(Verb.PLAY_AI, costs=Action.OPEN)
    async def play_against_ai(self, interaction: discord.Interaction, press: Press) -> None:
        """Start a match with the guild's defaults against AI players, perhaps of a level, in a private message.

        If the user has one already, it goes on.
        """
        level = _level(interaction, press)
        wanted = lobby.solo_setup(await self._defaults(interaction), level)
        await self._create(interaction, wanted, with_ai=True, in_channel=False)

    async def _defaults(self, interaction: discord.Interaction) -> TableDefaults:
        return (await self.guilds.get(guild_id_of(interaction))).defaults

    async def _create(
        self, interaction: discord.Interaction, wanted: lobby.TableSetup, *, with_ai: bool, in_channel: bool = True
    ) -> None:
        channel_id = interaction.channel_id or 0
        new = lobby.NewTable(guild_id_of(interaction), channel_id, person(interaction), wanted, with_ai, in_channel)
        create = partial(self.tables.create, new, opener_in(interaction, channel_id))
        await self._open(interaction, create, in_channel=in_channel)

    async def _duplicate(self, interaction: discord.Interaction, number: int) -> None:
        """Open a table for the same deals as another one that the user may know about."""
        first, channel_id = await table_of(self.tables, interaction, number), interaction.channel_id or 0
        opener = opener_in(interaction, channel_id)
        create = partial(self.tables.duplicate, first.id, channel_id, person(interaction), opener)
        await self._open(interaction, create)

    @costs(Action.FIGURES)
    @app_commands.command(name="list", description="The tables of this server")
    async def list_tables(self, interaction: discord.Interaction) -> None:
        """List the open tables in channels that the user can see, and the user's own, with links."""
        await show(interaction, await self._list(interaction, 0))

    @on_press(Verb.LIST, costs=Action.FIGURES)
    async def turn_list(self, interaction: discord.Interaction, press: Press) -> None:
        """Show another page of the open tables."""
        require_own_message(interaction)
        if press.moment > MAX_PAGES:
            raise InvalidCustomId(str(press))
        await edit_message(interaction, await self._list(interaction, press.moment))

    async def _list(self, interaction: discord.Interaction, number: int) -> Layout:
        page = await visible_tables(self.tables.open, interaction, number)
        return list_message(page, interaction.user.id, words_of(interaction), partial(is_gone, interaction))

    @on_press(Verb.SHOW_TABLE, costs=None)
    async def show_table(self, interaction: discord.Interaction, press: Press) -> None:
        """Post a table at the end of its channel, which counts there: once more, or for the first time."""
        require_own_message(interaction)
        found = await find_table(self.tables, interaction, press.table)
        words, row, answer = words_of(interaction), found.row, show
        problem = unreachable_text(interaction, row, words)
        if not problem:
            self.limiter.spend(Action.POST, replace(actor_of(interaction), channel_id=row.place_id))
            if row.in_channel:
                self.announcer.repost(found.id)
            else:
                opener = await opener_at(interaction, row)
                await self.tables.act(found.id, play.show_in_channel, interaction.user.id, opener)
                answer = edit_message
        await answer(interaction, Layout(problem or words.say("Table {number} is below.", number=found.id)))

    @on_press(Verb.LEAVE_MATCH, costs=None)
    async def leave(self, interaction: discord.Interaction, press: Press) -> None:
        """Leave the lobby, or ask before conceding."""
        require_own_message(interaction)
        found = await find_table(self.tables, interaction, press.table)
        words = words_of(interaction)
        if found.row.status is Status.LOBBY:
            await self.tables.act(found.id, play.change_lobby, lobby.leave, interaction.user.id)
            await show(interaction, Layout(words.say("You have left table {number}.", number=found.id)))
            return
        play.require_playing(found)
        seat = found.seats[play.active_seat(found, interaction.user.id)]
        if seat.substitute_id == interaction.user.id:
            await self.tables.act(found.id, play.concede, interaction.user.id)
            done = words.say(
                "You no longer sit in at table {number}; an AI does until the owner is back.", number=found.id
            )
            await show(interaction, Layout(done))
            return
        await show(interaction, conceding_message(found, interaction.user.id, words))

    @new.autocomplete("same_deals")
    async def complete_table(self, interaction: discord.Interaction, typed: str | int) -> Choices:
        """Offer tables whose numbers begin with what is typed."""
        return await open_tables(self.tables.open, interaction, typed)

    @on_press(Verb.CONCEDE, costs=None)
    async def concede(self, interaction: discord.Interaction, press: Press) -> None:
        """Give the user's seat to an AI player."""
        require_own_message(interaction)
        table = await own_table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, play.concede, interaction.user.id)
        words = words_of(interaction)
        done = words.say("You have conceded; an AI plays your seat until the match ends.")
        await edit_message(interaction, Layout(done))

    @on_press(Verb.REMATCH, costs=Action.REMATCH)
    async def rematch(self, interaction: discord.Interaction, press: Press) -> None:
        """Join the rematch, or open it."""
        table, options_first = await own_table_of(self.tables, interaction, press.table), press.part is Part.NEW_OPTIONS
        join = partial(self._join_rematch, interaction, table, options_first=options_first)
        if table.row.in_channel and table.row.guild_id != guild_id_of(interaction):
            await self._show_opened(interaction, await join(), words_of(interaction))
            return
        await self._open(interaction, join, in_channel=table.row.in_channel or options_first)

    async def _join_rematch(self, interaction: discord.Interaction, table: Table, *, options_first: bool) -> Table:
        """Join or open the rematch of a table. Opening it mentions the other players like invitations."""
        others = {seat.user_id for seat in table.seats if seat.user_id is not None} - {interaction.user.id}
        is_open = bool(await self.tables.open.rematches(table.id))
        with self.limiter.mentioning(actor_of(interaction), () if is_open else others):
            opener = await opener_at(interaction, table.row)
            return await self.tables.rematch(table.id, _again(interaction, table), opener, options_first=options_first)

    async def _open(
        self, interaction: discord.Interaction, create: Callable[[], Awaitable[Table]], *, in_channel: bool = True
    ) -> None:
        """Create a table with `create`, and show it in this channel if that's possible, or only to the user."""
        words = words_of(interaction)
        if is_bot_missing(interaction) and (in_channel or not is_outside(interaction)):
            await show(interaction, bot_missing_message(interaction, words))
            return
        missing = missing_permissions(interaction.app_permissions, interaction.channel, words)
        if in_channel and missing:
            await show(interaction, Layout(missing))
            return
        table = await create()
        if not in_channel:
            await self._show_hand(interaction, table, words)
            return
        await self._show_opened(interaction, table, words)
        await self._record_locale(interaction, table, words)
        if table.row.rematch_of is None and isinstance(interaction.channel, discord.abc.GuildChannel | discord.Thread):
            guild = await self.guilds.get(table.row.guild_id)
            await self.alerts.post(table, interaction.channel, self.readers.public_words(guild))

    async def _show_opened(self, interaction: discord.Interaction, table: Table, words: Words) -> None:
        """Say that a table is open. If it starts at once, the message becomes the hand."""
        await show(interaction, opened_message(table, words))
        if starts_at_once(table):
            await self.hands.track_new(interaction, table, await self.hands.welcome(interaction))

    async def _show_hand(self, interaction: discord.Interaction, table: Table, words: Words) -> None:
        """Show the hand of a solo match. A private message of the press becomes the hand."""
        is_new = table.row.revision == 1
        welcome = await self.hands.welcome(interaction) if is_new else goes_on_text(words)
        view = hand_message(table, interaction.user.id, HandState(), words, welcome)
        await (edit_message if is_in_own_message(interaction) else show)(interaction, view)
        await self.hands.track_new(interaction, table, welcome)

    async def _record_locale(self, interaction: discord.Interaction, table: Table, words: Words) -> None:
        """Record the language of public texts at the first table of a guild. If that fails, the next table does."""
        if interaction.guild is None:
            return
        locale = chosen_locale(interaction.guild, interaction.guild_locale)
        with suppress(StorageError):
            if await self.guilds.record_locale(interaction.guild.id, locale, words.language):
                self.announcer.redraw([table.id])


def _again(interaction: discord.Interaction, table: Table) -> lobby.Person:
    """The user as a player for a rematch. From another guild they keep their name: they may have another one there."""
    user, number = person(interaction), table.seat_of(interaction.user.id)
    if number is None or table.row.guild_id == guild_id_of(interaction):
        return user
    seat = table.seats[number]
    return replace(user, name=seat.name if seat.user_id == user.user_id else seat.substitute_name or user.name)
