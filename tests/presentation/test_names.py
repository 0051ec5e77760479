"""Names of seats, and display names in messages, which are plain text."""

import re
import unicodedata
from types import SimpleNamespace
from typing import cast

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.analysis.history import FinishedMatch, FinishedPlayer
from bot.presentation.records.history import HistoryState, history_message
from bot.presentation.records.transcript import transcript
from bot.presentation.table.lists import list_message
from bot.presentation.table.message import table_message
from bot.presentation.text import labels
from bot.presentation.text.i18n import languages, words_in
from bot.presentation.text.names import AI_MARK, MAX_NAME_LENGTH, chosen_name, isolated, readable, skeleton, truncated
from bot.services.open_tables import PAGE_SIZE, Listed, Page
from bot.table.lobby import AI_NAMES
from bot.table.model import Seat, Status
from bot.table.snapshot import Table
from tests.presentation.sample_tables import SNOWFLAKE, WIDE, WORDS, long_match, people, row
from tests.presentation.sent_messages import MAX_TEXT_LENGTH, check, is_isolated, payload, text_of, width

HOSTILE = [
    "**bold**",
    "__under__ *italic* _line_",
    "~~gone~~ ||spoiler|| `code`",
    "```block```",
    "# heading",
    "-# small",
    "> quote",
    ">>> quotes",
    "- point",
    "[text](https://example.org)",
    "[a*b](https://example.org)",
    "https://example.org/**x**",
    "<https://example.org>",
    "@everyone",
    "@here",
    "<@123456789012345678>",
    "<@!123456789012345678>",
    "<@&123456789012345678>",
    "<#123456789012345678>",
    "<t:0:R>",
    "<:x:123456789012345678>",
    "</gang new:123456789012345678>",
    "<id:guide>",
    "two\nlines\r\nand\u2028three\u2029four\x85five",
    "\u202eturned around",
    "\u2067isolated",
    "{0} {name} {number.__class__}",
    "%s %(name)s",
    "\\",
    "\\*",
    "",
    "   ",
    "\u200b\u200e",
    "x" * 500,
]
MENTION = re.compile(r"@(everyone|here|[!&]?[0-9]{17,20})")


def unescaped(text: str) -> str:
    """The text without escaped characters, which markdown ignores."""
    return re.sub(r"\\.", "x", text)


def assert_harmless(name: str) -> None:
    assert name.strip()
    assert len(name.splitlines()) == 1
    assert not MENTION.search(name)
    assert not re.search(r"[*_~|`<\[]|^[#>-]|://", unescaped(name))
    assert not unescaped(name).endswith("\\")
    assert not {unicodedata.bidirectional(sign) for sign in name} & {"LRE", "RLE", "LRO", "RLO", "PDF"}
    assert not {unicodedata.bidirectional(sign) for sign in name} & {"LRI", "RLI"}
    assert is_isolated(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_harmless(name: str) -> None:
    assert_harmless(labels.safe(name))


@given(st.text(max_size=60))
def test_any_name_is_harmless(name: str) -> None:
    assert_harmless(labels.safe(name))
    assert len(labels.safe(name)) <= 3 * MAX_NAME_LENGTH


@given(st.text(alphabet=st.sampled_from("*_~|`<>[]()#-\\@:/ \nhereveryone0123456789"), max_size=40))
def test_any_name_of_signs_is_harmless(name: str) -> None:
    assert_harmless(labels.safe(name))


@pytest.mark.parametrize("name", ["Ada", "Anne-Marie", "Łukasz", "小明", "👩‍👩‍👧 Kim", "O'Neil (2)", "a.b"])
def test_an_ordinary_name_stays_as_it_is(name: str) -> None:
    assert labels.safe(name) == name


@pytest.mark.parametrize("name", ["אבי כהן", "مريم", "Dana דנה", "٣ 7"])
def test_a_name_written_from_right_to_left_is_isolated(name: str) -> None:
    """Otherwise the number after it is drawn before it, beside another name."""
    assert labels.safe(name) == labels.plain_name(name, WORDS) == f"\u2068{name}\u2069"
    assert labels.totals_list([labels.safe(name), "Bob"], (10, 7), WORDS) == f"\u2068{name}\u2069 10 and Bob 7"


def test_a_transcript_isolates_names() -> None:
    assert is_isolated(transcript(long_match(), WORDS))


@given(st.lists(st.sampled_from(["Bob", "אבי", "🐉", "7"]), max_size=20), st.integers(4, 60))
def test_a_text_that_is_cut_ends_no_name_outside_its_isolate(names: list[str], limit: int) -> None:
    text = ", ".join(map(isolated, names))
    shown = truncated(text, limit)
    assert is_isolated(shown)
    assert width(shown) <= limit
    assert shown == text or width(shown) >= limit - 2


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_changes_nothing_else_in_a_table(name: str) -> None:
    plain = Table(row(people("NAME", "Bo", "Cy"), Status.LOBBY))
    hostile = Table(row(people(name, "Bo", "Cy"), Status.LOBBY))
    message = table_message(hostile, WORDS)
    check(message)
    assert text_of(message) == text_of(table_message(plain, WORDS)).replace("NAME", labels.player_name(name, WORDS))


def test_discord_agrees_that_nothing_is_mentioned() -> None:
    for name in HOSTILE:
        assert discord.utils.escape_mentions(labels.safe(name)) == labels.safe(name)


@pytest.mark.parametrize("number", range(PAGE_SIZE + 1))
def test_a_page_of_tables_fits_with_all_names(number: int) -> None:
    tables = [Table(row(people(*WIDE[:4]), number=2**31 - 1 - index)) for index in range(number)]
    page = Page([Listed(table, SNOWFLAKE) for table in tables], 500)
    text = text_of(list_message(page, 101, WORDS, lambda _: False))
    assert 0 < width(text) <= MAX_TEXT_LENGTH
    assert all(f"Table {table.id}" in text for table in tables)


def named(display_name: str, username: str = "ana.b", user_id: int = 10**17 + 4321) -> str:
    """The name of a user who takes a seat."""
    user = SimpleNamespace(id=user_id, name=username, display_name=display_name)
    return chosen_name(cast("discord.abc.User", user), "Cards")


READABLE = [
    ("Ada", "Ada"),
    ("Łukasz  O'Neil (2)", "Łukasz O'Neil (2)"),
    ("小明", "小明"),
    ("مريم", "مريم"),
    ("می\u200cخواهم", "می\u200cخواهم"),
    ("👩\u200d👩\u200d👧 Kim ❤\ufe0f 1\ufe0f\u20e3", "👩\u200d👩\u200d👧 Kim ❤\ufe0f 1\ufe0f\u20e3"),
    ("Nguyễn", "Nguyễn"),
    ("\u3164\u115f\u1160\uffa0", ""),
    ("A\u3164B", "A B"),
    ("\u2800\u2800", ""),
    ("Ada\U000e0041\U000e0042\U000e007f", "Ada"),
    ("A" + "\u030d" * 30, "A" + "\u030d" * 2),
    ("a\u034f\u0301", "á"),
    ("Z\u0336\u0322\u031b\u0357\u0316a\u0337\u0321\u0349lgo", "Z\u0336\u0322a\u0337\u0321lgo"),
    ("\u202eadA", "adA"),
    ("A\u200b\u200d\u2060\ufe0fda\ufeff", "Ada"),
    ("\u0301Ada", "Ada"),
    ("two\nlines\u2028three\x85four", "two lines three four"),
    ("🤖 Ada 🤖", "Ada"),
    ("x" * 40, "x" * 32),
    ("\ud800\ue000\uffff\U000e01efAda", "Ada"),
    ("\U0001fae8", "\U0001fae8"),
]


@pytest.mark.parametrize(("name", "shown"), READABLE)
def test_a_name_is_made_readable(name: str, shown: str) -> None:
    assert readable(name) == shown


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_any_name_is_made_readable(name: str) -> None:
    shown = readable(name)
    assert len(shown) <= MAX_NAME_LENGTH
    assert readable(shown) == shown
    assert shown == " ".join(shown.split())
    assert AI_MARK not in shown
    assert not any(unicodedata.bidirectional(each) in ("RLO", "LRO", "RLE", "LRE", "RLI", "LRI") for each in shown)


UNREADABLE = ["\u3164", "\u2800\u2800", "\U000e0041", "\u0301", "\u200b", "", "🐉🐉", "...", "\u202e"]
RESERVED = [
    "🤖 Jade",
    "Jade",
    "JADE",
    "J a d e",
    "Jаde",  # Cyrillic
    "Ｊａｄｅ",  # full width
    "𝕵𝖆𝖉𝖊",
    "ᴊᴀᴅᴇ",
    "🅹🅰🅳🅴",
    "J\u0301ade",
    "Ja\u200dde",
    "P1um",
    "PIum",
    "Plurn",
    "Lοtus",  # Greek
    "Bamboo (AI)",
    "Ana (AI)",
    "Ana [KI]",
    "Ana （IA）",
    "Ana (tekoäly)",
    "Jade AI",
    "AI Jade",
    "AI",
    "ai:simple",
    "\u0430i:master",
    "Jade APP",
    "APP Jade",
    "Gang of 4",
    "The Gang of 4 app",
    "AI: simple",
    "Gang of Four",
    "Gang of Four support",
    "the G4ng 0f Four app",
    "Cards",
    "Jade the AI",
    "Bob AI",
    "(AI) Bob",
    "deleted player",
    "G4ng of Four",
    "8amboo",
    "Lotus 2",
    *(words_in(language).say("a deleted player") for language in languages()),
]


@pytest.mark.parametrize("name", UNREADABLE + RESERVED)
def test_a_name_that_cannot_be_read_or_is_not_the_users_own_gives_way_to_the_username(name: str) -> None:
    assert named(name) == "ana.b"


@pytest.mark.parametrize(
    "name",
    [
        "Jaden",
        "Jade B.",
        "Ai",
        "Lotusblüte",
        "Kim (2)",
        "Анна",
        "小明 🐉",
        "Player 3",
        "Ai 7",
        "Aida",
        "4ever",
        "Gang of Angels",
    ],
)
def test_other_names_are_kept(name: str) -> None:
    assert named(name) == name


@pytest.mark.parametrize("username", [*map(str.lower, AI_NAMES), "gangoffour"])
def test_a_username_like_an_ai_gets_digits(username: str) -> None:
    assert named(username.title(), username) == f"{username} 4321"
    assert named("\u3164", "") == "4321"
    assert len(named("Jade", "a" * 40 + "\u3164")) <= MAX_NAME_LENGTH


def test_a_skeleton_ignores_invisible_differences() -> None:
    assert skeleton("Jаdé") == skeleton("ＪАＤＥ") == "jade"
    assert skeleton("Ana") != skeleton("Anna")


def test_an_ai_player_is_marked_where_a_person_of_its_name_is_not() -> None:
    table = Table(row((Seat("Jade", 7), Seat("🤖 Plum", 8), Seat("Jade", ai_level="simple"), Seat("", 9))))
    shown = ("Jade", "Plum", "Jade (AI)", "a deleted player")
    assert labels.plain_names(table, WORDS) == shown
    assert labels.names(table, WORDS) == ["Jade", "Plum", "🤖 Jade", "a deleted player"]


def test_a_list_of_matches_marks_ai_players_but_no_former_player() -> None:
    players = (
        FinishedPlayer("Jade", 1, 0, is_ai=True),
        FinishedPlayer("", 2, 9, is_ai=True),
        FinishedPlayer("Jade", 3, 9, is_ai=False),
    )
    message = history_message(HistoryState(), [FinishedMatch(1, 0, "days-of-wonder", 3, players)], WORDS, more=False)
    assert "1. 🤖 Jade 0 · 2. a deleted player 9 · 3. Jade 9" in text_of(message)
    assert "🤖 Jade 0, a deleted player 9, Jade 9" in str(payload(message))
