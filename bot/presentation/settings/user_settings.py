"""The private panel of what people set for themselves; each choice takes effect at once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import discord

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, languages, mark_for_translation, own_name
from bot.presentation.ui.custom_ids import Press, button, layout, menu, rows
from bot.presentation.ui.verbs import Verb
from bot.table.user import NotificationMode, UserSettings

NOTIFICATION_NAMES: Final = {
    NotificationMode.MENTION: mark_for_translation("Told of a turn by a mention at the table"),
    NotificationMode.DIRECT: mark_for_translation(
        "Told of a turn by a direct message, or by a mention where none arrives"
    ),
    NotificationMode.NOTHING: mark_for_translation("Not told of a turn"),
}
HOURS: Final = ((21, 7), (22, 7), (22, 8), (23, 7), (23, 8), (0, 8), (1, 9), (8, 16), (9, 17))
"""Quiet hours to choose from; any others can be typed."""
NO_QUIET: Final = "none"
AS_IN_DISCORD: Final = "discord"
FORMS: Final = {
    "zone": mark_for_translation("Time zone …"),
    "quiet": mark_for_translation("Other quiet hours …"),
    "away": mark_for_translation("Holidays …"),
}
"""What can be typed into forms, and the buttons that open them."""


def user_settings_message(
    settings: UserSettings,
    now: datetime,
    words: Words,
    note: str = "",
    near: Sequence[str] = (),
    *,
    may_manage: bool = False,
) -> discord.ui.LayoutView:
    """What somebody has set, what else there is to choose, and `near`: zones of which they may have meant one.

    `now` is what clocks show in their zone.
    """
    menus = [
        _notifications(settings, words),
        _hours(settings, words),
        language_menu(settings.language, words),
        _cards(settings, words),
    ]
    if near:
        menus.append(_zones(near, words))
    buttons = [button(Press(Verb.FORM, 0, 0, (name,)), words.say(label)) for name, label in FORMS.items()]
    if _is_ahead(settings, now):
        buttons.append(button(Press(Verb.END_HOLIDAYS, 0), words.say("No holidays")))
    if may_manage:
        buttons.append(button(Press(Verb.GUILD, 0), words.say("This server …")))
    return layout(discord.ui.TextDisplay("\n".join(_lines(settings, now, words, note))), *menus, *rows(buttons))


def hours(minutes: int) -> str:
    """A time of the day."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _lines(settings: UserSettings, now: datetime, words: Words, note: str) -> list[str]:
    zone = words.say("Time zone: {zone}, where it is {now}", zone=labels.bold(settings.zone), now=words.now(now))
    lines = [words.say(NOTIFICATION_NAMES[settings.notifications]), zone, _quiet_text(settings.quiet, words)]
    if settings.away is not None and _is_ahead(settings, now):
        first, last = map(words.day, settings.away)
        lines.append(words.say("Holidays: from {first} to {last}", first=first, last=last))
    else:
        lines.append(words.say("No holidays"))
    hint = words.say(
        "Deadlines of yours that fall into quiet hours or holidays move until some time after; phones stay silent."
    )
    title = "### " + words.say("Your settings, in every server")
    return [title, *([note] if note else []), *(f"- {line}" for line in lines), labels.small(hint)]


def _is_ahead(settings: UserSettings, now: datetime) -> bool:
    """Whether there are holidays, and they are not over yet."""
    return settings.away is not None and settings.away[1] >= now.date()


def _quiet_text(quiet: tuple[int, int] | None, words: Words) -> str:
    if quiet is None:
        return words.say("No quiet hours")
    start, end = map(hours, quiet)
    return words.say("Quiet hours: from {start} to {end}", start=start, end=end)


def _notifications(settings: UserSettings, words: Words) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    options = [
        discord.SelectOption(
            label=words.say(name), value=notifications, default=notifications is settings.notifications
        )
        for notifications, name in NOTIFICATION_NAMES.items()
    ]
    return menu(Press(Verb.NOTIFICATIONS, 0), words.say("Choose"), options)


def _hours(settings: UserSettings, words: Words) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    offered = {(start * 60, end * 60) for start, end in HOURS} | ({settings.quiet} if settings.quiet else set())
    options = [
        discord.SelectOption(
            label=_quiet_text(quiet, words),
            value=NO_QUIET if quiet is None else "-".join(map(str, quiet)),
            default=quiet == settings.quiet,
        )
        for quiet in (None, *sorted(offered))
    ]
    return menu(Press(Verb.QUIET, 0), words.say("Choose"), options)


def language_menu(chosen: str, words: Words, verb: Verb = Verb.LANGUAGE) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    """The languages to choose from; Discord's own first."""
    options = [
        discord.SelectOption(label=words.say("Language: as in Discord"), value=AS_IN_DISCORD, default=not chosen)
    ]
    options += [
        discord.SelectOption(label=own_name(language), value=language, default=language == chosen)
        for language in languages()
    ]
    return menu(Press(verb, 0), words.say("Choose"), options)


def _cards(settings: UserSettings, words: Words) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    names = {"pictures": words.say("Cards as pictures"), "text": words.say("Cards in text, such as 7R")}
    now = "text" if settings.text_cards else "pictures"
    options = [discord.SelectOption(label=name, value=value, default=value == now) for value, name in names.items()]
    return menu(Press(Verb.CARDS, 0), words.say("Choose"), options)


def _zones(near: Sequence[str], words: Words) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    options = [discord.SelectOption(label=zone, value=zone) for zone in near]
    return menu(Press(Verb.ZONE, 0), words.say("Did you mean one of these time zones?"), options)
