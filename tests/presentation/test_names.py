"""A display name is text and nothing else: it formats nothing, mentions nobody and turns nothing around."""

import re
import unicodedata

import discord
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presentation.table.lists import list_message
from bot.presentation.table.message import table_message
from bot.presentation.text import labels
from bot.presentation.text.names import MAX_NAME_LENGTH
from bot.services.open_tables import PAGE_SIZE, Listed, Page
from bot.table.model import Status
from bot.table.snapshot import Table
from tests.presentation.limits import MAX_TEXT_LENGTH, check, text_of, width
from tests.presentation.sample_tables import SNOWFLAKE, WIDE, WORDS, people, row

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
    """What markdown looks at: an escaped sign is as good as a letter."""
    return re.sub(r"\\.", "x", text)


def assert_harmless(name: str) -> None:
    assert name.strip()
    assert len(name.splitlines()) == 1
    assert not MENTION.search(name)
    assert not re.search(r"[*_~|`<\[]|^[#>-]|://", unescaped(name))
    assert not unescaped(name).endswith("\\")
    assert not {unicodedata.bidirectional(sign) for sign in name} & {"LRE", "RLE", "LRO", "RLO", "PDF"}
    assert not {unicodedata.bidirectional(sign) for sign in name} & {"LRI", "RLI", "FSI", "PDI"}


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


@pytest.mark.parametrize("name", ["Ada", "Anne-Marie", "Łukasz", "小明", "مريم", "👩‍👩‍👧 Kim", "O'Neil (2)", "a.b"])
def test_an_ordinary_name_stays_as_it_is(name: str) -> None:
    assert labels.safe(name) == name


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
def test_a_page_of_tables_fits_whatever_the_names(number: int) -> None:
    tables = [Table(row(people(*WIDE[:4]), number=2**31 - 1 - index)) for index in range(number)]
    page = Page([Listed(table, SNOWFLAKE) for table in tables], 500)
    text = text_of(list_message(page, 101, WORDS))
    assert 0 < width(text) <= MAX_TEXT_LENGTH
    assert all(f"Table {table.id}" in text for table in tables)
