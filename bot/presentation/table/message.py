"""The public message of a table. It's drawn from the public view only."""

from collections.abc import Set
from dataclasses import replace
from typing import Final

import discord

from bot.analysis.highlights import Highlight
from bot.engine import Phase, PublicView
from bot.engine.scoring import ranked_seats
from bot.engine.shuffle import HAND_SIZE
from bot.presentation.table.closing import closing_reason
from bot.presentation.table.fair_deal import cuts_text, fair_deal_button
from bot.presentation.table.replay_state import ReplayState
from bot.presentation.text import labels
from bot.presentation.text.cards import describe, face, faces, gang_name
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import cut_text
from bot.presentation.text.option_texts import options_lines
from bot.presentation.ui.components import (
    GOLD,
    Box,
    Button,
    Item,
    Layout,
    Row,
    button,
    open_table_buttons,
    rows,
    rules_button,
    separator,
)
from bot.presentation.ui.custom_ids import LobbyPage, Part, Press, Verb
from bot.table.model import Status, TableRow
from bot.table.snapshot import GENTLE, Table

MAX_PLAYS: Final = 8
"""Plays of the open cycle that are shown. More could exceed the limit of a message."""
ACCENTS: Final = {Status.LOBBY: 0x5B8DEF, Status.PLAYING: 0x3BA55D, Status.OVER: GOLD, Status.CLOSED: 0x747F8D}


def table_message(
    table: Table, words: Words, winners: Set[int] | None = None, highlight: Highlight | None = None
) -> Layout:
    """The current table, with its buttons.

    `winners` are the seats that a finished match counts as wins on leaderboards, if it counts.
    """
    parts = {
        Status.LOBBY: _lobby_texts,
        Status.PLAYING: _playing_texts,
        Status.OVER: _finished_texts,
        Status.CLOSED: _closed_texts,
    }
    status = table.row.status
    items: list[Item | str] = []
    ends = [_highlight_text(table, highlight, words), _winners_text(table, words, winners)]
    for part in filter(None, [*parts[status](table, words), *ends]):
        items += [separator(), part] if items else [part]
    return Layout(Box(ACCENTS[status], *items, *_rows(table, highlight, words)))


def heading(table: Table, words: Words) -> str:
    """`Gang of Four · table 12`."""
    return "### " + words.say("Gang of Four · table {number}", number=table.id)


def _duplicate_lines(table: Table, words: Words) -> list[str]:
    """A reference to the other table of a duplicate match."""
    row = table.row
    if row.duplicate_of is None:
        return []
    lines = [words.say("Duplicate match: the same deals as table {number}.", number=row.duplicate_of)]
    if not row.status.is_open and row.deals_secret:
        lines.append(
            words.say(
                "Table {number} is still playing these deals: they are shown when both matches are over.",
                number=row.duplicate_of,
            )
        )
    return [labels.small(line) for line in lines]


def _rows(table: Table, highlight: Highlight | None, words: Words) -> list[Row]:
    match table.row.status:
        case Status.LOBBY:
            return [*rows(_start_buttons(table, words)), *rows(_seat_buttons(table, words))]
        case Status.PLAYING:
            return rows(_playing_buttons(table, words))
        case Status.OVER:
            look_back = [] if highlight is None else _look_back_buttons(table, highlight, words)
            more = button(Press(Verb.MATCH_MENU, table.id), words.say("More"))
            return rows([_rematch_button(table, words), *look_back, more])
        case Status.CLOSED:
            again = table.public is not None and any(seat.user_id is not None for seat in table.seats)
            rematch = [_rematch_button(table, words)] if again else []
            return rows([*rematch, *([] if table.public is None else [fair_deal_button(table.row, words)])])


def _rematch_button(table: Table, words: Words) -> Button:
    return button(Press(Verb.REMATCH, table.id), words.say("Rematch"), discord.ButtonStyle.primary)


def _playing_buttons(table: Table, words: Words) -> list[Button]:
    styles = discord.ButtonStyle
    away = any(seat.is_absent for seat in table.seats)
    paused = table.row.paused_at is not None
    return [
        button(Press(Verb.HAND, table.id), words.say("My hand"), styles.primary),
        *open_table_buttons(table.id, words),
        button(Press(Verb.MATCH_MENU, table.id), words.say("More")),
        rules_button(table.row.options, words),
        *([button(Press(Verb.COME_BACK, table.id), words.say("I'm back"), styles.success)] if away else []),
        *([button(Press(Verb.RESUME, table.id), words.say("Resume"), styles.success)] if paused else []),
    ]


def _look_back_buttons(table: Table, highlight: Highlight, words: Words) -> list[Button]:
    """The coach's review of the reader's moves, and the hand of the highlight, which its replay can post."""
    if table.row.deals_secret:
        return []
    review = replace(ReplayState(table.id).press(Part.COACH), verb=Verb.COACH_MATCH)
    hand = Press(Verb.REPLAY_HAND, table.id, 0, (str(highlight.hand),))
    return [
        *([button(review, words.say("Review my match"))] if table.hands_over > 1 else []),
        button(hand, words.say("Share hand {hand}", hand=highlight.hand)),
    ]


def _start_buttons(table: Table, words: Words) -> list[Button]:
    """The buttons that lead to the start. **Start** is disabled until the id of the first message is known."""
    row, styles = table.row, discord.ButtonStyle
    full = len(table.seats) == row.size
    verb, label = (Verb.START, words.say("Start")) if full else (Verb.FILL, words.say("Fill with AI and start"))
    join, start = (styles.secondary, styles.success) if full else (styles.success, styles.primary)
    waits = row.first_message_id is None and row.first_table_id is None
    return [
        button(Press(Verb.JOIN, row.id), words.say("Join"), join, disabled=full and not _has_ai(table)),
        button(Press(Verb.OPTIONS, row.id, 0, (LobbyPage.PEOPLE,)), words.say("Invite")),
        button(Press(verb, row.id), label, start, disabled=waits),
    ]


def _seat_buttons(table: Table, words: Words) -> list[Button]:
    full = len(table.seats) == table.row.size
    return [
        button(Press(Verb.OPTIONS, table.id), words.say("Options")),
        button(Press(Verb.ADD_AI, table.id), words.say("Add AI"), disabled=full),
        *([button(Press(Verb.REMOVE_AI, table.id), words.say("Remove AI"))] if _has_ai(table) else []),
        button(Press(Verb.LEAVE, table.id), words.say("Leave")),
        *open_table_buttons(table.id, words),
    ]


def _has_ai(table: Table) -> bool:
    return any(seat.ai_level is not None for seat in table.seats)


def _lobby_texts(table: Table, words: Words) -> list[str]:
    row = table.row
    lines = [f"{number + 1}. " + _lobby_seat(table, number, words) for number in range(row.size)]
    lines += start_lines(row, words)
    return [_head_text(table, words), "\n".join(lines), options_text(table, words)]


def start_lines(row: TableRow, words: Words) -> list[str]:
    """The reason why a table in its lobby waits, if that isn't a free seat."""
    lines = []
    if len(row.seats) == row.size:
        lines.append(_ready_line(row, words))
    elif row.first_table_id is not None:
        lines.append(words.say("Table {number} starts first; then this one can start.", number=row.first_table_id))
    if row.starts_itself and row.rematch_of is not None:
        lines.append(words.say("It starts when everyone who played before has pressed Rematch or Join."))
    return lines


def _ready_line(row: TableRow, words: Words) -> str:
    host = labels.bold(labels.player_name(next(seat.name for seat in row.seats if seat.user_id == row.host_id), words))
    if row.first_table_id is None:
        return words.say("{host} can start now.", host=host)
    first = row.first_table_id
    return words.say("All seats are taken: {host} can start once table {number} has started.", host=host, number=first)


def _lobby_seat(table: Table, number: int, words: Words) -> str:
    if number >= len(table.seats):
        return words.say("(free seat)")
    seat = table.seats[number]
    name = f"{labels.bold(labels.seat_name(seat, words))}{labels.style_face(seat)}"
    return words.say("{name} (host)", name=name) if seat.user_id == table.row.host_id else name


def _playing_texts(table: Table, words: Words) -> list[str]:
    return [_head_text(table, words), *match_texts(table, words)]


def _head_text(table: Table, words: Words) -> str:
    """The heading, and a line about a duplicate match."""
    return "\n".join([heading(table, words), *_duplicate_lines(table, words)])


def options_text(table: Table, words: Words) -> str:
    """The options, the levels of AI players, and before the deal the cuts, as small lines."""
    cuts = cuts_text(table.row, words) if table.row.status is Status.LOBBY else ""
    lines = [*options_lines(table, words), labels.ai_levels_text(table, words), cuts]
    return "\n".join(map(labels.small, filter(None, lines)))


def match_texts(table: Table, words: Words) -> list[str]:
    """The texts of a running match: seats and deal, open cycle, turn. Some may be empty."""
    public = _public(table)
    by_clock = public.exchange is not None and public.exchange.back_by == GENTLE
    dealt = [cut_line(table, words), exchange_line(table, words), _automatic(words) if by_clock else ""]
    seats = "\n".join(filter(None, [_seats_text(table, public, words), *dealt]))
    news = "\n".join(labels.news_lines(table, words))
    turn = "\n\n".join(filter(None, [_turn_text(table, public, words), news]))
    return [seats, _cycle_text(table, public, words), turn]


def _seats_text(table: Table, public: PublicView, words: Words) -> str:
    """All players in playing order: name and cards left, then the points and what they do."""
    names, whole_names = labels.row_names(table, words), labels.names(table, words)
    order = [(public.direction * step) % len(names) for step in range(len(names))]
    title = labels.short_hand_title(public.hand_number, public.direction, words)
    lines = [labels.bold(words.say("{hand} · deciding hand", hand=title) if public.deciding else title)]
    for seat in order:
        arrow = "👉" if seat == public.turn else "⬇️"
        left = words.count("{number} card", "{number} cards", public.left[seat])
        lines.append(" · ".join([f"{arrow} {labels.bold(names[seat])}{labels.style_face(table.seats[seat])}", left]))
        lines += [] if names[seat] == whole_names[seat] else [labels.small(whole_names[seat])]
        points = [labels.points(public.totals[seat], words)] if any(public.totals) else []
        declared = [words.say("❗ Last card!")] if seat in public.declared else []
        marks = [*points, *declared, *seat_marks(table, public, seat, words)]
        lines += [labels.small(" · ".join(marks))] if marks else []
    return "\n".join(lines)


def seat_marks(table: Table, public: PublicView, seat: int, words: Words) -> list[str]:
    """What a seat has done or has to do, except for "Last card!"."""
    marks = []
    if seat in public.out:
        marks.append("🚫 " + words.say('out: forgot "Last card!"'))
    elif seat in public.cycle.passed:
        moved = public.players[seat] == GENTLE
        marks.append("✋ " + (words.say("passed (time was up)") if moved else words.say("passed")))
    if seat == public.turn and table.row.paused_at is None and not public.cycle.plays:
        marks.append(_turn_mark(public, words))
    return marks


def _turn_mark(public: PublicView, words: Words) -> str:
    """The action of the seat to act, if it isn't to play or pass."""
    if public.phase is Phase.EXCHANGE:
        return words.say("to give a card back")
    if public.opening:
        return words.say("to lead with the multicolored 1")
    return words.say("to lead")


def cut_line(table: Table, words: Words) -> str:
    """The cut of the Chinese deal, until a card is played in this hand."""
    public = table.public
    if public is None or public.dealt_first is None or sum(public.left) < HAND_SIZE * len(public.left):
        return ""
    return cut_text(public.cut, labels.bold(labels.names(table, words)[public.dealt_first]), words)


def exchange_line(table: Table, words: Words) -> str:
    """The cards exchanged before a hand, in one small line; empty without an exchange."""
    exchange = _public(table).exchange
    if exchange is None:
        return ""
    names = labels.row_names(table, words)
    given = [each for each in (exchange.gave, exchange.back) if each is not None]
    facts = ({"giver": names[each.seat], "receiver": names[each.to], "card": face(each.card, words)} for each in given)
    return labels.small("🔁 " + " · ".join(words.say("{giver} → {receiver}: {card}", **each) for each in facts))


def _cycle_text(table: Table, public: PublicView, words: Words) -> str:
    plays = public.cycle.plays
    if not plays:
        return ""
    names, lines = labels.row_names(table, words), []
    hidden = len(plays) - MAX_PLAYS
    if hidden > 0:
        lines.append(labels.small(words.count("({number} earlier play)", "({number} earlier plays)", hidden)))
    for number, (seat, combination) in enumerate(plays[:-1]):
        if number >= hidden:
            cards = faces(combination.cards, words)
            lines.append(labels.small(words.say("{name}: {cards}", name=names[seat], cards=cards)))
            lines += [_automatic(words)] if public.cycle.players[number] == GENTLE else []
    seat, combination = plays[-1]
    leading = words.say("⭐ highest: {name}", name=labels.bold(names[seat]))
    return "\n".join(
        [
            *lines,
            leading,
            *([_automatic(words)] if public.cycle.players[-1] == GENTLE else []),
            f"## {faces(combination.cards, words)}",
            labels.bold(labels.capitalized(describe(combination, words))),
        ]
    )


def _automatic(words: Words) -> str:
    """A line below a move that the table made for an absent player."""
    return labels.small(words.say("played automatically, as time was up"))


def _turn_text(table: Table, public: PublicView, words: Words) -> str:
    if public.turn is None:
        return ""
    if table.row.paused_at is not None:
        return words.say("⏸️ The match is paused. Any player may press **Resume**.")
    return "\n".join(_deadline_lines(table, public.turn, words))


def _deadline_lines(table: Table, turn: int, words: Words) -> list[str]:
    """The deadline of the turn, and the part that comes from the player's time bank."""
    clock, bank = table.row.clock, table.seats[turn].bank
    if clock is None or clock.due is None:
        return []
    when = labels.relative(clock.due)
    if clock.is_up:
        return [words.say("⏳ Time ran out {when}.", when=when)]
    included = [words.say("including a time bank of {bank}", bank=words.duration(bank))] if bank else []
    return [words.say("⏳ Time runs out {when}.", when=when), *map(labels.small, included)]


def _finished_texts(table: Table, words: Words) -> list[str]:
    over = labels.bold(words.say("The match is over."))
    return [_head_text(table, words), "\n".join([over, *ranking(table, words, is_large=True)])]


def ranking(table: Table, words: Words, *, is_large: bool = False) -> list[str]:
    """The ranking of a finished match, best first, if there is one. `is_large`: with headings for the winners."""
    public, names, owners = _public(table), labels.names(table, words), labels.owner_names(table, words)
    lines = []
    for place, seat in ranked_seats(public.ranking or ()):
        medal = labels.MEDALS.get(place, "🔹")
        points = labels.points(public.totals[seat], words)
        if is_large:
            name = f"## {medal} {owners[seat]}" if place == 1 else f"{medal} {place}. {labels.bold(owners[seat])}"
            whole = [] if owners[seat] == names[seat] else [labels.small(names[seat])]
            lines += [name, *whole, labels.small(points)]
        else:
            lines.append(f"{medal} {place}. {labels.bold(names[seat])} · {points}")
    return lines


def _highlight_text(table: Table, highlight: Highlight | None, words: Words) -> str:
    """The moment that made the match."""
    if highlight is None:
        return ""
    facts = {"name": labels.bold(labels.names(table, words)[highlight.seat]), "hand": highlight.hand}
    if highlight.gang:
        gang = gang_name(len(highlight.gang))
        return "🎉 " + words.say("{name} played a {gang} in hand {hand}.", gang=gang, **facts)
    if highlight.left:
        points = labels.points(highlight.points, words)
        cards = words.count("{number} card", "{number} cards", highlight.left)
        return "💥 " + words.say(
            "{name} had {cards} left in hand {hand}: {points}.", cards=cards, points=points, **facts
        )
    return "🚀 " + words.say("{name} was last after hand {hand}, and won.", **facts)


def _winners_text(table: Table, words: Words, winners: Set[int] | None) -> str:
    """The winners on leaderboards, unless the ranking has the same."""
    if winners is None or winners == {*(_public(table).ranking or ((),))[0]}:
        return ""
    names = labels.owner_names(table, words)
    first = [labels.bold(names[seat]) for seat in sorted(winners)]
    return labels.small(
        words.say(
            "First on leaderboards: {names}. Players who leave, or let others play most of a hand, rank lower there.",
            names=words.list(first) if first else "–",
        )
    )


def _closed_texts(table: Table, words: Words) -> list[str]:
    lines = [heading(table, words), words.say("This table is closed.")]
    reason, closer_id = closing_reason(table, words), table.row.closed_by_id
    if not reason and closer_id is not None:  # a mention here notifies nobody
        reason = words.say("Closed by {name}.", name=f"<@{closer_id}>")
    lines += [reason] if reason else []
    lines += labels.totals_lines(table, words)
    if table.public is not None:
        lines += _duplicate_lines(table, words)
    return ["\n".join(lines)]


def _public(table: Table) -> PublicView:
    public = table.public
    if public is None:
        raise ValueError("the match has not begun")
    return public
