"""Late and absent players, pauses, nudges, undo, standing orders and notifications during a match."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.engine.events import Passed, Substituted
from bot.engine.verification import verify
from bot.presentation.ui.custom_ids import code_of
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from tests.disasters.expected_state import expected_states, wait_until_recorded
from tests.end_to_end.app_harness import (
    MY_HAND,
    AppHarness,
    Player,
    can_press,
    play_until,
    running_app,
)
from tests.end_to_end.inspection import app_database, private, private_text, record_of, shown

HOUR = 3_600_000
OFTEN = {"bot.services.deadlines.MAX_SLEEP": 0.05}
"""Let the app look at its clock often."""


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[AppHarness]:
    async with running_app(tmp_path, OFTEN) as harness:
        yield harness


async def _while_the_app_is_down(harness: AppHarness, *statements: str) -> None:
    """Change stored data, as if the app had been off for long."""
    await wait_until_recorded(harness)
    await harness.kill_app()
    with app_database(harness) as connection:
        for statement in statements:
            connection.execute(statement)
    await harness.start_app()


async def _is_due(harness: AppHarness, changes: str = "", *statements: str) -> None:
    """Change stored deadlines and other data, and let the deadlines pass while the app runs."""
    due_at = harness.now() + HOUR
    await _while_the_app_is_down(harness, *statements, f"UPDATE deadlines SET {changes} due_at = {due_at}")
    await harness.has_looked()
    harness.advance_clock_to(due_at)


async def _mover(harness: AppHarness, people: int = 3) -> Person:
    """The player to act, according to the table's message."""

    def acting() -> list[Person]:
        return [person for person in harness.people[:people] if f"👉 **{person.name}**" in harness.table().text]

    (mover,) = await harness.people[0].until(acting)
    return mover


def _message_with(harness: AppHarness, text: str) -> SeenMessage | None:
    return next((message for message in harness.messages(harness.people[0]) if text in message.text), None)


async def _asked(harness: AppHarness, target: int = 100) -> tuple[Person, Person, SeenMessage]:
    """A match with a late player. Returns the late player, the others, and the question."""
    await harness.begin_match(3, pace="live", target=target)
    return await _is_asked(harness)


async def _is_asked(harness: AppHarness) -> tuple[Person, Person, SeenMessage]:
    late = await _mover(harness)
    due_at = harness.now() + HOUR
    await _is_due(harness, "kind = 'turn',", f"UPDATE tables SET turn_stage = 'reminded', turn_due = {due_at}")
    question = await late.until(lambda: _message_with(harness, "What should happen now?"))
    assert question is not None
    return late, next(person for person in harness.people[:3] if person is not late), question


async def _more(harness: AppHarness, person: Person) -> SeenMessage:
    return shown(await person.click(harness.table(person), "More"))


async def test_a_substitute_sits_in_and_plays(harness: AppHarness) -> None:
    late, other, question = await _asked(harness)
    dan = harness.people[3]
    await other.click(question, "Call a substitute")
    call = await other.until(lambda: _message_with(harness, "needs a substitute"))
    assert call is not None

    assert "You sit in" in private_text(await dan.click(call, "Sit in"))

    await dan.until(lambda: f"Dan for {late.name}" in harness.table().text)
    player = Player(harness, dan)
    await player.open()
    assert player.must_act()
    await player.act()
    await dan.until(lambda: any(isinstance(line.event, Substituted) for line in record_of(harness)))
    refused = await late.click(harness.table(late), MY_HAND)
    assert refused.message is not None
    await late.click(harness.table(late), "I'm back")
    await dan.until(lambda: f"Dan for {late.name}" not in harness.table().text)
    assert "not at this table" in private_text(await dan.click(harness.table(dan), MY_HAND))


async def test_a_substitute_leaves_and_the_owner_can_still_come_back(harness: AppHarness) -> None:
    late, other, question = await _asked(harness)
    dan = harness.people[3]
    await other.click(question, "Call a substitute")
    call = await other.until(lambda: _message_with(harness, "needs a substitute"))
    assert call is not None
    await dan.click(call, "Sit in")
    await dan.until(lambda: f"Dan for {late.name}" in harness.table().text)

    assert "You no longer sit in" in private_text(await harness.under_more(dan, "leave-match:1:0"))

    await dan.until(lambda: f"🤖 for {late.name}" in harness.table().text)
    assert "your own seat" in private_text(await late.click(harness.table(late), "I'm back"))


async def test_changing_the_answer_repeatedly_calls_substitutes_only_once(harness: AppHarness) -> None:
    late, other, question = await _asked(harness)
    before = len(late.pings)
    await other.click(question, "Wait")
    await other.until(lambda: _message_with(harness, "everyone is waiting for you"))
    panel = await _more(harness, other)
    for _ in range(3):
        await other.click(panel, "Call a substitute")
        call = await other.until(lambda: _message_with(harness, "needs a substitute"))
        await other.click(panel, "Wait")
        waiting = await other.until(lambda: _message_with(harness, "everyone is waiting for you"))
        assert call is not None
        assert waiting is not None
        assert waiting.id == call.id
    assert len(late.pings) == before + 1  # by the first answer


async def test_a_nudge_rings_again_and_has_its_time(harness: AppHarness) -> None:
    await harness.begin_match(3)
    mover = await _mover(harness)
    other = next(person for person in harness.people[:3] if person is not mover)
    await mover.until(lambda: len(mover.pings) == 1)
    panel = await _more(harness, other)
    assert not can_press(panel, "Nudge")
    assert "You can nudge" in panel.text
    await _while_the_app_is_down(harness, "UPDATE tables SET turn_began = turn_began - 7200000")
    await other.click(await _more(harness, other), "Nudge")
    await mover.until(lambda: _message_with(harness, "the others are waiting for you"))
    assert len(mover.pings) == 2


async def test_a_standing_order_plays_without_a_turn_notice(harness: AppHarness) -> None:
    await harness.begin_match(3)
    leader = Player(harness, await _mover(harness))
    await leader.open()
    await leader.act()
    await leader.person.until(lambda: f"👉 **{leader.person.name}**" not in harness.table().text)
    mover = Player(harness, await _mover(harness))
    (last,) = [person for person in harness.people[:3] if person not in (leader.person, mover.person)]
    seat = harness.people.index(last)
    await _while_the_app_is_down(harness, f"UPDATE seats SET orders = 'pass' WHERE seat = {seat}")
    await mover.open()
    await mover.act()
    await last.until(lambda: any(line.event == Passed(seat) for line in record_of(harness)))
    assert last.pings == []


async def _choose_notifications(harness: AppHarness, person: Person, how: str) -> Reply:
    reply = await person.slash(harness.channel, "gang settings")
    assert reply.message is not None
    notifications = next(menu for menu in reply.message.selects if "notifications" in menu.custom_id)
    return await person.select(reply.message, how, custom_id=notifications.custom_id)


async def test_users_with_direct_messages_get_no_mention(harness: AppHarness) -> None:
    for person in harness.people[:3]:
        await _choose_notifications(harness, person, "direct")
    await harness.begin_match(3)
    mover = await _mover(harness)
    (call,) = await mover.until(lambda: [m for m in mover.direct_messages if "you lead." in m.content])
    assert call.push_text.startswith(f"@{mover.name}, you lead.")
    assert [button.url for button in call.buttons if button.url] == [
        f"https://discord.com/channels/{harness.guild.id}/{harness.channel.id}/{harness.table().id}"
    ]
    assert harness.notices() == []
    before = harness.table().id
    await harness.under_more(next(person for person in harness.people if person is not mover), "repost:1:0")
    await mover.until(lambda: harness.table().id != before)
    moved = f"/{harness.channel.id}/{harness.table().id}"
    await mover.until(lambda: any(str(button.url).endswith(moved) for button in mover.direct_messages[0].buttons))
    player = Player(harness, mover)
    await player.open()
    await player.act()
    await mover.until(lambda: mover.direct_messages == [])


async def test_a_late_player_whose_phone_stays_silent_is_named(harness: AppHarness) -> None:
    await harness.begin_match(3, pace="day")
    mover = await _mover(harness)
    await _choose_notifications(harness, mover, "never")
    *_, question = await _is_asked(harness)
    assert question.push_text.startswith(f"{mover.name}'s time at table 1 is up.")


async def test_a_turn_is_played_in_the_direct_message(harness: AppHarness) -> None:
    for person in harness.people[:3]:
        await _choose_notifications(harness, person, "direct")
    await harness.begin_match(3)
    mover = await _mover(harness)
    (call,) = await mover.until(lambda: [m for m in mover.direct_messages if "you lead." in m.content])
    player = Player(harness, mover)
    player.panel = shown(await mover.click(call, "My hand"))
    assert can_press(player.panel, "More")
    await player.act()
    await mover.until(lambda: mover.direct_messages == [player.panel])
    follower = await _mover(harness)
    (call,) = await follower.until(lambda: [m for m in follower.direct_messages if "Your turn" in m.content])
    assert await follower.click(call, "Pass")
    await follower.until(lambda: follower.direct_messages == [])


async def test_the_rule_against_a_pass_on_a_call_is_that_of_the_table(harness: AppHarness) -> None:
    await harness.begin_match(3, edition="summary-sheet")
    leader = await _mover(harness)
    (call,) = await leader.until(harness.notices)
    table = expected_states(harness)[1].table
    reply = private(await leader.press_old(f"g4:passcall:1:{table.moment}", call))
    assert reply.text.startswith("You lead")
    (why,) = reply.buttons
    assert str(why.custom_id).endswith(f":{code_of(table.row.options)}")


@pytest.mark.parametrize("status", [400, 403, 404])
async def test_users_who_refuse_direct_messages_are_mentioned(harness: AppHarness, status: int) -> None:
    for person in harness.people[:3]:
        await _choose_notifications(harness, person, "direct")
    harness.world.faults.next("POST", "/users/@me/channels", status=status)
    await harness.begin_match(3)
    mover = await _mover(harness)
    await mover.until(lambda: len(harness.notices()) == 1)
    assert mover.mention in harness.notices()[0].text


async def test_users_who_refuse_direct_messages_rarely_get_another_attempt(harness: AppHarness) -> None:
    """Discord bans an address for a while after too many refused requests."""
    for person in harness.people[:3]:
        await _choose_notifications(harness, person, "direct")
        person.accepts_direct_messages = False
    await harness.begin_match(3)
    players = [Player(harness, person) for person in harness.people[:3]]
    await play_until(harness, players, lambda: sum(player.moves for player in players) >= 9)
    refused = [seen for seen in harness.world.requests if seen.status == 403]
    assert 1 <= len(refused) <= len(players)


async def _sleeps(harness: AppHarness, person: Person) -> None:
    """A player has quiet hours now."""
    hour = datetime.now(UTC).hour
    panel = shown(await person.slash(harness.channel, "gang settings"))
    modal = (await person.click(panel, "Other quiet hours…")).modal
    assert modal is not None
    hours = ("UTC", f"{(hour - 1) % 24}:00", f"{(hour + 3) % 24}:00")
    await person.submit(modal, dict(zip(modal.fields, hours, strict=True)))


async def test_in_quiet_hours_phones_stay_silent(harness: AppHarness) -> None:
    for person in harness.people[:3]:
        await _sleeps(harness, person)
    await harness.begin_match(3, pace="day")
    mover = await _mover(harness)
    await mover.until(lambda: len(harness.notices()) == 1)
    assert mover.mention in harness.notices()[0].text
    assert mover.pings == []


async def test_the_question_respects_quiet_hours(harness: AppHarness) -> None:
    await harness.begin_match(3, pace="day")
    mover = await _mover(harness)
    sleeper = next(person for person in harness.people[:3] if person is not mover)
    await _sleeps(harness, sleeper)
    *_, question = await _is_asked(harness)
    assert sleeper.mention not in question.text
    assert question.push_text.startswith(f"@{mover.name}'s time at table 1 is up.")
    rung = [person for person in harness.people[:3] if question.id in {ping.id for ping in person.pings}]
    assert rung == [person for person in harness.people[:3] if person is not sleeper]


async def test_players_without_notifications_are_not_called(harness: AppHarness) -> None:
    for person in harness.people[:3]:
        await _choose_notifications(harness, person, "never")
    await harness.begin_match(3)
    mover = await _mover(harness)
    assert mover.pings == []
    assert harness.notices() == []
    assert f"<#{harness.channel.id}>" in private_text(await mover.slash(harness.channel, "gang turns"))
    await _while_the_app_is_down(harness, "UPDATE tables SET turn_began = turn_began - 7200000")
    other = next(person for person in harness.people[:3] if person is not mover)
    panel = await _more(harness, other)
    await other.click(panel, "Nudge")
    assert "They have turned off turn messages" in panel.text


async def test_abandoned_lobbies_and_matches_are_closed(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.open_table(ana)
    await harness.begin_match(3)
    await _is_due(harness, "kind = 'close',")
    await ana.until(lambda: sum("Nobody has been here for a long time." in m.text for m in harness.messages(ana)) == 2)
    assert verify(record_of(harness, 2)).hand_number >= 1
