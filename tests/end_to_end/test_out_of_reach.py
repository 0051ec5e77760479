"""Tables whose channel is gone can be played from a private hand, and players get direct messages if possible."""

import time
from pathlib import Path

import pytest

from bot.presentation.text.i18n import words_in
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.model import Channel, ChannelType
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import PASS, PLAY, AppHarness, Player, can_press, play_to_the_end, running_app
from tests.end_to_end.inspection import app_database, private_text, shown


async def _playing(
    harness: AppHarness, people: int = 3, ai_players: int = 0, *, thread: bool = False, **options: object
) -> None:
    ana = harness.people[0]
    await harness.open_table(ana, seats=people + ai_players, **options)
    if thread:
        panel = await harness.table_options("How we play")
        (menu,) = [menu for menu in panel.selects if menu.custom_id.endswith("thread")]
        await ana.select(panel, "on", custom_id=menu.custom_id)
    await harness.seat(harness.people[1:people], ai_players)
    await harness.start_match()


async def _mover(harness: AppHarness) -> Person:
    ana = harness.people[0]
    (mover,) = await ana.until(lambda: [p for p in harness.people if f"👉 **{p.name}**" in harness.table().text])
    return mover


async def _thread(harness: AppHarness) -> Channel:
    """The thread of the table, once it is played there."""

    def threads() -> list[Channel]:
        found = {notice.message.channel for notice in harness.notices()}
        return [channel for channel in found if channel.parent is harness.channel]

    (thread,) = await harness.people[0].until(threads)
    return thread


async def _hand(person: Person, channel: Channel) -> SeenMessage:
    """The user's cards, opened in another channel."""
    reply = await person.slash(channel, "gang hand")
    assert reply.message is not None
    assert "is gone" in reply.message.text
    return reply.message


async def _more(person: Person, hand: SeenMessage) -> SeenMessage:
    return shown(await person.click(hand, "More"))


async def test_without_its_channel_a_match_is_paused_and_goes_on(harness: AppHarness) -> None:
    await _playing(harness)
    mover, people, other = await _mover(harness), harness.people[:3], harness.guild.channel("other games")
    harness.channel.delete()
    hands = {person: await _hand(person, other) for person in people}
    for person in people:
        await person.click(await _more(person, hands[person]), "Ask for a pause")
    await mover.until(lambda: can_press(hands[mover], "Resume"))
    assert PLAY not in {button.label for button in hands[mover].buttons}
    panel = await _more(mover, hands[mover])
    assert (await mover.click(panel, "Resume")).updated
    assert can_press(panel, "Ask for a pause")
    await mover.until(lambda: PLAY in {button.label for button in hands[mover].buttons})


async def test_lists_do_not_link_into_a_deleted_channel(harness: AppHarness) -> None:
    await _playing(harness)
    mover, other = await _mover(harness), harness.guild.channel("other games")
    assert "](https://discord.com/" in private_text(await mover.slash(other, "gang list"))
    harness.channel.delete()
    for command in ("gang list", "gang turns"):
        text = private_text(await mover.slash(other, command))
        assert "The channel of table 1 is gone. You can play on with `/gang hand`." in text
        assert "https://" not in text


async def test_without_its_channel_a_late_turn_is_decided_and_the_seat_taken_back(harness: AppHarness) -> None:
    await _playing(harness, pace="live")
    late, other = await _mover(harness), harness.guild.channel("other games")
    await harness.kill_app()
    harness.channel.delete()
    with app_database(harness) as connection:
        now = time.time_ns() // 1_000_000
        connection.execute(f"UPDATE tables SET turn_stage = 'asked', turn_due = {now}")
        connection.execute(f"UPDATE deadlines SET kind = 'answer', due_at = {now + 3_600_000}")
    await harness.start_app(AI_DELAY_SECONDS="60")
    friend = next(person for person in harness.people[:3] if person is not late)
    assert "you can say how to go on" in private_text(await friend.slash(other, "gang turns"))
    panel = await _more(friend, await _hand(friend, other))
    assert f"**{late.name}**'s time at table 1 is up." in panel.text
    assert (await friend.click(panel, "An AI sits in")).updated
    assert "is up." not in panel.text
    hand = await _hand(late, other)
    assert "A substitute plays for you." in hand.text
    assert not {PLAY, PASS} & {button.label for button in hand.buttons}
    assert (await late.click(hand, "I'm back")).updated
    assert PLAY in {button.label for button in hand.buttons}


async def test_a_manager_ends_a_table_that_nobody_can_see(harness: AppHarness) -> None:
    dan, other = harness.people[3], harness.guild.channel("other games")
    await _playing(harness)
    harness.channel.delete()
    assert "no such table" in private_text(await harness.under_more(dan, "close:1:0:open", other))
    await harness.close_table(1)


async def test_a_table_in_an_archived_thread_is_visible_to_members_of_its_channel(harness: AppHarness) -> None:
    dan, ben = harness.people[3], harness.people[1]
    await _playing(harness, people=1, ai_players=2, thread=True)
    thread = await _thread(harness)
    await harness.kill_app()
    assert thread.thread is not None
    thread.thread.is_archived = True  # so Discord tells nothing of it at the start
    await harness.start_app()
    assert "1 open table" in private_text(await dan.slash(harness.channel, "gang list"))
    other = harness.guild.channel("other games")
    harness.channel.deny(ben, Permission.VIEW_CHANNEL)
    assert "No table is open" in private_text(await ben.slash(other, "gang list"))


@pytest.mark.parametrize("wants_thread", [False, True], ids=["in the channel", "in a thread of its own"])
async def test_a_table_opened_in_a_thread_is_not_gone_while_the_thread_is_archived(
    harness: AppHarness, wants_thread: bool
) -> None:
    ana, ben, _, dan = harness.people
    thread = harness.world.create_thread(harness.channel, "cards", ChannelType.PUBLIC_THREAD, ana)
    other = harness.guild.channel("other games")
    with harness.in_channel(thread, harness.people):
        await _playing(harness, people=1, ai_players=2, thread=wants_thread)
        await _mover(harness)
    await harness.kill_app()
    assert thread.thread is not None
    thread.thread.is_archived = True
    await harness.start_app()
    for person in (ana, dan):
        assert f"in <#{thread.id}>" in private_text(await person.slash(other, "gang list"))
    assert "is gone" not in private_text(await ana.slash(other, "gang turns"))
    hand = shown(await ana.slash(other, "gang hand"))
    assert "is gone" not in hand.text
    assert "Table 1 is below." in private_text(await ana.click(await _more(ana, hand), "Post the table again"))
    harness.channel.deny(ben, Permission.VIEW_CHANNEL)
    assert "No table is open" in private_text(await ben.slash(other, "gang list"))
    await ana.until(lambda: thread.thread and not thread.thread.is_archived)
    thread.delete()
    text = ""
    while "is gone" not in text:  # the app tries to post the table again, and finds no channel
        text = private_text(await ana.slash(other, "gang list"))


async def test_a_table_in_a_private_thread_stays_hidden_also_while_the_thread_is_archived(harness: AppHarness) -> None:
    ana, dan = harness.people[0], harness.people[3]
    thread = harness.world.create_thread(harness.channel, "secret", ChannelType.PRIVATE_THREAD, ana)
    assert thread.thread is not None
    thread.thread.member_ids.add(harness.world.app.bot.id)
    with harness.in_channel(thread, harness.people):
        await _playing(harness, people=1, ai_players=2)
    for is_archived in (False, True):
        await harness.kill_app()
        thread.thread.is_archived = is_archived
        await harness.start_app()
        assert "1 open table" in private_text(await ana.slash(harness.channel, "gang list"))
        assert "No table is open" in private_text(await dan.slash(harness.channel, "gang list"))


@pytest.mark.parametrize("meanwhile", ["while the app runs", "while it does not"])
async def test_a_match_whose_thread_is_deleted_goes_on_in_the_channel(harness: AppHarness, meanwhile: str) -> None:
    await _playing(harness, thread=True)
    ana, mover, thread = harness.people[0], await _mover(harness), await _thread(harness)
    if meanwhile == "while the app runs":
        thread.delete()
    else:
        await harness.kill_app()
        thread.delete()
        await harness.start_app()
        assert "Table 1 is below." in private_text(await harness.under_more(ana, "repost:1:0"))
    await ana.until(lambda: [m for m in ana.sees(harness.channel) if "👉" in m.text])
    (notice,) = await ana.until(harness.notices)
    assert mover.mention in notice.text
    await ana.until(lambda: not [m for m in ana.sees(harness.channel) if "is played in" in m.text])
    player = Player(harness, mover)
    await player.open()
    await player.act()
    await ana.until(lambda: harness.notices() != [] and mover.mention not in harness.notices()[0].text)
    assert len(harness.notices()) == 1


async def test_the_whole_menu_of_a_hand_works_in_another_server(harness: AppHarness) -> None:
    await _playing(harness)
    mover, elsewhere = await _mover(harness), harness.world.guild("Other House").channel("cards")
    turns = shown(await mover.slash(elsewhere, "gang turns"))
    more = await _more(mover, shown(await mover.click(turns, "Table 1 · My hand")))
    assert "Fingerprint" in private_text(await mover.click(more, "Fair deal"))
    assert "below" in private_text(await mover.click(more, "Post the table again"))
    ask = shown(await mover.click(more, "Leave the match…"))
    await mover.click(ask, "Yes, concede")
    assert "You have conceded" in ask.text


async def test_a_rematch_is_asked_for_in_another_server(harness: AppHarness) -> None:
    await _playing(harness, people=1, ai_players=2, target=1)
    ana, elsewhere = harness.people[0], harness.world.guild("Other House").channel("cards")
    await play_to_the_end(harness, [Player(harness, ana)])
    hand = shown(await ana.slash(elsewhere, "gang hand", table=1))
    ana.name = "Stranger"  # as they're called in the other server
    reply = await ana.click(hand, "Rematch")
    assert "Table 2 is open." in private_text(reply)
    await ana.until(lambda: "table 2" in harness.table().text)
    assert "Ana" in harness.table().text
    assert "Stranger" not in harness.table().text


async def test_managing_another_server_gives_no_rights_at_a_table(harness: AppHarness) -> None:
    await _playing(harness)
    ana, ben = harness.people[:2]
    other = harness.world.guild("Other House")
    elsewhere = other.channel("cards")
    harness.world.add_member(other, ben)
    harness.world.create_role(other, "managers", Permission.MANAGE_GUILD, [ben])
    hand = shown(await ben.slash(elsewhere, "gang hand", table=1))
    more = await _more(ben, hand)
    assert "Close the table…" not in {button.label for button in more.buttons}
    for part in ("open", "playing"):
        refusal = private_text(await ben.press_old(f"g4:close:1:0:{part}", more))
        assert "Only the host" in refusal, refusal
    assert "👉" in harness.table(ana).text


async def test_a_table_in_a_thread_needs_the_permission_for_threads_only(harness: AppHarness) -> None:
    ana = harness.people[0]
    thread = harness.world.create_thread(harness.channel, "cards", ChannelType.PUBLIC_THREAD, ana)
    harness.channel.deny(harness.world.bot, Permission.SEND_MESSAGES)
    with harness.in_channel(thread, harness.people):
        await _playing(harness, people=1, ai_players=2)
        hand = shown(await ana.slash(thread, "gang hand"))
        assert "can't write" not in hand.text
        assert "below" in private_text(await ana.click(await _more(ana, hand), "Post the table again"))


async def test_the_leaderboard_of_a_table_s_thread_is_that_of_its_channel(harness: AppHarness) -> None:
    await _playing(harness, people=1, ai_players=2, thread=True, target=1)
    ana = harness.people[0]
    thread = await _thread(harness)
    await play_to_the_end(harness, [Player(harness, ana)])
    board = shown(await ana.slash(thread, "gang leaderboard"))
    await ana.select(board, "all", custom_id=next(m.custom_id for m in board.selects if "company" in m.custom_id))
    assert "**Ana (you)**" in board.text
    await ana.click(board, "This channel only")
    assert "**Ana (you)**" in board.text


async def test_users_with_direct_messages_are_notified_without_the_channel(harness: AppHarness) -> None:
    other, german = harness.guild.channel("other games"), words_in("de")
    for person in harness.people[:3]:
        panel = shown(await person.slash(harness.channel, "gang settings"))
        for verb, value in (("notifications", "direct"), ("language", "de")):
            await person.select(panel, value, custom_id=next(m.custom_id for m in panel.selects if verb in m.custom_id))
    await _playing(harness, pace="day")
    mover = await _mover(harness)
    call = german.say("{name}, you lead.", name=mover.mention)
    (message,) = await mover.until(lambda: mover.direct_messages)
    assert message.text.startswith(f"{call}\n")
    assert ":R>" in message.text
    harness.channel.delete()
    reply = await mover.slash(other, "gang hand")
    assert reply.message is not None
    play = next(option.value for option in reply.message.selects[0].options)
    await mover.select(reply.message, play)
    if play.startswith("k"):
        await mover.select(reply.message, next(o.value for o in reply.message.selects[0].options if o.value[0] == "p"))
    await mover.click(reply.message, german.say("Play"))
    others = [person for person in harness.people[:3] if person is not mover]
    await mover.until(lambda: any(person.direct_messages for person in others))
    await mover.until(lambda: mover.direct_messages == [])
    await harness.stop_app()
    with app_database(harness) as connection:  # so there are no further notices at the next start
        (call,) = connection.execute("SELECT notice_id FROM tables").fetchone()
    assert call in [message.id for person in others for message in person.direct_messages]


async def _play_again(harness: AppHarness, number: int) -> None:
    """Ask for a rematch of the first table, and wait until the table with this number is in play."""
    ana = harness.people[0]
    await ana.press_old("g4:rematch:1:0", harness.table())
    await ana.until(lambda: f"table {number}" in harness.table().text and "👉" in harness.table().text)


async def test_the_leader_of_a_rematch_in_a_thread_is_called_there(tmp_path: Path) -> None:
    async with running_app(tmp_path, AI_DELAY_SECONDS="60") as harness:
        ana = harness.people[0]
        await _playing(harness, people=1, ai_players=2, thread=True)
        await harness.close_table(1)
        for number in range(2, 40):
            await _play_again(harness, number)
            if "👉 **Ana**" in harness.table().text:
                break
            await harness.close_table(number)
        await _thread(harness)
        (notice,) = harness.notices()
        assert notice.text.startswith(ana.mention)
        assert [ping.id for ping in ana.pings if ping.text.endswith(f"Table {number}")] == [notice.id]
