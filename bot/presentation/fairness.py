"""What dealing a match again has shown, for whoever wants to see that it was fair."""

from typing import Final

import discord

from bot.engine import format_cards
from bot.engine.record import BadRecord, UnfinishedRecord, UnreadableLine, WrongLine, WrongSeed
from bot.presentation import texts
from bot.presentation.buttons import layout
from bot.presentation.words import Words, noted
from bot.services.fairness import Checked, DealtAgain
from bot.services.history import NameTooLong
from bot.services.past import Past

MOST_HANDS: Final = 15
"""That are told one by one."""
FIRST_CARDS: Final = 5
LONGEST: Final = 400
"""Of what the record holds or says itself."""


def checked_message(past: Past, checked: Checked, words: Words) -> discord.ui.LayoutView:
    """Hand by hand, whether seed and salt come to what was dealt; and how to see that without the app."""
    if past.imported:
        title = words.say("The deals of an imported match")
    else:
        title = words.say("The deals of table {number}", number=past.number)
    lines = [f"### {title}", _verdict(checked, words), *_proof(checked, words)]
    lines += [_hand(again, words) for again in checked.deals[:MOST_HANDS]]
    more = checked.deals[MOST_HANDS:]
    if more:
        agree = sum(again.agrees for again in more)
        lines.append(words.say("… and {agree} of {count} more hands agree.", agree=agree, count=len(more)))
    how = words.say(
        "To check it yourself: take the record, and run `python -m bot verify FILE`, or what docs/fairness.md shows."
    )
    return layout(discord.ui.TextDisplay("\n".join([*lines, texts.small(how)])))


def _verdict(checked: Checked, words: Words) -> str:
    if checked.is_fair:
        return words.say("✅ Everything agrees: the deals with the seed, every move with the rules.")
    if checked.fault is None:
        return words.say("❌ The deals do not agree with the seed.")
    return f"❌ {fault_text(checked.fault, words)}"


_FAULTS: Final[dict[type[BadRecord], str]] = {
    UnreadableLine: noted("Line {line}: this is no line of a record."),
    UnfinishedRecord: noted("Line {line}: the record ends here, but the match is not over."),
    WrongSeed: noted("Line {line}: the seed at the end is not the one that the first line commits to."),
    NameTooLong: noted("Line {line}: a name is too long."),
    WrongLine: noted("Line {line}: by the rules and the seed, this cannot stand here."),
}


def fault_text(fault: BadRecord, words: Words) -> str:
    """The line of a record that is wrong and what is wrong with it; below, the engine's note for programmers."""
    detail = f"`{fault.why[:LONGEST].replace('`', '')}`"
    return "\n".join([words.say(_FAULTS[type(fault)], line=fault.line), texts.small(detail)])


def _proof(checked: Checked, words: Words) -> list[str]:
    mark = "✅" if checked.keeps_word else "❌"
    commitment, seed, salt = (
        f"`{text[:LONGEST].replace('`', '')}`" for text in (checked.commitment, checked.seed, checked.salt)
    )
    return [
        words.say("Shown before anybody joined: {commitment}", commitment=commitment),
        words.say("{mark} That is the SHA-256 of the seed: {seed}", mark=mark, seed=seed),
        words.say("Salt, from the joins: {salt}", salt=salt),
    ]


def _hand(again: DealtAgain, words: Words) -> str:
    cards = format_cards(again.first[:FIRST_CARDS])
    if again.agrees:
        return words.say("✅ Hand {hand}, dealt again, agrees. It begins {cards} …", hand=again.hand, cards=cards)
    return words.say(
        "❌ Hand {hand}, dealt again, begins {cards} …, and another was dealt.", hand=again.hand, cards=cards
    )
