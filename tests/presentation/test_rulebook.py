"""The pages of the rules and comparisons agree with the engine and fit Discord's limits."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from bot.engine import Options, combination_table, parse_cards
from bot.engine import errors as rules
from bot.engine.combinations import FlushOrder
from bot.engine.options import CHOICES, EDITIONS
from bot.presentation.help.comparison import EXAMPLE, ComparisonState, after_choice, comparison_message
from bot.presentation.help.rule_pages import PAGES
from bot.presentation.help.rulebook import page_of, rule_message, rule_text, rules_message
from bot.presentation.table.selection import rule_of
from bot.presentation.text.cards import faces
from bot.presentation.ui.components import BRIEF
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb, options_of_code
from bot.table import refusals as services
from bot.table.refusals import Refusal
from tests.presentation.sample_tables import READERS, WORDS
from tests.presentation.sent_messages import check, pressable, text_of

RULES = Path(__file__).parents[2] / "docs" / "rules.md"
EXAMPLES = [
    (example, "sum" if "flush_order=sum" in each.when else "highest")
    for page in PAGES.values()
    for each in page.paragraphs
    for example in each.examples
]
EDITION_OPTIONS = [Options.of(name) for name in EDITIONS]
EVERY_OPTIONS = [
    *EDITION_OPTIONS,
    *(Options().with_changes(**{name: value}) for name, values in CHOICES.items() for value in values),
]
"""Each edition, and the usual rules with each value of each option."""


@pytest.mark.parametrize(("example", "order"), EXAMPLES)
def test_every_example_is_true(example: str, order: FlushOrder) -> None:
    low, _, high = example.partition("<")
    table = combination_table(order)
    one, other = table.identify(parse_cards(low)), table.identify(parse_cards(high))
    assert one is not None
    assert not high or (other is not None and other.beats(one))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_tells_rules_that_there_are(page: str) -> None:
    check(rules_message(WORDS, page))
    rules = {rule for paragraph in PAGES[page].paragraphs for rule in paragraph.rules}
    known = {*re.findall(r"R\d+", RULES.read_text(encoding="utf-8")), *PARTS} | refusing(services)
    assert all(rule in known or set(rule.split("-")) <= known for rule in rules)


def refusing(module: ModuleType) -> set[str]:
    """The rules that refusals name."""
    named = (getattr(kind, "rule", None) for kind in vars(module).values() if isinstance(kind, type))
    return {rule for rule in named if isinstance(rule, str)} - {""}


PARTS = {"number", "flush", "full-house", "rated", "coach"}
"""The parts of R17, and what buttons explain besides refusals."""
VARYING = {"R3", "R4", "R5", "R6-R9", "R10", "R15", "R16", "R17", "R18", "R35"}
"""Rules of refusals that depend on the cards."""


@pytest.mark.parametrize("rule", sorted(refusing(rules) | refusing(services) | VARYING))
def test_every_rule_that_refuses_a_move_is_explained_in_three_lines(rule: str) -> None:
    assert page_of(rule) != BRIEF
    lines = rule_text(rule, WORDS).splitlines()
    assert 0 < len(lines) <= 3
    assert not rule.startswith("R") or rule in lines[0]
    check(rule_message(rule, WORDS))


@pytest.mark.parametrize(
    ("to_beat", "tried", "name"),
    [
        ("7G 7R", "6Y 6R", "number"),
        ("2G 2G 4G 7G 10G", "5R 6R 7R 7R 9R", "flush"),
        ("6G 6Y 6R 3G 3R", "2G 2Y 2R 8Y 8R", "full-house"),
        ("9G 9Y 9Y 9R", "7G 7Y 7Y 7R", "R18"),
        ("7G 7R", "7G 7R", "R15"),
    ],
)
def test_the_part_of_a_rule_follows_from_the_kind(to_beat: str, tried: str, name: str) -> None:
    every = combination_table()
    high, low = (every.identify(parse_cards(cards)) for cards in (to_beat, tried))
    assert high is not None
    assert low is not None
    refusal = rules.NotHigher(high, low, every.decisive(high, low))
    assert rule_of(refusal) == name
    assert f"`{refusal.rule}`" in rule_text(name, WORDS)


@pytest.mark.parametrize("options", EVERY_OPTIONS)
def test_a_table_has_each_rule_as_often_as_the_general_rules(options: Options) -> None:
    """No rule is missing, and none is told twice."""
    for page in PAGES.values():
        general, own = (
            [rule for each in page.paragraphs if each.fits(of) for rule in each.rules] for of in (None, options)
        )
        assert own == general


@pytest.mark.parametrize(
    ("rule", "options", "said", "unsaid"),
    [
        ("R31", Options(), "you may not pass", "play what you like"),
        ("R31", Options(block="lead_only"), "play what you like", "may not pass"),
        ("flush", Options(), "the highest number, then the color", "sum"),
        ("flush", Options(flush_order="sum"), "the sum of the numbers, then the color", "highest number"),
        ("R32", Options(target=50), "has reached the target after a hand, the match", "over it"),
        ("R32", Options(end="exceed", target=300), "has gone over the target after a hand, the match", "reached"),
        ("R30", Options(), "out of the hand and get 1 point", "take the card back"),
        ("R30", Options(forgotten="takes_back"), "take the card back", "out of the hand"),
        ("R30", Options(last_card="automatic"), "Nobody can forget it", "If you"),
        ("R33", Options(), "share the victory", "one more hand"),
        ("R33", Options(tie="deciding_hand"), "one more hand decides", "Players tied"),
    ],
)
def test_a_rule_is_told_as_it_holds_at_the_table(rule: str, options: Options, said: str, unsaid: str) -> None:
    for message in (
        text_of(rule_message(rule, WORDS, options)),
        text_of(rules_message(WORDS, page_of(rule), options)),
    ):
        assert said in message
    assert unsaid not in rule_text(rule, WORDS, options)


def test_the_example_of_a_flush_is_the_other_way_round_if_sums_count() -> None:
    one, other = (faces(parse_cards(cards), WORDS) for cards in ("2G 2G 4G 7G 10G", "5R 6R 7R 7R 9R"))
    assert f"{one} beats {other}" in rule_text("flush", WORDS, Options())
    assert f"{other} beats {one}" in rule_text("flush", WORDS, Options(flush_order="sum"))


def test_general_rules_name_the_edition_that_differs() -> None:
    assert "(Summary sheet: play what you like.)" in rule_text("R31", WORDS)
    assert "(Summary sheet: when a player has gone over it.)" in rule_text("R32", WORDS)
    assert "(Dargaud 1996: you take the card back instead.)" in rule_text("R30", WORDS)


def test_the_brief_rules_of_a_table_name_its_target() -> None:
    assert "reaches the target (50 points)" in text_of(rules_message(WORDS, BRIEF, Options(target=50)))
    assert "goes over the target (1 point)" in text_of(rules_message(WORDS, BRIEF, Options(end="exceed", target=1)))


@pytest.mark.parametrize("options", EVERY_OPTIONS)
def test_pages_are_turned_within_the_rules_of_a_table(options: Options) -> None:
    for custom_id in pressable(rules_message(WORDS, "last", options)):
        press = Press.parse(custom_id)
        assert press.verb is Verb.CHART or options_of_code(press.arguments[-1]) == options


def test_a_button_from_before_an_option_was_added_opens_the_rules_of_its_table() -> None:
    assert options_of_code("1000000-50") == Options(flush_order="sum", target=50)


ONE_TOO_MANY = "0" * (len(CHOICES) + 1) + "-100"


@pytest.mark.parametrize(
    "code", ["x", "000", "00000000-", "00000000-0", "90000000-100", "00000000-1001", "²0000000-9", ONE_TOO_MANY]
)
def test_options_that_the_app_never_writes_are_refused(code: str) -> None:
    with pytest.raises(InvalidCustomId):
        options_of_code(code)


@pytest.mark.parametrize("language", READERS)
@pytest.mark.parametrize("options", EDITION_OPTIONS)
def test_the_rules_of_a_table_fit(language: str, options: Options) -> None:
    for page in PAGES:
        check(rules_message(READERS[language], page, options))


def test_a_rule_alone_has_its_examples() -> None:
    assert rule_text("R4", WORDS).splitlines() == [
        "**Pair:** two cards of one number, or the two Phoenixes. `R4`",
        *(f"> {faces(parse_cards(cards), WORDS)}" for cards in ("7G 7R", "PG PY")),
    ]


def test_the_penalties_are_a_table() -> None:
    text = text_of(rules_message(WORDS, "hand"))
    assert [line.split() for line in _code(text)[1:]] == [
        ["1–7", "1", "1–7"],
        ["8–10", "2", "16–20"],
        ["11–13", "3", "33–39"],
        ["14–15", "4", "56–60"],
        ["16", "5", "80"],
    ]
    assert all(len(line) <= 38 for words in READERS.values() for line in _code(text_of(rules_message(words, "hand"))))


def _code(text: str) -> list[str]:
    return text.partition("```\n")[2].partition("\n```")[0].splitlines()


def test_the_editions_are_side_by_side() -> None:
    text = text_of(rules_message(WORDS, "editions"))
    for line in (
        "**Days of Wonder and Dargaud 1996**: flushes by their highest number",
        "**Summary sheet**: flushes by the sum of their numbers",
        "**Dargaud 1996**: a tie is decided by one more hand",
    ):
        assert line in text


def test_the_rules_name_the_dealer_and_the_loser_of_a_tie() -> None:
    assert "on the dealer's right" in text_of(rules_message(WORDS, "hand"))
    assert "nearest to the winner's right" in text_of(rules_message(WORDS, "match"))


def test_refusals_without_a_rule_explain_themselves() -> None:
    kinds = [kind for kind in vars(services).values() if isinstance(kind, type) and issubclass(kind, Refusal)]
    assert {kind for kind in kinds if not kind.rule} == {
        Refusal,
        services.LimitRefusal,
        services.BadTimeZone,
        services.BadTime,
        services.BadDate,
        services.BadQuietHours,
        services.BadHolidays,
        services.BadCut,
        services.CoachAway,
        services.CoachBusy,
        services.PracticeGone,
        services.RecordTooLong,
        services.ExportTooLarge,
        services.ImportExpired,
        services.NotCurrentSeason,
        services.NotPostedYet,
        services.TryAgainLater,
        services.TooManyAtOnce,
        services.TooManyInvited,
        services.UnknownCommand,
        services.TooManyPictures,
        services.MayNotPost,
        services.MayNotOpen,
        services.AppMayNotWrite,
        services.MessageGone,
        services.HandTooLong,
        services.FileNotFetched,
        services.Restarting,
        services.DeletionRunning,
        services.DailyAlreadyDealt,
    }


def test_there_is_no_other_page() -> None:
    with pytest.raises(InvalidCustomId):
        rules_message(WORDS, "cheating")


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        ("7G 7R", "6Y 6R", "Pair of 7s beats pair of 6s: its number is higher."),
        ("3Y 3Y", "3R 3G", "Pair of 3s beats pair of 3s: the color decides."),
        ("1R", "1M", "Multicolored 1 beats red 1: the color decides."),
        ("3G 4R 5Y 6G 7G", "2Y 3Y 5Y 7Y 9Y", "9-high yellow flush beats straight to 7: it's a higher kind of play."),
        ("2G 2G 2Y 2R", "DR", "Gang of Four: 2s beats the Dragon: a gang beats anything that isn't a gang."),
        ("2G 2G 2Y 2R 2R", "9G 9Y 9Y 9R", "Gang of Five: 2s beats Gang of Four: 9s: it has more cards."),
        ("7R 7G", "9R", "Neither beats the other: they don't have the same number of cards."),
        ("7R", "7R", "Neither beats the other: they are equal."),
        ("7R 8R", "7R", "Both must be combinations."),
    ],
)
def test_what_beats_what(first: str, second: str, verdict: str) -> None:
    one, other = parse_cards(first), parse_cards(second)
    for pair in ((one, other), (other, one)):
        view = comparison_message(ComparisonState(pair), WORDS)
        check(view)
        assert verdict in text_of(view)


def test_cards_are_chosen_color_by_color() -> None:
    pair = EXAMPLE
    view = comparison_message(pair, WORDS)
    menus = {custom_id: part for custom_id, part in pressable(view).items() if "options" in part}
    for custom_id, part in menus.items():
        press = Press.parse(custom_id)
        values = [option["value"] for option in part["options"] if option["label"] in ("8Y", "8R")]
        pair = after_choice(pair, press, values[:1])
    assert pair.plays[0] == parse_cards("8Y 8R")
    assert pair.plays[1] == EXAMPLE.plays[1]
    for forged in (["?0"], ["00"], [values[0]] * 3):
        with pytest.raises(InvalidCustomId):
            after_choice(pair, press, forged)
    with pytest.raises(InvalidCustomId):
        after_choice(pair, Press(Verb.COMPARE, 0, 0, pair.arguments("Z")), [])
    with pytest.raises(InvalidCustomId):
        ComparisonState.parse(Press(Verb.COMPARE, 0, 0, ("0", "000", "0", "R")))


@pytest.mark.parametrize(("flush_order", "is_offered"), [("highest", True), ("sum", False)])
def test_plays_are_compared_only_by_the_flush_order_that_the_comparison_knows(
    flush_order: str, is_offered: bool
) -> None:
    options = Options.of("days-of-wonder", {"flush_order": flush_order})
    assert ("g4:compare:0:0:open" in pressable(rules_message(WORDS, "beats", options))) == is_offered
