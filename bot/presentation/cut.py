"""The private panel on which a player cuts the deck before the deal."""

from typing import Final

import discord

from bot.presentation import texts
from bot.presentation.buttons import Press, button, layout, rows
from bot.presentation.words import Words
from bot.services.table import Table

THIRDS: Final = {"top": range(1, 22), "middle": range(22, 43), "bottom": range(43, 64)}
"""The pages of the panel: a message has room for 40 components, so not for 63 buttons."""


def cut_message(table: Table, user_id: int, third: str, words: Words) -> discord.ui.LayoutView:
    """The cuts of one third of the deck as buttons, and the player's cut, if there is one."""
    cut = cut_of(table, user_id)
    lines = [
        texts.bold(words.say("Cut the deck of table {number}", number=table.id)),
        words.say("How many cards do you lift? Choose a number that nobody expects."),
        words.say("Your number goes into the shuffle, so whoever runs this app cannot choose the cards alone."),
    ]
    if cut:
        lines.append(words.say("You have cut at {number}. Until the start you can cut again.", number=cut))
    numbers = [
        button(Press("cut", table.id, 0, (str(number),)), str(number), _style(is_chosen=number == cut))
        for number in THIRDS[third]
    ]
    others = [
        button(Press("cut", table.id, 0, (other,)), f"{cuts[0]}–{cuts[-1]}", discord.ButtonStyle.primary)
        for other, cuts in THIRDS.items()
        if other != third
    ]
    return layout(discord.ui.TextDisplay("\n".join(lines)), *rows(numbers), *rows(others))


def cut_of(table: Table, user_id: int) -> int | None:
    """Where a player has cut the deck."""
    return next((seat.cut for seat in table.seats if seat.user_id == user_id), None)


def third_of(cut: int | None) -> str:
    """The page on which a cut is; the middle of the deck if there is none."""
    return next((third for third, cuts in THIRDS.items() if cut in cuts), "middle")


def _style(*, is_chosen: bool) -> discord.ButtonStyle:
    return discord.ButtonStyle.success if is_chosen else discord.ButtonStyle.secondary
