"""A match as a plain text with every hand, move and total."""

from bot.analysis.replay import Moment, Origin, ReplayedMatch
from bot.engine import format_cards
from bot.engine.events import HandEnded
from bot.presentation.text import labels
from bot.presentation.text.i18n import NO_EMOJIS, Words
from bot.presentation.text.moves import event_text
from bot.presentation.text.option_texts import rules_line


def transcript(match: ReplayedMatch, words: Words) -> str:
    """The text of a match. A long match takes a second, so use `Background`."""
    words = words.with_emojis(NO_EMOJIS)
    lines: list[str] = []
    begins = set(match.first_moments().values())
    for moment in match.moments():
        names = labels.plain_names(moment.table, words)
        if not lines:
            lines += _head(match, moment, words)
        if moment.number in begins:
            lines += ["", _title(moment, words), *_hands(moment, words)]
        lines.append(event_text(moment, names, words))
        if isinstance(moment.event, HandEnded):
            lines += [*_hands(moment, words), labels.totals_text(names, moment.event.totals, words)]
    return "\n".join([*lines, "", *_deals(match, words)]) + "\n"


def _head(match: ReplayedMatch, moment: Moment, words: Words) -> list[str]:
    is_table = match.origin is Origin.TABLE
    head = words.say("Gang of Four · table {number}", number=match.number) if is_table else "Gang of Four"
    return [head, rules_line(moment.table.row, words), words.list(labels.plain_names(moment.table, words))]


def _title(moment: Moment, words: Words) -> str:
    public = moment.table.public
    return "" if public is None else labels.hand_title(public.hand_number, public.direction, words)


def _hands(moment: Moment, words: Words) -> list[str]:
    return [
        words.say("{name}: {cards}", name=name, cards=format_cards(cards))
        for name, cards in zip(labels.plain_names(moment.table, words), moment.hands, strict=True)
        if cards
    ]


def _deals(match: ReplayedMatch, words: Words) -> list[str]:
    return [
        words.say("Seed of the deals: {seed}", seed=match.revealed_seed),
        words.say("Fingerprint shown before the match: {commitment}", commitment=match.started.commitment),
        words.say("Salt: {salt}", salt=match.started.salt),
    ]
