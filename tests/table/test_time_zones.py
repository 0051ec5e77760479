"""Names that users type for their time zone."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.table.refusals import BadTimeZone
from bot.table.time_zones import MAX_NAME_LENGTH, MAX_SUGGESTIONS, find_zone, zone_of

MEANT = [
    ("Europe/Berlin", "Europe/Berlin"),
    ("Berlin", "Europe/Berlin"),
    (" berlin ", "Europe/Berlin"),
    ("EUROPE/BERLIN", "Europe/Berlin"),
    ("New York", "America/New_York"),
    ("new_york", "America/New_York"),
    ("São Paulo", "America/Sao_Paulo"),
    ("Port au Prince", "America/Port-au-Prince"),
    ("Ho Chi Minh", "Asia/Ho_Chi_Minh"),
    ("US/Pacific", "US/Pacific"),
    ("Asia/Calcutta", "Asia/Calcutta"),
    ("UTC", "UTC"),
    ("utc", "UTC"),
    ("gmt", "GMT"),
    ("CET", "CET"),
    ("UTC+2", "UTC+02:00"),
    ("utc +2", "UTC+02:00"),
    ("UTC+02:00", "UTC+02:00"),
    ("GMT-3:30", "UTC-03:30"),
    ("GMT\u22125", "UTC-05:00"),
    ("+0530", "UTC+05:30"),
    ("+530", "UTC+05:30"),
    ("+14", "UTC+14:00"),
    ("-12", "UTC-12:00"),
    ("UTC-0", "UTC"),
    ("+00:00", "UTC"),
]


@pytest.mark.parametrize(("typed", "name"), MEANT)
def test_typed_names_find_their_zone(typed: str, name: str) -> None:
    assert find_zone(typed) == name


NOWHERE = [" ", "/", "Atlantis", "UTC+15", "UTC-13", "UTC+2:75", "UTC+", "+", "Factory", "localtime", "Europe"]
NOWHERE += ["../etc/passwd", "/etc/localtime", "Europe/", "posix/Europe/Berlin", "x" * 4000]


@pytest.mark.parametrize("typed", ["", *NOWHERE, "Etc/GMT+2"])
def test_unknown_zones_are_refused(typed: str) -> None:
    with pytest.raises(BadTimeZone) as refused:
        find_zone(typed)
    assert refused.value.typed == typed
    assert len(refused.value.suggestions) <= MAX_SUGGESTIONS


@pytest.mark.parametrize("name", [*NOWHERE, "europe/berlin", "Berlin", "Europe/Berlin\0", "UTC\n", "UTC+2\n"])
def test_unknown_zone_names_are_refused(name: str) -> None:
    with pytest.raises(BadTimeZone):
        zone_of(name)


@pytest.mark.parametrize(
    ("typed", "suggestion"),
    [
        ("Berln", "Europe/Berlin"),
        ("Europe/Berln", "Europe/Berlin"),
        ("Newyork City", "America/New_York"),
        ("Tokio", "Asia/Tokyo"),
        ("Los Angelos", "America/Los_Angeles"),
        ("York", "America/New_York"),
        ("Istambul", "Asia/Istanbul"),
    ],
)
def test_similar_zones_are_suggested(typed: str, suggestion: str) -> None:
    with pytest.raises(BadTimeZone) as refused:
        find_zone(typed)
    assert suggestion in refused.value.suggestions


@given(st.text(max_size=60))
def test_any_text_is_a_known_zone_or_refused(typed: str) -> None:
    try:
        name = find_zone(typed)
    except BadTimeZone as refused:
        for suggestion in refused.suggestions:
            assert find_zone(suggestion) == suggestion
        return
    assert len(name) <= MAX_NAME_LENGTH
    assert zone_of(name) is not None
    assert find_zone(name) == name


def test_every_iana_name_is_kept() -> None:
    for name in available_timezones() - {"localtime", "Factory"}:
        assert zone_of(name).utcoffset(datetime(2026, 7, 1)) is not None  # noqa: DTZ001  # in each of the zones
        if "GMT" not in name:
            assert find_zone(name) == name
        assert len(name) <= MAX_NAME_LENGTH


def test_a_place_name_in_several_zones_means_one() -> None:
    places: dict[str, set[timedelta | None]] = {}
    for name in available_timezones():
        if name.count("/") and name.startswith(
            ("Africa", "America", "Asia", "Atlantic", "Europe", "Indian", "Pacific")
        ):
            now = datetime(2026, 7, 1, tzinfo=UTC).astimezone(ZoneInfo(name))
            places.setdefault(name.rpartition("/")[2], set()).add(now.utcoffset())
    assert not {place for place, offsets in places.items() if len(offsets) > 1}


@pytest.mark.parametrize(("name", "hours"), [("", 0), ("UTC", 0), ("UTC+05:30", 5.5), ("UTC-12:00", -12)])
def test_an_offset_from_utc_is_a_zone(name: str, hours: float) -> None:
    assert zone_of(name) == timezone(timedelta(hours=hours))
