"""The players whom a hand and a match count for, and the rating of matches."""

from collections import Counter

import pytest
from sqlalchemy import select

from bot.analysis.credits import credits_of
from bot.analysis.leaderboard import LeaderboardQuery, Order, Standing
from bot.analysis.rating import Rating
from bot.engine.options import Options
from bot.players import simple
from bot.services.leaderboard import Leaderboards
from bot.services.profile import Profiles
from bot.storage.ratings import of_guild
from bot.storage.schema import hand_players, match_players
from bot.table import absence, consent, play
from bot.table.consent import concedes_by_closing
from bot.table.lobby import DEFAULT_TABLE_SETTINGS
from bot.table.model import ClockStage, Pace, Seat, Status, TableSettings, TimeoutPolicy
from bot.table.snapshot import Table
from tests.not_none import not_none
from tests.table_harness import ADA, BO, CY, EVE, GUILD, TableHarness, player_to_act, stage_of, user_to_act

ONE_HAND = Options(target=1)
THREE = (ADA, BO, CY)


pytestmark = pytest.mark.usefixtures("any_target")


async def standings(harness: TableHarness) -> dict[int, Standing]:
    return {line.user_id: line for line in await harness.standings()}


async def ratings(harness: TableHarness) -> dict[int, Rating]:
    async with harness.database.read() as connection:
        return await of_guild(connection, GUILD)


async def places(harness: TableHarness, table: Table) -> dict[str, int]:
    """The place of each owner in the latest match; empty if it doesn't count."""
    query = select(match_players.c.name, match_players.c.place).where(match_players.c.table_id == table.id)
    async with harness.database.read() as connection:
        return {row.name: row.place for row in await connection.execute(query)}


def order(found: dict[int, Rating]) -> list[int]:
    """The users, best rating first."""
    return sorted(found, key=lambda user: -found[user].mu)


async def played(harness: TableHarness, own: int, gentle: int) -> Table:
    """A match of one hand. Bo's moves alternate: some are their own, some are made by the table."""
    table, made = await harness.match(3, 0, ONE_HAND, Pace.LIVE, TableSettings(TimeoutPolicy.MOVE)), 0
    while table.row.status is Status.PLAYING:
        if user_to_act(table) == BO.user_id:
            is_own, made = made % (own + gentle) < own, made + 1
            table = await (harness.act(table) if is_own else harness.tables.act(table.id, absence.move_gently))
        else:
            table = await harness.act(table)
    assert made > own + gentle
    return table


async def test_a_hand_played_by_the_table_counts_for_nobody_and_the_match_is_lost_by_absence(
    harness: TableHarness,
) -> None:
    table = await played(harness, own=0, gentle=1)
    bo = (await standings(harness))[BO.user_id]
    assert (bo.matches, bo.wins, bo.hands, bo.points, bo.absent) == (1, 0, 0, 0, 1)
    for user in (ADA.user_id, CY.user_id):
        found = (await standings(harness))[user]
        assert (found.matches, found.hands, found.absent) == (1, 1, 0)
    assert (await places(harness, table))["Bo"] == 3


async def test_a_hand_counts_for_the_player_with_most_of_its_moves(harness: TableHarness) -> None:
    await played(harness, own=2, gentle=1)
    bo = (await standings(harness))[BO.user_id]
    assert (bo.matches, bo.hands, bo.absent) == (1, 1, 0)


async def with_late_player(
    harness: TableHarness, settings: TableSettings, options: Options = ONE_HAND
) -> tuple[Table, int]:
    """A match of three people with a late player. Returns the table and that player."""
    table = await harness.match(3, 0, options, Pace.LIVE, settings)
    owner = player_to_act(table)
    return await harness.run_due_action(await harness.run_due_action(table)), owner


async def with_substitute(
    harness: TableHarness, options: Options = ONE_HAND, settings: TableSettings = DEFAULT_TABLE_SETTINGS
) -> tuple[Table, int]:
    """The same match with Eve as the substitute."""
    table, owner = await with_late_player(harness, settings, options)
    other = next(person.user_id for person in THREE if person.user_id != owner)
    table = await harness.tables.act(table.id, absence.answer, other, table.moment, absence.call_substitute)
    return await harness.tables.act(table.id, absence.sit_in, EVE, table.moment), owner


async def test_an_owner_who_returns_for_the_end_counts_as_the_worst_in_the_hand(
    harness: TableHarness,
) -> None:
    table, owner = await with_late_player(harness, TableSettings(TimeoutPolicy.AI))
    while table.row.status is Status.PLAYING:
        public = not_none(table.public)
        if min(public.left) == 1 and any(seat.is_absent for seat in table.seats):
            table = await harness.tables.act(table.id, absence.come_back, owner)
        table = await harness.act(table)
    line = (await standings(harness))[owner]
    assert (line.matches, line.wins, line.hands) == (1, 0, 0)
    assert max((await places(harness, table)).values()) == 2
    assert (await places(harness, table))[next(seat.name for seat in table.seats if seat.user_id == owner)] == 2


async def test_conceding_owners_come_last_and_the_others_are_rated_by_points(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    for _ in range(20):
        table = await harness.act(table)
    table = await harness.play_to_end(await harness.tables.act(table.id, play.concede, BO.user_id))
    assert (await standings(harness))[BO.user_id].absent == 1
    found, totals = await ratings(harness), table.public.totals  # type: ignore[union-attr]  # it has begun
    total = {seat.user_id: totals[number] for number, seat in enumerate(table.seats)}
    others = sorted((ADA.user_id, CY.user_id), key=lambda user: total[user])
    assert order(found) == [*others, BO.user_id]


async def test_conceding_first_or_last_gains_nothing(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    for user in (BO.user_id, CY.user_id):
        table = await harness.tables.act(table.id, play.concede, user)
        table = await harness.act(table)
    found = await places(harness, await harness.play_to_end(table))
    assert found == {"Ada": 1, "Bo": 2, "Cy": 2}


async def test_if_all_concede_the_last_one_comes_first(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    for user in (CY.user_id, ADA.user_id, BO.user_id):
        table = await harness.tables.act(table.id, play.concede, user)
    assert table.row.ended == "conceded"
    assert await places(harness, table) == {"Ada": 2, "Bo": 1, "Cy": 2}
    assert order(await ratings(harness))[0] == BO.user_id


async def test_a_substitute_is_not_rated_and_the_absent_owner_comes_last(harness: TableHarness) -> None:
    table, owner = await with_substitute(harness)
    table = await harness.play_to_end(table)
    found = await ratings(harness)
    assert found.keys() == {person.user_id for person in THREE}
    assert order(found)[-1] == owner
    lines = await standings(harness)
    assert EVE.user_id not in lines
    assert (lines[owner].matches, lines[owner].wins, lines[owner].hands) == (1, 0, 0)
    leaderboard = await Leaderboards(harness.database, harness.clock.milliseconds).places(
        GUILD, LeaderboardQuery(Order.AVERAGE)
    )
    assert {line.standing.user_id for line in leaderboard} == {*found, EVE.user_id} - {owner}


@pytest.mark.parametrize(
    ("moves", "user", "by_owner"),
    [
        ({"Ada": 6, "Eve": 6}, ADA.user_id, True),
        ({"Ada": 6, "Eve": 7}, EVE.user_id, False),
        ({"Ada": 6, "ai:simple": 6}, None, True),
        ({"Ada": 7, "ai:simple": 6}, ADA.user_id, True),
    ],
)
def test_a_tie_of_moves_goes_to_the_owner_and_with_an_ai_player_to_nobody(
    moves: dict[str, int], user: int | None, *, by_owner: bool
) -> None:
    (credit,) = credits_of([Counter(moves)], [Seat("Ada", ADA.user_id)], {(0, "Eve"): EVE.user_id})
    assert (credit.user_id, credit.by_owner) == (user, by_owner)


async def hands_of(harness: TableHarness) -> list[tuple[int | None, bool]]:
    query = select(hand_players.c.user_id, hand_players.c.by_owner).order_by(hand_players.c.hand, hand_players.c.seat)
    async with harness.database.read() as connection:
        return [(user, by_owner) for user, by_owner in await connection.execute(query)]


async def test_a_losing_player_cannot_hand_a_played_hand_to_a_substitute(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND, Pace.LIVE)
    while min(len(hand) for hand in table.state.hands) > 2:  # type: ignore[union-attr]  # it has begun
        table = await harness.act(table)
    owner = player_to_act(table)
    table = await harness.run_due_action(await harness.run_due_action(table))
    other = next(person.user_id for person in THREE if person.user_id != owner)
    table = await harness.tables.act(table.id, absence.answer, other, table.moment, absence.call_substitute)
    await harness.play_to_end(await harness.tables.act(table.id, absence.sit_in, EVE, table.moment))
    assert {user for user, _ in await hands_of(harness)} == {person.user_id for person in THREE}


async def test_a_substitute_without_a_hand_has_no_profile(harness: TableHarness) -> None:
    table, owner = await with_substitute(harness)
    await harness.play_to_end(await harness.tables.act(table.id, absence.come_back, owner))
    profiles = Profiles(harness.database)
    assert await profiles.get(GUILD, EVE.user_id, EVE.user_id) is None
    assert await profiles.get(GUILD, owner, owner) is not None


async def test_an_owner_who_came_back_to_a_deserted_match_without_moving_has_not_left_it(harness: TableHarness) -> None:
    table, owner = await with_substitute(harness, settings=TableSettings(TimeoutPolicy.ASK_WAIT))
    table = await harness.act(table)
    late = user_to_act(table)
    table = await harness.tables.act(table.id, absence.come_back, owner)
    while table.row.status is Status.PLAYING:
        table = await harness.run_due_action(table)
    assert table.row.ended == "deserted"
    found = await places(harness, table)
    assert {seat.user_id: found[seat.name] for seat in table.seats} == {
        person.user_id: 3 if person.user_id == late else 1 for person in THREE
    }
    assert late != owner


async def test_a_match_that_nobody_plays_on_is_lost_by_the_player_to_act(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    late = user_to_act(table)
    while table.row.status is Status.PLAYING:  # reminders come first
        table = await harness.run_due_action(table)
    assert table.row.ended == "deserted"
    found = await places(harness, table)
    assert {seat.user_id for seat in table.seats if found[seat.name] == 3} == {late}
    assert sorted(found.values()) == [1, 1, 3]


async def test_a_player_for_whom_the_table_moved_has_not_left_a_deserted_match(harness: TableHarness) -> None:
    table = await harness.match(3, 0, Options(target=100), Pace.DAY)
    for _ in range(3):
        table = await harness.act(table)
    moved_for = user_to_act(table)
    while user_to_act(table) == moved_for:
        table = await harness.run_due_action(table)
    late = user_to_act(table)
    while stage_of(table) is not ClockStage.ASKED:
        table = await harness.run_due_action(table)
    table = await harness.tables.act(table.id, absence.answer, not_none(moved_for), table.moment, absence.wait)
    while table.row.status is Status.PLAYING:
        table = await harness.run_due_action(table)
    assert table.row.ended == "deserted"
    found = await places(harness, table)
    assert {seat.user_id for seat in table.seats if found[seat.name] > 1} == {late}


async def test_a_move_of_the_table_for_a_substitute_returns_no_seat_to_its_owner(harness: TableHarness) -> None:
    table, owner = await with_substitute(harness, Options(target=1000))
    table = await harness.act(table)
    while user_to_act(table) != EVE.user_id:
        table = await harness.act(table)
    table = await harness.tables.act(table.id, absence.move_gently)
    while user_to_act(table) in (owner, EVE.user_id):
        table = await harness.act(table)
    to_act = user_to_act(table)
    table = await harness.tables.act(table.id, play.abandon, "deserted")
    found = await places(harness, table)
    assert {seat.user_id for seat in table.seats if found[seat.name] > 1} == {owner, to_act}


async def test_a_match_that_ends_by_agreement_or_is_closed_is_not_rated(harness: TableHarness) -> None:
    agreed = await harness.match(3, 0, ONE_HAND)
    for person in THREE:
        agreed = await harness.tables.act(agreed.id, consent.agree_to_end, person.user_id)
    assert agreed.row.ended == "agreed"
    closed = await harness.match(3, 0, ONE_HAND)
    closed = await harness.tables.act(closed.id, consent.close, EVE.user_id, may_manage=True)
    for table in (agreed, closed):
        assert await places(harness, table) == {}
    assert await ratings(harness) == {}


async def test_a_manager_who_ends_a_match_of_their_own_loses_it(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    table = await harness.tables.act(table.id, play.concede, CY.user_id)
    table = await harness.tables.act(table.id, consent.close, BO.user_id, may_manage=True)
    assert table.row.ended == "closed"
    assert await places(harness, table) == {"Ada": 1, "Bo": 2, "Cy": 2}


async def test_a_manager_who_ends_a_match_against_ai_players_loses_nothing(harness: TableHarness) -> None:
    alone = await harness.match(1, 2, ONE_HAND)
    assert not concedes_by_closing(alone.row, ADA.user_id)
    together = await harness.match(2, 1, ONE_HAND)
    assert [concedes_by_closing(together.row, person.user_id) for person in (ADA, EVE)] == [True, False]


async def test_those_who_have_conceded_lose_a_match_that_a_manager_ends(harness: TableHarness) -> None:
    for closer in (EVE, ADA):
        table = await harness.match(3, 0, ONE_HAND)
        for person in (BO, CY):
            table = await harness.tables.act(table.id, play.concede, person.user_id)
        table = await harness.tables.act(table.id, consent.close, closer.user_id, may_manage=True)
        assert await places(harness, table) == {"Ada": 1, "Bo": 2, "Cy": 2}


async def test_those_who_have_conceded_lose_a_match_that_the_others_agree_to_end(harness: TableHarness) -> None:
    for rest in ((ADA, CY), (ADA,)):
        table = await harness.match(3, 0, ONE_HAND)
        for person in THREE:
            if person not in rest:
                table = await harness.tables.act(table.id, play.concede, person.user_id)
        for person in rest:
            table = await harness.tables.act(table.id, consent.agree_to_end, person.user_id)
        assert table.row.ended == "agreed"
        found = await places(harness, table)
        assert {name for name, place in found.items() if place > 1} == {"Ada", "Bo", "Cy"} - {one.name for one in rest}


async def test_a_player_who_concedes_last_after_the_others_agreed_to_end_loses(harness: TableHarness) -> None:
    table = await harness.match(3, 0, ONE_HAND)
    for person in (ADA, CY):
        table = await harness.tables.act(table.id, consent.agree_to_end, person.user_id)
    table = await harness.tables.act(table.id, play.concede, BO.user_id)
    assert table.row.ended == "agreed"
    assert await places(harness, table) == {"Ada": 1, "Bo": 3, "Cy": 1}


async def test_a_match_deserted_during_a_pause_is_lost_by_those_who_have_conceded(harness: TableHarness) -> None:
    for conceders in ((), (BO,)):
        table = await harness.match(3, 0, ONE_HAND)
        for person in conceders:
            table = await harness.tables.act(table.id, play.concede, person.user_id)
        for person in THREE:
            if person not in conceders:
                table = await harness.tables.act(table.id, consent.agree_to_pause, person.user_id)
        table = await harness.run_due_action(table)
        assert table.row.ended == "deserted"
        assert await places(harness, table) == ({"Ada": 1, "Bo": 3, "Cy": 1} if conceders else {})


@pytest.mark.parametrize(("people", "settings"), [(2, TableSettings()), (3, TableSettings(rated=False))])
async def test_a_casual_match_counts_and_is_not_rated(
    harness: TableHarness, people: int, settings: TableSettings
) -> None:
    table = await harness.match(people, 3 - people, ONE_HAND, settings=settings)
    await harness.play_to_end(table)
    assert await ratings(harness) == {}
    leaderboards = Leaderboards(harness.database, harness.clock.milliseconds)
    of_company = {
        only: [line.standing.matches for line in await leaderboards.places(GUILD, LeaderboardQuery(people_only=only))]
        for only in (True, False)
    }
    assert of_company == {people == 3: [1] * people, people != 3: []}
    assert await leaderboards.places(GUILD, LeaderboardQuery(Order.RATING)) == []


async def test_a_substitute_who_plays_badly_costs_the_owner_the_points_of_the_seat(harness: TableHarness) -> None:
    table, owner = await with_substitute(harness, Options(target=100))
    while table.public.hand_number == 1:  # type: ignore[union-attr]  # it has begun
        is_eve = user_to_act(table) == EVE.user_id
        table = await (harness.tables.act(table.id, _pass_or_play_low) if is_eve else harness.act(table))
    first = table.state.last_hand.points  # type: ignore[union-attr]  # it has begun
    table = await harness.play_to_end(await harness.tables.act(table.id, absence.come_back, owner))
    number = next(number for number, seat in enumerate(table.seats) if seat.user_id == owner)
    assert first[number] > max(first[:number] + first[number + 1 :])
    totals = table.public.totals  # type: ignore[union-attr]  # it has begun
    expected = [1 + sum(other < own for other in totals) for own in totals]
    assert await places(harness, table) == dict(zip((seat.name for seat in table.seats), expected, strict=True))
    assert [own for _, own in await hands_of(harness)][:3] == [seat != number for seat in range(3)]


def _pass_or_play_low(table: Table) -> play.Change:
    return play.try_pass(table, not_none(table.turn)) or play.move(
        table, simple.choose_gently(table.view_of(EVE.user_id))
    )
