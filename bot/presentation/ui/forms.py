"""Forms with text fields, which Discord calls modals."""

from dataclasses import dataclass

import discord

from bot.presentation.ui.custom_ids import Press


@dataclass(frozen=True, slots=True)
class Field:
    """A text field."""

    name: str
    """The custom id of the field."""
    label: str
    placeholder: str
    default: str = ""
    """Text that the field already holds."""
    max_length: int = 40
    required: bool = True
    description: str = ""
    """A sentence above the field."""


def form(press: Press, title: str, *fields: Field) -> discord.ui.Modal:
    """A form with the custom id of `press`.

    The id must be new each time: a phone shows a form with a known id as it was then
    (https://github.com/discord/discord-api-docs/issues/7554). The form is stopped at once, like a message (see
    `layout`).
    """
    modal = discord.ui.Modal(title=title, custom_id=str(press))
    for field in fields:
        line: discord.ui.TextInput[discord.ui.Modal] = discord.ui.TextInput(
            custom_id=field.name,
            placeholder=field.placeholder,
            default=field.default or None,
            max_length=field.max_length,
            required=field.required,
        )
        modal.add_item(discord.ui.Label(text=field.label, component=line, description=field.description or None))
    modal.stop()
    return modal
