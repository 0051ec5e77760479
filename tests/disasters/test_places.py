"""What becomes of the places: the gateway, the channel, its permissions, the server and its members.

The match goes on; and what could not be told meanwhile is told as soon as it can be, without anybody asking.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bot.table.model import Status
from playground.client.resolving import NotOffered
from playground.world.permissions import Permission
from tests.disasters.script import KINDS, Match, Unanswered
from tests.disasters.steered import LATE, SteeredRoom, steered_room
from tests.disasters.truth import Truth, calls_heard, comes_true, tables_shown, truths
from tests.end_to_end.evidence import logged, whispered
from tests.end_to_end.room import Player

SOAKS = "GANG_OF_FOUR_SOAK" in os.environ
PHASES = {
    "before": KINDS if SOAKS else ("join", "lead", "give back"),
    "after": KINDS if SOAKS else ("start", "follow", "end a hand"),
}
"""Where the gateway has a bad day before a press, and where after it."""
TROUBLES = ("drop", "invalidate", "request_reconnect")
TARGET = 12
WRITING = Permission.VIEW_CHANNEL | Permission.SEND_MESSAGES


async def test_the_gateway_has_bad_days_in_every_phase(tmp_path: Path) -> None:
    """Matches beside each other, as most of the time is spent in connecting."""
    async with asyncio.TaskGroup() as group:
        for trouble in TROUBLES:
            for order in PHASES:
                group.create_task(_has_bad_days(tmp_path / f"{order} {trouble}", trouble, order))


async def _has_bad_days(folder: Path, trouble: str, order: str) -> None:
    async with steered_room(folder) as room:
        room.excused = (LATE,)  # what was pressed before the line broke comes through late
        match, phases = Match(room, target=TARGET), set(PHASES[order])
        for number in range(1, 20):
            room.channel = room.guild.channel(f"games {number}")
            truth: Truth | None = None
            while phases and (truth is None or truth.table.row.status is not Status.OVER):
                step = match.next_step(truth)
                doing = asyncio.create_task(step.do())
                if step.kind in phases:
                    phases.discard(step.kind)
                    await _strikes(room, getattr(room.world.gateway, trouble), before=order == "before")
                    await _is_given_up(room, doing)
                with suppress(Unanswered, NotOffered):
                    await doing
                truth = next(iter((await comes_true(room)).values()), None)
        assert phases == set()
        assert all(set(calls_heard(person).values()) == {1} for person in match.people)


async def _strikes(room: SteeredRoom, trouble: Callable[[], None], *, before: bool) -> None:
    ana, gateway = room.people[0], room.world.gateway
    if not before:
        await ana.until(lambda: room.world.interactions.pending)
    connections = {id(session.connection) for session in gateway.sessions.values()}
    trouble()
    await ana.until(
        lambda: (
            gateway.is_complete()
            and not connections & {id(session.connection) for session in gateway.sessions.values()}
        ),
        timeout=20,
    )


async def _is_given_up(room: SteeredRoom, doing: asyncio.Task[bool]) -> None:
    """Wait until what somebody does is done; what was lost with its session is given up early."""
    while not doing.done():
        await asyncio.wait({doing}, timeout=0.7)
        if not doing.done() and room.world.interactions.pending:
            room.world.clock.advance(4)


async def test_it_ends_when_it_is_asked_to_while_it_connects_anew(room: SteeredRoom) -> None:
    room.world.gateway.invalidate()
    await room.people[0].until(lambda: not room.world.gateway._connections)
    await room.stop_app()
    assert "Traceback" not in room.log.read_text()


def _channel_for_the_app(room: SteeredRoom, *, closed: bool) -> None:
    (room.channel.deny if closed else room.channel.allow)(room.world.bot, WRITING)


def _channel_for_everybody(room: SteeredRoom, *, closed: bool) -> None:
    everyone = room.guild.everyone
    (room.channel.deny if closed else room.channel.allow)(everyone, Permission.SEND_MESSAGES)


def _server(room: SteeredRoom, *, closed: bool) -> None:
    everyone, ordinary = room.guild.everyone, Permission.ordinary()
    room.world.set_role(room.guild, everyone, ordinary & ~Permission.SEND_MESSAGES if closed else ordinary)


def _role_of_the_app(room: SteeredRoom, *, closed: bool) -> None:
    """Only a role lets the app write; it is taken, and given again."""
    member, everyone = room.guild.members[room.world.bot.id], room.guild.everyone
    role = next((role for role in room.guild.roles.values() if role.name == "writers"), None)
    if role is None:
        role = room.guild.role("writers", Permission(0), room.world.bot)
        room.channel.overwrites[role.id] = (Permission.SEND_MESSAGES, Permission(0))
        room.channel.deny(everyone, Permission.SEND_MESSAGES)
    if closed:
        member.role_ids.remove(role.id)
    else:
        member.role_ids.append(role.id)
    room.world.announce_member(room.guild, member)


CLOSED = (_channel_for_the_app, _channel_for_everybody, _server, _role_of_the_app)


@pytest.mark.parametrize("door", CLOSED)
async def test_what_was_not_allowed_is_told_as_soon_as_it_is(room: SteeredRoom, door: Callable[..., None]) -> None:
    match = Match(room, target=TARGET)
    truth = await _play(room, match, None, 1)
    for steps in (1, 1, 4):
        door(room, closed=True)
        complaints = room.log.read_text().count("cannot be shown")
        for _ in range(steps):
            assert await match.next_step(truth).do()
            (truth,) = truths(room).values()
        if truth.person is not None:  # an edit would have been allowed, a call is not
            await _says(room, "cannot be shown", complaints + 1)
        door(room, closed=False)
        truth = await _play(room, match, truth, 1)
    assert room.log.read_text().count("cannot be shown") < 40
    assert all(set(calls_heard(person).values()) == {1} for person in match.people)


async def _says(room: SteeredRoom, text: str, times: int) -> None:
    async with asyncio.timeout(10):
        while room.log.read_text().count(text) < times:  # noqa: ASYNC110  # a file wakes nobody
            await asyncio.sleep(0.01)


async def _play(room: SteeredRoom, match: Match, truth: Truth | None, number: int) -> Truth:
    """All is true, then somebody does something, so many times; then all is true again."""
    await comes_true(room)
    for _ in range(number):
        assert await match.next_step(truth).do()
        (truth,) = (await comes_true(room)).values()
    assert truth is not None
    return truth


async def test_what_was_opened_while_the_app_was_away_is_told_at_its_start(room: SteeredRoom) -> None:
    match = Match(room, target=TARGET)
    truth = await _play(room, match, None, 4)
    _channel_for_the_app(room, closed=True)
    assert await match.next_step(truth).do()
    await logged(room, "cannot be shown")
    await room.kill_app()
    _channel_for_the_app(room, closed=False)
    await room.start_app()
    await comes_true(room)


@pytest.mark.parametrize("trouble", ["invalidate", "drop"])
async def test_what_was_opened_while_the_gateway_was_away_is_told_when_it_is_back(
    room: SteeredRoom, trouble: str
) -> None:
    match, gateway = Match(room, target=TARGET), room.world.gateway
    truth = await _play(room, match, None, 4)
    _channel_for_the_app(room, closed=True)
    assert await match.next_step(truth).do()
    await logged(room, "cannot be shown")
    getattr(gateway, trouble)()
    await room.people[0].until(lambda: not gateway.is_complete())
    _channel_for_the_app(room, closed=False)
    await comes_true(room)


async def test_a_server_that_lets_the_app_in_again_is_told_what_happened_meanwhile(tmp_path: Path) -> None:
    async with steered_room(tmp_path, ROBOT_SECONDS="0.3") as room:
        ana = room.people[0]
        await room.open(ana, seats=3)
        await room.seat([], ai_players=2)
        await room.begin()
        (truth,) = truths(room).values()
        if truth.person is not None:
            player = Player(room, ana)
            await player.open()
            await player.act()
        before = len(room.world.requests)
        room.guild.remove(room.world.bot)
        await ana.until(lambda: _refused_since(room, before))
        await _waits_for(room, ana.id)
        with pytest.raises(NotOffered):
            await ana.slash(room.channel, "gang hand")
        room.guild.add(room.world.bot)
        await comes_true(room)
        assert len(tables_shown(ana, room.channel, 1)) == 1


def _refused_since(room: SteeredRoom, number: int) -> bool:
    """Whether the app was refused in the channel since so many requests."""
    return any(seen.status in (403, 404) and "/channels/" in seen.route for seen in room.world.requests[number:])


async def _waits_for(room: SteeredRoom, user_id: int) -> None:
    """Wait until the robots have moved."""
    async with asyncio.timeout(20):
        while next(iter(truths(room).values())).person != user_id:  # noqa: ASYNC110  # a file wakes nobody
            await asyncio.sleep(0.02)


async def test_a_match_whose_channel_is_deleted_is_played_to_its_end_from_another(room: SteeredRoom) -> None:
    match, other = Match(room, target=1), room.guild.channel("other games")
    truth = await _play(room, match, None, 8)
    room.channel.delete()
    ana = room.people[0]
    assert "1 open table" in whispered(await ana.slash(other, "gang list"))
    match.hand_from(other)
    while truth.table.row.status is Status.PLAYING:
        assert await match.next_step(truth).do()
        (truth,) = truths(room).values()
    assert "1 match" in whispered(await ana.slash(other, "gang leaderboard"))
    assert room.log.read_text().count("cannot be shown") < 100
    assert "could not be shown" not in room.log.read_text()


async def test_a_match_waits_for_a_member_who_has_left_and_goes_on_when_they_are_back(room: SteeredRoom) -> None:
    match = Match(room, target=TARGET)
    truth = await _play(room, match, None, 6)
    (mover,) = [person for person in match.people if person.id == truth.person]
    others = [person for person in match.people if person is not mover]
    room.guild.remove(mover)
    with pytest.raises(NotOffered):
        await match.next_step(truth).do()
    for other in others:
        panel = (await other.click(tables_shown(other, room.channel, 1)[0], "My hand")).message
        assert panel is not None
        assert f"**{mover.name}** is to act" in panel.text
    (now,) = (await comes_true(room)).values()
    assert now.lines == truth.lines

    room.guild.add(mover)
    truth = await _play(room, match, truth, 4)
    assert len(truth.lines) > len(now.lines)


async def test_a_permission_that_returns_without_an_event_is_noticed(tmp_path: Path) -> None:
    """As when a timeout of the app ends: Discord tells it of nothing."""
    async with steered_room(tmp_path, {"bot.presentation.channel.refresh_queue.FORBIDDEN_AFTER": 0.2}) as room:
        match = Match(room, target=TARGET)
        truth = await _play(room, match, None, 4)
        _channel_for_the_app(room, closed=True)
        assert await match.next_step(truth).do()
        await logged(room, "cannot be shown")
        del room.channel.overwrites[room.world.bot.id]
        await comes_true(room)
