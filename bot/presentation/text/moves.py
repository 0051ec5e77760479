"""What somebody did, in words: for the replay of a match, its pictures and its text."""

from collections.abc import Sequence
from typing import Final

from bot.analysis.replay import Moment
from bot.engine import Cards, Options
from bot.engine import combination_table as combinations
from bot.engine.events import (
    Abandoned,
    Declared,
    Event,
    Forgot,
    Gave,
    GaveBack,
    HandEnded,
    MatchEnded,
    Passed,
    Played,
    Undone,
)
from bot.presentation.text.cards import describe, face, faces
from bot.presentation.text.i18n import Words, mark_for_translation

_FORGOT: Final = {
    "out": mark_for_translation('out: forgot "Last card!"'),
    "takes_back": mark_for_translation('forgot "Last card!", so the card comes back'),
}


def laid(cards: Cards, options: Options, words: Words, *, forgot: bool = False) -> str:
    """What a move is: `pair of 7s`, `passed`, or that "Last card!" was forgotten."""
    combination = combinations(options.flush_order).identify(cards)
    if combination is not None:
        return describe(combination, words)
    return words.say(_FORGOT[options.forgotten]) if forgot else words.say("passed")


def won(ended: HandEnded, winner: str, words: Words) -> str:
    """How the player named `winner` won a hand: by going out, or as the only one left in it (R37)."""
    if ended.left[ended.winner]:
        return words.say("{name} wins the hand: all the others are out of it.", name=winner)
    return words.say("{name} is out first.", name=winner)


def happened(moment: Moment, names: Sequence[str], words: Words) -> str:
    """What has just happened in a match that is gone through."""
    return _gift(moment.event, names, words) or _end(moment.event, names, words) or _move(moment, names, words)


def _gift(event: Event, names: Sequence[str], words: Words) -> str:
    match event:
        case Gave(seat, to, card):
            facts = {"giver": names[seat], "winner": names[to], "card": face(card, words)}
            return words.say("🔁 Exchange: {giver} gives {card} to {winner}.", **facts)
        case GaveBack(seat, to, card):
            facts = {"winner": names[seat], "giver": names[to], "card": face(card, words)}
            return words.say("🔁 Exchange: {winner} gives {card} back to {giver}.", **facts)
    return ""


def _end(event: Event, names: Sequence[str], words: Words) -> str:
    match event:
        case HandEnded(winner=winner):
            return f"🏁 {won(event, names[winner], words)}"
        case MatchEnded():
            return words.say("The match is over.")
        case Abandoned():
            return words.say("This table is closed.")
    return ""


def _move(moment: Moment, names: Sequence[str], words: Words) -> str:
    options = moment.table.row.options
    match moment.event:
        case Played(seat, cards, last_card):
            facts = {"name": names[seat], "cards": faces(cards, words), "what": laid(cards, options, words)}
            led = words.say("{name} led: {cards} ({what})", **facts)
            line = led if moment.leads else words.say("{name}: {cards} ({what})", **facts)
            return line + " · " + words.say("❗ Last card!") if last_card else line
        case Passed(seat):
            return words.say("{name}: {what}", name=names[seat], what=words.say("passed"))
        case Forgot(seat):
            return words.say("{name}: {what}", name=names[seat], what=laid((), options, words, forgot=True))
        case Declared(seat):
            return words.say("{name}: {what}", name=names[seat], what=words.say("❗ Last card!"))
        case Undone(seat):
            return words.say("{name} takes the last move back.", name=names[seat])
    return words.say("The cards are dealt.")
