"""Menus for the options of a table. Each names its option, and each choice explains itself."""

from collections.abc import Mapping
from typing import Final

from bot.players.levels import Level
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.components import Row, menu, options_of
from bot.presentation.ui.custom_ids import Press
from bot.table.model import Pace, TimeoutPolicy

TARGETS: Final = (25, 50, 75, 100, 150, 200, 300)
BASICS: Final = ("size", "edition", "target", "last_card", "pace", "ai_level")
TABLE_SETTINGS: Final = ("late", *labels.TABLE_SETTING_NAMES)
HOUSE_RULES: Final = ("flush_order", "forgotten", "block", "end", "tie", "deal", "cut")
OPTION_NAMES: Final = {
    "size": translatable("Seats"),
    "edition": translatable("Rules"),
    "target": translatable("Target"),
    "last_card": translatable('Who says "Last card!"'),
    "pace": translatable("Time per turn"),
    "ai_level": translatable("Level of AI players"),
    "late": translatable("When time runs out"),
    "undo": translatable("Taking moves back"),
    "private": translatable("Who may join"),
    "thread": translatable("Where the match is played"),
    "rated": translatable("Ratings"),
    "hints": translatable("Hints"),
    "flush_order": translatable("Comparing flushes"),
    "forgotten": translatable('A forgotten "Last card!"'),
    "block": translatable("The block"),
    "end": translatable("The end of the match"),
    "tie": translatable("A tie at the end"),
    "deal": translatable("The deal"),
    "cut": translatable("The cut of the Chinese deal"),
}
"""The names of all options of a table."""
_CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "edition": {
        "days-of-wonder": translatable("Rules: Days of Wonder (2002/2010)"),
        "dargaud-1996": translatable("Rules: Dargaud (1996)"),
        "summary-sheet": translatable("Rules: summary sheet"),
    },
    "pace": {
        Pace.LIVE: translatable("Time per turn: 2 minutes (live)"),
        Pace.QUICK: translatable("Time per turn: 1 hour"),
        Pace.DAY: translatable("Time per turn: 1 day"),
        Pace.SLOW: translatable("Time per turn: 3 days"),
        Pace.NONE: translatable("Time per turn: no limit"),
    },
    "last_card": {
        "declared": translatable("Last card: players say it themselves"),
        "automatic": translatable("Last card: said automatically"),
    },
    "ai_level": {
        Level.BEGINNER: translatable("AI players: very easy, for children"),
        Level.SIMPLE: translatable("AI players: easy, for learners"),
        Level.CLUB: translatable("AI players: medium"),
        Level.EXPERT: translatable("AI players: hard"),
        Level.MASTER: translatable("AI players: very hard"),
    },
    "late": {
        TimeoutPolicy.ASK_WAIT: translatable("No answer: keep waiting"),
        TimeoutPolicy.ASK_MOVE: translatable("No answer: the safest move"),
        TimeoutPolicy.ASK_AI: translatable("No answer: an AI sits in"),
        TimeoutPolicy.MOVE: translatable("At once: the safest move"),
        TimeoutPolicy.AI: translatable("At once: an AI sits in"),
    },
    "undo": {
        "off": translatable("Taking back: not allowed"),
        "on": translatable("Taking back: the last move, until the next player acts"),
    },
    "private": {"off": translatable("Who may join: anyone"), "on": translatable("Who may join: only invited people")},
    "thread": {
        "off": translatable("Place: this channel"),
        "on": translatable("Place: a thread of its own, opened at the start"),
    },
    "rated": {
        "off": translatable("Ratings: casual, nobody's rating changes"),
        "on": translatable("Ratings: rated, if only people play"),
    },
    "hints": {
        "off": translatable("Hints: none"),
        "on": translatable("Hints: on request, in casual matches"),
    },
    "flush_order": {
        "highest": translatable("Flushes: by their highest number"),
        "sum": translatable("Flushes: by the sum of their numbers"),
    },
    "block": {
        "lead_and_follow": translatable("Block: when leading and following"),
        "lead_only": translatable("Block: when leading only"),
    },
    "end": {
        "reach": translatable("Match end: target reached"),
        "exceed": translatable("Match end: target exceeded"),
    },
    "tie": {"shared": translatable("Tie: shared"), "deciding_hand": translatable("Tie: decided by one more hand")},
    "deal": {"plain": translatable("Deal: plain"), "chinese": translatable("Deal: Chinese")},
}
_ASKED_FIRST: Final = translatable("The table is asked first.")
_DETAILS: Final[Mapping[str, Mapping[str, str]]] = {
    "edition": {
        "days-of-wonder": translatable("The usual rules: a good choice if you don't know the others."),
        "dargaud-1996": translatable("A forgotten last card is taken back; a tie is decided by one more hand."),
        "summary-sheet": translatable(
            "Flushes by their sum; the block only when leading; the target must be exceeded."
        ),
    },
    "last_card": {
        "declared": translatable("A player with one card left must press a button, and can forget to."),
        "automatic": translatable("Nobody can forget it."),
    },
    "late": {
        TimeoutPolicy.ASK_WAIT: _ASKED_FIRST,
        TimeoutPolicy.ASK_MOVE: translatable(
            "The table is asked first. The safest move: a pass, or else the lowest card."
        ),
        TimeoutPolicy.ASK_AI: _ASKED_FIRST,
        TimeoutPolicy.MOVE: translatable("The safest move: a pass, or else the lowest card."),
    },
    "flush_order": {
        "highest": translatable("1 3 4 6 10 beats 4 6 7 8 9, because 10 is more than 9."),
        "sum": translatable("4 6 7 8 9 beats 1 3 4 6 10, because 34 is more than 24."),
    },
    "forgotten": {
        "out": translatable("The player gets 1 point; the others play on."),
        "takes_back": translatable("The player keeps the card and plays on."),
    },
    "block": {
        "lead_and_follow": translatable(
            'If the next player has said "Last card!": lead several cards; on a single card, play your highest.'
        ),
        "lead_only": translatable('If the next player has said "Last card!": lead several cards; follow as you like.'),
    },
    "end": {
        "reach": translatable("The match ends after the hand in which a player reaches the target."),
        "exceed": translatable("The match ends after the hand in which a player goes over the target."),
    },
    "tie": {
        "shared": translatable("All players with the lowest total win."),
        "deciding_hand": translatable("If it leaves them equal, they share the win."),
    },
    "deal": {
        "plain": translatable("The player in the first seat gets the first card."),
        "chinese": translatable("A cut decides who is dealt to first."),
    },
    "cut": {
        "again": translatable("This matters only with the Chinese deal."),
        "counts": translatable("This matters only with the Chinese deal."),
    },
}
"""Sentences that explain choices in an open menu."""


def choices(name: str, target: int, words: Words) -> dict[str, str]:
    """The values of an option with the labels of its menu. The `target` is offered besides the usual ones."""
    if name == "size":
        return {size: words.say("Seats: {number}", number=size) for size in ("3", "4")}
    if name == "target":
        targets = sorted({*TARGETS, target})
        return {str(each): words.count("Target: {number} point", "Target: {number} points", each) for each in targets}
    texts = _CHOICES.get(name) or labels.VALUE_NAMES[name]
    return {value: labels.capitalized(words.say(text)) for value, text in texts.items()}


def option_menu(press: Press, name: str, now: str, target: int, words: Words) -> Row:
    """A menu for an option whose current value is `now`."""
    details = {value: words.say(text) for value, text in _DETAILS.get(name, {}).items()}
    return menu(press, words.say(OPTION_NAMES[name]), options_of(choices(name, target, words), now, details))
