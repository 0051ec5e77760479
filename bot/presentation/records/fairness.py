"""The result of checking a match's deals against its seed."""

from collections.abc import Sequence
from typing import Final

from bot.analysis.fairness import FairnessCheck, RepeatedDeal
from bot.analysis.replay import Origin, ReplayedMatch
from bot.engine import format_cards
from bot.presentation.text import labels
from bot.presentation.text.errors import fault_text
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Layout
from bot.table.salt import Salt

MAX_HANDS: Final = 15
"""Hands that don't match and are listed one by one."""
FIRST_CARDS: Final = 5


def fairness_message(match: ReplayedMatch, checked: FairnessCheck, words: Words, channel: str = "") -> Layout:
    """Show whether seed and salt give the dealt cards of all hands, and how to check that without the app.

    `channel` is the address of the channel of the table's first message, or empty if it's unknown.
    """
    if match.origin is Origin.IMPORT:
        title = words.say("The deals of an imported match")
    else:
        title = words.say("The deals of table {number}", number=match.number)
    lines = [f"### {title}", _verdict(checked, words), *_commitment_lines(match, checked, words, channel)]
    lines += _deal_lines(checked.deals, words)
    how = words.say(
        "To check it yourself, download the record and run `python -m bot verify FILE`, or the program in "
        "docs/fairness.md."
    )
    return Layout("\n".join([*lines, labels.small(how)]))


def _verdict(checked: FairnessCheck, words: Words) -> str:
    if checked.is_fair:
        return words.say("✅ Everything matches: the deals follow from the seed, every move from the rules.")
    if checked.fault is None:
        return words.say("❌ The deals do not match the seed.")
    return f"❌ {fault_text(checked.fault, words)}"


def _commitment_lines(match: ReplayedMatch, checked: FairnessCheck, words: Words, channel: str) -> list[str]:
    mark = "✅" if checked.seed_matches else "❌"
    return [
        words.say("Shown before anyone joined: {commitment}", commitment=labels.quoted(checked.commitment)),
        words.say(
            "{mark} That is the SHA-256 of the seed: {seed}", mark=mark, seed=labels.quoted(checked.revealed_seed)
        ),
        words.say("Salt: {salt}", salt=labels.quoted(checked.salt)),
        *_salt_lines(match, words, channel),
    ]


def _salt_lines(match: ReplayedMatch, words: Words, channel: str) -> list[str]:
    """The parts of the salt, for comparison with the table's message. Empty for hands of the day."""
    salt = Salt.parse(match.started.salt, len(match.started.seats))
    if salt is None:
        return []
    message = f"[{salt.message_id}]({channel}/{salt.message_id})" if channel else f"`{salt.message_id}`"
    cuts = [
        words.say("{name} cut at {number}", name=labels.player_name(name, words), number=cut)
        for name, cut in zip(match.started.seats, salt.cuts, strict=True)
        if cut
    ]
    shown = words.say("First message of the table: {message}", message=message)
    lines = [*([shown] if salt.message_id else []), *(cuts or [words.say("Nobody cut the deck.")])]
    return [f"- {line}" for line in lines]


def _deal_lines(deals: Sequence[RepeatedDeal], words: Words) -> list[str]:
    """The number of hands that match, and the first cards of those that don't."""
    wrong = [deal for deal in deals if not deal.agrees]
    agree = len(deals) - len(wrong)
    match = words.count(
        "✅ {number} hand matches when dealt again.", "✅ {number} hands match when dealt again.", agree
    )
    lines = [match] if agree else []
    for deal in wrong[:MAX_HANDS]:
        cards = format_cards(deal.first[:FIRST_CARDS])
        lines.append(
            words.say("❌ Hand {hand} does not match when dealt again: {cards} …", hand=deal.hand, cards=cards)
        )
    if more := len(wrong[MAX_HANDS:]):
        lines.append(words.count("({number} more hand)", "({number} more hands)", more))
    return lines
