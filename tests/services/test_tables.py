"""Matches in the services: start, play, concede, close and end."""

import asyncio
from dataclasses import replace
from hashlib import sha256

import pytest
from sqlalchemy import delete, func, insert, select

from bot.engine import Options
from bot.engine.errors import AlreadyDeclared, NotYourTurn, OutOfThisHand
from bot.engine.events import Abandoned, Declared, Forgot, MatchStarted, Substituted
from bot.engine.verification import verify
from bot.presentation.table.lobby_options import set_option
from bot.services.guild_settings import Guilds
from bot.storage.database import Database
from bot.storage.schema import match_players, matches
from bot.table import absence, consent, lobby, play
from bot.table.errors import StorageError
from bot.table.guild import Celebrations, GuildSettings
from bot.table.model import Pace, Status
from bot.table.refusals import (
    AlreadySeated,
    HasConceded,
    HasNotStarted,
    HasStarted,
    HostOnly,
    NoSuchTable,
    NotLastPlace,
    NotSeated,
    OutdatedAction,
    SeatsAreEmpty,
    TableIsClosed,
)
from bot.table.snapshot import Table
from tests.not_none import not_none
from tests.table_harness import (
    ADA,
    BO,
    CHANNEL,
    CY,
    EVE,
    GUILD,
    ONE_HAND,
    OPENER,
    PEOPLE,
    START,
    TableHarness,
    choice,
    player_to_act,
    requester,
)
from tests.work_counters import statements

HOST = ADA.user_id


async def finished_matches(harness: TableHarness) -> int:
    async with harness.database.read() as connection:
        return (await connection.execute(select(func.count()).select_from(matches))).scalar_one()


def first_event(table: Table) -> MatchStarted:
    return not_none(table.state).match


async def test_the_eldest_deals_first(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=1)
    match = first_event(table)
    assert match.dealer == 1  # Bo's account is the oldest of the three
    assert match.seats == ("Ada", "Bo", "Cy", "Jade")
    assert (match.edition, match.options) == ("days-of-wonder", table.row.options)
    assert table.row.status is Status.PLAYING


async def test_ai_players_are_in_the_record_from_the_start(harness: TableHarness) -> None:
    await harness.match(people=2, ai_players=2)
    events = await harness.latest_events()
    assert events[1:3] == (Substituted(2, "ai:simple"), Substituted(3, "ai:simple"))


@pytest.mark.parametrize(
    ("people", "ai_players", "options"),
    [
        (4, 0, Options(target=5)),
        (3, 0, Options(target=5)),
        (1, 3, Options(target=20, last_card="automatic")),
        (2, 1, Options.of("dargaud-1996", {"target": 10})),
        (1, 2, Options.of("summary-sheet", {"target": 10, "deal": "chinese"})),
    ],
    ids=str,
)
async def test_a_match_is_played_to_its_end_and_its_record_verifies(
    harness: TableHarness, people: int, ai_players: int, options: Options
) -> None:
    table = await harness.play_to_end(await harness.match(people, ai_players, options))
    assert table.row.status is Status.OVER
    lines = await harness.record(table.id)
    assert verify(lines) == table.state
    assert len(lines) == table.length
    assert {line.at for line in lines} == {START // 1000}
    assert (await harness.seed(table)).hex() in repr(lines[-1].event)


async def test_the_match_is_committed_to_the_seed_of_its_table(harness: TableHarness) -> None:
    opened, played = await harness.table(people=1), await harness.match(people=3, ai_players=0)
    seeds = [await harness.seed(table) for table in (opened, played)]
    assert seeds[0] != seeds[1]
    assert [opened.row.commitment, first_event(played).commitment] == [sha256(seed).hexdigest() for seed in seeds]


async def test_nobody_but_the_rules_gets_the_seed(harness: TableHarness) -> None:
    opened = await harness.table(people=3)
    started = await harness.tables.start(opened.id, opened.row.host_id)
    over = await harness.play_to_end(started)
    with_ai = await harness.match(people=1, ai_players=3)
    harness.tables.cache.forget_all()
    seen = [opened, started, over, with_ai, await harness.tables.get(over.id), *harness.updates]
    assert {table.row.seed for table in seen} == {b""}


async def test_a_finished_match_counts_on_the_leaderboard_at_once(harness: TableHarness) -> None:
    table = await harness.play_to_end(await harness.match(people=3, ai_players=0))
    assert table.state is not None
    standings = await harness.standings()
    assert {line.name: line.points for line in standings} == dict(
        zip(("Ada", "Bo", "Cy"), table.state.totals, strict=True)
    )
    winners = {table.seats[seat].name for seat in not_none(table.state.ranking)[0]}
    assert {line.name for line in standings if line.wins} == winners
    assert await harness.standings(GUILD + 1) == []


async def test_the_last_move_and_the_score_are_stored_together_or_not_at_all(
    harness: TableHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.tables.LOOK_AGAIN_AFTER", ())
    table = await harness.match(people=3, ai_players=0)
    async with harness.database.write() as connection:
        taken = dict.fromkeys((column.name for column in matches.c), 0)
        await connection.execute(insert(matches).values(taken | {"table_id": table.id, "edition": ""}))
    with pytest.raises(StorageError):
        await harness.play_to_end(table)
    told, stands = len(harness.updates), await harness.tables.get(table.id)
    assert stands == harness.updates[-1]
    assert stands.row.status is Status.PLAYING
    async with harness.database.write() as connection:
        assert (await connection.execute(select(match_players))).all() == []
        await connection.execute(delete(matches))
    over = await harness.act(stands)
    assert over.row.status is Status.OVER
    assert len(harness.updates) == told + 1
    assert await finished_matches(harness) == 1


async def test_only_the_host_starts_and_only_with_all_seats_taken(harness: TableHarness) -> None:
    table = await harness.table(people=2, size=3)
    with pytest.raises(SeatsAreEmpty):
        await harness.tables.act(table.id, play.start, HOST)
    await harness.tables.act(table.id, play.join, CY)
    with pytest.raises(HostOnly):
        await harness.tables.act(table.id, play.start, BO.user_id)
    await harness.tables.act(table.id, play.start, HOST)
    with pytest.raises(HasStarted):
        await harness.tables.act(table.id, play.start, HOST)


async def test_no_player_can_move_in_the_lobby(harness: TableHarness) -> None:
    table = await harness.table(people=3)
    with pytest.raises(HasNotStarted):
        await harness.tables.act(table.id, play.pass_turn, HOST, table.moment)
    with pytest.raises(HasNotStarted):
        await harness.tables.act(table.id, play.concede, HOST)


async def test_users_without_a_seat_cannot_move(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    with pytest.raises(NotSeated):
        await harness.tables.act(table.id, play.pass_turn, EVE.user_id, table.moment)
    with pytest.raises(NotSeated):
        table.view_of(EVE.user_id)


async def test_a_table_that_does_not_exist_is_refused(harness: TableHarness) -> None:
    for ask in (
        harness.tables.get(99),
        harness.tables.act(99, play.start, HOST),
        harness.archive.match(99, requester(ADA.user_id)),
    ):
        with pytest.raises(NoSuchTable):
            await ask


async def test_a_move_out_of_turn_names_the_player_to_act(harness: TableHarness) -> None:
    table = await harness.match(people=4, ai_players=0)
    assert table.turn is not None
    other = not_none(table.seats[(table.turn + 1) % 4].player_id)
    with pytest.raises(NotYourTurn) as caught:
        await harness.tables.act(table.id, play.pass_turn, other, table.moment)
    assert caught.value.turn == table.turn
    assert harness.updates[-1] == table


async def test_a_press_from_an_earlier_turn_is_refused(harness: TableHarness) -> None:
    before = await harness.match(people=3, ai_players=0)
    after = await harness.act(before)
    while after.turn != before.turn:
        after = await harness.act(after)
    assert after.moment > before.moment
    with pytest.raises(OutdatedAction):
        await harness.do(before, choice(before))
    assert await harness.tables.get(after.id) == after


async def test_another_players_declaration_does_not_outdate_a_press(harness: TableHarness) -> None:
    table, owing = await harness.play_until_last_card_is_forgotten(await harness.match(people=3, ai_players=0))
    drawn = table
    declared = await harness.tables.act(table.id, play.declare, owing)
    assert isinstance((await harness.latest_events())[0], Declared)
    assert declared.moment == drawn.moment
    assert declared.length == drawn.length + 1
    bound = choice(declared)  # a block may apply now, so the move is chosen again; the press is the old one
    assert (await harness.do(drawn, bound)).moment > drawn.moment
    with pytest.raises(AlreadyDeclared):
        await harness.tables.act(table.id, play.declare, owing)


async def test_an_undeclared_last_card_counts_as_forgotten_with_the_next_move(harness: TableHarness) -> None:
    table, owing = await harness.play_until_last_card_is_forgotten(await harness.match(people=3, ai_players=0))
    table = await harness.act(table)
    assert Forgot(table.seat_of(owing) or 0) in await harness.latest_events()
    with pytest.raises(OutOfThisHand):
        await harness.tables.act(table.id, play.declare, owing)


async def test_an_ai_player_plays_a_conceded_seat_to_the_end(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0)
    conceded = await harness.tables.act(table.id, play.concede, BO.user_id)
    assert conceded.moment == table.moment
    assert await harness.latest_events() == (Substituted(1, "ai:simple"),)
    assert conceded.seats[1].user_id == BO.user_id
    assert conceded.seats[1].player_id is None
    assert (conceded.view_of(BO.user_id).hand, conceded.view_of(BO.user_id).plays()) == ((), ())
    assert conceded.view_of(ADA.user_id).hand
    for ask in (
        harness.tables.act(table.id, play.concede, BO.user_id),
        harness.tables.act(table.id, play.pass_turn, BO.user_id, table.moment),
    ):
        with pytest.raises(HasConceded):
            await ask
    over = await harness.play_to_end(conceded)
    assert over.row.status is Status.OVER
    standings = await harness.standings()
    assert {line.name: line.matches for line in standings} == {"Ada": 1, "Bo": 1, "Cy": 1}
    assert next(line for line in standings if line.name == "Bo").wins == 0
    verify(await harness.record(table.id))


async def test_a_match_conceded_by_all_is_abandoned(harness: TableHarness) -> None:
    table = await harness.match(people=2, ai_players=1)
    await harness.tables.act(table.id, play.concede, HOST)
    over = await harness.tables.act(table.id, play.concede, BO.user_id)
    assert over.row.status is Status.CLOSED
    assert isinstance((await harness.latest_events())[-1], Abandoned)
    assert await finished_matches(harness) == 0
    verify(await harness.record(table.id))


@pytest.mark.parametrize(
    ("user_id", "may_manage"), [(HOST, False), (EVE.user_id, True), (HOST, True)], ids=["host", "manager", "both"]
)
@pytest.mark.parametrize("begun", [False, True])
async def test_host_and_managers_close_a_table(
    harness: TableHarness, user_id: int, may_manage: bool, begun: bool
) -> None:
    table = await (harness.match(people=3, ai_players=0) if begun else harness.table(people=2))
    if begun and not may_manage:
        for person in (BO.user_id, CY.user_id):  # a host needs the consent of the others
            await harness.tables.act(table.id, consent.agree_to_end, person)
    closed = await harness.tables.act(table.id, consent.close, user_id, may_manage=may_manage)
    assert closed.row.status is Status.CLOSED
    assert closed.row.closed_by_id == (user_id if may_manage or not begun else None)
    assert closed.turn is None
    with pytest.raises(TableIsClosed):
        await harness.tables.act(table.id, consent.close, user_id, may_manage=may_manage)
    lines = await harness.record(table.id)
    assert len(lines) == (table.length + 1 if begun else 0)
    if begun:
        verify(lines)
    assert await harness.tables.open.numbers(GUILD) == []


@pytest.mark.parametrize("user_id", [BO.user_id, EVE.user_id], ids=["guest", "stranger"])
async def test_only_its_host_closes_a_table(harness: TableHarness, user_id: int) -> None:
    table = await harness.match(people=3, ai_players=0)
    with pytest.raises(HostOnly):
        await harness.tables.act(table.id, consent.close, user_id, may_manage=False)
    assert await harness.tables.get(table.id) == table


async def test_nothing_is_possible_after_the_end(harness: TableHarness) -> None:
    over = await harness.play_to_end(await harness.match(people=3, ai_players=0))
    told = len(harness.updates)
    for asked in (
        harness.tables.act(over.id, play.join, EVE),
        harness.tables.act(over.id, play.start, HOST),
        harness.tables.act(over.id, play.change_lobby, lobby.leave, HOST),
        harness.tables.act(over.id, play.pass_turn, HOST, over.moment),
        harness.tables.act(over.id, play.declare, HOST),
        harness.tables.act(over.id, play.concede, HOST),
        harness.tables.act(over.id, consent.close, HOST, may_manage=True),
    ):
        with pytest.raises(TableIsClosed):
            await asked
    assert len(harness.updates) == told


async def test_the_list_of_a_guild_has_its_open_tables(harness: TableHarness) -> None:
    lobby_table, playing = await harness.table(people=1), await harness.match(people=3, ai_players=0)
    over, closed = await harness.play_to_end(await harness.match(people=3, ai_players=0)), await harness.table(people=1)
    await harness.tables.act(closed.id, play.change_lobby, lobby.leave, HOST)
    assert over.row.status is Status.OVER
    assert await harness.tables.open.numbers(GUILD) == [lobby_table.id, playing.id]
    assert await harness.tables.open.numbers(GUILD + 1) == []


async def test_the_language_of_a_guild_is_that_of_discord_or_of_its_first_host(harness: TableHarness) -> None:
    guilds = Guilds(harness.database, harness.clock.milliseconds)
    assert await guilds.get(GUILD) == GuildSettings()
    for language in ("de", "it"):
        await guilds.record_locale(GUILD, None, language)
        assert await guilds.get(GUILD) == GuildSettings("de")
    await guilds.record_locale(GUILD, "fr", "de")
    await guilds.set(requester(HOST), celebrations=Celebrations.OFF)
    await guilds.set(requester(HOST), language="fi")
    assert await guilds.get(GUILD) == GuildSettings("fr", "fi", celebrations=Celebrations.OFF)
    assert await guilds.get(GUILD + 1) == GuildSettings()


async def test_a_rematch_starts_when_all_players_have_asked_for_it(harness: TableHarness) -> None:
    old = await harness.play_to_end(await harness.match(people=2, ai_players=1))
    first = await harness.posted(await harness.tables.rematch(old.id, PEOPLE[1], OPENER))
    assert (first.row.status, first.row.host_id) == (Status.LOBBY, PEOPLE[1].user_id)
    with pytest.raises(AlreadySeated):
        await harness.tables.rematch(old.id, PEOPLE[1], OPENER)
    with pytest.raises(NotSeated):
        await harness.tables.rematch(old.id, EVE, OPENER)
    again = await harness.tables.rematch(old.id, PEOPLE[0], OPENER)
    assert (again.id, again.row.status) == (first.id, Status.PLAYING)
    assert {seat.name for seat in again.seats} == {seat.name for seat in old.seats}
    with pytest.raises(HasStarted):
        await harness.tables.rematch(old.id, PEOPLE[1], OPENER)


async def test_a_rematch_starts_when_all_players_are_back_and_its_message_is_posted(harness: TableHarness) -> None:
    for people, ai_players in ((1, 2), (2, 1)):
        old = await harness.play_to_end(await harness.match(people, ai_players))
        for person in PEOPLE[:people]:
            table = await harness.tables.rematch(old.id, person, OPENER)
        assert table.row.status is Status.LOBBY
        assert (await harness.posted(table)).row.status is Status.PLAYING


async def test_ai_players_of_a_rematch_keep_their_names_unless_another_table_has_them(harness: TableHarness) -> None:
    old = await harness.play_to_end(await harness.match(people=1, ai_players=3))
    first = await harness.tables.rematch(old.id, PEOPLE[0], OPENER)
    assert {seat.name for seat in first.seats} == {seat.name for seat in old.seats}
    await harness.tables.act(first.id, play.change_lobby, lobby.leave, PEOPLE[0].user_id)
    other = await harness.table(people=1, ai_players=1)
    again = await harness.tables.rematch(old.id, PEOPLE[0], OPENER)
    names = {seat.name for seat in again.seats}
    assert len(names) == 4
    assert names.isdisjoint(seat.name for seat in other.seats if seat.user_id is None)


async def test_a_posted_message_starts_only_complete_rematches_that_start_automatically(
    harness: TableHarness,
) -> None:
    old = await harness.play_to_end(await harness.match(people=2, ai_players=1))
    assert (await harness.posted(await harness.tables.rematch(old.id, PEOPLE[0], OPENER))).row.status is Status.LOBBY
    alone = await harness.play_to_end(await harness.match(people=1, ai_players=2))
    table = await harness.tables.rematch(alone.id, PEOPLE[0], OPENER, options_first=True)
    assert (await harness.posted(table)).row.status is Status.LOBBY
    await harness.tables.act(table.id, consent.close, PEOPLE[0].user_id, may_manage=False)
    closed = await harness.tables.act(table.id, play.record_first_message, 1)
    assert closed.row.status is Status.CLOSED


async def test_a_match_against_ai_players_starts_as_soon_as_its_table_is_posted(harness: TableHarness) -> None:
    setup = lobby.TableSetup(4, "days-of-wonder", ONE_HAND, Pace.NONE)
    table = await harness.tables.create(lobby.NewTable(GUILD, CHANNEL, PEOPLE[0], setup, with_ai=True), OPENER)
    assert (table.row.status, [seat.is_ai for seat in table.seats]) == (Status.LOBBY, [False, True, True, True])
    assert (await harness.posted(table)).row.status is Status.PLAYING


async def test_the_host_gives_the_free_seats_to_ai_players_and_starts(harness: TableHarness) -> None:
    table = await harness.table(people=2, size=4)
    with pytest.raises(HostOnly):
        await harness.tables.start(table.id, PEOPLE[1].user_id, fill=True)
    assert len((await harness.tables.get(table.id)).seats) == 2
    table = await harness.tables.start(table.id, PEOPLE[0].user_id, fill=True)
    assert (table.row.status, [seat.is_ai for seat in table.seats]) == (Status.PLAYING, [False, False, True, True])


async def test_the_last_place_is_its_owners_not_a_substitutes(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=Options(target=1), pace=Pace.LIVE)
    owner = player_to_act(table)
    other = next(user for seat in table.seats if (user := seat.user_id) not in (None, owner))
    for _ in range(2):
        table = await harness.run_due_action(table)
    table = await harness.tables.act(table.id, absence.answer, other, table.moment, absence.call_substitute)
    table = await harness.play_to_end(await harness.tables.sit_in(table.id, EVE, table.moment))
    assert table.seat_of(EVE.user_id) == table.row.seat_owned_by(owner)
    last = replace(table, state=replace(not_none(table.state), ranking=((0, 1, 2),)))
    assert [play.came_last(last, user) for user in (EVE.user_id, owner)] == [False, True]


async def test_the_last_player_may_change_the_options_first(harness: TableHarness) -> None:
    old = await harness.play_to_end(await harness.match(people=3, ai_players=0))
    ranking = not_none(not_none(old.state).ranking)
    by_place = [next(p for p in PEOPLE if p.user_id == old.seats[seat].user_id) for (seat, *_) in ranking]
    with pytest.raises(NotLastPlace):
        await harness.tables.rematch(old.id, by_place[0], OPENER, options_first=True)
    await harness.posted(await harness.tables.rematch(old.id, by_place[0], OPENER))
    table = await harness.tables.rematch(old.id, by_place[-1], OPENER, options_first=True)
    assert table.row.host_id == by_place[-1].user_id
    for person in PEOPLE[:3]:
        if all(seat.user_id != person.user_id for seat in table.seats):
            table = await harness.tables.rematch(old.id, person, OPENER)
    assert table.row.status is Status.LOBBY
    assert (await harness.tables.act(table.id, play.start, table.row.host_id)).row.status is Status.PLAYING


async def test_only_players_of_the_match_can_ask_for_a_rematch(harness: TableHarness) -> None:
    old = await harness.play_to_end(await harness.match(people=3, ai_players=0))
    with pytest.raises(NotSeated):
        await harness.tables.rematch(old.id, EVE, OPENER)


async def test_ai_players_at_the_tables_of_a_channel_have_different_names(harness: TableHarness) -> None:
    def new(channel_id: int = CHANNEL) -> lobby.NewTable:
        return lobby.NewTable(
            GUILD, channel_id, ADA, lobby.TableSetup(4, "days-of-wonder", Options(), Pace.NONE), with_ai=True
        )

    await harness.allow_tables()
    tables = [await harness.tables.create(new(), OPENER) for _ in range(7)]
    waiting = await harness.tables.create(replace(new(), with_ai=False), OPENER)
    tables.append(await harness.tables.add_ai(waiting.id, HOST))
    elsewhere = await harness.tables.create(new(CHANNEL + 1), OPENER)
    names = [seat.name for table in tables for seat in table.seats if seat.is_ai]
    assert len(names) == len(set(names)) == 22
    assert [seat.name for seat in elsewhere.seats[1:]] == ["Jade", "Bamboo", "Lotus"]


@pytest.mark.parametrize("pace", [Pace.NONE, Pace.LIVE])  # at slower ones, the quiet hours of the next player are read
async def test_a_move_takes_three_statements(sqlite_database: Database, pace: Pace) -> None:
    harness = TableHarness(sqlite_database)
    table = await harness.match(people=2, ai_players=2, pace=pace)
    for _ in range(6):
        with statements("SELECT", "INSERT", "UPDATE", "DELETE") as found:
            table = await harness.act(table)
        ran = [" ".join(statement.split()[:3]) for statement, _ in found]
        assert ran == ["UPDATE tables SET", "INSERT INTO events", "INSERT INTO deadlines"]


async def test_two_choices_at_once_both_count(harness: TableHarness) -> None:
    table = await harness.table(1)
    choices = (("pace", "day"), ("private", "on"))
    await asyncio.gather(
        *(harness.tables.act(table.id, play.change_lobby, set_option, HOST, name, value) for name, value in choices)
    )
    row = (await harness.tables.get(table.id)).row
    assert (row.pace, row.settings.private) == (Pace.DAY, True)
