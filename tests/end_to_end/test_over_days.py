"""The messages about turns over two days at default settings, as docs/taps.md counts them, with a moved clock."""

import asyncio
from pathlib import Path

import pytest

from bot.table.model import ClockStage
from playground.world.changes import Change, MessageShown
from playground.world.model import Message
from tests.disasters.expected_state import ExpectedState, wait_until_displayed
from tests.end_to_end.app_harness import PASS, PLAY, AppHarness, Player, running_app
from tests.end_to_end.app_process import BOUND
from tests.end_to_end.inspection import app_database
from tests.end_to_end.test_taps import written_down
from tests.not_none import not_none

MINUTE = 60_000
HOUR = 60 * MINUTE
OFTEN = {"bot.services.deadlines.MAX_SLEEP": 0.05}
"""Let the app look at its clock often."""
ABSENT = "No time limit, nobody comes"
LATE = "24 hours a turn, nobody comes"
REGULAR = "No time limit, everyone plays 12 hours after their call"
WRITTEN = written_down(part=3)


class Posts:
    """Collects the messages that everyone sees from now on, including those that are deleted again."""

    def __init__(self, harness: AppHarness) -> None:
        self._old = {message.id for place in harness.world.channels.values() for message in place.messages.values()}
        self.new: dict[int, Message] = {}
        harness.world.change_listeners.append(self._on_change)

    def _on_change(self, change: Change) -> None:
        match change:
            case MessageShown(message) if message.id not in self._old and not message.is_ephemeral:
                self.new[message.id] = message


async def _begun(harness: AppHarness, **options: object) -> tuple[Posts, int]:
    """A match of three people. Returns the messages since its first hand, and when the first turn began."""
    ana, *others = harness.people[:3]
    await harness.open_table(ana, seats=3, **options)
    (answer,) = [message for message in harness.messages(ana) if message.ephemeral]
    assert ("How much time should each turn have?" in answer.text) == ("pace" not in options)
    await harness.seat(others)
    posts = Posts(harness)
    await harness.start_match()
    clock = (await _shown(harness)).table.row.clock
    assert clock is not None
    return posts, clock.began


async def _shown(harness: AppHarness) -> ExpectedState:
    """Wait until all that is due has been done and displayed, and nothing else is."""
    await harness.has_looked()
    (expected,) = (await wait_until_displayed(harness)).values()
    return expected


async def _pass_time(harness: AppHarness, began: int, hours: range) -> ExpectedState:
    """Let hours of a turn pass in steps. Returns what is shown a minute later: a late reminder moves the turn's end."""
    for since in (*(hour * HOUR for hour in hours), hours[-1] * HOUR + MINUTE):
        harness.advance_clock_to(began + since)
        expected = await _shown(harness)
    return expected


@pytest.mark.parametrize(("situation", "options", "of_others"), [(ABSENT, {}, 0), (LATE, {"pace": "day"}, 1)])
async def test_a_player_who_does_not_come_is_called_and_reminded_as_promised(
    tmp_path: Path, situation: str, options: dict[str, object], of_others: int
) -> None:
    async with running_app(tmp_path, OFTEN) as harness:
        posts, began = await _begun(harness, **options)
        expected = await _pass_time(harness, began, range(4, 49, 4))
        assert len(posts.new) == WRITTEN[situation], [message.content for message in posts.new.values()]
        for person in harness.people:
            mentions = 0 if person is harness.people[3] else of_others
            assert len(person.pings) == (WRITTEN[situation] if person.id == expected.user_to_act else mentions)
            assert person.direct_messages == []
        assert len(harness.notices()) <= 1


async def test_no_time_passes_while_the_server_has_removed_the_app(tmp_path: Path) -> None:
    async with running_app(tmp_path, OFTEN) as harness:
        posts, began = await _begun(harness, pace="day")
        clock = not_none((await _pass_time(harness, began, range(4, 17, 4))).table.row.clock)
        called, ana, app = len(posts.new), harness.people[0], harness.world.app.bot
        harness.world.remove_member(harness.guild, app)
        await _has_recorded_absence(harness)
        harness.advance_clock_to(began + 46 * HOUR)
        await harness.has_looked()
        assert len(posts.new) == called
        harness.world.add_member(harness.guild, app)
        await ana.until(lambda: len(posts.new) == called + 1)
        moved = not_none((await _shown(harness)).table.row.clock)
        assert moved.due == pytest.approx(not_none(clock.due) + 30 * HOUR, abs=2 * MINUTE)
        assert moved.stage is ClockStage.RUNNING
        assert len(posts.new) == called + 1, "the greeting, and no call"


async def _has_recorded_absence(harness: AppHarness) -> None:
    async with asyncio.timeout(BOUND):
        with app_database(harness) as connection:
            while connection.execute("SELECT left_at FROM guilds").fetchone() == (None,):
                await harness.has_looked()


async def test_players_who_come_after_their_call_get_nothing_else(tmp_path: Path) -> None:
    async with running_app(tmp_path, OFTEN) as harness:
        posts, began = await _begun(harness)
        called = dict[int, int]()
        for turn in range(WRITTEN[REGULAR]):
            expected = await _pass_time(harness, began, range(12 * turn + 4, 12 * turn + 13, 4))
            (mover,) = [person for person in harness.people if person.id == expected.user_to_act]
            called[mover.id] = called.get(mover.id, 0) + 1
            if turn < WRITTEN[REGULAR] - 1:
                await _play_lowest(harness, Player(harness, mover))
        assert len(posts.new) == WRITTEN[REGULAR], [message.content for message in posts.new.values()]
        assert {person.id: len(person.pings) for person in harness.people if person.pings} == called


async def _play_lowest(harness: AppHarness, player: Player) -> None:
    """Make a move that isn't celebrated."""
    await player.open()
    assert player.panel is not None
    if player.panel.selects:
        await player.person.click(player.panel, "Lowest play")
        await player.person.click(player.panel, PLAY)
    else:
        await player.person.click(player.panel, PASS)
    await player.person.until(lambda: not player.must_act())
    await _shown(harness)
