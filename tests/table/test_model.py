"""The matches that are rated."""

from dataclasses import replace

import pytest

from bot.engine import Options
from bot.table.model import MIN_RATED_TARGET, CasualReason, Seat, TableSettings
from tests.storage.sample_rows import table_row

ADA, BO, CY = Seat("Ada", 101), Seat("Bo", 102), Seat("Cy", 103)


@pytest.mark.parametrize(
    ("seats", "target", "rated", "why"),
    [
        ((ADA, BO, CY), MIN_RATED_TARGET, True, None),
        ((ADA, BO), 100, True, None),
        ((ADA, BO, Seat("")), 100, True, None),  # a deleted player
        ((ADA, BO, Seat("Jade", ai_level="simple")), 100, True, CasualReason.AI),
        ((ADA, BO, replace(CY, ai_level="simple", conceded=True)), 100, True, None),
        ((ADA, BO, CY), MIN_RATED_TARGET - 1, True, CasualReason.TARGET),
        ((ADA, BO, CY), 100, False, CasualReason.CHOSEN),
    ],
)
def test_a_match_is_rated_between_people_and_to_enough_points(
    seats: tuple[Seat, ...], target: int, rated: bool, why: CasualReason | None
) -> None:
    row = replace(table_row(seats=seats, options=Options(target=target)), settings=TableSettings(rated=rated))
    row = replace(row, duplicate_of=None, was_duplicate=False)
    assert row.casual_reason is why
    for duplicate in (replace(row, duplicate_of=2), replace(row, was_duplicate=True)):
        assert duplicate.casual_reason is (why or CasualReason.CHOSEN)
