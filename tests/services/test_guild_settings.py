"""Guild settings, seasons, schedules and the audit log."""

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from functools import partial

import pytest

from bot.analysis.leaderboard import LeaderboardQuery, Period
from bot.analysis.schedules import CompletedPeriod, latest_period, next_after
from bot.services.guild_settings import ACTIVITY_WEEKS, AUDIT_PAGE_SIZE, Guilds
from bot.services.leaderboard import Leaderboards
from bot.storage import guild_settings
from bot.table.guild import Celebrations, GuildSettings, Opener, PostInterval, Schedule, TableDefaults
from bot.table.lobby import NewTable, TableSetup
from bot.table.model import Pace, Status
from bot.table.refusals import MayNotOpen, MissingRole, NotCurrentSeason, Refusal, WrongChannel
from bot.table.snapshot import Table
from tests.table_harness import ADA, EVE, GUILD, ONE_HAND, START, TableHarness, requester

MOD = 500
NOW = START // 1000


@pytest.fixture
def guilds(harness: TableHarness) -> Guilds:
    return Guilds(harness.database, harness.clock.milliseconds)


def at(hour: str) -> int:
    """An hour in UTC as a timestamp."""
    return int(datetime.fromisoformat(f"{hour}:00+00:00").timestamp())


async def test_settings_are_stored_and_logged_with_their_user(guilds: Guilds) -> None:
    await guilds.set(requester(MOD), language="de")
    await guilds.set(requester(MOD), celebrations=Celebrations.OFF)
    await guilds.set(requester(MOD), text_cards=True)
    await guilds.set(requester(MOD), channels=(1, 2))
    await guilds.set(requester(MOD), roles=(3,))
    await guilds.set_default(requester(MOD), size=3)
    await guilds.set_default(requester(MOD), pace=Pace.DAY)
    await guilds.set_schedule(requester(MOD), PostInterval.WEEK, 9)
    schedule = Schedule(PostInterval.WEEK, 9, next_after(NOW, PostInterval.WEEK))
    expected = GuildSettings("", "de", Celebrations.OFF, (1, 2), (3,), TableDefaults(3, pace=Pace.DAY), schedule, True)
    assert await guilds.get(GUILD) == expected
    await guilds.set(requester(MOD), celebrations=Celebrations.OFF)  # unchanged
    _, entries = await guilds.changes(GUILD, 0)
    assert {each.user_id for each in entries} == {MOD}
    assert [(each.what, each.before, each.after) for each in reversed(entries)] == [
        ("language", "", "de"),
        ("celebrations", "people", "off"),
        ("text_cards", "off", "on"),
        ("channels", "", "1,2"),
        ("roles", "", "3"),
        ("size", "4", "3"),
        ("pace", "none", "day"),
        ("schedule", "", "week,9"),
    ]


async def test_the_audit_log_has_pages_newest_first(guilds: Guilds) -> None:
    for number in range(2 * AUDIT_PAGE_SIZE + 1):
        await guilds.set(requester(MOD), channels=(number,))
    pages, newest = await guilds.changes(GUILD, 0)
    assert (pages, newest[0].after, len(newest)) == (3, str(2 * AUDIT_PAGE_SIZE), AUDIT_PAGE_SIZE)
    assert [each.after for each in (await guilds.changes(GUILD, 2))[1]] == ["0"]
    assert await guilds.changes(GUILD + 1, 0) == (1, [])


async def test_guilds_limit_where_and_by_whom_tables_are_opened(harness: TableHarness, guilds: Guilds) -> None:
    """Whichever way leads to a new table: a new one, a rematch or a duplicate."""
    over, first = await harness.play_to_end(await harness.match()), await harness.table(1, size=4)
    new = NewTable(GUILD, 1, ADA, TableSetup.of(first.row))

    def ways(opener: Opener) -> list[Callable[[], Awaitable[Table]]]:
        return [
            partial(harness.tables.create, new, opener),
            partial(harness.tables.rematch, over.id, ADA, opener),
            partial(harness.tables.duplicate, first.id, 1, EVE, opener),
        ]

    async def refuses(error: type[Refusal], opener: Opener) -> None:
        for open_table in ways(opener):
            with pytest.raises(error):
                await open_table()

    await refuses(MayNotOpen, Opener((1,), None, may_write=False))
    await guilds.set(requester(MOD), channels=(1,))
    await guilds.set(requester(MOD), roles=(3, 4))
    await refuses(WrongChannel, Opener((2,), None, may_write=True))
    await refuses(MissingRole, Opener((1,), frozenset({5}), may_write=True))
    assert (await harness.tables.get(first.id)).row.duplicate_of is None
    for open_table in ways(Opener((2, 1), frozenset({5, 3}), may_write=True)):
        assert (await open_table()).row.status is Status.LOBBY
    assert await harness.tables.create(new, Opener((1,), None, may_write=True))


async def test_a_season_counts_from_its_beginning_to_its_end(harness: TableHarness, guilds: Guilds) -> None:
    leaderboards = Leaderboards(harness.database, harness.clock.milliseconds)

    async def players() -> int:
        return len(await leaderboards.places(GUILD, LeaderboardQuery(period=Period.SEASON)))

    await harness.play_to_end(await harness.match(3, 0, ONE_HAND))
    await guilds.begin_season(requester(MOD), "Spring")
    with pytest.raises(NotCurrentSeason):
        await guilds.begin_season(requester(MOD), "Summer")
    assert await players() == 0
    await harness.play_to_end(await harness.match(3, 0, ONE_HAND))
    assert await players() == 3
    await guilds.reset_season(requester(MOD), 1)
    assert await players() == 0
    assert len(await harness.standings()) == 3
    await harness.play_to_end(await harness.match(3, 0, ONE_HAND))
    await guilds.record_join(GUILD)
    await guilds.end_season(requester(MOD), 1, 80)
    (podium,) = await guilds.podiums()
    assert (podium.guild_id, podium.season.name, podium.channel_id) == (GUILD, "Spring", 80)
    assert len(await leaderboards.completed_period(GUILD, "s1")) == 3
    await guilds.record_podium_posted(podium)
    assert await guilds.podiums() == []
    for change in (guilds.end_season(requester(MOD), 1, 80), guilds.reset_season(requester(MOD), 1)):
        with pytest.raises(NotCurrentSeason):
            await change
    await guilds.begin_season(requester(MOD), "Summer")
    assert (await guilds.season(GUILD)).number == 2  # type: ignore[union-attr]
    assert [each.what for each in (await guilds.changes(GUILD, 0))[1]] == ["season", "season", "reset", "season"]


@pytest.mark.parametrize(
    ("now", "following", "told", "first", "last"),
    [
        ("2026-11-22T12", "2026-11-23T08", "2026-W46", "2026-11-09", "2026-11-15"),
        ("2026-11-23T07", "2026-11-23T08", "2026-W46", "2026-11-09", "2026-11-15"),
        ("2026-11-23T08", "2026-11-30T08", "2026-W47", "2026-11-16", "2026-11-22"),
        ("2027-01-04T08", "2027-01-11T08", "2026-W53", "2026-12-28", "2027-01-03"),
        ("2027-01-01T07", "2027-01-01T08", "2026-11", "2026-11-01", "2026-11-30"),
        ("2027-01-01T08", "2027-02-01T08", "2026-12", "2026-12-01", "2026-12-31"),
    ],
)
def test_a_leaderboard_is_posted_when_its_week_or_month_is_over(
    now: str, following: str, told: str, first: str, last: str
) -> None:
    every = PostInterval.WEEK if "W" in told else PostInterval.MONTH
    assert next_after(at(now), every) == at(following)
    assert latest_period(at(now), every) == CompletedPeriod(told, date.fromisoformat(first), date.fromisoformat(last))


async def test_several_missed_posts_are_due_once(harness: TableHarness, guilds: Guilds) -> None:
    await guilds.set_schedule(requester(MOD), PostInterval.WEEK, 9)
    first = next_after(NOW, PostInterval.WEEK)
    assert await guilds.due_posts(first - 1) == {}
    late = first + 5 * 7 * 86_400
    ((_, schedule),) = (await guilds.due_posts(late)).items()
    await guilds.record_posted(GUILD, schedule, late)
    assert await guilds.due_posts(late) == {}
    assert list(await guilds.due_posts(next_after(late, PostInterval.WEEK))) == [GUILD]


async def test_a_post_does_not_overwrite_a_new_schedule(guilds: Guilds) -> None:
    await guilds.set_schedule(requester(MOD), PostInterval.WEEK, 9)
    old = (await guilds.get(GUILD)).schedule
    assert old is not None
    await guilds.set_schedule(requester(MOD), PostInterval.MONTH, 9)
    await guilds.record_posted(GUILD, old, old.at)
    assert (await guilds.get(GUILD)).schedule == Schedule(PostInterval.MONTH, 9, next_after(NOW, PostInterval.MONTH))
    await guilds.set_schedule(requester(MOD), None, 9)
    await guilds.record_posted(GUILD, old, old.at)
    assert (await guilds.get(GUILD)).schedule is None


async def test_guilds_without_the_app_have_no_due_posts(harness: TableHarness, guilds: Guilds) -> None:
    await guilds.set_schedule(requester(MOD), PostInterval.WEEK, 9)
    await guilds.begin_season(requester(ADA.user_id), "Spring")
    await guilds.end_season(requester(ADA.user_id), 1, 80)
    await guilds.record_leave(GUILD)
    assert await guilds.due_posts(NOW + 10**8) == {}
    assert await guilds.podiums() == []
    async with harness.database.read() as connection:
        assert await guild_settings.presence(connection) == {GUILD: NOW}


async def test_the_activity_of_a_guild_is_counted_by_week(harness: TableHarness) -> None:
    await harness.play_to_end(await harness.match(people=2, ai_players=1))
    await harness.play_to_end(await harness.match(people=1, ai_players=2))
    harness.clock.now += 7 * 24 * 3600 * 1000
    await harness.play_to_end(await harness.match(people=3, ai_players=0))
    await harness.table()
    found = await Guilds(harness.database, harness.clock.milliseconds).activity(GUILD)
    assert found.open_tables == 1
    assert [(week.matches, week.players) for week in found.weeks[:3]] == [(1, 3), (2, 2), (0, 0)]
    assert [datetime.fromtimestamp(week.began_at, UTC).weekday() for week in found.weeks] == [0] * ACTIVITY_WEEKS
