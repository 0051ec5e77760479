"""The state of a table as JSON: everything that one viewer may see, in their language."""

from dataclasses import dataclass
from typing import Final

from bot.analysis.hand_reports import HandReport
from bot.engine import PublicView, View
from bot.engine.scoring import ranked_seats
from bot.presentation.table.closing import closing_reason
from bot.presentation.table.daily import day_name
from bot.presentation.table.hand import orders_line
from bot.presentation.table.hand_panel import situation_line
from bot.presentation.table.message import cut_line, seat_marks, start_lines
from bot.presentation.table.selection import reminder_line
from bot.presentation.text import labels
from bot.presentation.text.cards import describe
from bot.presentation.text.errors import reason_text
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import win_text
from bot.presentation.text.option_texts import options_lines
from bot.table import play
from bot.table.model import Status
from bot.table.refusals import NotSeated
from bot.table.snapshot import Table
from bot.web.abilities import abilities, aids, options
from bot.web.card_json import Json, card_json, cards_json, choices
from bot.web.events_json import events
from bot.web.plain_text import plain

STATUS: Final = {Status.LOBBY: "lobby", Status.PLAYING: "playing", Status.OVER: "over", Status.CLOSED: "over"}


@dataclass(frozen=True, slots=True)
class Viewer:
    """The reader."""

    user_id: int
    words: Words
    """Without emoji: the page draws cards itself."""


def table_json(
    table: Table, viewer: Viewer, now: int, before: Table | None = None, report: HandReport | None = None
) -> Json:
    """The state (`now`: UTC milliseconds).

    `before` is the table of the previous update, `report` that of the last finished hand, if they are known.
    """
    words, view = viewer.words, _view(table, viewer.user_id)
    can, is_away = abilities(table, viewer.user_id, view, now), play.absence(table, viewer.user_id) is not None
    return {
        "number": table.id,
        "length": table.length,
        "revision": table.row.revision,
        "status": STATUS[table.row.status],
        "title": title(table, words),
        "size": table.row.size,
        "options": " · ".join(filter(None, [*options_lines(table, words), labels.ai_levels_text(table, words)])),
        "you": table.seat_of(viewer.user_id),
        "now": now,
        "moment": table.moment,
        "can": can,
        "allows": aids(table),
        "settings": options(table, viewer.user_id, words),
        "seats": _seats(table, viewer),
        "notice": _notice(table, viewer, view),
        "events": [] if before is None else events(before, table, report, words),
        "turn": _turn(table, None if is_away else view, words),
        **_match(table, view, words),
        "choices": choices(view, words) if view is not None and "play" in can else [],
        "result": None if report is None else _result(table, report, view, words),
    }


def title(table: Table, words: Words) -> str:
    """The number of a table, or the name of today's hand."""
    if table.row.daily is None:
        return words.say("Table {number}", number=table.id)
    return words.say("Hand of the day")


def _match(table: Table, view: View | None, words: Words) -> Json:
    """The part of the state that begins with the first deal."""
    public = table.public
    return {
        "direction": 1 if public is None else public.direction,
        "hand_number": 0 if public is None else public.hand_number,
        "hand_title": "" if public is None else _hand_title(table, public, words),
        "plays": [] if public is None else _plays(public, words),
        "hand": [] if view is None else cards_json(view.hand, words),
        "sort": "color" if words.by_color else "number",
        "exchange": _exchange(table, words),
        "ranking": _ranking(table, words),
    }


def _hand_title(table: Table, public: PublicView, words: Words) -> str:
    if table.row.daily is not None:
        return day_name(table.row.daily, words)
    title = words.say("Hand {hand}", hand=public.hand_number)
    return words.say("{hand} · deciding hand", hand=title) if public.deciding else title


def _view(table: Table, user_id: int) -> View | None:
    """The viewer's own hand and what belongs to it; None without a seat that they play themselves."""
    if table.public is None or table.seat_of(user_id) is None or not table.row.status.is_open:
        return None
    return table.view_of(user_id)


def _seats(table: Table, viewer: Viewer) -> list[Json]:
    words, public = viewer.words, table.public
    return [
        {
            "name": labels.plain_name(seat.substitute_name or seat.name, words),
            "is_ai": seat.ai_level is not None,
            "is_host": seat.user_id == table.row.host_id,
            "is_you": viewer.user_id in (seat.user_id, seat.substitute_id),
            "note": plain(_note(table, number, words)),
            **_hand_of(public, number),
        }
        for number, seat in enumerate(table.seats)
    ]


def _hand_of(public: PublicView | None, seat: int) -> Json:
    """The public facts about a seat."""
    if public is None:
        return {"cards_left": 0, "total": 0, "is_turn": False, "passed": False, "last_card": False}
    return {
        "cards_left": public.left[seat],
        "total": public.totals[seat],
        "is_turn": public.turn == seat,
        "passed": seat in public.cycle.passed,
        "last_card": seat in public.declared and public.left[seat] > 0,
    }


def _note(table: Table, number: int, words: Words) -> str:
    """The state of a seat in the words of the table's message, and who plays it for its owner."""
    seat = table.seats[number]
    plays_for = labels.seat_name(seat, words) if seat.name and seat.player_id != seat.user_id else ""
    marks = (
        [] if table.public is None or not table.row.status.is_open else seat_marks(table, table.public, number, words)
    )
    return " · ".join(filter(None, [plays_for, *marks]))


def _notice(table: Table, viewer: Viewer, view: View | None) -> str:
    """News of the table, what limits the viewer's move, and why they don't play their seat."""
    words, lines = viewer.words, labels.news_lines(table, viewer.words)
    if table.row.status is Status.LOBBY:
        lines += start_lines(table.row, words)
    if view is not None:
        lines += [reminder_line(table, view, words), orders_line(table, view, words)]
    if table.row.status is Status.PLAYING:
        lines += [cut_line(table, words), _late_line(table, words)]
        away = play.absence(table, viewer.user_id)
        if away is not None and not isinstance(away, NotSeated):
            lines.append(reason_text(away, words, table))
    elif not table.row.status.is_open:
        lines += [labels.closed_text(table, words), closing_reason(table, words)]
    return plain("\n".join(filter(None, lines)))


def _late_line(table: Table, words: Words) -> str:
    """Who is late. The questions about it, and their buttons, are in the channel."""
    public, clock = table.public, table.row.clock
    if public is None or public.turn is None or clock is None or not clock.is_up or table.row.paused_at is not None:
        return ""
    name = labels.names(table, words)[public.turn]
    return words.say("⏳ {name} is late. The channel shows how to go on.", name=labels.bold(name))


def _turn(table: Table, view: View | None, words: Words) -> Json | None:
    public = table.public
    if public is None or public.turn is None or not table.row.status.is_open:
        return None
    clock, name = table.row.clock, labels.bold(labels.names(table, words)[public.turn])
    if view is None and table.row.paused_at is not None:
        text = words.say("⏸️ The match is paused. Any player may press **Resume**.")
    elif view is None:
        text = words.say("It is {name}'s turn.", name=name)
    else:
        text = situation_line(table, view, words, shows_table=True)
    until = None if clock is None or clock.is_up or table.row.paused_at is not None else clock.due
    return {"seat": public.turn, "text": plain(text), "until": until}


def _plays(public: PublicView, words: Words) -> list[Json]:
    return [
        {"seat": seat, "cards": cards_json(play.cards, words), "text": describe(play, words)}
        for seat, play in public.cycle.plays
    ]


def _exchange(table: Table, words: Words) -> list[Json] | None:
    """The moves of the exchange before the hand, which everyone sees (R27)."""
    exchange = None if table.public is None else table.public.exchange
    if exchange is None:
        return None
    given = [each for each in (exchange.gave, exchange.back) if each is not None]
    return [{"from": each.seat, "to": each.to, "card": card_json(each.card, words)} for each in given]


def _ranking(table: Table, words: Words) -> list[Json] | None:
    ranking = None if table.public is None else table.public.ranking
    if ranking is None or table.public is None:
        return None
    names, totals = labels.owner_names(table, words), table.public.totals
    return [
        {"place": place, "name": plain(names[seat]), "total": totals[seat]} for place, seat in ranked_seats(ranking)
    ]


def _result(table: Table, report: HandReport, view: View | None, words: Words) -> Json:
    """The end of the last hand. After a hand all cards may be seen (R26).

    It's news for its players until they have played in the next hand: over days, few see the end of a hand.
    """
    ended, names = report.ended, labels.names(table, words)
    rows = [
        {
            "seat": seat,
            "name": plain(names[seat]),
            "penalty": ended.points[seat],
            "total": ended.totals[seat],
            "left": ended.left[seat],
            "cards": cards_json(report.cards_left[seat], words),
        }
        for seat in range(len(names))
    ]
    text = plain(win_text(ended, labels.bold(names[ended.winner]), words))
    last = [each.cards for each in report.moves if each.seat == ended.winner and each.cards][-1:]
    cards = () if ended.left[ended.winner] or not last else last[0]
    return {
        "hand": ended.hand,
        "winner": ended.winner,
        "rows": rows,
        "text": text,
        "play": cards_json(cards, words),
        "is_news": view is not None and not view.has_played,
    }
