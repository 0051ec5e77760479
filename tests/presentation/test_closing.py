"""The question before a match is conceded."""

from dataclasses import replace

from bot.engine import parse_cards
from bot.presentation.table.closing import conceding_message
from bot.table.model import TableSettings
from bot.table.snapshot import Table
from tests.presentation.sample_tables import WORDS, dealt_table
from tests.presentation.sent_messages import text_of

ADA = 101


def asked(*, rated: bool = True, leaving: tuple[int, ...] = (), absent: tuple[int, ...] = ()) -> str:
    """The question to Ada, in a match in which others have conceded or are absent."""
    table = dealt_table(*[parse_cards("2G 3G")] * 3)
    seats = tuple(
        replace(seat, conceded=number in leaving, ai_level="simple" if number in (*leaving, *absent) else None)
        for number, seat in enumerate(table.seats)
    )
    return text_of(
        conceding_message(Table(replace(table.row, seats=seats, settings=TableSettings(rated=rated))), ADA, WORDS)
    )


def test_the_question_before_conceding_says_what_it_costs() -> None:
    assert "An AI plays your seat until the match ends, and you can't come back." in asked()
    assert asked().endswith("you rank below those who stay, and for your rating you come last.")
    assert asked(rated=False).endswith("On leaderboards you rank below those who stay.")


def test_the_last_player_reads_that_the_match_ends() -> None:
    left = "The match ends at once. If it's rated, players who have left it come last."
    assert asked(leaving=(1, 2)).endswith(left)
    assert "at once" not in asked(leaving=(1,), absent=(2,))
