"""Replays and checks of finished matches, and imported records."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from bot.analysis import fairness
from bot.analysis.history import HistoryFilter
from bot.analysis.replay import ReplayedMatch, public_part
from bot.engine import Options, replay
from bot.engine.events import Dealt, HandEnded, MatchEnded, MatchStarted, Substituted, Undone
from bot.engine.record import BadRecord, Line, read, write
from bot.engine.verification import verify
from bot.services import history
from bot.services.history import MAX_RECORD_BYTES, History, NameTooLong
from bot.table import consent, play
from bot.table.model import Status, TableSettings, TakingBack
from bot.table.refusals import HasNotStarted, ImportExpired, MatchNotOver, RecordTooLong
from tests.not_none import not_none
from tests.table_harness import (
    ADA,
    BO,
    CHANNEL,
    EVE,
    GUILD,
    PEOPLE,
    TableHarness,
    player_to_act,
    requester,
)

RECORDS = sorted((Path(__file__).parents[1] / "engine" / "records").glob("*.jsonl"))
LONG = next(path for path in RECORDS if path.stem == "days-of-wonder-4")
DAY = 24 * 3600 * 1000


def record(path: Path) -> ReplayedMatch:
    return ReplayedMatch.of(12, tuple(read(path.read_text(encoding="utf-8"))))


def history_of(harness: TableHarness) -> History:
    return History(harness.database, harness.background, harness.clock.milliseconds)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_moment_agrees_with_the_engine(path: Path) -> None:
    match = record(path)
    moments = list(match.moments())
    assert [moment.number for moment in moments] == list(range(len(match.stops)))
    for moment, stop in zip(moments, match.stops, strict=True):
        state = replay(match.events[:stop])
        assert moment == match.at(moment.number)
        assert (moment.event, moment.hands, moment.hand) == (match.events[stop - 1], state.hands, state.hand_number)
        assert moment.table.state == state
    assert match.at(-5) == moments[0]
    assert match.at(10**9) == moments[-1]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_hands_begin_at_their_deals(path: Path) -> None:
    match = record(path)
    assert list(match.first_moments()) == [event.hand for event in match.events if isinstance(event, Dealt)]
    for hand, number in match.first_moments().items():
        moment = match.at(number)
        assert moment.hand == hand
        assert sum(map(len, moment.hands)) == 16 * len(moment.hands)
        assert number == 0 or match.at(number - 1).hand == hand - 1


async def test_seats_have_their_players_of_the_time(harness: TableHarness) -> None:
    table = await harness.match(2, 1)
    table = await harness.tables.act(table.id, play.concede, BO.user_id)
    await harness.play_to_end(table)
    completed = await harness.archive.match(table.id, requester(ADA.user_id))
    first, last = completed.at(0).table.seats, completed.at(10**9).table.seats
    assert [(seat.name, seat.user_id is None, seat.ai_level) for seat in first] == [
        ("Ada", False, None),
        ("Bo", False, None),
        ("Jade", True, "simple"),
    ]
    assert last[1].ai_level == "simple"
    assert not any(isinstance(moment.event, MatchStarted | Substituted) for moment in completed.moments())


async def test_a_play_that_was_taken_back_is_shown_and_removed(harness: TableHarness) -> None:
    table = await harness.match(3, 0, settings=TableSettings(undo=TakingBack.ON))
    person = player_to_act(table)
    table = await harness.act(table)
    await harness.tables.act(table.id, consent.undo, person, table.moment)
    await harness.play_to_end(await harness.tables.get(table.id))
    match = await harness.archive.match(table.id, requester(ADA.user_id))
    (undone,) = [moment for moment in match.moments() if isinstance(moment.event, Undone)]
    assert undone.hands == match.at(undone.number - 2).hands


async def test_only_finished_hands_of_a_running_match_are_shown(harness: TableHarness) -> None:
    lobby = await harness.table(1, 2)
    with pytest.raises(HasNotStarted):
        await harness.archive.match(lobby.id, requester(ADA.user_id))
    table = await harness.match(3, 0, Options(target=1000))
    with pytest.raises(MatchNotOver):
        await harness.archive.match(table.id, requester(ADA.user_id))
    while table.state is not None and table.state.hand_number < 3:
        table = await harness.act(table)
    match = await harness.archive.match(table.id, requester(ADA.user_id))
    assert not match.is_over
    assert match.revealed_seed == ""
    assert list(match.first_moments()) == [1, 2]
    assert isinstance(match.events[-1], HandEnded)
    with pytest.raises(BadRecord):
        fairness.check(match.lines)


def test_a_log_without_a_finished_hand_has_no_public_part() -> None:
    lines = record(LONG).lines
    first = next(number for number, line in enumerate(lines) if isinstance(line.event, HandEnded))
    assert public_part(lines[:first]) == ()
    assert public_part(lines[: first + 2]) == lines[: first + 1]
    assert public_part(lines) == lines
    assert public_part(()) == ()


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_fair_deals_are_confirmed(path: Path) -> None:
    match = record(path)
    checked = fairness.check(match.lines)
    assert checked.is_fair
    assert [again.hand for again in checked.deals] == list(match.first_moments())
    assert (checked.revealed_seed, checked.commitment, checked.salt) == (
        match.revealed_seed,
        match.started.commitment,
        match.started.salt,
    )


def test_a_deal_that_lacks_a_played_card_is_reported() -> None:
    """The log of a match may have been changed in the database."""
    match = record(RECORDS[-1])
    where, dealt = next(
        (number, line.event) for number, line in enumerate(match.lines) if isinstance(line.event, Dealt)
    )
    lines = list(match.lines)
    lines[where] = Line(Dealt(dealt.hand, dealt.direction, dealt.hands[::-1], dealt.dummy, dealt.cut, dealt.first))
    checked = fairness.check(lines)
    assert not checked.is_fair
    assert not_none(checked.fault).line == where + 1
    assert not checked.deals[0].agrees
    assert all(again.agrees for again in checked.deals[1:])


def test_hands_are_checked_by_their_order_in_the_log() -> None:
    match = record(RECORDS[-1])
    renumbered = [
        Line(replace(line.event, hand=line.event.hand + 1)) if isinstance(line.event, Dealt) else line
        for line in match.lines
    ]
    assert not any(again.agrees for again in fairness.check(renumbered).deals)


@pytest.mark.parametrize("seed", ["00" * 32, "not hex"])
def test_a_seed_that_does_not_match_the_commitment_is_reported(seed: str) -> None:
    match = record(RECORDS[-1])
    last = match.events[-1]
    assert isinstance(last, MatchEnded)
    checked = fairness.check([*match.lines[:-1], Line(MatchEnded(last.ranking, seed))])
    assert not checked.seed_matches
    assert checked.fault is not None
    assert not checked.is_fair
    assert not any(again.agrees for again in checked.deals)


async def test_lists_are_filtered_and_the_newest_first(harness: TableHarness) -> None:
    numbers = [(await harness.play_to_end(await harness.match(people, 4 - people))).id for people in (1, 2, 3)]
    await harness.match(2, 2)
    history = history_of(harness)

    async def listed(whose: HistoryFilter) -> list[int]:
        found, more = await history.page(whose, 0)
        assert not more
        return [match.number for match in found]

    assert await listed(HistoryFilter(GUILD)) == numbers[::-1]
    assert await listed(HistoryFilter(GUILD, user_id=ADA.user_id)) == numbers[::-1]
    assert await listed(HistoryFilter(GUILD, user_id=BO.user_id)) == numbers[:0:-1]
    assert await listed(HistoryFilter(GUILD, user_id=EVE.user_id)) == []
    assert await listed(HistoryFilter(GUILD, channels=[CHANNEL])) == numbers[::-1]
    assert await listed(HistoryFilter(GUILD, channels=[CHANNEL + 1])) == []
    assert await listed(HistoryFilter(GUILD + 1, user_id=ADA.user_id)) == []
    (newest, *_), _ = await history.page(HistoryFilter(GUILD), 0)
    table = await harness.tables.get(newest.number)
    assert table.row.status is Status.OVER
    seen = not_none(table.public)
    assert sorted(player.total for player in newest.players) == sorted(seen.totals)
    assert [player.place for player in newest.players] == sorted(player.place for player in newest.players)
    assert sum(player.is_ai for player in newest.players) == 1


async def test_a_list_has_pages(harness: TableHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "PAGE_SIZE", 2)
    numbers = [(await harness.play_to_end(await harness.match(1, 2))).id for _ in range(3)]
    matches = history_of(harness)
    first, more = await matches.page(HistoryFilter(GUILD), 0)
    second, no_more = await matches.page(HistoryFilter(GUILD), 1)
    assert (more, no_more) == (True, False)
    assert [match.number for match in (*first, *second)] == numbers[::-1]


async def test_an_imported_record_is_kept_for_its_user_for_a_while(harness: TableHarness) -> None:
    history = history_of(harness)
    content = RECORDS[0].read_bytes()
    match = await history.import_record(requester(ADA.user_id), b"\xef\xbb\xbf" + content)
    assert len(match.lines) == content.count(b"\n")
    verify(match.lines)
    assert await history.get_import(requester(ADA.user_id), match.number) == match
    with pytest.raises(ImportExpired):
        await history.get_import(requester(BO.user_id), match.number)
    again = await history.import_record(requester(ADA.user_id), RECORDS[1].read_bytes())
    assert again.number != match.number
    with pytest.raises(ImportExpired):
        await history.get_import(requester(ADA.user_id), match.number)
    harness.clock.now += 8 * DAY
    await history.import_record(requester(BO.user_id), content)
    with pytest.raises(ImportExpired):
        await history.get_import(requester(ADA.user_id), again.number)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", 1),
        (b"hello", 1),
        (RECORDS[0].read_bytes().replace(b'"hand": 1', b'"hand": 2', 1), 2),
        (RECORDS[0].read_bytes()[:-30], RECORDS[0].read_bytes().count(b"\n")),
        (b"\n\xff\xfe", 2),
    ],
    ids=["empty", "no JSON", "another hand", "cut off", "no text"],
)
async def test_a_broken_record_is_refused_with_the_wrong_line(harness: TableHarness, content: bytes, line: int) -> None:
    with pytest.raises(BadRecord) as refusal:
        await history_of(harness).import_record(requester(ADA.user_id), content)
    assert refusal.value.line == line


def with_names(lines: Sequence[Line], *names: str) -> list[Line]:
    """A record with other names at its first seats."""
    match = cast("MatchStarted", lines[0].event)
    return [replace(lines[0], event=replace(match, seats=(*names, *match.seats[len(names) :]))), *lines[1:]]


@pytest.mark.parametrize(("name", "substitute", "line"), [("x" * 2000, "Bo", 1), ("Ada", "x" * 101, 2)])
async def test_a_record_with_a_long_name_is_refused_with_its_line(
    harness: TableHarness, name: str, substitute: str, line: int
) -> None:
    first, *others = with_names(read(RECORDS[0].read_text()), name)
    content = write([first, Line(Substituted(1, substitute)), *others])
    with pytest.raises(NameTooLong) as refusal:
        await history_of(harness).import_record(requester(ADA.user_id), content.encode())
    assert refusal.value.line == line


async def test_other_names_of_a_record_are_kept_unchanged(harness: TableHarness) -> None:
    text = write(with_names(read(RECORDS[0].read_text()), "🤖 Jade\u202e", "x" * 100))
    match = await history_of(harness).import_record(requester(ADA.user_id), text.encode())
    assert write(match.lines) == text


async def test_a_file_that_is_too_long_is_not_read(harness: TableHarness) -> None:
    with pytest.raises(RecordTooLong):
        await history_of(harness).import_record(requester(PEOPLE[0].user_id), b" " * (MAX_RECORD_BYTES + 1))
