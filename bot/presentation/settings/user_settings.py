"""The private menu of a user's settings, and the forms for those that users type. Each choice takes effect at once."""

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Final

import discord

from bot.presentation.text import labels
from bot.presentation.text.cards import LEGEND
from bot.presentation.text.i18n import Words, languages, own_name, translatable
from bot.presentation.ui.components import (
    Button,
    Layout,
    Row,
    button,
    menu,
    my_data_button,
    option,
    options_of,
    rows,
    sort_button,
)
from bot.presentation.ui.custom_ids import CardStyle, Part, Press, UserForm, Verb
from bot.presentation.ui.forms import Field, field, form
from bot.table.guild import GuildSettings
from bot.table.refusals import BadDate, BadTime
from bot.table.user import NotificationMode, UserSettings

NOTIFICATION_NAMES: Final = {
    NotificationMode.AWAY: translatable("My turn: mention me when I'm away"),
    NotificationMode.EVERY: translatable("My turn: mention me every time"),
    NotificationMode.DIRECT: translatable("My turn: send me a direct message when I'm away"),
    NotificationMode.NEVER: translatable("My turn: never call me"),
}
QUIET_HOURS: Final = ((21, 7), (22, 7), (22, 8), (23, 7), (23, 8), (0, 8), (1, 9), (8, 16), (9, 17))
"""Quiet hours in the menu. Others can be typed."""
NO_QUIET_HOURS: Final = "none"
AS_IN_DISCORD: Final = "discord"
FORMS: Final = {
    UserForm.ZONE: translatable("Time zone…"),
    UserForm.QUIET_HOURS: translatable("Other quiet hours…"),
    UserForm.HOLIDAYS: translatable("Holidays…"),
}
"""The forms and the labels of their buttons."""

_TIME: Final = re.compile(r"(\d{1,2})(?:[:.h]?(\d{2}))?(?:([ap])\.?m\.?|h|uhr)?")
_DAYS: Final = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})"),
    re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})"),
)
"""Unambiguous notations of dates. Slashes are ambiguous."""


def user_settings_message(
    settings: UserSettings,
    now: datetime,
    words: Words,
    note: str = "",
    suggestions: Sequence[str] = (),
    *,
    may_manage: bool = False,
    has_alerts: bool = False,
) -> Layout:
    """The user's settings, with menus. `suggestions` are time zones that the user may have meant.

    `now` is the local time of the user. `has_alerts`: they are mentioned when a table opens in this guild.
    """
    menus = [
        _notifications(settings, words),
        _hours(settings, words),
        language_menu(settings.language, words.say("Language: as in Discord"), words),
        cards_menu(settings, words),
    ]
    if suggestions:
        menus.append(_zones(suggestions, words))
    buttons = [button(Press(Verb.FORM, arguments=(name,)), words.say(label)) for name, label in FORMS.items()]
    if _has_holidays(settings, now):
        buttons.append(button(Press(Verb.END_HOLIDAYS), words.say("No holidays")))
    buttons.append(sort_button(Verb.SORT_HANDS, 0, words))
    buttons.append(_alerts(words, is_on=has_alerts))
    buttons.append(my_data_button(words))
    buttons.append(button(Press(Verb.ABOUT), words.say("About this app")))
    if may_manage:
        buttons.append(button(Press(Verb.GUILD_SETTINGS), words.say("This server…")))
    return Layout("\n".join(_lines(settings, now, words, note)), *menus, *rows(buttons))


def _alerts(words: Words, *, is_on: bool) -> Button:
    """Turn mentions for new tables of this guild on or off."""
    if is_on:
        return button(Press(Verb.ALERTS, arguments=(Part.OFF,)), words.say("No alerts for new tables"))
    return button(Press(Verb.ALERTS, arguments=(Part.ON,)), words.say("Alert me to new tables"))


def time_text(minutes: int) -> str:
    """A time of day, such as `22:30`."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _lines(settings: UserSettings, now: datetime, words: Words, note: str) -> list[str]:
    zone = words.say(
        "Time zone: {zone}, where it is {now}", zone=labels.bold(settings.zone or "UTC"), now=words.now(now)
    )
    lines = [words.say(NOTIFICATION_NAMES[settings.notifications]), zone, _quiet_text(settings.quiet, words)]
    if settings.away is not None and _has_holidays(settings, now):
        first, last = map(words.day, settings.away)
        lines.append(words.say("Holidays: from {first} to {last}", first=first, last=last))
    else:
        lines.append(words.say("No holidays"))
    hint = words.say(
        "A deadline in your quiet hours or holidays moves to some time after they end, and your phone stays silent."
    )
    title = "### " + words.say("Your settings, in every server")
    hints = [labels.small(each) for each in (hint, words.say(LEGEND))]
    return list(filter(None, [title, note, *(f"- {line}" for line in lines), *hints]))


def _has_holidays(settings: UserSettings, now: datetime) -> bool:
    """True if the user has holidays that aren't over."""
    return settings.away is not None and settings.away[1] >= now.date()


def _quiet_text(quiet: tuple[int, int] | None, words: Words) -> str:
    if quiet is None:
        return words.say("No quiet hours")
    start, end = map(time_text, quiet)
    return words.say("Quiet hours: from {start} to {end}", start=start, end=end)


def _notifications(settings: UserSettings, words: Words) -> Row:
    names = {str(mode): words.say(name) for mode, name in NOTIFICATION_NAMES.items()}
    return menu(Press(Verb.NOTIFICATIONS), words.say("Notifications"), options_of(names, settings.notifications))


def _hours(settings: UserSettings, words: Words) -> Row:
    offered = {(start * 60, end * 60) for start, end in QUIET_HOURS} | ({settings.quiet} if settings.quiet else set())
    names = {_quiet_value(quiet): _quiet_text(quiet, words) for quiet in (None, *sorted(offered))}
    return menu(Press(Verb.QUIET_HOURS), words.say("Quiet hours"), options_of(names, _quiet_value(settings.quiet)))


def _quiet_value(quiet: tuple[int, int] | None) -> str:
    return NO_QUIET_HOURS if quiet is None else "-".join(map(str, quiet))


def language_menu(chosen: str, default: str, words: Words, verb: Verb = Verb.LANGUAGE) -> Row:
    """A menu of the languages, with the one that nobody has chosen first."""
    names = {AS_IN_DISCORD: default}
    names |= {language: own_name(language) for language in languages()}
    return menu(Press(verb), words.say("Language"), options_of(names, chosen or AS_IN_DISCORD))


def cards_menu(settings: UserSettings | GuildSettings, words: Words, verb: Verb = Verb.CARDS) -> Row:
    """A menu of the ways to show cards: as pictures or as text."""
    names: dict[str, str] = {
        CardStyle.PICTURES: words.say("Cards as pictures"),
        CardStyle.TEXT: words.say("Cards as text, such as 7R"),
    }
    now = CardStyle.TEXT if settings.text_cards else CardStyle.PICTURES
    return menu(Press(verb), words.say("Cards"), options_of(names, now))


def _zones(suggestions: Sequence[str], words: Words) -> Row:
    options = [option(zone, zone) for zone in suggestions]
    return menu(Press(Verb.TIME_ZONE), words.say("Did you mean one of these time zones?"), options)


def user_settings_form(name: UserForm, settings: UserSettings, nonce: int, words: Words) -> discord.ui.Modal:
    """A form filled with the present setting.

    Quiet hours and holidays depend on the time zone, so their forms ask for it until it's chosen.
    """
    zone = [] if settings.zone else [_zone_field("", words)]
    press = Press(Verb.FORM_SENT, arguments=(name, str(nonce)))
    match name:
        case UserForm.ZONE:
            return form(press, words.say("Your time zone"), _zone_field(settings.zone, words))
        case UserForm.QUIET_HOURS:
            start, end = map(time_text, settings.quiet) if settings.quiet else ("", "")
            times = field("start", words.say("From"), "22:00", start), field("end", words.say("To"), "07:30", end)
            return form(press, words.say("Your quiet hours"), *zone, *times)
        case UserForm.HOLIDAYS:
            first, last = map(str, settings.away) if settings.away else ("", "")
            days = (
                field("first", words.say("First day (year-month-day)"), "2026-12-24", first),
                field("last", words.say("Last day (year-month-day)"), "2027-01-02", last),
            )
            return form(press, words.say("Your holidays"), *zone, *days)


def _zone_field(zone: str, words: Words) -> Field:
    return field("zone", words.say("A large city near you, or UTC+2"), "Europe/Berlin", zone)


def parse_time(typed: str) -> int:
    """Parse a time of day into minutes: `22`, `22:30`, `2230`, `10.30 pm`. Raises `BadTime`."""
    found = _TIME.fullmatch("".join(typed.split()).casefold())
    if found is None:
        raise BadTime(typed)
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if minute > 59 or (hour, minute) > (24, 0) or (half and not 1 <= hour <= 12):
        raise BadTime(typed)
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour % 24 * 60 + minute


def parse_day(typed: str, language: str) -> date:
    """Parse a date: `2026-12-24`, `24.12.2026`, and `24/12/2026` except in English. Raises `BadDate`."""
    text = "".join(typed.split())
    if language != "en":  # in America the month comes first
        text = text.replace("/", ".")
    found = next(filter(None, (way.fullmatch(text) for way in _DAYS)), None)
    if found is None:
        raise BadDate(typed)
    try:
        return date(**{part: int(number) for part, number in found.groupdict().items()})
    except ValueError:  # such as February 30
        raise BadDate(typed) from None
