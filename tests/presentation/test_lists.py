"""The list of a server's open tables: its lines and page buttons."""

from dataclasses import replace

from bot.engine import parse_cards
from bot.presentation.table.lists import list_message
from bot.services.open_tables import PAGE_SIZE, Listed, Page
from bot.table.model import Status
from bot.table.snapshot import Table
from tests.presentation.sample_tables import SNOWFLAKE, WORDS, dealt_table, people, row
from tests.presentation.sent_messages import components, text_of


def pressable(page: Page) -> dict[str, str]:
    """The buttons that can be pressed, by their labels."""
    view = list_message(page, 101, WORDS, lambda _: False)
    found = [part for part in components(view) if part.get("custom_id") and not part.get("disabled")]
    return {part["label"]: part["custom_id"] for part in found}


def lines(*tables: Table) -> list[str]:
    page = Page([Listed(table, SNOWFLAKE) for table in tables], len(tables))
    return text_of(list_message(page, 101, WORDS, lambda _: False)).splitlines()


def test_a_line_shows_the_players_and_the_pending_action() -> None:
    lobby = Table(row(people("Ada", "Bo"), Status.LOBBY, number=1))
    match = dealt_table(*map(parse_cards, ("1M", "2G", "2Y")))
    listed = Table(match.row)
    assert listed.turn == match.turn
    assert listed.state is None
    title, first, second = lines(lobby, listed)
    assert title == "**2 open tables**"
    assert "Ada and Bo; 1 seat free" in first
    assert "**it is your turn**" in second
    assert "turn" not in lines(Table(replace(match.row, paused_at=1)))[1]
    seats = (replace(match.seats[0], user_id=9), *match.seats[1:])
    assert "'s turn" in lines(Table(replace(match.row, seats=seats)))[1]


def test_one_page_has_no_buttons() -> None:
    assert pressable(Page([Listed(Table(row(people("Ada"))))], PAGE_SIZE)) == {}


def test_an_empty_list_offers_a_match_against_ai_players() -> None:
    assert pressable(Page([], 0)) == {"Play against AI": "g4:playai:0:0"}


def test_buttons_lead_to_the_pages_around() -> None:
    assert pressable(Page([], PAGE_SIZE + 1)) == {"Next ▶": "g4:list:0:1:next"}
    assert pressable(Page([], PAGE_SIZE + 1, 1)) == {"◀ Back": "g4:list:0:0:back"}
    assert list(pressable(Page([], 3 * PAGE_SIZE, 1))) == ["◀ Back", "Next ▶"]


def test_a_page_beyond_the_last_leads_back() -> None:
    assert pressable(Page([], 3, 7)) == {"◀ Back": "g4:list:0:6:back"}
