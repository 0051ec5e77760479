"""The rules in short pages with examples. A refusal opens its rule alone."""

from itertools import groupby
from typing import Final

from bot.engine import Options, View, parse_card
from bot.engine.options import CHOICES, EDITIONS
from bot.engine.scoring import multiplier, penalty
from bot.presentation.help.paragraphs import Listing, Paragraph
from bot.presentation.help.rule_pages import PAGES
from bot.presentation.table.selection import HandState, refusal_of
from bot.presentation.text import labels
from bot.presentation.text.cards import faces
from bot.presentation.text.errors import reason_text
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import short_text, short_texts
from bot.presentation.ui.components import BRIEF, Layout, Row, button, menu, options_of, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Part, Press, Verb, code_of
from bot.table.snapshot import Table

RULE_LINES: Final = 3
"""Lines of a rule shown alone."""


def rules_message(words: Words, page: str = BRIEF, options: Options | None = None) -> Layout:
    """A page of the rules, those of a table with these options. Raises `InvalidCustomId` for an unknown page."""
    if page not in PAGES:
        raise InvalidCustomId(page)
    paragraphs = [each for each in PAGES[page].paragraphs if each.fits(options)]
    lines = ["### " + words.say(PAGES[page].title)]
    lines += [f"- {_paragraph_text(paragraph, words, options)}" for paragraph in paragraphs]
    pages = options_of({name: words.say(each.title) for name, each in PAGES.items()}, page)
    return Layout(
        "\n".join(lines),
        menu(Press(Verb.RULES_PAGE, arguments=(Part.MENU, code_of(options))), words.say("Another page"), pages),
        *_page_buttons(page, words, options),
    )


def rule_text(rule: str, words: Words, options: Options | None = None) -> str:
    """A rule in at most three lines: its paragraphs, or a single one with examples. Raises `InvalidCustomId`."""
    paragraphs = [each for each in PAGES[page_of(rule)].paragraphs if rule in each.rules and each.fits(options)]
    lines = [_rule_line(each, words, options) for each in paragraphs]
    if len(lines) == 1:
        lines += _examples(paragraphs[0], words)
    return "\n".join(lines[:RULE_LINES])


def why_text(press: Press, table: Table, view: View, words: Words) -> str:
    """Why the selected cards can't be played, and the rule that a press of "Why?" names. Raises `InvalidCustomId`."""
    match press.arguments:
        case (_, _, _, rule):
            rule_lines = rule_text(rule, words, table.row.options)
        case _:
            raise InvalidCustomId(str(press))
    selected = HandState.parse(press).selected
    refusal = refusal_of(view, selected)
    if not selected or refusal is None:
        return rule_lines
    why = reason_text(refusal, words, table)
    return words.say("{cards}: {why}", cards=faces(selected, words), why=why) + "\n" + rule_lines


def rule_message(rule: str, words: Words, options: Options | None = None) -> Layout:
    """A rule, with a button that opens its page. Raises `InvalidCustomId` for an unknown rule."""
    page = Press(Verb.RULES_PAGE, arguments=(Part.WHY, page_of(rule), code_of(options)))
    return Layout(rule_text(rule, words, options), *rows([button(page, words.say("Rules"))]))


def page_of(rule: str) -> str:
    """The page that explains a rule best: the brief page only if no other does. Raises `InvalidCustomId`."""
    pages = [name for name, page in PAGES.items() if any(rule in each.rules for each in page.paragraphs)]
    if not pages:
        raise InvalidCustomId(rule)
    return next((name for name in pages if name != BRIEF), BRIEF)


def _paragraph_text(paragraph: Paragraph, words: Words, options: Options | None) -> str:
    listing = [] if paragraph.listing is None else [_LISTINGS[paragraph.listing](words)]
    return "\n".join([_rule_line(paragraph, words, options), *_examples(paragraph, words), *listing])


def _rule_line(paragraph: Paragraph, words: Words, options: Options | None) -> str:
    """The text of a paragraph, with the numbers of its rules. House rules have none."""
    facts = {} if options is None else {"target": labels.points(options.target, words)}
    numbers = " ".join(rule for rule in paragraph.rules if rule.startswith("R"))
    note = words.say(paragraph.note) if paragraph.note and options is None else ""
    text = f"{words.say(paragraph.text, **facts)} {note}".rstrip()
    return f"{text} `{numbers}`" if numbers else text


def _examples(paragraph: Paragraph, words: Words) -> list[str]:
    return [f"> {_example(each, words)}" for each in paragraph.examples]


def _example(text: str, words: Words) -> str:
    low, _, high = text.partition("<")
    if not high:
        return faces(map(parse_card, low.split()), words)
    facts = {side: faces(map(parse_card, cards.split()), words) for side, cards in (("high", high), ("low", low))}
    return words.say("{high} beats {low}", **facts)


def _penalties(words: Words) -> str:
    """The points of a hand by the number of cards left, in columns."""
    lines = [[words.say("Cards left"), words.say("Points each"), words.say("Points")]]
    for each, group in groupby(range(1, 17), key=multiplier):
        left = list(group)
        lines.append([_range(left), str(each), _range([penalty(cards) for cards in left])])
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(["```", *(line.rstrip() for line in padded), "```"])


def _range(numbers: list[int]) -> str:
    return f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])


def _editions(words: Words) -> str:
    """The values of each option that differs, and the editions with each."""
    presets = {name: Options.of(name).as_dict() for name in EDITIONS}
    lines = []
    for option in CHOICES:
        values = short_texts(option)
        editions = [[name for name, preset in presets.items() if preset[option] == value] for value in values]
        if not all(editions):
            continue
        lines.append("")
        for text, used in zip(values.values(), editions, strict=True):
            names = labels.bold(words.list([words.say(short_text("edition", name)) for name in used]))
            lines.append(words.say("{name}: {what}", name=names, what=words.say(text)))
    return "\n".join(lines)


_LISTINGS: Final = {Listing.PENALTIES: _penalties, Listing.EDITIONS: _editions}


def _page_buttons(page: str, words: Words, options: Options | None) -> list[Row]:
    def press_to(name: Part, other: str) -> Press:
        return Press(Verb.RULES_PAGE, arguments=(name, other, code_of(options)))

    names = list(PAGES)
    at = names.index(page)
    more = [button(Press(Verb.CHART), words.say("As a picture"))]
    if options is None or options.flush_order == Options().flush_order:  # it knows no other order
        more.append(button(Press(Verb.COMPARE, arguments=(Part.OPEN,)), words.say("Compare two plays")))
    before, after = names[max(at - 1, 0)], names[min(at + 1, len(names) - 1)]
    return rows(
        [
            button(press_to(Part.BEFORE, before), words.say("◀ Back"), disabled=before == page),
            button(press_to(Part.AFTER, after), words.say("Next ▶"), disabled=after == page),
            *(more if page in (BRIEF, "beats") else []),
        ]
    )
