"""Buttons, menus and messages of components.

They are built as Discord's JSON. With an object of discord.py for each, a hand would take four times as long.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, Self, TypeAlias

import discord

from bot.engine import Options
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import CardOrder, Part, Press, Verb, code_of
from bot.presentation.ui.files import Attachment


class Box:
    """Components and texts in a frame."""

    def __init__(self, accent: int, *items: "Item | str") -> None:
        """`accent` is the color of the frame."""
        self.accent = accent
        self.items = items


Item: TypeAlias = dict[str, Any] | Attachment | Box
"""A component of a message: as JSON, a file, or a frame with others."""
Row: TypeAlias = dict[str, Any]
"""A row of buttons, or of one menu, as JSON."""
Button: TypeAlias = dict[str, Any]
"""A button as JSON, with a label."""
Option: TypeAlias = dict[str, Any]
"""An option of a menu as JSON."""

BRIEF: Final = "brief"
"""The first page of the rules."""
GOLD: Final = 0xE0A526
"""The color of frames around results."""
_BUTTON: Final = discord.ComponentType.button.value
MAX_OPTIONS: Final = 25
"""Discord's limit for the options of a menu, and for the values chosen in it."""


def _row(*components: Button) -> Row:
    """A row of buttons, or of one menu."""
    return {"type": discord.ComponentType.action_row.value, "components": [*components]}


def button(
    press: Press | str,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> Button:
    """A button with the custom id of `press`, or with this one."""
    found = {"type": _BUTTON, "style": style.value, "disabled": disabled, "label": label, "custom_id": str(press)}
    return found if emoji is None else found | {"emoji": _emoji(emoji)}


def link_button(label: str, url: str) -> Button:
    """A button that opens a web address."""
    return {"type": _BUTTON, "style": discord.ButtonStyle.link.value, "label": label, "url": url}


@lru_cache
def _emoji(text: str) -> dict[str, Any]:
    """An emoji as JSON, from its form in texts: `<:name:id>` or a character."""
    return dict(discord.PartialEmoji.from_str(text).to_dict())


def post_button(press: Press, words: Words) -> Button:
    """A button that posts the public version of what `press` shows."""
    return button(replace(press, arguments=(*press.arguments, Part.POST)), words.say("Post here"))


def open_table_buttons(table: int, words: Words) -> list[Button]:
    """The button that opens a table as a page, if the host has set up the page."""
    return [button(Press(Verb.OPEN_TABLE, table), words.say("Open the table"))] if words.has_page else []


def rules_button(options: Options, words: Words) -> Button:
    """A button that opens the rules of a table with these options."""
    return button(Press(Verb.RULES, arguments=(BRIEF, code_of(options))), words.say("Rules"))


def why_button(rule: str, words: Words, options: Options | None = None) -> Button:
    """A button that opens a rule, as it holds at a table with these options."""
    return button(Press(Verb.WHY, arguments=(rule, code_of(options))), words.say("Why?"))


def my_data_button(words: Words) -> Button:
    """A button that shows which data about the reader is stored."""
    return button(Press(Verb.PRIVACY, arguments=(Part.OPEN,)), words.say("My data"))


def sort_button(verb: Verb, table: int, words: Words) -> Button:
    """A button that sorts the reader's hands by number or by color from now on."""
    order, name = CardOrder.COLOR, words.say("Sort by color")
    if words.by_color:
        order, name = CardOrder.NUMBER, words.say("Sort by number")
    return button(Press(verb, table, 0, (order,)), name)


def page_buttons(press_of: Callable[[Part, int], Press], page: int, words: Words, *, is_last: bool) -> list[Button]:
    """Buttons to the pages before and after `page`; none if it's the only one.

    `press_of` makes a press from its last argument and a page.
    """
    if page == 0 and is_last:
        return []
    return [
        button(press_of(Part.BACK, max(page - 1, 0)), words.say("◀ Back"), disabled=page == 0),
        button(press_of(Part.NEXT, page + 1), words.say("Next ▶"), disabled=is_last),
    ]


def rows(buttons: Sequence[Button], width: int = 5) -> list[Row]:
    """Buttons in rows of `width`, at most five."""
    return [_row(*buttons[start : start + width]) for start in range(0, len(buttons), width)]


def option(
    value: str, label: str, description: str | None = None, *, emoji: str | None = None, default: bool = False
) -> Option:
    """An option of a menu. The `default` is shown as selected."""
    found = {"label": label, "value": value, "default": default}
    if description is not None:
        found["description"] = description
    return found if emoji is None else found | {"emoji": _emoji(emoji)}


def options_of(names: Mapping[str, str], now: str, details: Mapping[str, str] = MappingProxyType({})) -> list[Option]:
    """Options of a menu from values and their names, some with a sentence. The value `now` is selected."""
    return [option(value, name, details.get(value), default=value == now) for value, name in names.items()]


def menu(
    press: Press,
    placeholder: str,
    options: list[Option],
    *,
    minimum: int = 1,
    maximum: int = 1,
    disabled: bool = False,
) -> Row:
    """A menu with the custom id of `press`, by default for one choice."""
    return _row(
        {
            "type": discord.ComponentType.string_select.value,
            "custom_id": str(press),
            "placeholder": placeholder,
            "min_values": minimum,
            "max_values": maximum,
            "options": options,
            "disabled": disabled,
        }
    )


def buttons_menu(moment: int, placeholder: str, buttons: Sequence[Button]) -> Row:
    """A menu in place of buttons. A choice is handled like a press of the button.

    A client may keep the last choice while the id stays the same, so the `moment` belongs to it.
    """
    options = [option(each["custom_id"], each["label"]) for each in buttons]
    return menu(Press(Verb.BUTTONS, 0, moment), placeholder, options)


def guild_menu(
    kind: Literal["user", "role", "channel"],
    press: Press,
    placeholder: str,
    chosen: Sequence[int] = (),
    *,
    minimum: int,
    maximum: int = MAX_OPTIONS,
) -> Row:
    """A menu of the guild's users, roles or text channels. Those with the ids `chosen` are selected."""
    found: dict[str, Any] = {
        "type": discord.ComponentType[f"{kind}_select"].value,
        "custom_id": str(press),
        "placeholder": placeholder,
        "min_values": minimum,
        "max_values": maximum,
    }
    if kind == "channel":
        found["channel_types"] = [discord.ChannelType.text.value]
    if chosen:
        found["default_values"] = [{"id": str(each), "type": kind} for each in chosen]
    return _row(found)


def separator() -> Item:
    """A line between two components."""
    return {"type": discord.ComponentType.separator.value}


class Layout(discord.ui.LayoutView):
    """A message of components, as JSON.

    The view is stopped at once: presses are routed by their ids, so discord.py doesn't need to keep the view in memory,
    where an ephemeral one would stay for 15 minutes.
    """

    def __init__(self, *items: Item | str) -> None:
        super().__init__(timeout=None)
        self.components: list[dict[str, Any]] = []
        self.attachments: list[Attachment] = []
        self.append(*items)
        self.stop()

    def sent(self) -> dict[str, Any]:
        """The message as arguments of discord.py's `send` and `edit`."""
        return {"view": self}

    def marked(self, mark: int) -> Self:
        """A copy whose first component has this id."""
        found = copy(self)
        found.components = [self.components[0] | {"id": mark}, *self.components[1:]]
        return found

    def append(self, *items: Item | str) -> None:
        """Add components and texts at the end."""
        self.components += [self._component(item) for item in items]

    def files(self) -> list[discord.File]:
        """The files to send with the message. They can be sent once."""
        return [attachment.file() for attachment in self.attachments]

    def to_components(self) -> list[dict[str, Any]]:
        """The message as discord.py sends it."""
        return self.components

    def has_components_v2(self) -> bool:
        """True, so it is sent as components without a separate text."""
        return True

    def _component(self, item: Item | str) -> dict[str, Any]:
        """A component as JSON. Keeps the files in it."""
        if isinstance(item, str):
            return {"type": discord.ComponentType.text_display.value, "content": item}
        if isinstance(item, Box):
            parts = [self._component(part) for part in item.items]
            return {"type": discord.ComponentType.container.value, "accent_color": item.accent, "components": parts}
        if isinstance(item, Attachment):
            self.attachments.append(item)
            return item.component()
        return item


class Call(Layout):
    """A message for people who look elsewhere: a text and a row of buttons, without other components.

    A push notification shows `content` only, so one about a message of components would be empty:
    https://github.com/discord/discord-api-docs/issues/7854
    """

    def __init__(self, content: str, *buttons: Button) -> None:
        super().__init__(_row(*buttons))
        self.content = content

    def sent(self) -> dict[str, Any]:
        """The message as arguments of discord.py's `send` and `edit`."""
        return {"view": self, "content": self.content}

    def has_components_v2(self) -> bool:
        """False: only messages without this flag may have a `content`."""
        return False
