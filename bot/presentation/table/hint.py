"""A hint in words: the move, and the reason for it."""

from typing import Final

from bot.analysis import hints
from bot.analysis.hints import Hint, Reason, ReasonInHand
from bot.engine import Combination, Declare, GiveBack, Options, Pass
from bot.engine.moves import ChosenMove
from bot.presentation.text import labels
from bot.presentation.text.cards import describe, face, faces
from bot.presentation.text.i18n import Words, translatable_plural
from bot.presentation.text.moves import move_text
from bot.table.snapshot import Table

_FEW_CARDS_LEFT: Final = {
    hints.TooLong: translatable_plural(
        "{name} has {number} card left and can't beat it.", "{name} has {number} cards left and can't beat it."
    ),
    hints.Finishing: translatable_plural(
        "{name} has {number} card left: don't let them lead.",
        "{name} has {number} cards left: don't let them lead.",
    ),
    hints.Highest: translatable_plural(
        "{name} has {number} card left, so play as high as you can.",
        "{name} has {number} cards left, so play as high as you can.",
    ),
}
"""Reasons that concern a player who is about to finish."""


def hint_text(hint: Hint, table: Table, words: Words) -> str:
    """The move and its reason, as one paragraph."""
    return "💡 " + " ".join(filter(None, [_move(hint.move, table.row.options, words), why(hint, table, words)]))


def why(hint: Hint, table: Table, words: Words) -> str:
    """The reason alone; empty without one."""
    names = [labels.bold(name) for name in labels.names(table, words)]
    return "" if hint.reason is None else _reason(hint.reason, names, words)


def _move(move: ChosenMove, options: Options, words: Words) -> str:
    match move:
        case Pass():
            return words.say("Hint: **pass.**")
        case Declare():
            return words.say('Hint: **say "Last card!"**')
        case GiveBack(card=card):
            return words.say("Hint: **give back** {card}.", card=face(card, words))
    what = move_text(move.cards, options, words)
    return words.say("Hint: play **{what}** {cards}.", what=what, cards=faces(move.cards, words))


def _reason(reason: Reason, names: list[str], words: Words) -> str:
    match reason:
        case hints.GoesOut():
            return words.say("It's your last play: you win the hand.")
        case hints.Unbeatable():
            return words.say("Nothing that is still out beats it, so you lead next.")
        case hints.BeatenOnlyBy(plays=()):
            return words.say("Only a gang beats it.")
        case hints.BeatenByHigherGang():
            return words.say("Only a higher gang beats it.")
        case hints.BeatenOnlyBy(plays=plays):
            return words.say("Apart from gangs, it is beaten only by {plays}.", plays=_plays(plays, words))
        case hints.TooLong() | hints.Finishing() | hints.Highest():
            return words.count(*_FEW_CARDS_LEFT[type(reason)], reason.left, name=names[reason.seat])
        case _:
            return _reason_in_hand(reason, words)


def _reason_in_hand(reason: ReasonInHand, words: Words) -> str:
    match reason:
        case hints.Keeps(combination=kept):
            return words.say("You keep {play}.", play=_plays((kept,), words))
        case hints.Alone(card=card):
            return words.say("{card} belongs to no other combination in your hand.", card=face(card, words))
        case hints.Lowest():
            return words.say("It's your lowest play, so the stronger ones remain.")
        case hints.LowestOfKind():
            return words.say("It's your lowest play of this kind, so the stronger ones remain.")
        case hints.Longest():
            return words.say("No other play gets rid of more cards at once.")
        case hints.WorthMoreLater(combination=kept):
            return words.say("Keep {play}: you'll need it more later.", play=_plays((kept,), words))


def _plays(plays: tuple[Combination, ...], words: Words) -> str:
    return words.list([f"{describe(play, words)} {faces(play.cards, words)}" for play in plays])
