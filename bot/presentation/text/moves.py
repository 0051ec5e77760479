"""Moves in words, for the replay of a match, its pictures and its text."""

from collections.abc import Iterable, Sequence
from itertools import groupby
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
from bot.presentation.text.i18n import Words, translatable

_FORGOT: Final = {
    "out": translatable('out: forgot "Last card!"'),
    "takes_back": translatable('forgot "Last card!", so the card comes back'),
}


def move_text(cards: Cards, options: Options, words: Words, *, forgot: bool = False) -> str:
    """A move in words: `pair of 7s`, `passed`, or that "Last card!" was forgotten."""
    combination = combinations(options.flush_order).identify(cards)
    if combination is not None:
        return describe(combination, words)
    return words.say(_FORGOT[options.forgotten]) if forgot else words.say("passed")


def win_text(ended: HandEnded, winner: str, words: Words) -> str:
    """Describe how the player named `winner` won a hand: by going out, or as the only one left in it (R37)."""
    if ended.left[ended.winner]:
        return words.say("{name} wins the hand: all the others are out of it.", name=winner)
    return words.say("{name} wins the hand.", name=winner)


def event_text(moment: Moment, names: Sequence[str], words: Words) -> str:  # noqa: C901  # one case a kind of event
    """The event that led to a moment of a replay."""
    event, options = moment.event, moment.table.row.options
    match event:
        case Gave(seat, to, card):
            facts = {"giver": names[seat], "winner": names[to], "card": face(card, words)}
            return words.say("🔁 Exchange: {giver} gives {card} to {winner}.", **facts)
        case GaveBack(seat, to, card):
            facts = {"winner": names[seat], "giver": names[to], "card": face(card, words)}
            return words.say("🔁 Exchange: {winner} gives {card} back to {giver}.", **facts)
        case HandEnded(winner=winner):
            return f"🏁 {win_text(event, names[winner], words)}"
        case MatchEnded():
            return words.say("The match is over.")
        case Abandoned():
            return words.say("This table is closed.")
        case Played(seat, cards, last_card):
            facts = {"name": names[seat], "cards": faces(cards, words), "what": move_text(cards, options, words)}
            led = words.say("{name} led: {cards} ({what})", **facts)
            line = led if moment.leads else words.say("{name}: {cards} ({what})", **facts)
            return line + " · " + words.say("❗ Last card!") if last_card else line
        case Passed(seat):
            return words.say("{name}: {what}", name=names[seat], what=words.say("passed"))
        case Forgot(seat):
            return words.say("{name}: {what}", name=names[seat], what=move_text((), options, words, forgot=True))
        case Declared(seat):
            return words.say("{name}: {what}", name=names[seat], what=words.say("❗ Last card!"))
        case Undone(seat):
            return words.say("{name} takes the last move back.", name=names[seat])
    public = moment.table.public
    if public is not None and public.dealt_first is not None:
        return cut_text(public.cut, names[public.dealt_first], words)
    return words.say("The cards are dealt.")


def cut_text(cut: Cards, first: str, words: Words) -> str:
    """The cards looked at under the Chinese deal, and the player who was dealt to first (R34)."""
    return words.say("✂️ Cut: {cards}. Dealing begins with {name}.", cards=faces(cut, words), name=first)


def moves_lines(events: Sequence[Event], names: Sequence[str], options: Options, words: Words) -> list[str]:
    """Plays, passes and forgotten declarations, one per line, with successive passes in one line."""
    lines = []
    for passes, group in groupby(events, key=lambda event: isinstance(event, Passed)):
        same = list(group)
        lines += [_passed(same, names, words)] if passes else _played(same, names, options, words)
    return lines


def _passed(events: Iterable[Event], names: Sequence[str], words: Words) -> str:
    passing = [names[event.seat] for event in events if isinstance(event, Passed)]
    return words.count("{names} passes.", "{names} pass.", len(passing), names=words.list(passing))


def _played(events: Iterable[Event], names: Sequence[str], options: Options, words: Words) -> list[str]:
    lines = []
    for event in events:
        if isinstance(event, Played):
            facts = {"name": names[event.seat], "cards": faces(event.cards, words)}
            line = words.say("{name}: {cards} ({what})", what=move_text(event.cards, options, words), **facts)
            lines.append(f"{line} {words.say('❗ Last card!')}" if event.last_card else line)
        elif isinstance(event, Forgot):
            what = words.say(_FORGOT[options.forgotten])
            lines.append(words.say("{name}: {what}", name=names[event.seat], what=what))
    return lines
