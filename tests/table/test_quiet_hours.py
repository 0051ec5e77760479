"""Deadlines move out of quiet hours and holidays, compared with a search minute by minute."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.table.quiet_hours import first_free_moment
from bot.table.refusals import BadTimeZone
from bot.table.user import UserSettings

MINUTE = 60_000
DAY = 24 * 60 * MINUTE
ZONES = (
    "UTC",
    "UTC-03:30",
    "Europe/Berlin",
    "America/New_York",
    "America/Havana",  # puts its clocks forward at midnight
    "America/Asuncion",  # and back at midnight, until 2024
    "Asia/Beirut",
    "Africa/Cairo",
    "Africa/Casablanca",  # back for Ramadan only
    "Australia/Lord_Howe",  # by half an hour
    "Pacific/Chatham",  # at 2:45
    "America/St_Johns",  # at one minute past midnight, until 2011
    "Pacific/Apia",  # had no December 30 in 2011
    "Antarctica/Troll",  # by two hours
)


def shown(moment: int, zone: str) -> datetime:
    """The local time, computed in another way."""
    now = datetime.fromtimestamp(moment // 1000, UTC)
    if zone == "UTC-03:30":
        return (now - timedelta(hours=3, minutes=30)).replace(tzinfo=None)
    return now.astimezone(ZoneInfo(zone)).replace(tzinfo=None)


def is_free(moment: int, settings: UserSettings) -> bool:
    now = shown(moment, settings.zone)
    if settings.away is not None and settings.away[0] <= now.date() <= settings.away[1]:
        return False
    if settings.quiet is None:
        return True
    (start, end), minute = settings.quiet, now.hour * 60 + now.minute
    return not (start <= minute < end if start <= end else minute >= start or minute < end)


def search_by_minutes(due: int, settings: UserSettings) -> int:
    """The same as `first_free_moment`, minute by minute."""
    while not is_free(due, settings):
        due = (due // MINUTE + 1) * MINUTE
    return due


FIRST, LAST = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp() * 1000) for year in (2009, 2036))


@cache
def changes(zone: str) -> list[int]:
    """Moments, rounded to the day, before the clocks of a zone change."""
    offsets = [(moment, shown(moment, zone) - shown(moment, "UTC")) for moment in range(FIRST, LAST, DAY)]
    return [moment for (moment, before), (_, after) in pairwise(offsets) if before != after]


@st.composite
def moments(draw: st.DrawFn, zone: str) -> int:
    """Any moment, or one near a change of the clocks."""
    if draw(st.booleans()) and changes(zone):
        return draw(st.sampled_from(changes(zone))) + draw(st.integers(-DAY, 2 * DAY))
    return draw(st.integers(FIRST, LAST))


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, UserSettings]:
    """A deadline, and settings that often affect it."""
    zone = draw(st.sampled_from(ZONES))
    due = draw(moments(zone))
    minute = st.integers(0, 24 * 60 - 1) | st.integers(0, 4 * 60)  # clocks change early in the day
    first = shown(due, zone).date() + timedelta(draw(st.integers(-3, 3)))
    away = (first, first + timedelta(draw(st.integers(-1, 4))))
    quiet = draw(st.none() | st.tuples(minute, minute))
    return due, UserSettings(zone=zone, quiet=quiet, away=draw(st.none() | st.just(away)))


@given(cases())
@settings(max_examples=300)
def test_a_deadline_equals_the_result_of_a_search_minute_by_minute(case: tuple[int, UserSettings]) -> None:
    due, settings = case
    assert first_free_moment(due, settings) == search_by_minutes(due, settings)


def at(text: str, zone: str = "UTC") -> int:
    """The first moment with this local time."""
    return round(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


NIGHT, EARLY = (22 * 60, 8 * 60), (60, 150)
BERLIN = UserSettings(zone="Europe/Berlin", quiet=NIGHT)
CHRISTMAS = (date(2026, 12, 24), date(2026, 12, 26))
MOVES = [
    ("outside nothing moves", BERLIN, "2026-11-21 21:59:59.999", "2026-11-21 21:59:59.999"),
    ("the evening", BERLIN, "2026-11-21 22:00", "2026-11-22 08:00"),
    ("after midnight", BERLIN, "2026-11-22 03:00", "2026-11-22 08:00"),
    ("the end is free", BERLIN, "2026-11-22 08:00", "2026-11-22 08:00"),
    ("the night in which clocks go forward", BERLIN, "2026-03-28 23:00", "2026-03-29 08:00"),
    ("the night in which they go back", BERLIN, "2026-10-24 23:00", "2026-10-25 08:00"),
    ("an end that clocks skip", replace(BERLIN, quiet=EARLY), "2026-03-29 01:30", "2026-03-29 03:00"),
    ("an end that comes twice", replace(BERLIN, quiet=EARLY), "2026-10-25 01:30", "2026-10-25 02:30"),
    ("holidays", UserSettings(zone="Europe/Berlin", away=CHRISTMAS), "2026-12-24 00:00", "2026-12-27 00:00"),
    (
        "the last moment of them",
        UserSettings(zone="Europe/Berlin", away=CHRISTMAS),
        "2026-12-26 23:59",
        "2026-12-27 00:00",
    ),
    ("the day before", UserSettings(zone="Europe/Berlin", away=CHRISTMAS), "2026-12-23 23:59", "2026-12-23 23:59"),
    ("then quiet hours", replace(BERLIN, away=CHRISTMAS), "2026-12-25 12:00", "2026-12-27 08:00"),
    ("quiet hours, then holidays", replace(BERLIN, away=CHRISTMAS), "2026-12-23 23:00", "2026-12-27 08:00"),
    ("half an hour", UserSettings(zone="Australia/Lord_Howe", quiet=NIGHT), "2026-10-03 23:00", "2026-10-04 08:00"),
]


@pytest.mark.parametrize(("settings", "due", "expected"), [line[1:] for line in MOVES], ids=[line[0] for line in MOVES])
def test_a_deadline_moves_to_the_end_of(settings: UserSettings, due: str, expected: str) -> None:
    assert first_free_moment(at(due, settings.zone), settings) == at(expected, settings.zone)


def test_an_hour_that_comes_twice_is_quiet_twice() -> None:
    first = at("2026-10-25 02:10", "Europe/Berlin")
    assert first_free_moment(first + 60 * MINUTE, replace(BERLIN, quiet=EARLY)) == first + 80 * MINUTE


def test_if_midnight_is_skipped_the_next_day_begins_later() -> None:
    settings = UserSettings(zone="America/Havana", away=(date(2026, 3, 7), date(2026, 3, 7)))
    assert first_free_moment(at("2026-03-07 12:00", "America/Havana"), settings) == at(
        "2026-03-08 01:00", "America/Havana"
    )


def test_long_holidays_are_found_over_as_exactly_as_short_ones() -> None:
    settings = UserSettings(zone="Europe/Berlin", quiet=(0, 1), away=(date(2026, 9, 20), date(2026, 11, 18)))
    assert first_free_moment(at("2026-09-20 00:00:00.001", "Europe/Berlin"), settings) == at(
        "2026-11-19 00:01", "Europe/Berlin"
    )


@pytest.mark.parametrize("quiet", [(0, 0), (600, 600), (0, 1439), (600, 599), (1, 0)])
@pytest.mark.parametrize("hour", range(0, 24, 5))
def test_a_turn_ends_however_little_of_the_day_is_free(quiet: tuple[int, int], hour: int) -> None:
    due = at(f"2026-03-28 {hour:02}:30", "Europe/Berlin")
    settings = UserSettings(zone="Europe/Berlin", quiet=quiet)
    assert due <= first_free_moment(due, settings) == search_by_minutes(due, settings) <= due + 2 * DAY


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(BadTimeZone):
        first_free_moment(0, UserSettings(zone="Europe/Atlantis"))
