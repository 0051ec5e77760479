"""The course of a match beside the play: pauses, nudges, standing orders, seats of people who are away."""

from collections.abc import Callable, Mapping
from typing import Concatenate, Final

import discord
from discord.ext import commands

from bot.presentation.table.hand_report import hands_message
from bot.presentation.table.match_menu import match_menu_message, nudge_note
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, whole_number
from bot.presentation.ui.replies import reply_privately, show
from bot.presentation.ui.verbs import Verb
from bot.services.archive import Archive
from bot.services.tables import Tables
from bot.services.user_settings import Users
from bot.table import absence, consent, play
from bot.table.play import Args, Change
from bot.table.refusals import NotSeated
from bot.table.snapshot import Table
from cogs.base import choice, on_press, person, requester, require_own_panel, table_of, think

ANSWERS: Final[Mapping[Verb, Callable[[Table], Change]]] = {
    Verb.WAIT: absence.wait,
    Verb.LET_AI_PLAY: absence.let_ai_play,
    Verb.CALL: absence.call_substitute,
}


class MatchCog(commands.Cog):
    """What players agree on, and what is done about somebody who is away."""

    def __init__(self, tables: Tables, archive: Archive, users: Users) -> None:
        self.tables = tables
        self.archive = archive
        self.users = users

    @on_press(Verb.MATCH_MENU)
    async def open_menu(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the panel, or show it anew."""
        table = await table_of(self.tables, interaction, press.table)
        play.require_playing(table)
        if table.seat_of(interaction.user.id) is None:
            raise NotSeated
        if press.arguments:
            require_own_panel(interaction)
            await self._show(interaction, table)
        else:
            await show(interaction, match_menu_message(table, interaction.user.id, words_of(interaction)))

    @on_press(Verb.PAUSE)
    async def pause(self, interaction: discord.Interaction, press: Press) -> None:
        """Wish for a pause, or no longer."""
        await self._agree(interaction, press, consent.agree_to_pause, interaction.user.id)

    @on_press(Verb.END)
    async def end(self, interaction: discord.Interaction, press: Press) -> None:
        """Wish to end the match, or no longer."""
        await self._agree(interaction, press, consent.agree_to_end, interaction.user.id)

    @on_press(Verb.RESUME)
    async def resume(self, interaction: discord.Interaction, press: Press) -> None:
        """Go on after a pause."""
        await self._do(interaction, press, consent.resume, interaction.user.id)

    @on_press(Verb.NUDGE)
    async def nudge(self, interaction: discord.Interaction, press: Press) -> None:
        """Ask whoever is to act to do so."""
        require_own_panel(interaction)
        table = await table_of(self.tables, interaction, press.table)
        table = await self.tables.act(table.id, consent.nudge, interaction.user.id, self.tables.now())
        settings = await self.users.get(table.person_to_act or 0)
        await self._show(interaction, table, nudge_note(table, settings, words_of(interaction)))

    @on_press(Verb.ORDERS)
    async def give_orders(self, interaction: discord.Interaction, press: Press) -> None:
        """Choose a standing order."""
        order = choice(interaction)
        order = "" if order == "none" else order
        await self._agree(interaction, press, consent.give_orders, interaction.user.id, order, self.tables.now())

    @on_press(*ANSWERS)
    async def answer_for_late(self, interaction: discord.Interaction, press: Press) -> None:
        """Say what the table does about a player whose time is up."""
        outcome = ANSWERS[press.verb]
        await self._do(interaction, press, absence.answer, interaction.user.id, press.moment, outcome)

    @on_press(Verb.SIT_IN)
    async def sit_in(self, interaction: discord.Interaction, press: Press) -> None:
        """Play for somebody who is late."""
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, absence.sit_in, person(interaction), press.moment)
        text = words_of(interaction).say("You sit in at table {number}: **My hand** shows the cards.", number=table.id)
        await reply_privately(interaction, text)

    @on_press(Verb.COME_BACK)
    async def come_back(self, interaction: discord.Interaction, press: Press) -> None:
        """Take the own seat again."""
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, absence.come_back, interaction.user.id)
        text = words_of(interaction).say("You play your own seat again at table {number}.", number=table.id)
        await reply_privately(interaction, text)

    @on_press(Verb.HANDS)
    async def hands(self, interaction: discord.Interaction, press: Press) -> None:
        """Show what everybody held in a hand that is over."""
        table = await table_of(self.tables, interaction, press.table)
        if self.archive.is_busy:
            await think(interaction)
        report = (await self.archive.match(table.id, requester(interaction))).report(_hand(press))
        if report is None:
            raise InvalidCustomId(str(press))
        await show(interaction, hands_message(table, report, words_of(interaction)))

    async def _do(
        self,
        interaction: discord.Interaction,
        press: Press,
        action: Callable[Concatenate[Table, Args], Change],
        *args: Args.args,
        **kwargs: Args.kwargs,
    ) -> None:
        """Do something from the panel, which shows it then, or from a public message, which follows by itself."""
        if press.arguments:
            await self._agree(interaction, press, action, *args, **kwargs)
            return
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, action, *args, **kwargs)
        await interaction.response.defer()

    async def _agree(
        self,
        interaction: discord.Interaction,
        press: Press,
        action: Callable[Concatenate[Table, Args], Change],
        *args: Args.args,
        **kwargs: Args.kwargs,
    ) -> None:
        """Do something from the panel, and show it as it is then."""
        require_own_panel(interaction)
        table = await table_of(self.tables, interaction, press.table)
        await self._show(interaction, await self.tables.act(table.id, action, *args, **kwargs))

    async def _show(self, interaction: discord.Interaction, table: Table, note: str = "") -> None:
        view = match_menu_message(table, interaction.user.id, words_of(interaction), note)
        await interaction.response.edit_message(view=view)


def _hand(press: Press) -> int:
    """The number of the hand that a button means. Raises `InvalidCustomId`."""
    match press.arguments:
        case (hand, *_):
            return whole_number(hand)
    raise InvalidCustomId(str(press))
