"""The private menu of a guild's settings, and the export. Each choice takes effect at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import discord

from bot.players.levels import Level
from bot.presentation.settings.user_settings import cards_menu, language_menu
from bot.presentation.table.lobby_options import option_menu
from bot.presentation.text import labels
from bot.presentation.text.i18n import SOURCE, Words, own_name, translatable, translatable_plural, words_in
from bot.presentation.text.names import MAX_NAME_LENGTH
from bot.presentation.text.option_texts import BASICS, SWITCHES, TABLE_SETTINGS, choices, goal, short_text
from bot.presentation.ui.components import Layout, Row, button, guild_menu, menu, options_of, page_buttons, rows
from bot.presentation.ui.custom_ids import GuildPage, InvalidCustomId, Part, Press, Verb
from bot.presentation.ui.files import Attachment
from bot.presentation.ui.forms import field, form
from bot.services.guild_export import GuildExport
from bot.services.guild_settings import audit_text
from bot.table.guild import Activity, AuditEntry, Celebrations, GuildSettings, PostInterval, Season, TableDefaults
from bot.table.limits import ADJUSTABLE, GUILD_TABLES, HOST_TABLES
from bot.table.model import Pace, TakingBack, TimeoutPolicy

PAGES: Final = {
    GuildPage.GENERAL: translatable("General"),
    GuildPage.TABLES: translatable("New tables"),
    GuildPage.CUSTOMS: translatable("How we play"),
    GuildPage.LIMITS: translatable("Limits"),
    GuildPage.SEASON: translatable("Season and leaderboard"),
    GuildPage.ACTIVITY: translatable("Activity"),
    GuildPage.LOG: translatable("Changes"),
}
NEVER: Final = "never"
SCHEDULE_NAMES: Final = {
    NEVER: translatable("The leaderboard is not posted automatically"),
    PostInterval.WEEK: translatable("The leaderboard is posted every Monday"),
    PostInterval.MONTH: translatable("The leaderboard is posted on the first of each month"),
}
CELEBRATION_NAMES: Final = {
    Celebrations.PEOPLE: translatable("Celebrate people's gangs, and titles"),
    Celebrations.ALL: translatable("Celebrate all gangs, and titles"),
    Celebrations.OFF: translatable("No celebrations"),
}
LIMIT_NAMES: Final = {
    HOST_TABLES.setting: translatable("Open tables per host"),
    GUILD_TABLES.setting: translatable("Open tables in this server"),
    "invitations": translatable("Invitations per member"),
}
_LIMIT_TEXTS: Final = {
    HOST_TABLES.setting: translatable_plural("{number} open table per host", "{number} open tables per host"),
    GUILD_TABLES.setting: translatable_plural(
        "{number} open table in this server", "{number} open tables in this server"
    ),
    "invitations": translatable_plural(
        "{number} invitation per member in ten minutes", "{number} invitations per member in ten minutes"
    ),
}
EXPORT_FILE: Final = "gang-of-four-server.zip"
MAX_LISTED: Final = 3
"""Channels or roles in a line of the audit log."""


@dataclass(frozen=True, slots=True)
class GuildSettingsState:
    """The content of the guild's settings message."""

    settings: GuildSettings
    season: Season | None = None
    pages: int = 1
    """Pages of the audit log."""
    changes: Sequence[AuditEntry] = ()
    page: int = 0
    activity: Activity | None = None
    """Loaded for its page only."""


def guild_settings_message(state: GuildSettingsState, words: Words, page: GuildPage, note: str = "") -> Layout:
    """A page of the guild's settings."""
    title = "### " + words.say("Server settings") + " · " + words.say(PAGES[page])
    lines, items = _PAGES[page](state, words)
    turn = [
        button(Press(Verb.GUILD_SETTINGS, arguments=(other,)), words.say(name), disabled=other == page)
        for other, name in PAGES.items()
    ]
    return Layout("\n".join(filter(None, [title, note, *lines])), *items, *rows(turn))


def season_confirmation(what: Part, season: Season, words: Words) -> Layout:
    """Ask whether to `end` or `reset` a season."""
    name = labels.bold(labels.safe(season.name))
    if what is Part.END:
        text = words.say("End the season {name}? The top three are posted in this channel.", name=name)
        yes = words.say("Yes, end it")
    else:
        text = words.say("Reset the season {name}? Its matches will not count for any season.", name=name)
        yes = words.say("Yes, reset it")
    buttons = [
        button(Press(Verb.SEASON, arguments=(what, str(season.number), Part.YES)), yes, discord.ButtonStyle.danger),
        button(Press(Verb.GUILD_SETTINGS, arguments=(GuildPage.SEASON,)), words.say("No, go back")),
    ]
    return Layout(text, *rows(buttons))


def season_form(nonce: int, words: Words) -> discord.ui.Modal:
    """A form for the name of the next season."""
    name = field("name", words.say("Name"), words.say("Spring"), max_length=MAX_NAME_LENGTH)
    return form(Press(Verb.SEASON_NAME, arguments=(str(nonce),)), words.say("New season"), name)


def changed_default(name: str, value: str) -> dict[str, Any]:
    """The changed field of `TableDefaults` after a choice. Raises `InvalidCustomId`."""
    if name not in (*BASICS, *TABLE_SETTINGS) or value not in choices(name, TableDefaults().target, words_in(SOURCE)):
        raise InvalidCustomId(value)
    if name in SWITCHES:
        return {name: value == "on"}
    kinds: dict[str, Callable[[str], Any]] = {
        "size": int,
        "target": int,
        "pace": Pace,
        "late": TimeoutPolicy,
        "undo": TakingBack,
        "ai_level": Level,
    }
    return {name: kinds.get(name, str)(value)}


def changed_limit(name: str, value: str) -> tuple[str, int]:
    """The changed limit and its value after a choice. Raises `InvalidCustomId`."""
    if name not in ADJUSTABLE or value not in map(str, ADJUSTABLE[name].choices):
        raise InvalidCustomId(value)
    return name, int(value)


def _general(state: GuildSettingsState, words: Words) -> tuple[list[str], list[Row]]:
    settings = state.settings
    channels, roles = (_value(what, audit_text(getattr(settings, what)), words) for what in ("channels", "roles"))
    channels_line = words.say("Tables may be opened in {channels}.", channels=channels)
    roles_line = words.say("Tables may be opened by {roles}.", roles=roles)
    lines = [
        channels_line if settings.channels else words.say("Tables may be opened in every channel."),
        roles_line if settings.roles else words.say("Everyone may open tables."),
    ]
    names = {str(each): words.say(name) for each, name in CELEBRATION_NAMES.items()}
    celebrations = menu(Press(Verb.CELEBRATE), words.say("Celebrations"), options_of(names, settings.celebrations))
    roles_text = words.say("Roles that may open tables (none: everyone)")
    by_role = guild_menu("role", Press(Verb.ROLES), roles_text, settings.roles, minimum=0)
    channels_text = words.say("Channels for tables (none: all)")
    in_channels = guild_menu("channel", Press(Verb.CHANNELS), channels_text, settings.channels, minimum=0)
    language = language_menu(settings.language, words.say("Language: automatic"), words, Verb.GUILD_LANGUAGE)
    export = button(Press(Verb.GUILD_SETTINGS, arguments=(Part.EXPORT,)), words.say("Download server data"))
    cards = cards_menu(settings, words, Verb.GUILD_CARDS)
    return lines, [language, celebrations, cards, in_channels, by_role, *rows([export])]


def _default_menus(names: Sequence[str], state: GuildSettingsState, words: Words) -> tuple[list[str], list[Row]]:
    defaults = state.settings.defaults
    menus = [
        option_menu(
            Press(Verb.DEFAULT, arguments=(name,)), name, audit_text(getattr(defaults, name)), defaults.target, words
        )
        for name in names
    ]
    return [words.say("Defaults for new tables:")], menus


def _new_tables(state: GuildSettingsState, words: Words) -> tuple[list[str], list[Row]]:
    lines, menus = _default_menus(BASICS, state, words)
    close = button(Press(Verb.CLOSE, arguments=(Part.BEGIN,)), words.say("Close a table…"))
    return lines, [*menus, *rows([close])]


def _limits(state: GuildSettingsState, words: Words) -> tuple[list[str], list[Row]]:
    lines = [words.say("Limits for members. Tables that are open already stay open:")]
    return lines, [_limit(name, state.settings.limits, words) for name in ADJUSTABLE]


def _limit(name: str, changed: Mapping[str, int], words: Words) -> Row:
    now = changed.get(name, ADJUSTABLE[name].number)
    numbers = sorted({*ADJUSTABLE[name].choices, now})
    names = {str(number): words.count(*_LIMIT_TEXTS[name], number) for number in numbers}
    return menu(Press(Verb.LIMIT, arguments=(name,)), words.say(LIMIT_NAMES[name]), options_of(names, str(now)))


def _season(state: GuildSettingsState, words: Words) -> tuple[list[str], list[Row]]:
    season, schedule = state.season, state.settings.schedule
    if season is None:
        lines = [words.say("No season is running.")]
        buttons = [button(Press(Verb.SEASON, arguments=(Part.BEGIN,)), words.say("Start a season…"))]
    else:
        facts = {"name": labels.bold(labels.safe(season.name)), "when": f"<t:{season.began_at}:D>"}
        lines = [words.say("Season {name} has been running since {when}.", **facts)]
        names = {Part.END: words.say("End the season…"), Part.RESET: words.say("Reset the season…")}
        number = str(season.number)
        buttons = [button(Press(Verb.SEASON, arguments=(what, number)), label) for what, label in names.items()]
    now = NEVER if schedule is None else schedule.every
    options = options_of({value: words.say(name) for value, name in SCHEDULE_NAMES.items()}, now)
    items = [*rows(buttons), menu(Press(Verb.SCHEDULE), words.say("Posting of the leaderboard"), options)]
    if schedule is not None:
        facts = {"channel": f"<#{schedule.channel_id}>", "when": f"<t:{schedule.at}:F>"}
        lines.append(words.say("The next leaderboard is posted in {channel}, {when}.", **facts))
        press, where = Press(Verb.SCHEDULE_CHANNEL), words.say("Where it is posted")
        items.append(guild_menu("channel", press, where, (schedule.channel_id,), minimum=1, maximum=1))
    return lines, items


def _activity(state: GuildSettingsState, words: Words) -> tuple[list[str], list[Row]]:
    if state.activity is None:
        return [], []
    lines = [words.count("{number} open table", "{number} open tables", state.activity.open_tables)]
    weeks = len(state.activity.weeks)
    if not any(week.matches for week in state.activity.weeks):
        lines.append(words.say("Nothing yet: no match has ended here in the last {number} weeks.", number=weeks))
        return lines, []
    for week in state.activity.weeks:
        facts = {
            "when": f"<t:{week.began_at}:d>",
            "matches": labels.matches(week.matches, words),
            "players": words.count("{number} player", "{number} players", week.players),
        }
        lines.append("- " + words.say("Week from {when}: {matches}, {players}", **facts))
    return lines, []


def _audit_log(state: GuildSettingsState, words: Words) -> tuple[list[str], list[Row]]:
    lines = [_change(change, words) for change in state.changes] or [words.say("Nothing has been changed yet.")]
    turn = page_buttons(
        lambda what, page: Press(Verb.GUILD_SETTINGS, arguments=(GuildPage.LOG, str(page), what)),
        state.page,
        words,
        is_last=state.page + 1 >= state.pages,
    )
    return lines, [*rows(turn)]


_Content: TypeAlias = Callable[[GuildSettingsState, Words], tuple[list[str], list[Row]]]
_PAGES: Final[Mapping[GuildPage, _Content]] = {
    GuildPage.GENERAL: _general,
    GuildPage.TABLES: _new_tables,
    GuildPage.CUSTOMS: partial(_default_menus, TABLE_SETTINGS),
    GuildPage.LIMITS: _limits,
    GuildPage.SEASON: _season,
    GuildPage.ACTIVITY: _activity,
    GuildPage.LOG: _audit_log,
}

SETTING_NAMES: Final = {
    "language": translatable("language"),
    "celebrations": translatable("celebrations"),
    "text_cards": translatable("cards as text"),
    "channels": translatable("channels for tables"),
    "roles": translatable("roles that open tables"),
    "size": translatable("seats of new tables"),
    "edition": translatable("edition of new tables"),
    "target": translatable("target of new tables"),
    "pace": translatable("pace of new tables"),
    "ai_level": translatable("level of AI players at new tables"),
    "last_card": translatable("last card at new tables"),
    "late": translatable("late players at new tables"),
    "undo": translatable("taking back at new tables"),
    "private": translatable("who may join new tables"),
    "thread": translatable("place of new tables"),
    "rated": translatable("ratings of new tables"),
    "hints": translatable("hints at new tables"),
    "schedule": translatable("posting of the leaderboard"),
    "host_tables": translatable("open tables per host"),
    "guild_tables": translatable("open tables in this server"),
    "invitations": translatable("invitations per member in ten minutes"),
    "season": translatable("season"),
    "reset": translatable("season that was reset"),
}


def _change(change: AuditEntry, words: Words) -> str:
    who = words.say("a deleted player") if change.user_id is None else f"<@{change.user_id}>"
    facts = {"when": f"<t:{change.at}:d>", "who": who, "what": words.say(SETTING_NAMES[change.what])}
    before, after = (_shortened(change.what, value, words) for value in (change.before, change.after))
    return "- " + words.say("{when}, {who}: {what}: {before} → {after}", before=before, after=after, **facts)


def _value(what: str, value: str, words: Words) -> str:
    """A setting in words."""
    return _VALUES.get(what, _plain)(value, words) if value else "–"


def _shortened(what: str, value: str, words: Words) -> str:
    """A setting in words, with only the first of many channels or roles."""
    every = value.split(",")
    if len(every) <= MAX_LISTED:
        return _value(what, value, words)
    return _value(what, ",".join(every[:MAX_LISTED]), words) + " …"


def _plain(value: str, _words: Words) -> str:
    return labels.safe(value)


def _switch(value: str, words: Words) -> str:
    return words.say("on") if value == "on" else words.say("off")


def _posting(value: str, words: Words) -> str:
    every, channel = value.split(",")
    if every == PostInterval.WEEK:
        return words.say("every Monday in {channel}", channel=f"<#{channel}>")
    return words.say("on the first of each month in {channel}", channel=f"<#{channel}>")


def _choice(name: str, value: str, words: Words) -> str:
    return choices(name, TableDefaults().target, words)[value]


_VALUES: Final[Mapping[str, Callable[[str, Words], str]]] = {
    "language": lambda value, _: own_name(value),
    "celebrations": lambda value, words: words.say(CELEBRATION_NAMES[Celebrations(value)]),
    "text_cards": _switch,
    "channels": lambda value, _: ", ".join(f"<#{channel}>" for channel in value.split(",")),
    "roles": lambda value, _: ", ".join(f"<@&{role}>" for role in value.split(",")),
    "size": lambda value, words: words.count("{number} seat", "{number} seats", int(value)),
    "edition": lambda value, words: words.say(short_text("edition", value)),
    "target": lambda value, words: goal(int(value), words),
    "pace": lambda value, words: words.say(short_text("pace", value)),
    "schedule": _posting,
    **{name: partial(_choice, name) for name in ("last_card", "ai_level", *TABLE_SETTINGS)},
}


def guild_export_message(export: GuildExport, words: Words) -> Layout:
    """A list of the contents of the file, the file, and a button for the records that didn't fit."""
    lines = [
        words.say("The data of this server: settings, changes, seasons, leaderboards, ratings, titles and matches."),
        words.say("Matches in channels that you can't see are left out. Leaderboards leave out hidden members."),
        words.count(
            "It holds the record of {number} match.", "It holds the records of {number} matches.", export.records
        ),
    ]
    if export.missing:
        lines.append(
            words.count(
                "There was no room for the record of the oldest match.",
                "There was no room for the records of the {number} oldest matches.",
                export.missing,
            )
        )
    view = Layout("\n".join(lines), Attachment(EXPORT_FILE, export.data))
    if export.missing and export.oldest is not None:
        press = Press(Verb.GUILD_SETTINGS, arguments=(Part.EXPORT, str(export.oldest)))
        view.append(*rows([button(press, words.say("Download older records"))]))
    return view
