"""The menu of a match: pauses, nudges, standing orders, and the seats of absent players."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord
from discord.ext import commands

from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.records.pictures import Illustrator
from bot.presentation.table.hand_report import hands_message, sheet_message
from bot.presentation.table.match_menu import NO_ORDER, finished_menu_message, match_menu_message, nudge_note
from bot.presentation.table.opening import hand_button
from bot.presentation.text.readers import Readers, words_of
from bot.presentation.ui.components import Layout, rows
from bot.presentation.ui.custom_ids import CardOrder, InvalidCustomId, Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.archive import Archive
from bot.services.tables import Tables
from bot.services.user_settings import Users
from bot.table import absence, consent, play
from bot.table.limits import Action
from bot.table.model import Status
from bot.table.play import UserAction
from bot.table.snapshot import Table
from bot.table.standing_orders import NONE
from cogs.base import (
    chosen_order,
    chosen_value,
    defer_privately,
    may_manage,
    own_table_of,
    person,
    requester,
    require_own_message,
    table_of,
)
from cogs.routing import on_press

LATE_PLAYER_ANSWERS: Final[Mapping[Verb, absence.Outcome]] = {
    Verb.WAIT: absence.wait,
    Verb.LET_AI_PLAY: absence.let_ai_play,
    Verb.CALL_SUBSTITUTE: absence.call_substitute,
}


@dataclass(eq=False)
class MatchCog(commands.Cog):
    """Actions besides playing: agreements of the players, and answers about a late or absent one."""

    tables: Tables
    archive: Archive
    users: Users
    open_hands: OpenHands
    readers: Readers
    illustrator: Illustrator

    @on_press(Verb.MATCH_MENU, costs=None)
    async def open_menu(self, interaction: discord.Interaction, press: Press) -> None:
        """Open or refresh the menu. After the match, everyone may look things up."""
        table = await own_table_of(self.tables, interaction, press.table)
        if press.arguments:
            require_own_message(interaction)
        answer = edit_message if press.arguments else show
        if table.row.status is Status.OVER:
            await answer(interaction, finished_menu_message(table, interaction.user.id, words_of(interaction)))
            return
        play.require_playing(table)
        await answer(interaction, self._menu(interaction, table))

    @on_press(Verb.SORT, costs=Action.SETTINGS)
    async def sort(self, interaction: discord.Interaction, press: Press) -> None:
        """Sort the user's hands by number or by color, from now on and in the open hand."""
        require_own_message(interaction)
        by_color = chosen_order(press) is CardOrder.COLOR
        table = await own_table_of(self.tables, interaction, press.table)
        await self.users.set(interaction.user.id, by_color=by_color)
        await self.readers.prepare(interaction)
        await self._show(interaction, table)
        self.open_hands.show_again(table.id, interaction.user.id, words_of(interaction))

    @on_press(Verb.PAUSE, costs=None)
    async def pause(self, interaction: discord.Interaction, press: Press) -> None:
        """Agree to a pause, or withdraw the agreement."""
        await self._act_in_menu(interaction, press, partial(consent.agree_to_pause, agrees=_agrees(press)))

    @on_press(Verb.END, costs=None)
    async def end(self, interaction: discord.Interaction, press: Press) -> None:
        """Agree to end the match, or withdraw the agreement."""
        await self._act_in_menu(interaction, press, partial(consent.agree_to_end, agrees=_agrees(press)))

    @on_press(Verb.RESUME, costs=None)
    async def resume(self, interaction: discord.Interaction, press: Press) -> None:
        """Continue after a pause."""
        await self._act(interaction, press, consent.resume)

    @on_press(Verb.NUDGE, costs=None)
    async def nudge(self, interaction: discord.Interaction, press: Press) -> None:
        """Nudge the player to act."""
        require_own_message(interaction)
        table = await own_table_of(self.tables, interaction, press.table)
        facts = interaction.user.id, self.tables.now(), self.tables.time_off(table)
        table = await self.tables.act(table.id, consent.nudge, *facts)
        settings = await self.users.get(table.user_to_act or 0)
        await self._show(interaction, table, nudge_note(table, settings, words_of(interaction)))

    @on_press(Verb.STANDING_ORDERS, costs=None)
    async def give_orders(self, interaction: discord.Interaction, press: Press) -> None:
        """Choose a standing order."""
        order, cycle = chosen_value(interaction), press.arguments[0] if press.arguments else ""
        order = NONE if order == NO_ORDER else order
        action = partial(consent.give_orders, order=order, now=self.tables.now(), cycle=cycle)
        await self._act_in_menu(interaction, press, action)

    @on_press(*LATE_PLAYER_ANSWERS, costs=None)
    async def answer_for_late_player(self, interaction: discord.Interaction, press: Press) -> None:
        """Choose what the table does about a late player."""
        outcome = LATE_PLAYER_ANSWERS[press.verb]
        await self._act(interaction, press, partial(absence.answer, moment=press.moment, outcome=outcome))

    @on_press(Verb.SIT_IN, costs=None)
    async def sit_in(self, interaction: discord.Interaction, press: Press) -> None:
        """Play for a late player."""
        table = await table_of(self.tables, interaction, press.table)
        await self.tables.sit_in(table.id, person(interaction), press.moment)
        words = words_of(interaction)
        text = words.say("You sit in at table {number}.", number=table.id)
        await show(interaction, Layout(text, *rows([hand_button(table, words)])))

    @on_press(Verb.COME_BACK, costs=None)
    async def come_back(self, interaction: discord.Interaction, press: Press) -> None:
        """Give the user their seat back."""
        table = await own_table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, absence.come_back, interaction.user.id)
        text = words_of(interaction).say("You are playing your own seat again at table {number}.", number=table.id)
        await show(interaction, Layout(text))

    @on_press(Verb.HANDS, costs=Action.FIGURES)
    async def hands(self, interaction: discord.Interaction, press: Press) -> None:
        """Show all hands of a finished hand, in a new message or the one that shows another hand."""
        table = await own_table_of(self.tables, interaction, press.table)
        turns_page = len(press.arguments) > 1
        if turns_page:
            require_own_message(interaction)
            await interaction.response.defer()
        elif self.archive.is_busy:
            await defer_privately(interaction)
        report = (await self.archive.match(table.id, requester(interaction))).report(press.number)
        if report is None:
            raise InvalidCustomId(str(press))
        view = hands_message(table, report, words_of(interaction))
        await (edit_message(interaction, view) if turns_page else show(interaction, view))

    @on_press(Verb.SHEET, costs=Action.PICTURE)
    async def show_sheet(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the score sheet up to a hand, and the exchange after it."""
        await defer_privately(interaction)  # for the pictures
        table, words = await own_table_of(self.tables, interaction, press.table), words_of(interaction)
        reports = await self.archive.reports(table, press.number - 1)
        if not reports or reports[0].ended.hand != press.number:
            raise InvalidCustomId(str(press))
        hands = (await self.archive.hands(table.id))[: press.number]
        pictures = await self.illustrator.of_hand(table, reports[0], hands, words, requester(interaction))
        await show(interaction, sheet_message(table, reports[0], hands, words, pictures))

    async def _act(self, interaction: discord.Interaction, press: Press, action: UserAction) -> None:
        """Act from the menu, which shows the result, or from a public message, which the announcer updates."""
        if press.arguments:
            await self._act_in_menu(interaction, press, action)
            return
        table = await own_table_of(self.tables, interaction, press.table)
        await self.tables.act(table.id, action, interaction.user.id)
        await interaction.response.defer()

    async def _act_in_menu(self, interaction: discord.Interaction, press: Press, action: UserAction) -> None:
        """Act from the menu and show the result in it."""
        require_own_message(interaction)
        table = await own_table_of(self.tables, interaction, press.table)
        await self._show(interaction, await self.tables.act(table.id, action, interaction.user.id))

    async def _show(self, interaction: discord.Interaction, table: Table, note: str = "") -> None:
        await edit_message(interaction, self._menu(interaction, table, note))

    def _menu(self, interaction: discord.Interaction, table: Table, note: str = "") -> Layout:
        facts = table, interaction.user.id, self.tables.now(), words_of(interaction)
        return match_menu_message(*facts, note, may_manage=may_manage(interaction, table))


def _agrees(press: Press) -> bool:
    """True if a press asks for a pause or the end, False if it takes that back."""
    match press.arguments:
        case (Part.ON | Part.OFF as part,):
            return part == Part.ON
    raise InvalidCustomId(str(press))
