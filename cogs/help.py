"""The rules, the comparison of plays, help, and information about the app."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import discord
from discord import app_commands
from discord.ext import commands

from bot import __version__
from bot.engine import Options
from bot.presentation.help.comparison import EXAMPLE, ComparisonState, after_choice, comparison_message, read_plays
from bot.presentation.help.guide import (
    ALONE,
    COMMANDS,
    Links,
    about_message,
    alone_help_message,
    help_message,
    more_help_message,
)
from bot.presentation.help.rulebook import rule_message, rules_message
from bot.presentation.records.history import MINE
from bot.presentation.records.pictures import Illustrator
from bot.presentation.text.permissions import is_outside
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb, options_of_code
from bot.presentation.ui.replies import edit_message, show
from bot.services.history import History
from bot.services.open_tables import OpenTables
from bot.services.rate_limiter import RateLimiter
from bot.table.limits import Action
from cogs.base import (
    chosen_value,
    chosen_values,
    defer_privately,
    guild_id_of,
    history_filter,
    requester,
    require_own_message,
)
from cogs.routing import actor_of, cost_of, costs, on_press

Typed: TypeAlias = app_commands.Range[str, 0, 200]
"""Cards as text. The longest play has 7 cards."""


@dataclass(eq=False)
class HelpCog(commands.Cog):
    """Commands that show text."""

    open_tables: OpenTables
    history: History
    illustrator: Illustrator
    links: Links
    limiter: RateLimiter

    @costs(None)
    @app_commands.command(name="rules", description="The rules in short pages: what beats what")
    @app_commands.describe(first="Compare two plays: cards such as 7G 7R", second="Cards such as 6Y 6R")
    async def rules(self, interaction: discord.Interaction, first: Typed = "", second: Typed = "") -> None:
        """Show the rules, or compare two plays."""
        words = words_of(interaction)
        if first or second:
            state, note = read_plays(first, second, words)
            await show(interaction, comparison_message(state, words, note))
        else:
            await show(interaction, rules_message(words))

    @on_press(Verb.RULES, costs=None)
    async def open_rules(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the rules, or one of their pages, in a new message: those of a table, or the general ones."""
        page, options = _name_and_options(press.arguments)
        await show(interaction, rules_message(words_of(interaction), page, options))

    @on_press(Verb.RULES_PAGE, costs=None)
    async def turn_page(self, interaction: discord.Interaction, press: Press) -> None:
        """Show another page of the rules."""
        require_own_message(interaction)
        match press.arguments:
            case (Part.MENU, code):
                page, options = _name_and_options((chosen_value(interaction), code))
            case (_, *rest):
                page, options = _name_and_options(rest)
            case _:
                raise InvalidCustomId(str(press))
        await edit_message(interaction, rules_message(words_of(interaction), page, options))

    @on_press(Verb.CHART, costs=Action.PICTURE)
    async def chart(self, interaction: discord.Interaction, _press: Press) -> None:
        """Show the ranking of combinations as a picture, or as text without pictures."""
        words = words_of(interaction)
        await defer_privately(interaction)
        pictures = await self.illustrator.of_rules(words, requester(interaction))
        if pictures:
            text = "\n".join(picture.alt for picture in pictures)
            await show(interaction, Layout(*pictures, text))
        else:
            await show(interaction, rules_message(words, "beats"))

    @on_press(Verb.WHY, costs=None)
    async def open_rule(self, interaction: discord.Interaction, press: Press) -> None:
        """Show the rule that forbids a move."""
        rule, options = _name_and_options(press.arguments)
        await show(interaction, rule_message(rule, words_of(interaction), options))

    @on_press(Verb.COMPARE, costs=None)
    async def compare(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the comparison of two plays, choose cards for one of them, or switch to the other."""
        if press.arguments == (Part.OPEN,):
            await show(interaction, comparison_message(EXAMPLE, words_of(interaction)))
            return
        require_own_message(interaction)
        state = ComparisonState.parse(press)
        if press.part is not Part.TURN:
            state = after_choice(state, press, chosen_values(interaction))
        await edit_message(interaction, comparison_message(state, words_of(interaction)))

    @costs(None)
    @app_commands.command(name="help", description="How to play here")
    async def help(self, interaction: discord.Interaction) -> None:
        """Show how to begin."""
        await show(interaction, await self._help(interaction))

    @on_press(Verb.HELP, costs=None)
    async def open_from_help(self, interaction: discord.Interaction, press: Press) -> None:
        """Open the help or its longer page, or run the command of one of its buttons without options."""
        match press.arguments:
            case ():
                await self._run(interaction, "help")
            case (Part.MORE,):
                require_own_message(interaction)
                await edit_message(interaction, await self._more(interaction))
            case (Part.BACK,):
                require_own_message(interaction)
                await edit_message(interaction, await self._help(interaction))
            case (name,) if name in COMMANDS:
                await self._run(interaction, name)
            case _:
                raise InvalidCustomId(str(press))

    async def _help(self, interaction: discord.Interaction) -> Layout:
        match = await self.open_tables.solo_match(guild_id_of(interaction), interaction.user.id)
        words, goes_on = words_of(interaction), match is not None
        if is_outside(interaction):
            return alone_help_message(interaction.application_id, words, goes_on=goes_on)
        return help_message(words, goes_on=goes_on)

    async def _more(self, interaction: discord.Interaction) -> Layout:
        has_table = await self.open_tables.has_seat(guild_id_of(interaction), interaction.user.id)
        matches, _ = await self.history.page(history_filter(interaction, MINE), 0)
        return more_help_message(words_of(interaction), has_table=has_table, has_match=bool(matches))

    async def _run(self, interaction: discord.Interaction, name: str) -> None:
        """Run a subcommand of `/gang`, which counts as if the user had typed it."""
        if is_outside(interaction) and name not in ALONE:
            await show(interaction, await self._help(interaction))
            return
        family = cast("commands.Bot", interaction.client).tree.get_command("gang")
        command = family.get_command(name) if isinstance(family, app_commands.Group) else None
        if not isinstance(command, app_commands.Command):
            raise InvalidCustomId(name)
        action = cost_of(command)
        if action is not None:
            self.limiter.spend(action, actor_of(interaction))
        await cast("Callable[..., Awaitable[None]]", command.callback)(command.binding, interaction)

    @on_press(Verb.ABOUT, costs=None)
    async def about(self, interaction: discord.Interaction, _press: Press) -> None:
        """Show information about the app."""
        await show(interaction, about_message(__version__, self.links, words_of(interaction)))


def _name_and_options(arguments: Sequence[str]) -> tuple[str, Options | None]:
    """The page or rule of a press, and the options of its table if it has one. Raises `InvalidCustomId`."""
    match arguments:
        case (name,):
            return name, None
        case (name, code):
            return name, options_of_code(code)
    raise InvalidCustomId(":".join(arguments))
