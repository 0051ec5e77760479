"""The rules in short pages with examples. A refusal opens the page with its rule."""

import discord

from bot.engine import parse_card
from bot.presentation.help.rule_pages import BRIEF, PAGES, Paragraph
from bot.presentation.text.cards import faces
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, Row, button, layout, menu, options_of, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb


def rules_message(words: Words, page: str = BRIEF, rule: str = "") -> discord.ui.LayoutView:
    """A page of the rules, with the paragraphs about `rule` marked. Raises `InvalidCustomId` for an unknown page."""
    if page not in PAGES:
        raise InvalidCustomId(page)
    lines = ["### " + words.say(PAGES[page].title)]
    lines += [_paragraph_text(paragraph, rule, words) for paragraph in PAGES[page].paragraphs]
    options = options_of({name: words.say(each.title) for name, each in PAGES.items()}, page)
    return layout(
        "\n".join(lines),
        menu(Press(Verb.RULES_PAGE), words.say("Another page"), options),
        *_page_buttons(page, words),
    )


def page_of(rule: str) -> str:
    """The page that explains a rule best: the brief page only if no other does. Raises `InvalidCustomId`."""
    pages = [name for name, page in PAGES.items() if any(rule in each.rules for each in page.paragraphs)]
    if not pages:
        raise InvalidCustomId(rule)
    return next((name for name in pages if name != BRIEF), BRIEF)


def why_button(rule: str, words: Words, label: str = "") -> Button:
    """A button that opens a rule. `label` replaces "Why?"."""
    return button(Press(Verb.WHY, arguments=(rule,)), label or words.say("Why?"))


def _paragraph_text(paragraph: Paragraph, rule: str, words: Words) -> str:
    text = words.say(paragraph.text)
    examples = [_example(each, words) for each in paragraph.examples]
    numbers = " ".join(rule for rule in paragraph.rules if rule.startswith("R"))  # house rules have none
    line = "\n".join([f"{text} `{numbers}`" if numbers else text, *(f"> {each}" for each in examples)])
    return f"- 👉 {line}" if rule in paragraph.rules else f"- {line}"


def _example(text: str, words: Words) -> str:
    low, _, high = text.partition("<")
    if not high:
        return faces(map(parse_card, low.split()), words)
    facts = {side: faces(map(parse_card, cards.split()), words) for side, cards in (("high", high), ("low", low))}
    return words.say("{high} beats {low}", **facts)


def _page_buttons(page: str, words: Words) -> list[Row]:
    names = list(PAGES)
    at = names.index(page)
    chart = [button(Press(Verb.CHART), words.say("As a picture"))] if page in (BRIEF, "beats") else []
    before, after = names[max(at - 1, 0)], names[min(at + 1, len(names) - 1)]
    return rows(
        [
            button(Press(Verb.RULES_PAGE, arguments=("before", before)), words.say("◀ Back"), disabled=before == page),
            button(Press(Verb.RULES_PAGE, arguments=("after", after)), words.say("Next ▶"), disabled=after == page),
            *chart,
        ]
    )
