"""User settings: within Discord's limits, readable, and the parsing of typed values."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.engine import parse_cards
from bot.presentation.settings.user_settings import (
    FORMS,
    NOTIFICATION_NAMES,
    QUIET_HOURS,
    parse_day,
    parse_time,
    time_text,
    user_settings_form,
    user_settings_message,
)
from bot.presentation.table.lists import pending_message
from bot.presentation.text.i18n import Words, words_in
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import Press, UserForm, Verb
from bot.presentation.ui.forms import field, form
from bot.services.open_tables import Listed
from bot.services.user_settings import require_quiet_hours
from bot.table.model import ClockStage, Status, TurnClock
from bot.table.refusals import BadDate, BadTime
from bot.table.snapshot import Table
from bot.table.user import NotificationMode, UserSettings
from tests.presentation.catalogs import languages
from tests.presentation.sample_tables import SNOWFLAKE, WIDE, WORDS, dealt_table, people, row
from tests.presentation.sent_messages import MAX_TEXT_LENGTH, check, check_form, components, pressable, text_of, width

NOW = datetime.combine(date(2026, 12, 30), time(21, 14))
FULL = UserSettings(
    NotificationMode.DIRECT, "America/Argentina/ComodRivadavia", (1320, 480), (date(2026, 12, 24), date(2027, 1, 2))
)
SUGGESTIONS = tuple(f"America/Argentina/ComodRivadavia{number}" for number in range(5))
LANGUAGES = [words_in(language) for language in languages()]


def chosen(view: Layout, verb: str) -> str:
    """The selected value of a menu."""
    menu = next(found for custom_id, found in pressable(view).items() if Press.parse(custom_id).verb == verb)
    label: str = next(option["label"] for option in menu["options"] if option.get("default"))
    return label


@pytest.mark.parametrize("words", LANGUAGES, ids=lambda words: words.language)
@pytest.mark.parametrize("settings", [UserSettings(), FULL, UserSettings(NotificationMode.NEVER, quiet=(1, 2))])
@pytest.mark.parametrize("suggestions", [(), SUGGESTIONS])
def test_the_panel_fits(settings: UserSettings, suggestions: tuple[str, ...], words: Words) -> None:
    check(user_settings_message(settings, NOW, words, "A note. " * 60, suggestions))


def test_the_panel_describes_the_settings() -> None:
    text = text_of(user_settings_message(FULL, NOW, WORDS, "A note."))
    for part in (
        "My turn: send me a direct message",
        "**America/Argentina/ComodRivadavia**, where it is Wednesday, 21:14",
        "Quiet hours: from 22:00 to 08:00",
        "Holidays: from December 24, 2026 to January 2, 2027",
        "A note.",
    ):
        assert part in text


def test_the_panel_names_missing_settings() -> None:
    text = text_of(user_settings_message(UserSettings(), NOW, WORDS))
    for part in ("My turn: mention me when I'm away", "**UTC**", "No quiet hours", "No holidays"):
        assert part in text


def labels(view: Layout) -> list[str]:
    return [component["label"] for component in components(view) if "label" in component and "style" in component]


@pytest.mark.parametrize(("ago", "shown"), [(0, True), (1, False), (-30, True)])
def test_holidays_are_shown_until_they_are_over(ago: int, shown: bool) -> None:
    last = NOW.date() - timedelta(ago)
    view = user_settings_message(UserSettings(away=(last - timedelta(2), last)), NOW, WORDS)
    assert ("Holidays: from" in text_of(view)) is shown
    assert ("No holidays" in labels(view)) is shown


@pytest.mark.parametrize("notifications", NotificationMode)
def test_the_menu_shows_the_chosen_notifications(notifications: NotificationMode) -> None:
    assert (
        chosen(user_settings_message(UserSettings(notifications), NOW, WORDS), "notifications")
        == NOTIFICATION_NAMES[notifications]
    )


@pytest.mark.parametrize(
    ("quiet", "label"),
    [
        (None, "No quiet hours"),
        ((1320, 480), "Quiet hours: from 22:00 to 08:00"),
        ((1, 1439), "Quiet hours: from 00:01 to 23:59"),
    ],
)
def test_the_menu_shows_any_quiet_hours(quiet: tuple[int, int] | None, label: str) -> None:
    assert chosen(user_settings_message(UserSettings(quiet=quiet), NOW, WORDS), "quiet") == label


def test_all_hours_to_choose_from_are_allowed() -> None:
    for start, end in QUIET_HOURS:
        require_quiet_hours(start * 60, end * 60)


def test_similar_zones_are_offered() -> None:
    view = user_settings_message(UserSettings(), NOW, WORDS, suggestions=["Europe/Berlin", "Europe/Rome"])
    menu = next(found for custom_id, found in pressable(view).items() if Press.parse(custom_id).verb == "zone")
    assert [option["value"] for option in menu["options"]] == ["Europe/Berlin", "Europe/Rome"]


@pytest.mark.parametrize("words", LANGUAGES, ids=lambda words: words.language)
@pytest.mark.parametrize("settings", [UserSettings(), FULL])
@pytest.mark.parametrize("name", FORMS)
def test_forms_fit_and_hold_the_settings(name: UserForm, settings: UserSettings, words: Words) -> None:
    form = user_settings_form(name, settings, SNOWFLAKE, words)
    check_form(form)
    modal = form.to_dict()
    assert Press.parse(modal["custom_id"]) == Press(Verb.FORM_SENT, 0, 0, (name, str(SNOWFLAKE)))
    for part in modal["components"]:
        line = part["component"]
        assert line["placeholder"]
        assert len(line.get("value") or "") <= line["max_length"]
        assert bool(line.get("value")) == (settings is FULL)


def test_the_text_in_a_form_is_read_as_the_setting_it_shows() -> None:
    for name, read in ((UserForm.QUIET_HOURS, parse_time), (UserForm.HOLIDAYS, partial(parse_day, language="en"))):
        modal = user_settings_form(name, FULL, 1, WORDS).to_dict()
        typed = tuple(read(part["component"]["value"]) for part in modal["components"])
        assert typed == getattr(FULL, name)


async def test_a_form_is_forgotten_as_soon_as_it_is_sent() -> None:
    assert form(Press(Verb.FORM_SENT, 0), "Title", field("name", "Label", "Example")).is_finished()


@given(st.integers(0, 1439))
def test_a_time_is_read_as_it_is_written(minute: int) -> None:
    assert parse_time(time_text(minute)) == minute


@pytest.mark.parametrize(
    ("typed", "time_of_day"),
    [
        ("22", "22:00"),
        ("7", "07:00"),
        ("7:30", "07:30"),
        (" 07.30 ", "07:30"),
        ("730", "07:30"),
        ("2230", "22:30"),
        ("22h30", "22:30"),
        ("22 h", "22:00"),
        ("22 Uhr", "22:00"),
        ("10pm", "22:00"),
        ("10:30 P.M.", "22:30"),
        ("12 am", "00:00"),
        ("12 pm", "12:00"),
        ("0", "00:00"),
        ("24:00", "00:00"),
        ("٢٢:٣٠", "22:30"),
    ],
)
def test_times_are_read_as_people_type_them(typed: str, time_of_day: str) -> None:
    assert time_text(parse_time(typed)) == time_of_day


@pytest.mark.parametrize(
    "typed", ["", " ", "25", "24:01", "22:60", "13pm", "0 am", "noon", "22:3", "-1", "1:2:3", "9999", "²", "1" * 4000]
)
def test_invalid_times_are_refused(typed: str) -> None:
    with pytest.raises(BadTime) as refused:
        parse_time(typed)
    assert refused.value.typed == typed


@pytest.mark.parametrize("typed", ["2026-12-24", " 2026-12-24 ", "24.12.2026", "24. 12. 2026"])
def test_days_are_read_as_people_type_them(typed: str) -> None:
    assert parse_day(typed, "en") == parse_day(typed, "fr") == parse_day("24/12/2026", "fr") == date(2026, 12, 24)


@given(st.dates())
def test_a_day_is_read_as_it_is_written(value: date) -> None:
    assert parse_day(str(value), "en") == value


@pytest.mark.parametrize(
    "typed", ["", "tomorrow", "12/24/2026", "24/12/2026", "2026-02-30", "0000-01-01", "24.12.", "24.12.26", "1" * 4000]
)
def test_invalid_days_are_refused(typed: str) -> None:
    with pytest.raises(BadDate) as refused:
        parse_day(typed, "en")
    assert refused.value.typed == typed


@pytest.mark.parametrize("number", [0, 1, 5, 60])
def test_a_list_of_turns_fits_and_begins_with_the_first(number: int) -> None:
    tables = [Table(row(people(*WIDE[:3]), number=2**31 - 1 - index)) for index in range(number)]
    text = text_of(pending_message([Listed(table, SNOWFLAKE) for table in tables], 101, WORDS, lambda _: False))
    assert 0 < width(text) <= MAX_TEXT_LENGTH
    if number:
        assert f"Table {tables[0].id}]" in text.splitlines()[1]


def test_each_turn_shows_the_pending_action_and_its_deadline() -> None:
    lobby = Table(row(people("Ada", "Bo", "Cy"), Status.LOBBY, number=1))
    match = dealt_table(*map(parse_cards, ("1M", "2G", "2Y")))
    match = replace(match, row=replace(match.row, clock=TurnClock(0, 4_000_000_000_000)))
    lines = text_of(pending_message([Listed(lobby), Listed(match, 77)], 101, WORDS, lambda _: False)).splitlines()
    assert lines[0] == "**2 tables are waiting for you**"
    assert lines[1].startswith("- Table 1 in <#")
    assert lines[1].endswith("all seats are taken, and you can start")
    assert f"(https://discord.com/channels/{SNOWFLAKE}/{SNOWFLAKE}/77)" in lines[2]
    assert lines[2].endswith("**it is your turn**, deadline <t:4000000000:R>")


def test_each_other_pending_item_has_a_line() -> None:
    match = dealt_table(*map(parse_cards, ("1M", "2G", "2Y")))
    seats = (match.seats[0], replace(match.seats[1], ai_level="simple"), match.seats[2])
    clock = TurnClock(0, 1000, ClockStage.ASKED)
    match = replace(match, row=replace(match.row, seats=seats, clock=clock, pausing=(101,), ending=(101,)))
    again = Table(replace(row(people("Ada"), number=2), rematch_of=9, starts_itself=True, awaited=(102, 103)))
    other = Table(replace(row(people("Ada"), number=3), awaited=(102,)))

    def lines(user_id: int) -> list[str]:
        text = text_of(
            pending_message([Listed(table) for table in (match, again, other)], user_id, WORDS, lambda _: False)
        )
        return [line.partition(">: ")[2] for line in text.splitlines()[1:]]

    assert lines(103) == [
        "Ada is late; you can say how to go on",
        "Ada would like a pause; to agree, open **More** in `/gang hand`",
        "Ada would like to end the match; to agree, open **More** in `/gang hand`",
        "the rematch starts when you have joined",
    ]
    assert lines(102) == [
        "a substitute plays for you; `/gang hand` has a button to take your seat back",
        "the rematch starts when you have joined",
        "you are invited",
    ]


def test_without_pending_items_the_list_says_so() -> None:
    assert text_of(pending_message([], 101, WORDS, lambda _: False)).startswith("Nothing is waiting for you.")
