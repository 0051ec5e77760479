"""Deleting and exporting a user: nothing identifies a deleted user, and the others lose nothing."""

import gzip
import json
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import JSON, Boolean, Column, LargeBinary, String, insert, select, update
from sqlalchemy import Table as Stored

from bot.engine import Options, parse_cards
from bot.engine.events import Dealt, Event, Passed, Substituted
from bot.engine.record import Line
from bot.engine.verification import verify
from bot.presentation.settings.privacy import export_message
from bot.presentation.text.i18n import words_in
from bot.services import privacy as services_privacy
from bot.services.deletions import Deletions
from bot.services.privacy import Privacy, own_moves
from bot.services.rerating import rate_again
from bot.services.results import rate_match
from bot.storage import matches, readable
from bot.storage import user_settings as people
from bot.storage.database import Database
from bot.storage.personal_data import UserSeat
from bot.storage.schema import matches as finished
from bot.storage.schema import members, metadata, ratings, scores, seats, substitutes, titles
from bot.table import absence, consent, lobby, play
from bot.table.model import Pace, Status, TableSettings, TimeoutPolicy
from bot.table.snapshot import Table
from tests import table_harness
from tests.not_none import not_none
from tests.table_harness import DI, EVE, ONE_HAND, TableHarness, requester
from tests.work_counters import selects

ADA, CY = (
    replace(person, user_id=person.user_id + 9_8765_4321_0000) for person in (table_harness.ADA, table_harness.CY)
)
BO = lobby.Person(10_2030_4050_6070, "Bodhisattva")
"""Users whose ids and names appear nowhere else in a database."""


@pytest.fixture
def harness(database: Database) -> TableHarness:
    """Table services with these users."""
    harness = TableHarness(database)
    harness.people = (ADA, BO, CY, DI)
    return harness


@pytest.fixture
def privacy(harness: TableHarness) -> Privacy:
    return Privacy(harness.database, harness.exports, harness.clock.milliseconds)


@pytest.fixture
def deletions(harness: TableHarness) -> Deletions:
    return Deletions(harness.database, harness.tables, harness.clock.milliseconds)


async def everything(database: Database) -> str:
    """The whole database as one text."""
    async with database.read() as connection:
        found = {
            table.name: [tuple(row) for row in await connection.execute(select(table))]
            for table in metadata.tables.values()
        }
    return repr(found)


async def exported(privacy: Privacy, person: lobby.Person) -> dict[str, Any]:
    """The export of a user, as they read it."""
    content = (await privacy.export(requester(person.user_id))).content(10 * 2**20)
    assert not content.is_packed
    found: dict[str, Any] = json.loads(content.data)
    return found


async def rows(database: Database, table: Stored, *without: str) -> list[tuple[Any, ...]]:
    columns = [column for column in table.c if column.name not in without]
    async with database.read() as connection:
        return [tuple(row) for row in await connection.execute(select(*columns).order_by(*columns))]


async def played(harness: TableHarness, number: int = 3, people: int = 3) -> list[Table]:
    return [await harness.play_to_end(await harness.match(people, 0)) for _ in range(number)]


async def test_no_trace_of_a_deleted_user_is_left(
    harness: TableHarness, privacy: Privacy, deletions: Deletions
) -> None:
    await played(harness)
    running = await harness.match(4, 0, Options(target=300), pace=Pace.LIVE, settings=TableSettings(TimeoutPolicy.AI))
    waiting = await harness.table(2, size=3)
    await harness.tables.act(waiting.id, play.change_lobby, lobby.invite, ADA.user_id, [BO.user_id, EVE.user_id])
    await privacy.hide(BO.user_id, hidden=True)
    before = await everything(harness.database)
    assert str(BO.user_id) in before
    assert BO.name in before

    await deletions.delete(BO.user_id)

    after = await everything(harness.database)
    assert str(BO.user_id) not in after
    assert BO.name not in after
    assert str(EVE.user_id) in after
    for number in (running.id, waiting.id):
        table = await harness.tables.get(number)
        assert table.seat_of(BO.user_id) is None
        assert BO.user_id not in (*table.row.invited, *table.row.awaited, table.row.host_id)


async def test_an_ai_takes_a_running_seat_for_good(harness: TableHarness, deletions: Deletions) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    await deletions.delete(BO.user_id)
    table = await harness.tables.get(table.id)
    (seat,) = (seat for seat in table.seats if seat.conceded)
    assert (seat.user_id, seat.name, seat.ai_level, seat.is_absent) == (None, "", "simple", False)
    assert any(told.id == table.id for told in harness.updates[-1:])
    table = await harness.play_to_end(table)
    assert table.row.status is Status.OVER
    lines = await harness.record(table.id)
    verify(lines)
    assert {line.user_id for line in await harness.standings()} == {ADA.user_id, CY.user_id}


async def test_a_match_without_other_people_is_abandoned(harness: TableHarness, deletions: Deletions) -> None:
    table = await harness.match(1, 2)
    await deletions.delete(ADA.user_id)
    table = await harness.tables.get(table.id)
    assert (table.row.status, table.row.ended, table.row.host_id) == (Status.CLOSED, "conceded", 0)
    ended, new_row = (told.row for told in harness.updates[-2:])
    assert (ended.seats[0].name, new_row.seats[0].name) == (ADA.name, "")
    assert new_row.revision > ended.revision  # so it's shown again


async def test_an_absent_owner_does_not_come_back_after_deletion(harness: TableHarness, deletions: Deletions) -> None:
    table = await harness.match(3, 0, ONE_HAND, Pace.LIVE, TableSettings(TimeoutPolicy.AI))
    table = await harness.run_due_action(await harness.run_due_action(table))
    away = not_none(next(seat.user_id for seat in table.seats if seat.is_absent))
    await deletions.delete(away)
    table = await harness.tables.get(table.id)
    assert table.seat_of(away) is None
    assert not any(seat.is_absent for seat in table.seats)


async def test_a_deleted_substitutes_names_are_removed_from_the_log(
    harness: TableHarness, deletions: Deletions
) -> None:
    table = await harness.match(3, 0, ONE_HAND, Pace.LIVE, TableSettings(TimeoutPolicy.ASK_WAIT))
    table = await harness.run_due_action(await harness.run_due_action(table))
    other = not_none(next(seat.player_id for number, seat in enumerate(table.seats) if number != table.turn))
    table = await harness.tables.act(table.id, absence.answer, other, table.moment, absence.call_substitute)
    owner = not_none(table.user_to_act)
    eve = lobby.Person(77_0000_1111_2222, "Evangelista")
    table = await harness.tables.act(table.id, absence.sit_in, eve, table.moment)
    table = await harness.act(table)
    table = await harness.tables.act(table.id, absence.come_back, owner)
    await harness.play_to_end(table)
    assert eve.name in await everything(harness.database)

    await deletions.delete(eve.user_id)

    after = await everything(harness.database)
    assert eve.name not in after
    assert str(eve.user_id) not in after
    lines = await harness.record(table.id)
    verify(lines)
    assert next(line.event.by for line in lines if isinstance(line.event, Substituted)) == ""


async def test_the_other_players_keep_their_scores(harness: TableHarness, deletions: Deletions) -> None:
    await played(harness)
    others = [row for row in await rows(harness.database, scores) if BO.user_id not in row]
    await deletions.delete(BO.user_id)
    assert await rows(harness.database, scores) == others


@pytest.mark.usefixtures("any_target")
async def test_ratings_are_recomputed_with_former_players_as_newcomers(
    harness: TableHarness, deletions: Deletions
) -> None:
    await played(harness, 4)
    before = await rows(harness.database, ratings)
    await rate_again(harness.database, 70)
    assert await rows(harness.database, ratings) == before  # exactly as match by match

    await deletions.delete(BO.user_id)

    after = await rows(harness.database, ratings)
    assert after != before
    found = await rows(harness.database, members)
    async with harness.database.write() as connection:
        await connection.execute(update(members).values(mu=None, sigma=None, rated=0))
        await connection.execute(ratings.delete())
        for number in list(await connection.scalars(select(finished.c.table_id).order_by(finished.c.nth))):
            await rate_match(connection, number)
    assert await rows(harness.database, ratings) == after
    assert await rows(harness.database, members) == found


async def test_a_deleted_user_who_plays_again_is_a_newcomer(harness: TableHarness, deletions: Deletions) -> None:
    await played(harness, 2)
    await deletions.delete(BO.user_id)
    await played(harness, 1)
    (line,) = (line for line in await harness.standings() if line.user_id == BO.user_id)
    assert line.matches == 1
    async with harness.database.read() as connection:
        assert len(list(await connection.scalars(select(seats.c.user_id).where(seats.c.user_id == BO.user_id)))) == 1


async def test_a_user_can_hide_and_show_themselves_again(harness: TableHarness, privacy: Privacy) -> None:
    await played(harness, 1)
    await privacy.hide(BO.user_id, hidden=True)
    assert await privacy.is_hidden(BO.user_id)
    assert BO.user_id not in {line.user_id for line in await harness.standings()}
    await privacy.hide(BO.user_id, hidden=False)
    assert BO.user_id in {line.user_id for line in await harness.standings()}


@pytest.mark.usefixtures("any_target")
async def test_an_export_has_all_data_of_the_user_and_no_data_of_others(
    harness: TableHarness, privacy: Privacy
) -> None:
    (over,) = await played(harness, 1)
    table = await harness.match(3, 0, Options(target=300))
    for _ in range(9):
        table = await harness.act(table)
    async with harness.database.write() as connection:
        await people.record_welcome(connection, BO.user_id)
    found = await exported(privacy, BO)
    assert found["user_id"] == BO.user_id
    assert [line["name"] for line in found["match_players"]] == [BO.name]
    assert len(found["hand_players"]) == len(found["ratings"]) == len(found["users"]) == len(found["members"]) == 1
    assert [place["table_id"] for place in found["seats"]] == [over.id, table.id]
    async with harness.database.read() as connection:
        lines = await matches.load_lines(connection, table.id)
    seat = not_none(table.seat_of(BO.user_id))
    dealt, *moves = found["seats"][1]["moves"]
    (deal,) = (line.event for line in lines if isinstance(line.event, Dealt))
    assert dealt["cards"] == [str(card) for card in deal.hands[seat]]
    assert moves
    assert all(move["seat"] == seat for move in moves)
    text = json.dumps(found)
    for other in (ADA, CY):
        assert str(other.user_id) not in text
        assert other.name not in text
    assert (await harness.seed(table)).hex() not in text


async def test_an_export_has_every_column_of_a_seat(harness: TableHarness, privacy: Privacy) -> None:
    table = await harness.match(3, 0, Options(target=300), pace=Pace.LIVE)
    async with harness.database.write() as connection:
        mine = (seats.c.table_id == table.id) & (seats.c.user_id == BO.user_id)
        await connection.execute(update(seats).where(mine).values(orders="always", ordered_at=1_700_000_000_000))
    (found,) = (await exported(privacy, BO))["seats"]
    assert found.keys() >= {column.name for column in seats.c} - {"user_id", "substitute_id", "substitute_name"}
    assert (found["orders"], found["ordered_at"]) == ("always", "2023-11-14T22:13:20+00:00")
    assert found["created_at"] == "2023-11-14T22:13:20+00:00"


NOT_OF_PEOPLE = {
    "application",
    "guild",
    "channel",
    "parent",
    "post_channel",
    "notice_channel",
    "message",
    "result",
    "gang",
    "notice",
    "thread",
    "table",
    "first_message",
}
"""The other ids in the database, by column."""


def test_exports_and_deletions_cover_all_columns_with_user_ids() -> None:
    names = {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.c
        if column.name.endswith("_id") and column.name.removesuffix("_id") not in {*NOT_OF_PEOPLE, "user"}
    }
    assert names == {"tables.host_id", "tables.closed_by_id", "titles.before_id", "seats.substitute_id"}


async def test_an_export_has_lists_and_lost_titles(harness: TableHarness, privacy: Privacy) -> None:
    table = await harness.table(2)
    await harness.tables.act(table.id, play.change_lobby, lobby.invite, ADA.user_id, [EVE.user_id])
    async with harness.database.write() as connection:
        row = {"guild_id": 1, "title": "gangs", "user_id": 1, "value": 1, "since": 5, "before_id": EVE.user_id}
        await connection.execute(insert(titles).values(**row, table_id=1))
    found = await exported(privacy, EVE)
    assert {name: tables for name, tables in found["listed"].items() if tables} == {
        "invited": [table.id],
        "awaited": [table.id],
    }
    assert found["lost_titles"] == [{"guild_id": 1, "title": "gangs", "since": "1970-01-01T00:00:05+00:00"}]


def test_a_substitutes_export_has_only_their_own_moves_and_cards() -> None:
    hands = tuple(parse_cards(f"{number}G") for number in (1, 2, 3))
    log: list[Event] = [
        Dealt(1, 1, hands, ()),
        Passed(1),
        Substituted(1, "Eve"),
        Passed(1),
        Passed(2),
        Dealt(2, -1, hands, ()),
        Substituted(1, "Bo"),
        Passed(1),
        Dealt(3, 1, hands, ()),
    ]
    lines = [Line(event) for event in log]
    eves = list(own_moves(lines, UserSeat(1, 1, is_owned=False, names=("Eve",))))
    assert eves == [{"t": "pass", "seat": 1}, {"t": "deal", "hand": 2, "cards": ["2G"]}]
    owners = list(own_moves(lines, UserSeat(1, 1, is_owned=True, names=("Bo",))))
    assert [move.get("hand") for move in owners] == [1, None, 2, None, 3]
    conceded = list(own_moves(lines, UserSeat(1, 1, is_owned=True, names=("Bo",), conceded=True)))
    assert [move.get("hand") for move in conceded] == [1, None, None, 3]


async def test_closed_tables_are_exported_and_deleted_with_the_user(
    harness: TableHarness, privacy: Privacy, deletions: Deletions
) -> None:
    table = await harness.match(people=3, ai_players=0)
    await harness.tables.act(table.id, consent.close, EVE.user_id, may_manage=True)
    assert (await exported(privacy, EVE))["closed"] == [table.id]
    await deletions.delete(EVE.user_id)
    harness.tables.cache.forget_all()
    assert (await harness.tables.get(table.id)).row.closed_by_id is None


NOT_EXPORTED = {
    "guilds": "settings of a guild",
    "events": "exported as the moves and cards of the user",
    "packed_logs": "exported as the moves and cards of the user",
    "deadlines": "when something happens at a table by itself",
    "seasons": "of a guild",
    "daily_deals": "a secret of a guild",
    "daily_marks": "a keyed hash, which cannot be found by the user id without the secret of the day",
    "served_shards": "when the app served",
    "published_commands": "the commands of the app",
    "matches.table_id": "the key, exported with the seat",
    "matches.guild_id": "exported with the seat, as the table's",
    "matches.channel_id": "exported with the seat, as the table's",
    "matches.edition": "exported with the seat, as the table's",
    "matches.nth": "a counter of the guild",
    "matches.par_due": "a mark of the app's own work",
    "seats.substitute_id": "another user",
    "seats.substitute_name": "another user",
    "tables.seed": "a secret until the match is over, and of the table",
    "tables.revision": "a counter of the table",
    **{f"tables.{name}": "a message of the app" for name in ("first_message_id", "message_id", "notice_id", "notice")},
    **{f"tables.{name}": "what of the table is on display" for name in ("notice_channel_id", "displayed_revision")},
    **{f"tables.{name}": "a message of the app" for name in ("result_id", "gang_id")},
    **{f"tables.{name}": "what of the table is on display" for name in ("announced_hand", "announced_gangs")},
    **{f"tables.{name}": "what of the table is on display" for name in ("announced_titles", "announced_duplicate")},
    "tables.invitations": "a counter of the table",
    **{f"tables.turn{name}": "the clock of the table" for name in ("", "_began", "_due", "_stage", "_remind")},
    **{
        f"tables.turn{name}": "the clock of the table"
        for name in ("_since", "_answers", "_paused", "_off", "_off_until", "_reminders")
    },
    **{f"tables.{name}": "the clock of the table" for name in ("last_turn", "paused_at", "nudged_at")},
    **{f"tables.{name}": "of the table" for name in ("rematch_of", "starts_itself", "duplicate_of", "deals_secret")},
    "tables.was_duplicate": "of the table",
    "tables.lowered_moves": "a counter of the table",
}
"""Tables and columns of the database that hold nothing about a user, or nothing that is not exported, and why."""


def _sample(column: Column[Any]) -> Any:  # noqa: ANN401  # a value of any column
    match column.type:
        case JSON():
            return []
        case Boolean():
            return True
        case LargeBinary():
            return b"x"
        case String():
            return "2026-11-22"[: column.type.length]
        case _:
            return BO.user_id if column.name == "user_id" else 1


async def _in_every_table(harness: TableHarness) -> list[Stored]:
    """Store a row about a user in each table of the database that has such rows. Returns the tables."""
    table = await harness.match(3, 0)
    about = [
        each for each in metadata.sorted_tables if "user_id" in each.c and each.name not in ("seats", "substitutes")
    ]
    async with harness.database.write() as connection:
        await connection.execute(insert(substitutes).values(table_id=table.id, seat=0, user_id=BO.user_id, name="Bob"))
        for each in about:
            row = {column.name: _sample(column) for column in each.c}
            await connection.execute(
                insert(each).values({**row, **({"table_id": table.id} if "table_id" in row else {})})
            )
    return about


async def test_a_row_of_every_table_is_deleted_with_its_user(harness: TableHarness, deletions: Deletions) -> None:
    assert "audit_log" in [each.name for each in await _in_every_table(harness)]
    assert await deletions.delete(BO.user_id)
    assert str(BO.user_id) not in await everything(harness.database)


async def test_every_column_about_a_user_is_exported_or_listed_with_a_reason(
    harness: TableHarness, privacy: Privacy
) -> None:
    """A new column must be exported, or be added to `NOT_EXPORTED`."""
    about = await _in_every_table(harness)
    found = await exported(privacy, BO)
    told = {f"{each.name}.{name}" for each in about for name in (*found[each.name][0], "user_id")}
    told |= {f"seats.{name}" for name in (*found["seats"][0], *found["seats"][1], "user_id")}
    told |= {f"tables.{name}" for name in (*found["seats"][0], *found["listed"], "id")}
    told |= {"tables.host_id", "tables.closed_by_id"} if {"hosted", "closed"} <= found.keys() else set()
    told |= {f"matches.{name}" for name in found["seats"][0]}
    told |= {"substitutes.table_id", "substitutes.seat", "substitutes.name", "substitutes.user_id"}
    every = {f"{each.name}.{column.name}" for each in metadata.sorted_tables for column in each.c}
    missing = {name for name in every - told if not {name, name.split(".")[0]} & NOT_EXPORTED.keys()}
    assert missing == set()
    assert any("Bob" in place["names"] for place in found["seats"])


def test_every_time_column_is_exported_as_a_time() -> None:
    timely = re.compile(r"(_at|_since|_until|_began|_due|_remind)$|^(at|since)$")
    days = {"away_until", "quiet_until"}  # dates, and minutes of the day
    not_seen = {"shared_since", "par_due", "served_at"}  # of processes, and no time
    names = {column.name for table in metadata.sorted_tables for column in table.c if timely.search(column.name)}
    assert names - days - not_seen - {"seen_at"} <= readable.TIMES.keys()


async def test_an_export_takes_as_many_statements_for_many_matches_as_for_few(
    harness: TableHarness, privacy: Privacy
) -> None:
    await played(harness, 1)
    with selects() as few:
        await privacy.export(requester(BO.user_id))
    await played(harness, 5)
    with selects() as many:
        file = await privacy.export(requester(BO.user_id))
    assert len(many) == len(few)
    assert len(json.loads(file.content(10**7).data)["seats"]) == 6


async def test_an_export_reads_seats_in_batches(
    harness: TableHarness, privacy: Privacy, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(harness, 5)
    with selects() as one_batch:
        await privacy.export(requester(BO.user_id))
    monkeypatch.setattr(services_privacy, "SEATS_AT_ONCE", 2)
    with selects() as three_batches:
        await privacy.export(requester(BO.user_id))
    assert len(three_batches) == len(one_batch) + 2 * 4


async def test_an_export_that_is_too_large_is_packed(harness: TableHarness, privacy: Privacy) -> None:
    await played(harness, 1)
    plain = (await privacy.export(requester(BO.user_id))).content(10**7)
    packed = (await privacy.export(requester(BO.user_id))).content(len(plain.data) - 1)
    assert (plain.is_packed, packed.is_packed) == (False, True)
    assert gzip.decompress(packed.data) == plain.data
    (file,) = export_message(packed, words_in("en")).files()
    assert file.filename == "gang-of-four.json.gz"
    times = [move["at"] for move in json.loads(plain.data)["seats"][0]["moves"]]
    assert all(datetime.fromisoformat(at).tzinfo for at in times)
