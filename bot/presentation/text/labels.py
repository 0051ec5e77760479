"""Short texts that several messages share: names, levels, totals, times."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

import discord

from bot.engine.events import Forgot, HandEnded, Undone
from bot.players.levels import Level
from bot.players.styles import Style
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.moves import move_text
from bot.presentation.text.names import AI_MARK, isolated, readable
from bot.presentation.text.option_texts import short_text, short_texts
from bot.table.model import Seat, Status
from bot.table.snapshot import News, Table

STYLE_NAMES: Final = {
    Style.STEADY: translatable("🐢 steady"),
    Style.BOLD: translatable("🦁 bold"),
    Style.STINGY: translatable("🐜 stingy"),
    Style.HOARDER: translatable("🐹 gang hoarder"),
}
"""The styles of AI players: a face and words."""
MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
"""The signs of the first three places."""
MAX_QUOTE_LENGTH: Final = 400
"""Characters of a quoted text from a record or error."""
_MARKUP: Final = re.compile(r"[\\*_~|`<\[]|:(?=//)|^[#>-]")
"""The characters that begin Discord's markdown, links and mentions."""


@lru_cache(10_000)
def safe(name: str) -> str:
    """Make a name or a user's input readable in a message, isolated, without markdown, links and mentions."""
    return isolated(discord.utils.escape_mentions(_MARKUP.sub(r"\\\g<0>", readable(name) or "?")))


def player_name(name: str, words: Words) -> str:
    """The name of a player, for a message. A deleted player's name is empty."""
    return safe(name) if name else words.say("a deleted player")


def seat_name(seat: Seat, words: Words) -> str:
    """The player of a seat, for a message."""
    name = player_name(seat.name, words)
    if seat.user_id is None and seat.name:
        return f"{AI_MARK} {name}"
    if seat.ai_level is not None:
        return words.say("{mark} for {name}", mark=AI_MARK, name=name)
    if seat.substitute_name is not None:
        return words.say("{substitute} for {name}", substitute=player_name(seat.substitute_name, words), name=name)
    return name


def level_text(level: Level, style: Style | None, words: Words) -> str:
    """A level, and the style if the level has one."""
    styles = [] if style is None or not level.has_style else [words.say(STYLE_NAMES[style])]
    return " · ".join([words.say(short_text("ai_level", level)), *styles])


def ai_levels_text(table: Table, words: Words) -> str:
    """The levels of the AI players at a table, and the meaning of the faces after their names; empty without any."""
    levels = {seat.ai_level for seat in table.seats}
    names = [words.say(name) for level, name in short_texts("ai_level").items() if level in levels]
    shown = {seat.ai_style for seat in table.seats if style_face(seat)}
    styles = [words.say(name) for style, name in STYLE_NAMES.items() if style in shown]
    return " · ".join([words.say("AI players: {levels}", levels=words.list(names)), *styles]) if names else ""


def style_face(seat: Seat) -> str:
    """The face of an AI player's style after a name; empty for people, and without a known style."""
    has_style = seat.is_ai and seat.ai_level in list(Level) and Level(seat.ai_level).has_style
    return f" {STYLE_NAMES[seat.ai_style][0]}" if has_style and seat.ai_style is not None else ""


def names(table: Table, words: Words) -> list[str]:
    """The names of all seats, in seat order."""
    return [seat_name(seat, words) for seat in table.seats]


def row_names(table: Table, words: Words) -> list[str]:
    """The players of all seats without the owners for whom they play: short enough for a row on a phone."""
    return [_row_name(seat, words) for seat in table.seats]


def _row_name(seat: Seat, words: Words) -> str:
    name = player_name(seat.name if seat.substitute_name is None else seat.substitute_name, words)
    return name if seat.ai_level is None else f"{AI_MARK} {name}"


def owner_names(table: Table, words: Words) -> list[str]:
    """The owners of all seats, in seat order: matches count for them."""
    names = [(seat, player_name(seat.name, words)) for seat in table.seats]
    return [f"{AI_MARK} {name}" if seat.is_ai else name for seat, name in names]


@lru_cache(10_000)
def plain_name(name: str, words: Words) -> str:
    """The name of a player for pictures, menus and files, which don't read markdown."""
    return isolated(readable(name) or "?") if name else words.say("a deleted player")


def plain_names(table: Table, words: Words) -> tuple[str, ...]:
    """The names of all seats for pictures, menus and files, which don't read markdown."""
    return tuple(_plain_name(seat, words) for seat in table.seats)


def _plain_name(seat: Seat, words: Words) -> str:
    name = seat.name if seat.substitute_name is None else seat.substitute_name
    plain = plain_name(name, words)
    return words.say("{name} (AI)", name=plain) if name and seat.user_id is None else plain


def names_of(table: Table, user_ids: Collection[int], words: Words) -> str:
    """The names of those `user_ids` who play at a table or own a seat there."""
    if not user_ids:
        return ""
    found = []
    for seat in table.seats:
        if seat.player_id in user_ids:
            found.append(seat_name(seat, words))
        if seat.is_absent and seat.user_id in user_ids:
            found.append(player_name(seat.name, words))
    return words.list(found)


def consent_lines(table: Table, words: Words) -> list[str]:
    """The players who agree to a pause, and to an end of the match."""
    lines = []
    if pausing := names_of(table, table.row.pausing, words):
        lines.append(words.say("Want a pause: {names}.", names=pausing))
    if ending := names_of(table, table.row.ending, words):
        lines.append(words.say("Want to end the match: {names}.", names=ending))
    return lines


def news_lines(table: Table, words: Words) -> list[str]:
    """The latest events besides moves, and requests for a pause or the end."""
    return [*(_news_line(each, table, words) for each in table.news), *consent_lines(table, words)]


def _news_line(news: News, table: Table, words: Words) -> str:
    seat = table.seats[news.event.seat]
    name = bold(player_name(seat.name, words))
    if isinstance(news.event, Forgot):
        what = move_text((), table.row.options, words, forgot=True)
        return "❗ " + words.say("{name}: {what}", name=bold(seat_name(seat, words)), what=what)
    if isinstance(news.event, Undone):
        return "↩️ " + words.say("{name} took the last move back.", name=bold(seat_name(seat, words)))
    if seat.conceded:
        return "🏳️ " + words.say("{name} has conceded; an AI plays on.", name=name)
    if seat.ai_level is not None:
        return f"{AI_MARK} " + words.say("An AI sits in for {name}.", name=name)
    if seat.substitute_name is not None:
        substitute = bold(player_name(seat.substitute_name, words))
        return "🪑 " + words.say("{substitute} sits in for {name}.", substitute=substitute, name=name)
    return "👋 " + words.say("{name} is back.", name=name)


def totals_lines(table: Table, words: Words) -> list[str]:
    """The totals of a match as one line, or an empty list before it begins."""
    public = table.public
    if public is None:
        return []
    return [words.say("Points so far: {totals}.", totals=totals_list(names(table, words), public.totals, words))]


def totals_text(names: Sequence[str], totals: Sequence[int], words: Words) -> str:
    """The totals after a hand, as a sentence."""
    return words.say("Totals: {totals}.", totals=totals_list(names, totals, words))


def results_text(names: Sequence[str], ended: HandEnded, words: Words) -> str:
    """The totals after a hand, each with the points of the hand, as a sentence."""
    every = zip(names, ended.totals, ended.points, strict=True)
    shown = [words.say("{name} {total} (+{points})", name=name, total=total, points=new) for name, total, new in every]
    return words.say("Totals: {totals}.", totals=words.list(shown))


def totals_list(names: Sequence[str], totals: Sequence[int], words: Words) -> str:
    """The totals after a hand, as a list with names."""
    every = zip(names, totals, strict=True)
    return words.list([words.say("{name} {total}", name=name, total=total) for name, total in every])


def goal(words: Words) -> str:
    """The goal of the game, for those who don't know it yet."""
    return words.say("Get rid of all your cards first. Cards left are penalty points, and the fewest points win.")


def points(number: int, words: Words) -> str:
    """A number of points."""
    return words.count("{number} point", "{number} points", number)


def hands(number: int, words: Words) -> str:
    """A number of hands."""
    return words.count("{number} hand", "{number} hands", number)


def matches(number: int, words: Words) -> str:
    """A number of matches."""
    return words.count("{number} match", "{number} matches", number)


def closed_text(table: Table, words: Words) -> str:
    """The reason why nothing more can be done at a table."""
    return words.say("The match is over.") if table.row.status is Status.OVER else words.say("This table is closed.")


def signed(value: float, words: Words, decimals: int = 0) -> str:
    """A rounded number with its sign: `+4`, `−2`, `0`."""
    number = round(value, decimals)
    return ("+" if number > 0 else "−" if number < 0 else "") + words.number(abs(number), decimals)


def quoted(text: str) -> str:
    """Text from a record or error, as code."""
    return f"`{text[:MAX_QUOTE_LENGTH].replace('`', '')}`"


def bold(text: str) -> str:
    """Bold text."""
    return f"**{text}**"


def hand_title(number: int, direction: int, words: Words) -> str:
    """The number of a hand and its direction of play (R20)."""
    if direction == 1:
        return words.say("Hand {hand} · counter-clockwise, to the right", hand=number)
    return words.say("Hand {hand} · clockwise, to the left", hand=number)


def short_hand_title(number: int, direction: int, words: Words) -> str:
    """The number of a hand and a sign and word for its direction of play (R20)."""
    if direction == 1:
        return words.say("Hand {hand} · ↺ counter-clockwise", hand=number)
    return words.say("Hand {hand} · ↻ clockwise", hand=number)


def place_number(number: int) -> str:
    """The number of a place at the beginning of a line, escaped for Discord's markdown, without its dot.

    Discord would take unescaped numbers for a list and count them: 1, 2, 3 even if two players share the first place.
    """
    return f"{number}\\"


def capitalized(line: str) -> str:
    """The line with a capital first letter."""
    return line[:1].upper() + line[1:]


def small(text: str) -> str:
    """A line of subtext."""
    return f"-# {text}"


def relative(milliseconds: int) -> str:
    """A time as Discord's relative timestamp, such as "in 5 minutes"."""
    return f"<t:{milliseconds // 1000}:R>"
