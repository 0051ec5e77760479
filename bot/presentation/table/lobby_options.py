"""The private options of a lobby. Each choice of the host takes effect at once, and the table shows it."""

from dataclasses import replace
from typing import Final

from bot.engine import Options
from bot.engine.options import CHOICES, BadOption
from bot.players.levels import Level
from bot.players.styles import Style
from bot.presentation.table.fair_deal import fair_deal_text
from bot.presentation.table.match_menu import table_buttons
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.option_texts import (
    BASICS,
    HOUSE_RULES,
    OPTIONS,
    SWITCHES,
    TABLE_SETTINGS,
    choices,
    consequences_line,
)
from bot.presentation.ui.components import MAX_OPTIONS, Layout, Row, button, guild_menu, menu, option, options_of, rows
from bot.presentation.ui.custom_ids import LobbyPage, Press, Verb, whole_number
from bot.table.lobby import TableSetup, configure
from bot.table.match_length import suggested_target
from bot.table.model import Pace, Seat, TableRow, TakingBack, TimeoutPolicy
from bot.table.snapshot import Table

PAGES: Final = {LobbyPage.BASICS: BASICS, LobbyPage.CUSTOMS: TABLE_SETTINGS, LobbyPage.HOUSE_RULES: HOUSE_RULES}
"""The options on each page that has menus of them."""
PAGE_NAMES: Final = {
    LobbyPage.BASICS: translatable("Basics"),
    LobbyPage.PEOPLE: translatable("People"),
    LobbyPage.CUSTOMS: translatable("How we play"),
    LobbyPage.HOUSE_RULES: translatable("House rules"),
    LobbyPage.FAIRNESS: translatable("Fairness"),
}
"""The pages, those that are used most first."""
AI_PLAYERS: Final[dict[str, tuple[Level, Style | None]]] = {
    **{str(level): (level, None) for level in Level if not level.has_style},
    **{f"{level}:{style}": (level, style) for level in Level if level.has_style for style in Style},
}
"""The levels and styles of AI players, by the values of their menu."""


def lobby_options_message(
    table: Table,
    page: LobbyPage,
    user_id: int,
    words: Words,
    note: str = "",
    *,
    may_manage: bool = False,
    max_guests: int = MAX_OPTIONS,
    drawing: int = 0,
) -> Layout:
    """A page of the options. All but the host have the page about fairness only. `may_manage`: they manage the guild.

    The first page of each user can also post, leave and close the table. On the page of people, up to `max_guests` can
    be invited at once. `drawing` is a number that the message has never had on this page.
    """
    row, is_host = table.row, user_id == table.row.host_id
    title = labels.bold(words.say("Options of table {number}", number=table.id))
    lines, items = [title, note], list[Row]()
    match page:
        case LobbyPage.FAIRNESS:
            lines.append(fair_deal_text(row, "", words))
            items += rows([button(Press(Verb.CUT, row.id), words.say("Cut"))] if row.first_table_id is None else [])
        case LobbyPage.PEOPLE:
            lines += _same_deals(table, words)
            items += _people_menus(table, max_guests, drawing, words)
        case _:
            lines.append(consequences_line(table.row, words))
            items += [_menu(table, page, name, words) for name in PAGES[page]]
    turn = [
        button(Press(Verb.OPTIONS, row.id, 0, (other,)), words.say(name), disabled=other is page)
        for other, name in PAGE_NAMES.items()
    ]
    items += rows(turn if is_host else [])
    if page is (LobbyPage.BASICS if is_host else LobbyPage.FAIRNESS):
        items += rows(table_buttons(table, user_id, words, may_manage=may_manage))
    return Layout("\n".join(filter(None, lines)), *items)


def _same_deals(table: Table, words: Words) -> list[str]:
    """How others can play the same deals, unless some already do."""
    if table.row.duplicate_of is not None:
        return []
    facts = {"option": words.say("same_deals"), "number": table.id}
    return [
        labels.small(words.say("Other people can play the same deals: `/gang new` with {option} {number}.", **facts))
    ]


def _people_menus(table: Table, max_guests: int, drawing: int, words: Words) -> list[Row]:
    """Menus to invite and remove users, and for the levels and styles of AI players.

    Discord's client keeps the choice in a menu of users while its id stays the same, so each drawing has its own.
    """
    invite = Press(Verb.INVITE, table.id, drawing)
    most = min(max_guests, MAX_OPTIONS)
    items = [guild_menu("user", invite, words.say("Invite people"), minimum=1, maximum=most)]
    guests = [seat for seat in table.seats if seat.user_id not in (None, table.row.host_id)]
    if guests:
        options = [option(str(seat.user_id), labels.plain_name(seat.name, words)) for seat in guests]
        items.append(menu(Press(Verb.REMOVE, table.id), words.say("Remove a player"), options))
    return [*items, *(_ai_menu(table, seat, words) for seat in table.seats if seat.is_ai)]


def _ai_menu(table: Table, seat: Seat, words: Words) -> Row:
    """A menu for the level and the style of the AI player in a seat."""
    name = labels.plain_name(seat.name, words)
    names = {
        value: words.say("{name}: {level}", name=name, level=labels.level_text(level, style, words))
        for value, (level, style) in AI_PLAYERS.items()
    }
    now = next((value for value in (f"{seat.ai_level}:{seat.ai_style}", str(seat.ai_level)) if value in names), "")
    press = Press(Verb.AI_LEVEL, table.id, 0, (seat.name,))
    return menu(press, words.say("Level and style of {name}", name=name), options_of(names, now))


def set_option(row: TableRow, user_id: int, name: str, value: str) -> TableRow:
    """Make one more choice about the setup, as the host. Raises `BadOption`."""
    return configure(row, user_id, changed_setup(row, name, value))


def changed_setup(row: TableRow, name: str, value: str) -> TableSetup:
    """The table's setup after one more choice. Raises `BadOption`."""
    now = TableSetup.of(row)
    if name == "size" and value in ("3", "4"):
        return replace(now, size=int(value))
    if name == "edition":
        kept = {"target": row.options.target, "last_card": row.options.last_card}  # no edition has its own
        return replace(now, edition=value, options=Options.of(value, kept))
    if name == "pace" and value in list(Pace):
        target = suggested_target(row.options.target, Options.of(row.edition).target, Pace(value))
        options = row.options if row.duplicate_of else row.options.with_changes(target=target)
        return replace(now, pace=Pace(value), options=options)
    if name == "late" and value in list(TimeoutPolicy):
        return replace(now, settings=replace(row.settings, on_timeout=TimeoutPolicy(value)))
    if name == "undo" and value in list(TakingBack):
        return replace(now, settings=replace(row.settings, undo=TakingBack(value)))
    if name == "ai_level" and value in list(Level):
        return replace(now, settings=replace(row.settings, ai_level=Level(value)))
    if name in SWITCHES and value in ("off", "on"):
        return replace(now, settings=replace(row.settings, **{name: value == "on"}))  # type: ignore[arg-type]  # all yes or no
    if name == "target":
        return replace(now, options=row.options.with_changes(target=whole_number(value)))
    if name in CHOICES:
        return replace(now, options=row.options.with_changes(**{name: value}))
    raise BadOption(name, f"cannot be {value}")


def _menu(table: Table, page: LobbyPage, name: str, words: Words) -> Row:
    press = Press(Verb.SET_OPTION, table.id, 0, (page, name))
    return option_menu(press, name, current_value(table.row, name), table.row.options.target, words)


def current_value(row: TableRow, name: str) -> str:
    """The value of an option, as in its menu."""
    own = {
        "size": row.size,
        "edition": row.edition,
        "pace": row.pace,
        "late": row.settings.on_timeout,
        "undo": row.settings.undo,
        "ai_level": row.settings.ai_level,
    }
    if name in SWITCHES:
        return "on" if getattr(row.settings, name) else "off"
    return str(own[name] if name in own else getattr(row.options, name))


def option_menu(press: Press, name: str, now: str, target: int, words: Words) -> Row:
    """A menu for an option whose current value is `now`."""
    texts = OPTIONS[name]
    details = {value: words.say(text.detail) for value, text in texts.values.items() if text.detail}
    return menu(press, words.say(texts.name), options_of(choices(name, target, words), now, details))
