"""Trouble with the gateway, the channel, its permissions, the server and its members.

The match continues, and missing messages are posted as soon as possible.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.table.model import Status
from playground.client.resolving import NotOffered
from playground.world.interactions import FIRST_ANSWER_SECONDS
from playground.world.permissions import Permission
from tests.disasters.expected_state import (
    GREETING,
    ExpectedState,
    expected_states,
    ping_counts,
    tables_shown,
    wait_until_displayed,
)
from tests.disasters.scripted_match import KINDS, ScriptedMatch, Unanswered
from tests.end_to_end.app_harness import ANSWERED_LATE, AppHarness, Player, running_app
from tests.end_to_end.inspection import app_database, private_text, shown, wait_for_log

SOAKS = "GANG_OF_FOUR_SOAK" in os.environ
PHASES = {
    "before": KINDS if SOAKS else ("join", "lead", "give back"),
    "after": KINDS if SOAKS else ("start", "follow", "end a hand"),
}
"""The steps with gateway trouble before or after the press."""
TROUBLES = ("drop", "invalidate", "request_reconnect")
TARGET = 12
WRITING = Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES


async def test_gateway_trouble_in_any_phase_does_not_stop_a_match(tmp_path: Path) -> None:
    """Several matches at the same time, since connecting is mostly waiting."""
    async with asyncio.TaskGroup() as group:
        for trouble in TROUBLES:
            for order in PHASES:
                group.create_task(_play_with_gateway_trouble(tmp_path / f"{order} {trouble}", trouble, order))


async def _play_with_gateway_trouble(folder: Path, trouble: str, order: str) -> None:
    async with running_app(folder) as harness:
        harness.world.interactions.answer_seconds = FIRST_ANSWER_SECONDS
        harness.ignored_violations = (ANSWERED_LATE,)  # presses from before the interruption arrive late
        match, phases = ScriptedMatch(harness, target=TARGET), set(PHASES[order])
        for number in range(1, 20):
            harness.channel = harness.guild.channel(f"games {number}")
            expected: ExpectedState | None = None
            while phases and (expected is None or expected.table.row.status is not Status.OVER):
                step = match.next_step(expected)
                doing = asyncio.create_task(step.do())
                if step.kind in phases:
                    phases.discard(step.kind)
                    await _interrupt(harness, getattr(harness.world.gateway, trouble), before=order == "before")
                    await _finish_or_give_up(harness, doing)
                with suppress(Unanswered, NotOffered):
                    await doing
                expected = next(iter((await wait_until_displayed(harness)).values()), None)
        assert phases == set()
        assert all(set(ping_counts(person).values()) == {1} for person in match.people)


async def _interrupt(harness: AppHarness, trouble: Callable[[], None], *, before: bool) -> None:
    ana, gateway = harness.people[0], harness.world.gateway
    if not before:
        await ana.until(lambda: harness.world.interactions.pending)
    connections = {id(session.connection) for session in gateway.sessions.values()}
    trouble()
    await ana.until(
        lambda: (
            gateway.is_complete()
            and not connections & {id(session.connection) for session in gateway.sessions.values()}
        )
    )


async def _finish_or_give_up(harness: AppHarness, doing: asyncio.Task[bool]) -> None:
    """Wait until a step is done, and let the client give up what was lost with its session."""
    while not doing.done():
        await asyncio.wait({doing}, timeout=0.7)
        if not doing.done() and harness.world.interactions.pending:
            harness.world.clock.advance(4)


async def test_it_stops_while_it_reconnects(harness: AppHarness) -> None:
    harness.world.gateway.invalidate()
    await harness.people[0].until(lambda: not harness.world.gateway.connections)
    await harness.stop_app()
    assert "Traceback" not in harness.log.read_text()


def _close_to_the_app(harness: AppHarness, *, closed: bool) -> None:
    (harness.channel.deny if closed else harness.channel.allow)(harness.world.bot, WRITING)


def _close_to_everyone(harness: AppHarness, *, closed: bool) -> None:
    everyone = harness.guild.everyone
    (harness.channel.deny if closed else harness.channel.allow)(everyone, Permission.SEND_MESSAGES)


def _server(harness: AppHarness, *, closed: bool) -> None:
    everyone, ordinary = harness.guild.everyone, Permission.ordinary()
    harness.world.set_role(harness.guild, everyone, ordinary & ~Permission.SEND_MESSAGES if closed else ordinary)


def _role_of_the_app(harness: AppHarness, *, closed: bool) -> None:
    """Only a role lets the app write. It is removed and returned."""
    member, everyone = harness.guild.members[harness.world.bot.id], harness.guild.everyone
    role = next((role for role in harness.guild.roles.values() if role.name == "writers"), None)
    if role is None:
        role = harness.guild.role("writers", Permission(0), harness.world.bot)
        harness.channel.overwrites[role.id] = (Permission.SEND_MESSAGES, Permission(0))
        harness.channel.deny(everyone, Permission.SEND_MESSAGES)
    if closed:
        member.role_ids.remove(role.id)
    else:
        member.role_ids.append(role.id)
    harness.world.announce_member(harness.guild, member)


CLOSED = (_close_to_the_app, _close_to_everyone, _server, _role_of_the_app)


@pytest.mark.parametrize("door", CLOSED)
async def test_forbidden_updates_are_displayed_as_soon_as_they_are_allowed(
    harness: AppHarness, door: Callable[..., None]
) -> None:
    match = ScriptedMatch(harness, target=TARGET)
    expected = await _play(harness, match, None, 1)
    for steps in (1, 1, 4):
        door(harness, closed=True)
        complaints = harness.log.read_text().count("cannot be shown")
        for _ in range(steps):
            assert await match.next_step(expected).do()
            (expected,) = expected_states(harness).values()
        if expected.user_to_act is not None:  # an edit would be allowed, a notice isn't
            await _says(harness, "cannot be shown", complaints + 1)
        door(harness, closed=False)
        expected = await _play(harness, match, expected, 1)
    assert harness.log.read_text().count("cannot be shown") < 40
    assert all(set(ping_counts(person).values()) == {1} for person in match.people)


async def _says(harness: AppHarness, text: str, times: int) -> None:
    async with asyncio.timeout(10):
        while harness.log.read_text().count(text) < times:  # noqa: ASYNC110  # a file can only be polled
            await asyncio.sleep(0.01)


async def _play(
    harness: AppHarness, match: ScriptedMatch, expected: ExpectedState | None, number: int
) -> ExpectedState:
    """Take a number of steps, with everything displayed before and after each."""
    await wait_until_displayed(harness)
    for _ in range(number):
        assert await match.next_step(expected).do()
        (expected,) = (await wait_until_displayed(harness)).values()
    assert expected is not None
    return expected


async def test_a_channel_reopened_during_downtime_is_updated_at_the_start(harness: AppHarness) -> None:
    match = ScriptedMatch(harness, target=TARGET)
    expected = await _play(harness, match, None, 4)
    _close_to_the_app(harness, closed=True)
    assert await match.next_step(expected).do()
    await wait_for_log(harness, "cannot be shown")
    await harness.kill_app()
    _close_to_the_app(harness, closed=False)
    await harness.start_app()
    await wait_until_displayed(harness)


@pytest.mark.parametrize("trouble", ["invalidate", "drop"])
async def test_a_channel_reopened_without_a_gateway_is_updated_after_the_reconnect(
    harness: AppHarness, trouble: str
) -> None:
    match, gateway = ScriptedMatch(harness, target=TARGET), harness.world.gateway
    expected = await _play(harness, match, None, 4)
    _close_to_the_app(harness, closed=True)
    assert await match.next_step(expected).do()
    await wait_for_log(harness, "cannot be shown")
    getattr(gateway, trouble)()
    await harness.people[0].until(lambda: not gateway.is_complete())
    _close_to_the_app(harness, closed=False)
    await wait_until_displayed(harness)


async def test_a_server_that_adds_the_app_again_sees_the_current_tables(tmp_path: Path) -> None:
    async with running_app(tmp_path, AI_DELAY_SECONDS="0.3") as harness:
        ana = harness.people[0]
        await harness.begin_match(1, ai_players=2)
        (expected,) = expected_states(harness).values()
        if expected.user_to_act is not None:
            player = Player(harness, ana)
            await player.open()
            await player.act()
        before = len(harness.world.requests)
        harness.guild.remove(harness.world.bot)
        await ana.until(lambda: _refused_since(harness, before))
        await _wait_for_turn_of(harness, ana.id)
        with pytest.raises(NotOffered):
            await ana.slash(harness.channel, "gang hand")
        harness.guild.add(harness.world.bot)
        await wait_until_displayed(harness)
        assert len(tables_shown(ana, harness.channel, 1)) == 1
        await ana.until(lambda: [each for each in ana.sees(harness.channel) if each.text.startswith(GREETING)])


def _refused_since(harness: AppHarness, number: int) -> bool:
    """True if Discord has refused a request about a channel since request `number`."""
    return any(seen.status in (403, 404) and "/channels/" in seen.route for seen in harness.world.requests[number:])


async def _wait_for_turn_of(harness: AppHarness, user_id: int) -> None:
    """Wait until the AI players have moved."""
    async with asyncio.timeout(20):
        while next(iter(expected_states(harness).values())).user_to_act != user_id:  # noqa: ASYNC110  # a file can only be polled
            await asyncio.sleep(0.02)


def _are_outdated(harness: AppHarness) -> bool:
    """True if the channels of some tables don't show the latest change. A start asks Discord for these channels."""
    with app_database(harness) as connection:
        return any(connection.execute("SELECT id FROM tables WHERE displayed_revision < revision"))


async def test_a_match_whose_channel_is_deleted_is_played_to_its_end_from_another(harness: AppHarness) -> None:
    match, other = ScriptedMatch(harness, target=1), harness.guild.channel("other games")
    expected = await _play(harness, match, None, 8)
    harness.channel.delete()
    ana = harness.people[0]
    assert "1 open table" in private_text(await ana.slash(other, "gang list"))
    assert "is gone" in private_text(await harness.under_more(ana, "repost:1:0", other))
    match.hand_from(other)
    while expected.table.row.status is Status.PLAYING:
        assert await match.next_step(expected).do()
        (expected,) = expected_states(harness).values()
    assert "1 match" in private_text(await ana.slash(other, "gang leaderboard"))
    async with asyncio.timeout(20):
        while _are_outdated(harness):  # noqa: ASYNC110  # a file can only be polled
            await asyncio.sleep(0.02)
    assert harness.log.read_text().count("cannot be shown") < 100
    assert "could not be shown" not in harness.log.read_text()


async def test_a_match_waits_for_a_member_who_has_left_and_goes_on_when_they_are_back(harness: AppHarness) -> None:
    match = ScriptedMatch(harness, target=TARGET)
    expected = await _play(harness, match, None, 6)
    (mover,) = [person for person in match.people if person.id == expected.user_to_act]
    others = [person for person in match.people if person is not mover]
    harness.guild.remove(mover)
    with pytest.raises(NotOffered):
        await match.next_step(expected).do()
    for other in others:
        panel = shown(await other.click(tables_shown(other, harness.channel, 1)[0], "My hand"))
        assert f"It is **{mover.name}**" in panel.text
    (now,) = (await wait_until_displayed(harness)).values()
    assert now.lines == expected.lines

    harness.guild.add(mover)
    expected = await _play(harness, match, expected, 4)
    assert len(expected.lines) > len(now.lines)


async def test_a_permission_that_returns_without_an_event_is_noticed(tmp_path: Path) -> None:
    """As when a timeout of the app ends: Discord sends no event."""
    async with running_app(tmp_path, {"bot.presentation.channel.refresh_queue.FORBIDDEN_AFTER": 0.2}) as harness:
        match = ScriptedMatch(harness, target=TARGET)
        expected = await _play(harness, match, None, 4)
        _close_to_the_app(harness, closed=True)
        assert await match.next_step(expected).do()
        await wait_for_log(harness, "cannot be shown")
        elsewhere = harness.guild.channel("other games")
        assert "I can't write in" in private_text(await harness.under_more(match.people[0], "repost:1:0", elsewhere))
        del harness.channel.overwrites[harness.world.bot.id]
        await wait_until_displayed(harness)
