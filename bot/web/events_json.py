"""The events since the previous update, for motion and for screen readers."""

from collections.abc import Mapping, Sequence

from bot.analysis.hand_reports import HandReport
from bot.engine import Cards
from bot.engine.cards import is_gang
from bot.presentation.table.message import exchange_line
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import move_text, win_text
from bot.table.snapshot import Table
from bot.table.steps import moves_made, moves_since
from bot.web.card_json import Json, cards_json
from bot.web.plain_text import plain


def events(before: Table, after: Table, report: HandReport | None, words: Words) -> list[Json]:
    """The events, in order. `report` is that of the last finished hand."""
    if after.public is None or before.length == after.length:
        return []
    names = [plain(name) for name in labels.names(after, words)]
    found = [] if report is None else _end_of_hand(before, after, report, names, words)
    if after.public.ranking is not None:
        return [*found, _event("match_over", None, words.say("The match is over."))]
    moves = moves_since(before, after)
    if moves is None:
        seat = after.undone[-1]
        return [*found, _event("undo", seat, words.say("{name} takes the last move back.", name=names[seat]))]
    found += _exchange(before, after, words)
    found += [_move(after, names, seat, cards, words) for seat, cards in moves]
    return [*found, *_declared(before, after, names, words)]


def _event(kind: str, seat: int | None, text: str, cards: Sequence[Mapping[str, object]] = ()) -> Json:
    return {"kind": kind, "seat": seat, "text": text, "cards": list(cards)}


def _move(table: Table, names: Sequence[str], seat: int, cards: Cards, words: Words) -> Json:
    """A play or a pass."""
    what = words.say("{name}: {what}", name=names[seat], what=move_text(cards, table.row.options, words))
    if not cards:
        return _event("pass", seat, what)
    return _event("gang" if is_gang(cards) else "play", seat, what, cards_json(cards, words))


def _end_of_hand(before: Table, after: Table, report: HandReport, names: Sequence[str], words: Words) -> list[Json]:
    """The last moves of a hand that was being played in the previous update, and its end."""
    ended = report.ended
    if before.public is None or before.hands_over >= ended.hand:
        return []
    moves = [(move.seat, move.cards) for move in report.moves if not move.forgot]
    new = moves[moves_made(before) :] if before.hands_over == ended.hand - 1 else []
    over = _event("hand_over", ended.winner, plain(win_text(ended, names[ended.winner], words)))
    return [*(_move(after, names, seat, cards, words) for seat, cards in new), over]


def _exchange(before: Table, after: Table, words: Words) -> list[Json]:
    """The exchange, if a card has been given since."""
    now = None if after.public is None else after.public.exchange
    earlier = None if before.public is None else before.public.exchange
    if now is None or now == earlier:
        return []
    given = now.gave if now.back is None else now.back
    return [_event("exchange", given.seat, plain(exchange_line(after, words)), cards_json((given.card,), words))]


def _declared(before: Table, after: Table, names: Sequence[str], words: Words) -> list[Json]:
    now = frozenset[int]() if after.public is None else after.public.declared
    earlier = frozenset[int]() if before.public is None else before.public.declared
    what = words.say("❗ Last card!")
    return [
        _event("last_card", seat, words.say("{name}: {what}", name=names[seat], what=what))
        for seat in sorted(now - earlier)
    ]
