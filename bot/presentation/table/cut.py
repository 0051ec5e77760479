"""The form in which a player cuts the deck before the deal."""

import discord

from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import Press, Verb
from bot.presentation.ui.forms import field, form
from bot.table.refusals import BadCut
from bot.table.salt import CUTS
from bot.table.snapshot import Table


def cut_form(table: Table, user_id: int, nonce: int, words: Words) -> discord.ui.Modal:
    """A form with a field for the number, filled with the player's cut if there is one. Others also join with it."""
    cut = next((seat.cut for seat in table.seats if seat.user_id == user_id), None)
    title = words.say("Cut the deck of table {number}", number=table.id)
    if not table.row.has_owner(user_id):
        title = words.say("Join and cut: table {number}", number=table.id)
    number = field(
        "number",
        words.say("A number from 1 to 63"),
        words.say("Empty: no cut"),
        str(cut or ""),
        max_length=len(str(CUTS[-1])),
        required=False,
        description=words.say("How many cards do you lift? Choose a number that nobody can guess."),
    )
    return form(Press(Verb.CUT_NUMBER, table.id, 0, (str(nonce),)), title, number)


def typed_cut(typed: str) -> int | None:
    """The number typed into the form, or None if the field is empty. Raises `BadCut`."""
    text = typed.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > len(str(CUTS[-1])) or int(text) not in CUTS:
        raise BadCut
    return int(text)
