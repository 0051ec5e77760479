"""Practice hands, which a user plays alone in a private message."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.analysis.practice import DEALS, Practice, Source
from bot.engine import Options
from bot.engine.errors import IllegalMove
from bot.players.levels import DEFAULT_LEVEL, Level
from bot.presentation.help.rulebook import why_text
from bot.presentation.table.hand_panel import MOVE_VERBS, carried_press, move_of, state_after, table_with_you
from bot.presentation.table.hint import hint_text
from bot.presentation.table.practice import parse_practice, practice_menu_message, practice_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.errors import error_text, reason_text
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.guild_settings import Guilds
from bot.services.hints import Hints
from bot.services.practice import Practices
from bot.table.limits import Action
from bot.table.refusals import OutdatedAction, PracticeGone
from cogs.base import chosen_value, requester, require_own_message
from cogs.routing import ByArgument, costs, on_press


@dataclass(eq=False)
class PracticeCog(commands.Cog):
    """One practice hand for each user. It's stored, so they can continue at any time."""

    practices: Practices
    guilds: Guilds
    hints: Hints

    @costs(None)
    @app_commands.command(
        name="practice", description="Play one hand on your own: a new deal, or one with a difficulty"
    )
    async def practice(self, interaction: discord.Interaction) -> None:
        """Continue the user's practice hand, or let them choose one."""
        practice = await self.practices.last(interaction.user.id)
        if practice is None or practice.is_over:
            level = DEFAULT_LEVEL if practice is None else practice.level
            await show(interaction, practice_menu_message(practice, level, words_of(interaction)))
        else:
            await show(interaction, practice_message(practice, HandState(), words_of(interaction)))

    @on_press(Verb.PRACTICE, costs=ByArgument(dict.fromkeys((*DEALS, Part.AGAIN, Part.NEXT_SEAT), Action.PRACTICE)))
    async def begin(self, interaction: discord.Interaction, press: Press) -> None:
        """Choose a hand or a level, or begin a hand."""
        require_own_message(interaction)
        what, level = parse_practice(press)
        level = Level(chosen_value(interaction, *Level)) if what == Part.LEVEL else level
        await interaction.response.defer()  # AI players may have to move first
        if what in (Part.MENU, Part.LEVEL):
            last = await self.practices.last(interaction.user.id)
            await edit_message(interaction, practice_menu_message(last, level, words_of(interaction)))
            return
        note = ""
        try:
            practice = await self._begin(interaction, press.table, what, level)
        except OutdatedAction as refusal:
            practice, note = await self._current(interaction), error_text(refusal, words_of(interaction))
        await edit_message(interaction, practice_message(practice, HandState(), words_of(interaction), note))

    async def _begin(self, interaction: discord.Interaction, number: int, what: str, level: Level) -> Practice:
        user = requester(interaction)
        if what in DEALS:
            default = (await self.guilds.get(user.guild_id)).defaults
            options = Options.of(default.edition, {"target": default.target, "last_card": default.last_card})
            return await self.practices.deal(user, Source(what), default.edition, options, default.size, level)
        if what == Part.OPEN:
            return await self.practices.get(user.user_id, number)
        return await self.practices.again(user.user_id, number, level, next_seat=what == Part.NEXT_SEAT)

    async def _current(self, interaction: discord.Interaction) -> Practice:
        """The user's practice hand. Raises `PracticeGone`."""
        practice = await self.practices.last(interaction.user.id)
        if practice is None:
            raise PracticeGone
        return practice

    @on_press(
        Verb.PRACTICE_HAND,
        costs=ByArgument({**dict.fromkeys(MOVE_VERBS, Action.PRACTICE_MOVE), Verb.HINT: Action.HINT}),
    )
    async def play(self, interaction: discord.Interaction, press: Press) -> None:
        """Change the selection, move, or ask for a hint."""
        require_own_message(interaction)
        pressed = carried_press(press)
        choice = chosen_value(interaction) if pressed.verb is Verb.PLAYS_MENU else ""
        state, note, rule = state_after(pressed, choice), "", ""
        if move_of(pressed, 0) is not None or pressed.verb is Verb.HINT:
            await interaction.response.defer()  # the answer can take more than three seconds
        try:
            practice = await self.practices.get(interaction.user.id, press.table)
            move = move_of(pressed, practice.start.seat)
            if move is not None:
                practice = await self.practices.move(interaction.user.id, press.table, press.moment, move)
                state = state.with_selected()
            elif pressed.verb is Verb.HAND_WHY:
                words = words_of(interaction)
                note = why_text(pressed, table_with_you(practice.table, words), practice.view, words)
            elif pressed.verb is Verb.HINT:
                state, note = await self._hint(interaction, practice, state)
        except (IllegalMove, OutdatedAction) as refusal:
            practice, rule = await self._current(interaction), refusal.rule
            note = reason_text(refusal, words_of(interaction), practice.table)
        await edit_message(interaction, practice_message(practice, state, words_of(interaction), note, rule))

    async def _hint(
        self, interaction: discord.Interaction, practice: Practice, state: HandState
    ) -> tuple[HandState, str]:
        """The state with the cards of a hint selected, and its text."""
        if practice.is_over:
            raise OutdatedAction
        hint = await self.hints.find(requester(interaction), practice.view)
        words = words_of(interaction)
        return state.with_selected(hint.cards), hint_text(hint, table_with_you(practice.table, words), words)
