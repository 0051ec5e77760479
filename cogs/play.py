"""The private hand: open it, select, play, pass, declare, give back."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot.analysis.hints import require_hints
from bot.engine.errors import IllegalMove
from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.help.rulebook import why_text
from bot.presentation.table.hand import hand_message
from bot.presentation.table.hand_panel import state_after, with_lowest_play
from bot.presentation.table.hint import hint_text
from bot.presentation.table.selection import HandState
from bot.presentation.text.errors import reason_text
from bot.presentation.text.i18n import translatable
from bot.presentation.text.permissions import unreachable_text
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout, rows, why_button
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.hints import Hints
from bot.services.tables import Tables
from bot.table import absence, consent
from bot.table import play as actions
from bot.table.limits import Action
from bot.table.model import Status
from bot.table.play import UserAction
from bot.table.refusals import HasNotStarted, HasSubstitute, IsPaused, NotPaused, OutdatedAction, PlaysOwnSeat
from bot.table.snapshot import Table
from bot.table.standing_orders import NONE
from cogs.base import chosen_value, find_table, lobby_menu, own_table_of, requester, require_own_message
from cogs.completion import Choices, open_tables
from cogs.routing import costs, in_apps_menu, on_press

_OF_TABLES: Final = (Verb.JOIN, Verb.HAND, Verb.HANDS, Verb.REMATCH)
"""Each message of a table has a button with one of these."""
REFUSED_MOVES: Final = (IllegalMove, OutdatedAction, IsPaused, NotPaused, HasSubstitute, PlaysOwnSeat)
"""Refusals that the hand shows."""


@dataclass(eq=False)
class PlayCog(commands.Cog):
    """A player's actions during a match."""

    tables: Tables
    hands: OpenHands
    hints: Hints

    @costs(None)
    @app_commands.command(name="hand", description="Your cards, shown only to you")
    @app_commands.describe(table="Table number (default: yours in this channel)")
    async def hand(self, interaction: discord.Interaction, table: int | None = None) -> None:
        """Open the user's hand at a table, or at the one that they most likely mean."""
        await self._show_hand(interaction, table)

    @in_apps_menu(translatable("My hand"), costs=None)
    async def hand_at(self, interaction: discord.Interaction, message: discord.Message) -> None:
        """Open the user's hand at the table of a message. With any other message, it's as if they had named none."""
        await self._show_hand(interaction, _table_of_message(interaction, message))

    async def _show_hand(self, interaction: discord.Interaction, number: int | None) -> None:
        """Open the user's hand. Before the deal, show the table's options."""
        found = await find_table(self.tables, interaction, number)
        if found.row.status is Status.LOBBY:
            note = words_of(interaction).say("The match has not started yet.")
            await show(interaction, lobby_menu(interaction, found, note=note))
        else:
            await self._open(interaction, found)

    @hand.autocomplete("table")
    async def complete_table(self, interaction: discord.Interaction, typed: str | int) -> Choices:
        """Offer tables whose numbers begin with what is typed."""
        return await open_tables(self.tables.open, interaction, typed)

    @on_press(Verb.HAND, costs=None)
    async def open(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the user's hand from the table or a notice."""
        await self._open(interaction, await own_table_of(self.tables, interaction, press.table))

    @on_press(Verb.CARD, Verb.LOWEST_PLAY, Verb.PLAYS_MENU, costs=None)
    async def select(self, interaction: discord.Interaction, press: Press) -> None:
        """Select or deselect a card, or select a play or a part of the menu."""
        choice = chosen_value(interaction) if press.verb is Verb.PLAYS_MENU else ""
        state = state_after(press, choice)
        if press.verb is Verb.LOWEST_PLAY:  # the button may be from an earlier turn
            table = await own_table_of(self.tables, interaction, press.table)
            state = with_lowest_play(table.view_of(interaction.user.id), state)
        await self._show(interaction, press, state)

    @on_press(Verb.PLAY, Verb.PLAY_LAST, costs=None)
    async def play(self, interaction: discord.Interaction, press: Press) -> None:
        """Play the selected cards."""
        cards, says = HandState.parse(press).selected, press.verb is Verb.PLAY_LAST
        move = partial(actions.play, cards=cards, last_card=says, moment=press.moment)
        await self._act(interaction, press, move)

    @on_press(Verb.PASS, costs=None)
    async def pass_turn(self, interaction: discord.Interaction, press: Press) -> None:
        """Pass."""
        await self._act(interaction, press, partial(actions.pass_turn, moment=press.moment))

    @on_press(Verb.PASS_ON_CALL, costs=None)
    async def pass_on_call(self, interaction: discord.Interaction, press: Press) -> None:
        """Pass on the message that called the user to their turn."""
        table = await own_table_of(self.tables, interaction, press.table)
        try:
            await self.tables.act(table.id, actions.pass_turn, interaction.user.id, press.moment)
        except IllegalMove as refusal:
            words = words_of(interaction)
            why = why_button(refusal.rule, words, table.row.options)
            await show(interaction, Layout(reason_text(refusal, words, table), *rows([why])))
            return
        await interaction.response.defer()

    @on_press(Verb.DECLARE, costs=None)
    async def declare(self, interaction: discord.Interaction, press: Press) -> None:
        """Say "Last card!"."""
        await self._act(interaction, press, actions.declare)

    @on_press(Verb.GIVE_BACK, costs=None)
    async def give_back(self, interaction: discord.Interaction, press: Press) -> None:
        """Give the selected card back."""
        selected = HandState.parse(press).selected
        if len(selected) != 1:
            raise InvalidCustomId(str(press))
        await self._act(interaction, press, partial(actions.give_back, card=selected[0], moment=press.moment))

    @on_press(Verb.UNDO, costs=Action.UNDO)
    async def undo(self, interaction: discord.Interaction, press: Press) -> None:
        """Take back the last play or pass."""
        await self._act(interaction, press, partial(consent.undo, moment=press.moment))

    @on_press(Verb.HAND_COME_BACK, costs=None)
    async def come_back(self, interaction: discord.Interaction, press: Press) -> None:
        """Give the user their seat back."""
        await self._act(interaction, press, absence.come_back)

    @on_press(Verb.HAND_RESUME, costs=None)
    async def resume(self, interaction: discord.Interaction, press: Press) -> None:
        """Continue after a pause."""
        await self._act(interaction, press, consent.resume)

    @on_press(Verb.CANCEL_ORDERS, costs=None)
    async def cancel_orders(self, interaction: discord.Interaction, press: Press) -> None:
        """Cancel the standing order."""
        await self._act(interaction, press, partial(consent.give_orders, order=NONE, now=self.tables.now()))

    @on_press(Verb.HAND_WHY, costs=None)
    async def explain(self, interaction: discord.Interaction, press: Press) -> None:
        """Explain below the hand why the selected cards can't be played, with the rule."""
        table = await own_table_of(self.tables, interaction, press.table)
        note = why_text(press, table, table.view_of(interaction.user.id), words_of(interaction))
        await self._show(interaction, press, HandState.parse(press), note)

    @on_press(Verb.HINT, costs=Action.HINT)
    async def hint(self, interaction: discord.Interaction, press: Press) -> None:
        """Suggest a move, say why, and select its cards."""
        require_own_message(interaction)
        table = await own_table_of(self.tables, interaction, press.table)
        try:
            view = require_hints(table, interaction.user.id, press.moment)
        except REFUSED_MOVES as refusal:
            note = reason_text(refusal, words_of(interaction), table)
            await self._show(interaction, press, HandState.parse(press), note)
            return
        await interaction.response.defer()  # the process of the AI players may have to start
        found = await self.hints.find(requester(interaction), view)
        state = HandState.parse(press).with_selected(found.cards)
        await self._show(interaction, press, state, hint_text(found, table, words_of(interaction)))

    async def _act(self, interaction: discord.Interaction, press: Press, move: UserAction) -> None:
        """Make a move. Show the hand after it, or the reason for its refusal."""
        require_own_message(interaction)
        table = await own_table_of(self.tables, interaction, press.table)
        state, note, rule = HandState.parse(press), "", ""
        async with self.hands.answering(table.id, interaction.user.id):
            try:
                table = await self.tables.act(table.id, move, interaction.user.id)
                state = state.with_selected()
            except REFUSED_MOVES as refusal:
                table = await self.tables.get(table.id)
                note = reason_text(refusal, words_of(interaction), table)
                rule = refusal.rule
            view = _hand_message(interaction, table, state, note, rule)
            await edit_message(interaction, view)
            self.hands.track(interaction, table, state)

    async def _show(self, interaction: discord.Interaction, press: Press, state: HandState, note: str = "") -> None:
        """Show the hand in another state."""
        require_own_message(interaction)
        table = await own_table_of(self.tables, interaction, press.table)
        welcome = self.hands.welcome_shown(table.id, interaction.user.id)
        async with self.hands.answering(table.id, interaction.user.id):
            await edit_message(interaction, _hand_message(interaction, table, state, note or welcome))
            self.hands.track(interaction, table, state, welcome)

    async def _open(self, interaction: discord.Interaction, table: Table) -> None:
        welcome = await self.hands.welcome(interaction)
        await show(interaction, _hand_message(interaction, table, HandState(), welcome))
        await self.hands.track_new(interaction, table, welcome)


def _table_of_message(interaction: discord.Interaction, message: discord.Message) -> int | None:
    """The number of the table that a message of the app belongs to; None for any other message."""
    if message.author != interaction.client.user:
        return None
    sent = cast("Any", interaction.data)["resolved"]["messages"][str(message.id)]
    for custom_id in _custom_ids(sent.get("components", ())):
        with suppress(InvalidCustomId):
            press = Press.parse(custom_id)
            if press.verb in _OF_TABLES:
                return press.table
    return None


def _custom_ids(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for part in components:
        if "custom_id" in part:
            yield str(part["custom_id"])
        yield from _custom_ids(part.get("components", ()))


def _hand_message(
    interaction: discord.Interaction, table: Table, state: HandState, note: str = "", rule: str = ""
) -> Layout:
    """The user's hand, with a note if the table can't be shown in its channel. `rule` forbade the last move.

    Raises `HasNotStarted`.
    """
    if table.seat_of(interaction.user.id) is not None and table.row.status is Status.LOBBY:
        raise HasNotStarted
    words = words_of(interaction)
    notes = (note, unreachable_text(interaction, table.row, words) if table.row.in_channel else "")
    return hand_message(table, interaction.user.id, state, words, "\n".join(filter(None, notes)), rule)
