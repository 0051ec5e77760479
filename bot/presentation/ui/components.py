"""Buttons, menus and messages of components."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

import discord

from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import Press

Button: TypeAlias = discord.ui.Button[discord.ui.LayoutView]
Row: TypeAlias = discord.ui.ActionRow[discord.ui.LayoutView]
Item: TypeAlias = discord.ui.Item[discord.ui.LayoutView]

MAX_OPTIONS: Final = 25
"""Discord's limit for the options of a menu, and for the values chosen in it."""


def button(
    press: Press,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> Button:
    """A button with the custom id of `press`."""
    return discord.ui.Button(label=label, style=style, emoji=emoji, disabled=disabled, custom_id=str(press))


POST: Final = "post"
"""The last argument of a press that posts a private panel."""


def post_button(press: Press, words: Words) -> Button:
    """A button that posts the public version of what `press` shows."""
    return button(replace(press, arguments=(*press.arguments, POST)), words.say("Post here"))


def page_buttons(press_of: Callable[[str, int], Press], page: int, words: Words, *, is_last: bool) -> list[Button]:
    """Buttons to the pages before and after `page`; none if it's the only one.

    `press_of` makes a press from its last argument and a page.
    """
    if page == 0 and is_last:
        return []
    return [
        button(press_of("back", max(page - 1, 0)), words.say("◀ Back"), disabled=page == 0),
        button(press_of("next", page + 1), words.say("Next ▶"), disabled=is_last),
    ]


def rows(buttons: Sequence[Button], width: int = 5) -> list[Row]:
    """Buttons in rows of `width`, at most five."""
    return [discord.ui.ActionRow(*buttons[start : start + width]) for start in range(0, len(buttons), width)]


def options_of(
    names: Mapping[str, str], now: str, details: Mapping[str, str] = MappingProxyType({})
) -> list[discord.SelectOption]:
    """Options of a menu from values and their names, some with a sentence. The value `now` is selected."""
    return [
        discord.SelectOption(label=name, value=value, description=details.get(value), default=value == now)
        for value, name in names.items()
    ]


def menu(
    press: Press, placeholder: str, options: list[discord.SelectOption], *, minimum: int = 1, maximum: int = 1
) -> Row:
    """A menu with the custom id of `press`, by default for one choice."""
    select: discord.ui.Select[discord.ui.LayoutView] = discord.ui.Select(
        placeholder=placeholder, options=options, min_values=minimum, max_values=maximum, custom_id=str(press)
    )
    return discord.ui.ActionRow(select)


def box(accent: int, *items: Item | str) -> Item:
    """Components and texts in a frame of this color."""
    return discord.ui.Container(*map(_item, items), accent_color=accent)


def layout(*items: Item | str) -> discord.ui.LayoutView:
    """A message of components and texts.

    The view is stopped at once: presses are routed by their ids, so discord.py doesn't need to keep the view in memory,
    where an ephemeral one would stay for 15 minutes.
    """
    view = discord.ui.LayoutView(timeout=None)
    for item in items:
        view.add_item(_item(item))
    view.stop()
    return view


def _item(item: Item | str) -> Item:
    return discord.ui.TextDisplay(item) if isinstance(item, str) else item
