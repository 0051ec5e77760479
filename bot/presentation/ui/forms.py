"""Forms with text fields, which Discord calls modals."""

from typing import TypeAlias

import discord

from bot.presentation.ui.custom_ids import Press

Field: TypeAlias = discord.ui.Label[discord.ui.Modal]


def field(
    name: str,
    label: str,
    placeholder: str,
    default: str = "",
    *,
    max_length: int = 40,
    required: bool = True,
    description: str | None = None,
) -> Field:
    """A text field with a custom id, already filled with `default`. The `description` is a sentence above it."""
    line: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
        custom_id=name, placeholder=placeholder, default=default or None, max_length=max_length, required=required
    )
    return discord.ui.Label(text=label, component=line, description=description)


def form(press: Press, title: str, *fields: Field) -> discord.ui.Modal:
    """A form with the custom id of `press`.

    The id must be new each time: a phone shows a form with a known id as it was then
    (https://github.com/discord/discord-api-docs/issues/7554). The form is stopped at once, like a message (see
    `Layout`).
    """
    modal = discord.ui.Modal(title=title, custom_id=str(press))
    for each in fields:
        modal.add_item(each)
    modal.stop()
    return modal
