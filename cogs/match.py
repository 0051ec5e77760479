"""The course of a match beside the play: pauses, nudges, standing orders, seats of people who are away."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Concatenate

import discord

from bot.presentation.table.hand_report import hands_message
from bot.presentation.table.match_menu import after_nudge, more_message
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, whole_number
from bot.presentation.ui.replies import reply_privately, show
from bot.services.archive import Archive
from bot.services.tables import Tables
from bot.services.user_settings import Users
from bot.table import absence, consent, play
from bot.table.play import Args, Change
from bot.table.refusals import NotSeated
from bot.table.snapshot import Table
from cogs.base import GangCog, Handler, choice, person, requester, require_own_panel, think


class MatchCog(GangCog):
    """What players agree on, and what is done about somebody who is away."""

    def __init__(self, tables: Tables, archive: Archive, users: Users) -> None:
        super().__init__(tables)
        self.archive = archive
        self.users = users

    def presses(self) -> Mapping[str, Handler]:
        """Verb to handler."""
        return {
            "more": self.more,
            "pause": self.pause,
            "resume": self.resume,
            "end": self.end,
            "nudge": self.nudge,
            "orders": self.give_orders,
            "wait": partial(self.answer_for_late, outcome=absence.wait),
            "robotin": partial(self.answer_for_late, outcome=absence.let_ai_play),
            "call": partial(self.answer_for_late, outcome=absence.call),
            "sitin": self.sit_in,
            "back": self.come_back,
            "hands": self.hands,
        }

    async def more(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the panel, or show it anew."""
        table = await self.table_of(interaction, press.table)
        play.require_playing(table)
        if table.seat_of(interaction.user.id) is None:
            raise NotSeated
        if press.arguments:
            await self._show(interaction, table)
        else:
            await show(interaction, more_message(table, interaction.user.id, words_of(interaction)))

    async def pause(self, interaction: discord.Interaction, press: Press) -> None:
        """Wish for a pause, or no longer."""
        await self._agree(interaction, press, consent.agree_to_pause, interaction.user.id)

    async def end(self, interaction: discord.Interaction, press: Press) -> None:
        """Wish to end the match, or no longer."""
        await self._agree(interaction, press, consent.agree_to_end, interaction.user.id)

    async def resume(self, interaction: discord.Interaction, press: Press) -> None:
        """Go on after a pause."""
        await self._do(interaction, press, consent.resume, interaction.user.id)

    async def nudge(self, interaction: discord.Interaction, press: Press) -> None:
        """Ask whoever is to act to do so."""
        require_own_panel(interaction)
        table = await self.table_of(interaction, press.table)
        table = await self.tables.act(table.id, consent.nudge, interaction.user.id, self.tables.now())
        settings = await self.users.get(table.person_to_act or 0)
        await self._show(interaction, table, after_nudge(table, settings, words_of(interaction)))

    async def give_orders(self, interaction: discord.Interaction, press: Press) -> None:
        """Choose a standing order."""
        order = choice(interaction)
        order = "" if order == "none" else order
        await self._agree(interaction, press, consent.give_orders, interaction.user.id, order, self.tables.now())

    async def answer_for_late(
        self, interaction: discord.Interaction, press: Press, outcome: Callable[[Table], Change]
    ) -> None:
        """Say what the table does about a turn that takes too long."""
        await self._do(interaction, press, absence.answer, interaction.user.id, press.moment, outcome)

    async def sit_in(self, interaction: discord.Interaction, press: Press) -> None:
        """Play for somebody who is late."""
        table = await self.table_of(interaction, press.table)
        await self.tables.act(table.id, absence.sit_in, person(interaction), press.moment)
        text = words_of(interaction).say("You sit in at table {number}: **My hand** shows the cards.", number=table.id)
        await reply_privately(interaction, text)

    async def come_back(self, interaction: discord.Interaction, press: Press) -> None:
        """Take the own seat again."""
        table = await self.table_of(interaction, press.table)
        await self.tables.act(table.id, absence.come_back, interaction.user.id)
        text = words_of(interaction).say("You play your own seat again at table {number}.", number=table.id)
        await reply_privately(interaction, text)

    async def hands(self, interaction: discord.Interaction, press: Press) -> None:
        """Show what everybody held in a hand that is over."""
        table = await self.table_of(interaction, press.table)
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
        *facts: Args.args,
        **named: Args.kwargs,
    ) -> None:
        """Do something from the panel, which shows it then, or from a public message, which follows by itself."""
        if press.arguments:
            await self._agree(interaction, press, action, *facts, **named)
            return
        table = await self.table_of(interaction, press.table)
        await self.tables.act(table.id, action, *facts, **named)
        await interaction.response.defer()

    async def _agree(
        self,
        interaction: discord.Interaction,
        press: Press,
        action: Callable[Concatenate[Table, Args], Change],
        *facts: Args.args,
        **named: Args.kwargs,
    ) -> None:
        """Do something from the panel, and show it as it is then."""
        require_own_panel(interaction)
        table = await self.table_of(interaction, press.table)
        await self._show(interaction, await self.tables.act(table.id, action, *facts, **named))

    async def _show(self, interaction: discord.Interaction, table: Table, note: str = "") -> None:
        require_own_panel(interaction)
        view = more_message(table, interaction.user.id, words_of(interaction), note)
        await interaction.response.edit_message(view=view)


def _hand(press: Press) -> int:
    """The number of the hand that a button means. Raises `InvalidCustomId`."""
    match press.arguments:
        case (hand, *_):
            return whole_number(hand)
    raise InvalidCustomId(str(press))
