"""Compares two plays and names the rule. The state is stored in custom ids."""

from dataclasses import dataclass, replace
from itertools import groupby
from textwrap import shorten
from typing import Final, Self

import discord

from bot.engine import Card, Cards, Combination, Kind, combination_table
from bot.engine.cards import DECK, MULTI_ONE, Color, UnreadableCards, parse_cards, sorted_cards
from bot.engine.combinations import Criterion
from bot.engine.errors import NotACombination
from bot.presentation.table.selection import decode, encode
from bot.presentation.text import labels
from bot.presentation.text.card_reading import read_cards, reads_g_as_green
from bot.presentation.text.cards import describe, faces, label, mark
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.components import Layout, Row, button, menu, option, rows, why_button
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb

MAX_CARDS: Final = 7
"""The largest combination."""
MAX_UNREAD: Final = 60
"""Characters of a typed text that are repeated."""
_MENUS: Final = {
    Color.GREEN: translatable("Green cards and the multicolored 1"),
    Color.YELLOW: translatable("Yellow cards"),
    Color.RED: translatable("Red cards"),
}
_REASONS: Final = {
    Criterion.KIND: translatable("{high} beats {low}: it's a higher kind of play."),
    Criterion.SIZE: translatable("{high} beats {low}: it has more cards."),
    Criterion.NUMBER: translatable("{high} beats {low}: its number is higher."),
    Criterion.SUM: translatable("{high} beats {low}: its sum is higher."),
    Criterion.COLOR: translatable("{high} beats {low}: the color decides."),
    Criterion.MULTI_ONE: translatable("{high} beats {low}: the multicolored 1 is the highest 1."),
}


@dataclass(frozen=True, slots=True)
class ComparisonState:
    """Two plays, and the one that is being edited."""

    plays: tuple[Cards, Cards]
    active: int = 0

    @classmethod
    def parse(cls, press: Press) -> Self:
        """Read the state from the ids of a press. Raises `InvalidCustomId`."""
        match press.arguments:
            case ("0" | "1" as active, first, second, *_):
                try:
                    return cls((decode(first), decode(second)), int(active))
                except UnreadableCards:
                    pass
        raise InvalidCustomId(str(press))

    def arguments(self, *more: str) -> tuple[str, ...]:
        """The state as arguments of custom ids."""
        return (str(self.active), *map(encode, self.plays), *more)

    def with_cards(self, cards: Cards) -> "ComparisonState":
        """Replace the cards of the play that is being edited."""
        plays = (cards, self.plays[1]) if self.active == 0 else (self.plays[0], cards)
        return replace(self, plays=plays)


EXAMPLE: Final = ComparisonState((parse_cards("7G 7R"), parse_cards("6Y 6R")))
_NAMED: Final = parse_cards("10G 1M PG DR")
"""Cards in the explanation of how to write them."""


def read_plays(first: str, second: str, words: Words) -> tuple[ComparisonState, str]:
    """Two plays as typed, and a note about what isn't a card. A play with such a word has no cards yet."""
    typed = (first, second)
    read = [read_cards(text, words) for text in typed]
    wrong = [
        each.unread or (text if len(each.cards) > MAX_CARDS else "") for each, text in zip(read, typed, strict=True)
    ]
    one, other = [() if unread else each.cards for each, unread in zip(read, wrong, strict=True)]
    state = ComparisonState((one, other), 1 if one and not other else 0)
    unread = shorten(" ".join(filter(None, wrong)), MAX_UNREAD, placeholder="…")
    if not unread:
        is_doubtful = any(reads_g_as_green(text, words) for text in typed)
        return state, words.say("G was read as green. Yellow is Y.") if is_doubtful else ""
    named = words.list([label(card, words) for card in _NAMED])
    facts = {"typed": labels.safe(unread), "cards": named}
    return state, words.say('I can\'t read "{typed}". Write cards as on the buttons: {cards}.', **facts)


def after_choice(state: ComparisonState, press: Press, values: list[str]) -> ComparisonState:
    """The state after a choice in a menu. Raises `InvalidCustomId`."""
    color = next((color for color in _MENUS if press.arguments[-1:] == (color.letter,)), None)
    if color is None:
        raise InvalidCustomId(str(press))
    others = [card for card in state.plays[state.active] if _menu_of(card) is not color]
    taken = [card for value in values for card in decode(value[:1])]
    try:
        if all(_menu_of(card) is color for card in taken):
            return state.with_cards(sorted_cards([*others, *taken]))
    except UnreadableCards:
        pass
    raise InvalidCustomId(str(press))


def comparison_message(state: ComparisonState, words: Words, note: str = "") -> Layout:
    """The two plays, the result, and menus to choose other cards."""
    verdict, rule = _verdict(state, words) if all(state.plays) else (words.say("Choose the cards of both plays."), "")
    lines = ["### " + words.say("What beats what?"), note]
    lines += [_line(number, cards, state, words) for number, cards in enumerate(state.plays)]
    lines.append(labels.bold(labels.capitalized(verdict)))
    press = Press(Verb.COMPARE, arguments=replace(state, active=1 - state.active).arguments(Part.TURN))
    other = words.say("Choose the second play") if state.active == 0 else words.say("Choose the first play")
    return Layout(
        "\n".join(filter(None, lines)),
        *(_menu(state, color, words) for color in _MENUS),
        *rows([button(press, other, discord.ButtonStyle.primary), *([why_button(rule, words)] if rule else [])]),
    )


def _verdict(state: ComparisonState, words: Words) -> tuple[str, str]:
    """The result with its reason, and the number of the rule."""
    every = combination_table()
    first, second = (every.identify(cards) for cards in state.plays)
    if first is None or second is None:
        wrong = state.plays[0] if first is None else state.plays[1]
        return words.say("Both must be combinations."), NotACombination(wrong).rule
    if not first.beats(second) and not second.beats(first):
        if first.size != second.size:
            return words.say("Neither beats the other: they don't have the same number of cards."), "R15"
        return words.say("Neither beats the other: they are equal."), "R15"
    high, low = (first, second) if first.beats(second) else (second, first)
    facts = {"high": describe(high, words), "low": describe(low, words)}
    if high.kind is Kind.GANG and low.kind is not Kind.GANG:
        return words.say("{high} beats {low}: a gang beats anything that isn't a gang.", **facts), "R18"
    criterion = every.decisive(high, low) or Criterion.NUMBER
    return words.say(_REASONS[criterion], **facts), _rule(high, criterion)


def _rule(high: Combination, criterion: Criterion) -> str:
    if high.kind is Kind.GANG:
        return "R18"
    return {Criterion.KIND: "R16", Criterion.MULTI_ONE: "R35"}.get(criterion, "R17")


def _line(number: int, cards: Cards, state: ComparisonState, words: Words) -> str:
    combination = combination_table().identify(cards)
    what = words.say("no combination") if combination is None else describe(combination, words)
    shown = faces(cards, words) if cards else words.say("no cards yet")
    line = words.say("{number}. {cards} ({what})", number=number + 1, cards=shown, what=what)
    return f"👉 {line}" if number == state.active else line


def _menu_of(card: Card) -> Color:
    """The menu that contains a card."""
    return Color.GREEN if card == MULTI_ONE else card.color


def _menu(state: ComparisonState, color: Color, words: Words) -> Row:
    chosen = state.plays[state.active]
    options = [
        option(
            f"{encode((card,))}{copy}",
            label(card, words),
            emoji=mark(card, words),
            default=copy < chosen.count(card),
        )
        for card, copies in groupby(card for card in DECK if _menu_of(card) is color)
        for copy, _ in enumerate(copies)
    ]
    press = Press(Verb.COMPARE, arguments=state.arguments(color.letter))
    return menu(press, words.say(_MENUS[color]), options, minimum=0, maximum=MAX_CARDS)
