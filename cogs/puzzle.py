"""The puzzle of the day, and older ones."""

from dataclasses import dataclass

import discord
from discord import app_commands
from discord.ext import commands

from bot.engine import Cards, Pass, Play
from bot.engine.cards import format_cards, sorted_cards
from bot.presentation.help.rulebook import why_text
from bot.presentation.table.hand_panel import MOVE_VERBS, carried_press, move_of, state_after, table_with_you
from bot.presentation.table.puzzle import puzzle_message, puzzle_result_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.permissions import may_write
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb
from bot.presentation.ui.replies import edit_message, show
from bot.services.puzzle import Puzzles, UserPuzzle
from bot.table.limits import Action
from cogs.base import chosen_value, require_own_message
from cogs.posting import Posting
from cogs.routing import ByArgument, costs, on_press


@dataclass(eq=False)
class PuzzleCog(commands.Cog):
    """Puzzles in private messages. A press carries the number of its puzzle, so older messages keep working."""

    puzzles: Puzzles
    posting: Posting

    @costs(None)
    @app_commands.command(name="puzzle", description="The puzzle of the day: find the best move")
    async def puzzle(self, interaction: discord.Interaction) -> None:
        """Show the puzzle of the day."""
        shown = await self.puzzles.of_today(interaction.user.id)
        await show(interaction, puzzle_message(shown, HandState(), words_of(interaction)))

    @on_press(
        Verb.PUZZLE,
        costs=ByArgument({Part.POST: Action.POST, Part.TODAY: Action.PRACTICE, Part.BEFORE: Action.PRACTICE}),
    )
    async def open(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the puzzle of the day or an older one, or post the result."""
        require_own_message(interaction)
        match press.part:
            case Part.TODAY:
                shown = await self.puzzles.of_today(interaction.user.id)
                await show(interaction, puzzle_message(shown, HandState(), words_of(interaction)))
            case Part.BEFORE:
                await interaction.response.defer()
                shown = await self.puzzles.before(interaction.user.id, press.table)
                await edit_message(interaction, puzzle_message(shown, HandState(), words_of(interaction)))
            case Part.POST:
                shown = await self.puzzles.get(interaction.user.id, press.table)
                if not shown.is_answered:
                    raise InvalidCustomId(str(press))
                words = await self.posting.begin(interaction)
                await self.posting.post(interaction, puzzle_result_message(shown, words), words)
            case _:
                raise InvalidCustomId(str(press))

    @on_press(Verb.PUZZLE_HAND, costs=ByArgument(dict.fromkeys(MOVE_VERBS, Action.PRACTICE_MOVE)))
    async def play(self, interaction: discord.Interaction, press: Press) -> None:
        """Change the selection, or answer."""
        require_own_message(interaction)
        pressed = carried_press(press)
        choice = chosen_value(interaction) if pressed.verb is Verb.PLAYS_MENU else ""
        state = state_after(pressed, choice)
        await interaction.response.defer()
        shown = await self.puzzles.get(interaction.user.id, press.table)
        words, note = words_of(interaction), ""
        match move_of(pressed, shown.puzzle.view.seat):
            case Play(cards=cards) if cards:
                shown = await self._answer(interaction, shown, sorted_cards(cards))
            case Pass():
                shown = await self._answer(interaction, shown, ())
            case None if pressed.verb is Verb.HAND_WHY:
                note = why_text(pressed, table_with_you(shown.puzzle.table, words), shown.puzzle.view, words)
            case None:
                pass  # the selection has changed
            case _:
                raise InvalidCustomId(str(press))
        await edit_message(interaction, puzzle_message(shown, state, words, note, may_post=may_write(interaction)))

    async def _answer(self, interaction: discord.Interaction, shown: UserPuzzle, cards: Cards) -> UserPuzzle:
        """The puzzle with the user's answer. Raises `InvalidCustomId` if no button offers the move."""
        if cards not in shown.puzzle.costs:
            raise InvalidCustomId(format_cards(cards))
        return await self.puzzles.answer(interaction.user.id, shown.puzzle.number, cards)
