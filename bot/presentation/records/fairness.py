"""What dealing a match again has shown, for whoever wants to see that it was fair."""

from typing import Final

import discord

from bot.analysis.fairness import FairnessCheck, RepeatedDeal
from bot.analysis.replay import ReplayedMatch
from bot.engine import format_cards
from bot.engine.record import BadRecord, UnfinishedRecord, UnreadableLine, WrongLine, WrongSeed
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, mark_for_translation
from bot.presentation.ui.custom_ids import layout
from bot.services.history import NameTooLong
from bot.table.salt import Salt

MAX_HANDS: Final = 15
"""That are told one by one."""
FIRST_CARDS: Final = 5
MAX_QUOTE_LENGTH: Final = 400
"""Of what the record holds or says itself."""


def fairness_message(
    match: ReplayedMatch, checked: FairnessCheck, words: Words, channel: str = ""
) -> discord.ui.LayoutView:
    """Whether seed and salt give the cards that were dealt, hand by hand; and how to check that without the app.

    `channel` is the address of the channel in which the commitment was first shown, as far as it is known.
    """
    if match.imported:
        title = words.say("The deals of an imported match")
    else:
        title = words.say("The deals of table {number}", number=match.number)
    lines = [f"### {title}", _verdict(checked, words), *_proof(match, checked, words, channel)]
    lines += [_hand(again, words) for again in checked.deals[:MAX_HANDS]]
    more = checked.deals[MAX_HANDS:]
    if more:
        agree = sum(again.agrees for again in more)
        lines.append(words.say("… and {agree} of {count} more hands agree.", agree=agree, count=len(more)))
    how = words.say(
        "To check it yourself: take the record, and run `python -m bot verify FILE`, or what docs/fairness.md shows."
    )
    return layout(discord.ui.TextDisplay("\n".join([*lines, labels.small(how)])))


def _verdict(checked: FairnessCheck, words: Words) -> str:
    if checked.is_fair:
        return words.say("✅ Everything agrees: the deals with the seed, every move with the rules.")
    if checked.fault is None:
        return words.say("❌ The deals do not agree with the seed.")
    return f"❌ {fault_text(checked.fault, words)}"


_FAULTS: Final[dict[type[BadRecord], str]] = {
    UnreadableLine: mark_for_translation("Line {line}: this is no line of a record."),
    UnfinishedRecord: mark_for_translation("Line {line}: the record ends here, but the match is not over."),
    WrongSeed: mark_for_translation("Line {line}: the seed at the end is not the one that the first line commits to."),
    NameTooLong: mark_for_translation("Line {line}: a name is too long."),
    WrongLine: mark_for_translation("Line {line}: by the rules and the seed, this cannot stand here."),
}


def fault_text(fault: BadRecord, words: Words) -> str:
    """The line of a record that is wrong and what is wrong with it; below, the engine's note for programmers."""
    detail = f"`{fault.why[:MAX_QUOTE_LENGTH].replace('`', '')}`"
    return "\n".join([words.say(_FAULTS[type(fault)], line=fault.line), labels.small(detail)])


def _proof(match: ReplayedMatch, checked: FairnessCheck, words: Words, channel: str) -> list[str]:
    mark = "✅" if checked.seed_matches else "❌"
    return [
        words.say("Shown before anybody joined: {commitment}", commitment=_quoted(checked.commitment)),
        words.say("{mark} That is the SHA-256 of the seed: {seed}", mark=mark, seed=_quoted(checked.seed)),
        words.say("Salt: {salt}", salt=_quoted(checked.salt)),
        *_salt(match, words, channel),
    ]


def _salt(match: ReplayedMatch, words: Words, channel: str) -> list[str]:
    """What the salt is made of, to be compared with what the table showed; nothing for older records."""
    salt = Salt.parse(match.started.salt, len(match.started.seats))
    if salt is None:
        return []
    message = f"[{salt.message_id}]({channel}/{salt.message_id})" if channel else f"`{salt.message_id}`"
    cuts = [
        words.say("{name} cut at {number}", name=labels.person_name(name, words), number=cut)
        for name, cut in zip(match.started.seats, salt.cuts, strict=True)
        if cut
    ]
    shown = words.say("First shown in message {message}", message=message)
    return [f"- {line}" for line in (shown, *(cuts or [words.say("Nobody cut the deck.")]))]


def _quoted(text: str) -> str:
    """Text from a record, shown as it is."""
    return f"`{text[:MAX_QUOTE_LENGTH].replace('`', '')}`"


def _hand(again: RepeatedDeal, words: Words) -> str:
    cards = format_cards(again.first[:FIRST_CARDS])
    if again.agrees:
        return words.say("✅ Hand {hand}, dealt again, agrees. It begins {cards} …", hand=again.hand, cards=cards)
    return words.say(
        "❌ Hand {hand}, dealt again, begins {cards} …, and another was dealt.", hand=again.hand, cards=cards
    )
