"""Bad days of Discord, of the gateway, of a channel, and of the app itself: the match goes on, and nothing is lost."""

import asyncio
import os
import random
import sys
from collections.abc import Callable

from bot.engine.events import HandEnded, MatchEnded
from bot.engine.verification import verify
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.evidence import database_of, logged, record_of, whispered
from tests.end_to_end.forge import ROOT
from tests.end_to_end.room import Player, Room, play_to_the_end, play_until

KILLS = 8


async def _playing(room: Room, **options: object) -> list[Player]:
    ana, ben, cleo, _ = room.people
    await room.open(ana, seats=3, **options)
    await room.seat([ben, cleo])
    await room.begin()
    return [Player(room, person) for person in (ana, ben, cleo)]


async def _some_moves(room: Room, players: list[Player], number: int) -> None:
    enough = sum(player.moves for player in players) + number
    await play_until(room, players, lambda: sum(player.moves for player in players) >= enough or room.is_over())


async def _mover(room: Room, players: list[Player]) -> Player:
    """Whoever is to act, once the own panel says so."""
    (mover, *_) = await room.people[0].until(lambda: [player for player in players if player.must_act()])
    return mover


async def _is_shown_again(room: Room, what: str = "👉") -> None:
    await room.people[0].until(lambda: [m for m in _tables(room) if what in m.text] != [])


def _tables(room: Room) -> list[SeenMessage]:
    return [m for m in room.people[0].sees(room.channel) if m.text.startswith("### Gang of Four ·")]


def _reports(room: Room) -> list[str]:
    return [m.text.splitlines()[0] for m in room.people[0].sees(room.channel) if "is over" in m.text.splitlines()[0]]


async def test_the_gateway_has_bad_days(room: Room) -> None:
    players = await _playing(room, target=1)
    gateway = room.world.gateway
    troubles: list[Callable[[], object]] = [gateway.drop, gateway.invalidate]
    for trouble in troubles:
        trouble()
        await room.people[0].until(lambda: not gateway.is_complete())
        await room.people[0].until(gateway.is_complete)
        await _some_moves(room, players, 2)
    await play_to_the_end(room, players)


async def test_messages_that_somebody_deletes_come_again(room: Room) -> None:
    players = await _playing(room)
    posting = room.world.posting
    posting.delete(room.table().message)
    posting.delete((await room.people[0].until(room.notices))[0].message)
    assert players[0].person.name == "Ana"
    reply = await room.people[0].slash(room.channel, "gang hand")
    assert reply.message is not None
    await room.people[0].slash(room.channel, "gang show")
    await _is_shown_again(room)
    await _some_moves(room, players, 2)
    assert len(_tables(room)) == 1
    assert len(await room.people[0].until(room.notices)) == 1


async def test_telling_that_fails_is_done_again_by_itself(room: Room) -> None:
    ana, ben, *_ = room.people
    table = await room.open(ana)
    room.world.faults.next("PATCH", "/channels/*/messages/*", status="reset", times=1)

    await ben.click(table, "Join")

    await ana.until(lambda: "Ben" in room.table().text)
    await logged(room, "could not be shown")


async def test_what_was_posted_with_its_answer_lost_stands_there_once(room: Room) -> None:
    room.world.faults.next("POST", "/channels/*/messages", status="reset", after=True)
    ana = room.people[0]
    await ana.slash(room.channel, "gang new", seats=3)
    await ana.until(lambda: len(_tables(room)) == 1)
    await ana.click(room.table(), "Leave")
    await ana.until(lambda: len(_tables(room)) == 1 and "is closed" in room.table().text)


async def test_a_notice_whose_answer_was_lost_goes_when_its_turn_is_over(room: Room) -> None:
    players = await _playing(room)
    await _some_moves(room, players, 1)
    await room.people[0].until(lambda: len(room.notices()) == 1)
    first, lost = await _lose_a_notice(room, players)

    await (await _mover(room, players)).act()

    await room.people[0].until(lambda: [m.id for m in room.notices() if m.id in (first, lost)] == [])
    await room.people[0].until(lambda: len(room.notices()) == 1)
    assert len(_messages_of_the_app(room)) == 2


async def _lose_a_notice(room: Room, players: list[Player]) -> tuple[int, int]:
    """Have the answer to a notice lost; gives the one before, and the lost one."""
    for times in range(1, 9):
        first, last = await _lose_an_answer(room, players, times)
        if first != last:
            return first, last
        await _is_followed(room, first)
    raise AssertionError


async def _lose_an_answer(room: Room, players: list[Player], times: int) -> tuple[int, int]:
    """Have the answer to what is posted after a move lost, as the `times`th; gives the notice before and the last one.

    They are the same after a gang, as it is celebrated before the next notice.
    """
    (first,) = await room.people[0].until(lambda: room.notices() if len(room.notices()) == 1 else [])
    room.world.faults.next("POST", "/channels/*/messages", status="reset", after=True)
    await (await _mover(room, players)).act()
    await room.people[0].until(lambda: room.log.read_text().count("could not be shown") == times)
    return first.id, room.notices()[-1].id


async def _is_followed(room: Room, notice: int) -> None:
    await room.people[0].until(lambda: [m.id for m in room.notices()] not in ([], [notice]))


def _messages_of_the_app(room: Room) -> list[SeenMessage]:
    """The table and the notice; a gang that is celebrated stays."""
    seen = [m for m in room.people[0].sees(room.channel) if not m.ephemeral]
    return [message for message in seen if not message.text.startswith("## 🎉")]


async def test_a_channel_may_be_closed_to_the_app_and_opened_again(room: Room) -> None:
    players = await _playing(room)
    bot, ana = room.world.bot, room.people[0]
    both = Permission.SEND_MESSAGES | Permission.VIEW_CHANNEL
    room.channel.deny(bot, both)
    await _some_moves(room, players, 0)
    lines = len(record_of(room))
    await (await _mover(room, players)).act()
    assert len(record_of(room)) > lines
    await logged(room, "cannot be shown in its channel")

    assert "not allowed to write" in whispered(await ana.slash(room.guild.channel("other"), "gang show", table=1))

    room.channel.allow(bot, both)
    await ana.slash(room.channel, "gang show", table=1)

    await _is_shown_again(room)
    assert room.log.read_text().count("cannot be shown") < 10


async def test_the_channel_is_deleted(room: Room) -> None:
    players = await _playing(room)
    other = room.guild.channel("other games")
    ana = room.people[0]
    await players[0].open()
    room.channel.delete()
    assert "1 open table" in whispered(await ana.slash(other, "gang list"))
    assert "is gone" in whispered(await ana.slash(other, "gang show", table=1))
    reply = await ana.slash(other, "gang hand", table=1)
    assert "your hand" in whispered(reply)
    assert "The channel of table 1 is gone" in whispered(reply)
    await room.close(1)
    await logged(room, "cannot be shown in its channel")
    assert room.log.read_text().count("cannot be shown") < 5


async def test_the_app_is_put_out_of_the_server_and_let_in_again(room: Room) -> None:
    players = await _playing(room)
    await _some_moves(room, players, 1)
    room.guild.remove(room.world.bot)
    room.guild.add(room.world.bot)
    await _some_moves(room, players, 2)
    assert len(_tables(room)) == 1


async def test_it_ends_well_when_asked_to_at_any_moment_of_its_start(room: Room) -> None:
    await room.stop_app()
    for requests in (1, 2, 4):
        code, said = await _ended_after(room, requests)
        assert (code, "Traceback" in said) == (0, False), said


async def _ended_after(room: Room, requests: int) -> tuple[int | None, str]:
    """Start the app and end it after so many requests; gives its exit code and what it says."""
    enough = len(room.world.requests) + requests
    environment = {
        **os.environ,
        "DISCORD_TOKEN": room.world.token,
        "DISCORD_API_URL": room.world.api_url,
        "DATABASE_URL": f"sqlite+aiosqlite:///{database_of(room)}",
    }
    app = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", env=environment, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )
    await room.people[0].until(lambda: len(room.world.requests) >= enough)
    app.terminate()
    _, said = await asyncio.wait_for(app.communicate(), 10)
    return app.returncode, said.decode()


async def test_a_match_survives_kills_at_random_moments(room: Room) -> None:
    rng = random.Random(4)
    players = await _playing(room, target=12)
    for _ in range(KILLS):
        if room.is_over():
            break
        playing = asyncio.create_task(_some_moves(room, players, 6))
        await _changes(room, rng.randint(1, 60))
        await room.kill_app()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await room.start_app()
    await play_to_the_end(room, players)

    await room.people[0].until(lambda: room.notices() == [])
    lines = record_of(room)
    assert verify(lines).lines == len(lines)
    assert sum(isinstance(line.event, MatchEnded) for line in lines) == 1
    hands = sum(isinstance(line.event, HandEnded) for line in lines)
    await room.people[0].until(lambda: len(_reports(room)) >= hands)
    assert len(_reports(room)) == len(set(_reports(room))) == hands


async def _changes(room: Room, number: int) -> None:
    """Wait until so many things have changed in the world, or nothing does any more."""
    try:
        async with asyncio.timeout(3):
            for _ in range(number):
                await room.world.wait_for_change()
    except TimeoutError:
        pass
