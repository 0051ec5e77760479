"""Tables: options, AI players, leaving, conceding, closing, lists, and several at once."""

import re

import pytest

from bot.engine.events import Substituted
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import PASS, AppHarness, Player, can_press, play_to_the_end, play_until
from tests.end_to_end.inspection import menu_of, private_text, record_of, shown


async def _set_everything_otherwise(harness: AppHarness, panel: SeenMessage) -> list[str]:
    """Choose a new value in every menu of all pages. Returns the chosen values."""
    ana = harness.people[0]
    chosen = []
    for page in ("Basics", "How we play", "House rules"):
        if page != "Basics":
            await ana.click(panel, page)
        for number in range(len(panel.selects)):
            menu = panel.selects[number]
            other = next(
                option for option in menu.options if not option.default and option.value not in ("1", "300", "4")
            )
            await ana.select(panel, other.value, custom_id=menu.custom_id)
            chosen.append(other.label)
    return chosen


async def test_a_match_with_every_option_changed_is_played_to_its_end(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana)
    panel = shown(await ana.click(harness.table(), "Options"))
    chosen = await _set_everything_otherwise(harness, panel)
    assert len(chosen) == 19
    first = ("Dargaud 1996", "to 25 points", "casual", "live: 2 minutes a turn", "keep waiting", "only invited people")
    await ana.until(lambda: all(text in harness.table().text for text in (*first, "Phoenix or Dragon at the cut")))
    assert "private" in private_text(await ben.click(harness.table(), "Join"))
    await ana.click(panel, "People")
    await ana.select(panel, ben, custom_id=panel.selects[0].custom_id)
    await harness.seat([ben], ai_players=1)
    await harness.start_match()
    assert harness.table().message.channel.parent is harness.channel

    await play_to_the_end(harness, [Player(harness, person) for person in (ana, ben)])


async def test_the_host_chooses_a_pace_in_the_answer_and_reads_how_long_the_match_takes(harness: AppHarness) -> None:
    ana = harness.people[0]
    opened = shown(await ana.slash(harness.channel, "gang new", seats=3))
    await ana.until(lambda: any("about 5 weeks at 5 moves a day" in seen.text for seen in harness.messages(ana)))
    await ana.select(opened, "day", custom_id=menu_of(opened, "pace"))
    (chosen,) = [option.label for option in opened.selects[0].options if option.default]
    assert chosen == "Time per turn: 1 day"
    assert "about 7 days at 5 moves a day" in opened.text
    await ana.until(lambda: any("to 25 points" in seen.text for seen in harness.messages(ana)))


async def test_the_host_chooses_the_levels_of_ai_players(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.open_table(ana, seats=3, target=15)
    await harness.seat([], ai_players=2)
    assert "-# AI players: easy" in harness.table().text
    panel = shown(await ana.click(harness.table(), "Options"))
    await ana.select(panel, "expert", custom_id=menu_of(panel, "ai_level"))
    await ana.until(lambda: "-# AI players: hard" in harness.table().text)
    await ana.click(panel, "People")
    await ana.select(panel, "beginner", custom_id=panel.selects[1].custom_id)
    await ana.until(lambda: "-# AI players: very easy and hard" in harness.table().text)
    await ana.select(panel, "expert:hoarder", custom_id=panel.selects[2].custom_id)
    await ana.until(lambda: "-# AI players: very easy and hard · 🐹 gang hoarder" in harness.table().text)

    await harness.start_match()
    await play_to_the_end(harness, [Player(harness, ana)])
    names = [line.event.by for line in record_of(harness) if isinstance(line.event, Substituted)]
    assert names == ["ai:beginner", "ai:expert"]


async def test_an_ai_player_gives_its_seat_to_a_person_and_can_be_removed(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    await harness.seat([], ai_players=2)
    await harness.press(ben, "Join")
    assert harness.table().text.count("🤖") == 1
    await harness.press(ana, "Remove AI")
    assert "🤖" not in harness.table().text


class Passing(Player):
    """A person who passes whenever that is possible."""

    async def act(self) -> None:
        """Pass, or else move."""
        if self.panel is not None and can_press(self.panel, PASS):
            await self.person.click(self.panel, PASS)
        else:
            await super().act()


async def test_the_end_of_a_match_says_who_is_first_on_leaderboards_if_the_others_left(harness: AppHarness) -> None:
    await harness.begin_match(3, target=15)
    await harness.people[0].until(lambda: "👉" in harness.table().text)
    loser, *others = sorted(harness.people[:3], key=lambda person: f"👉 **{person.name}**" in harness.table().text)
    for person in others:  # the first to lead is among them: who always passes then can't win
        ask = shown(await harness.under_more(person, "leave-match:1:0"))
        await person.click(ask, "Yes, concede")
    await play_to_the_end(harness, [Passing(harness, loser)])
    assert f"## 🥇 {loser.name}" not in harness.table().text
    assert f"First on leaderboards: **{loser.name}**. Players who leave" in harness.table().text
    board = shown(await loser.slash(harness.channel, "gang leaderboard"))
    assert f"**{loser.name} (you)**: **1 win** in 1 match" in board.text


async def test_an_open_menu_becomes_that_of_the_finished_match(harness: AppHarness) -> None:
    (player,) = await harness.begin_match(1, ai_players=2, target=1)
    ana = player.person
    menu = shown(await ana.click(await harness.open_hand(ana), "More"))
    await play_to_the_end(harness, [player])
    assert (await ana.click(menu, "Refresh")).updated
    assert "Totals per hand" in {button.label for button in menu.buttons}


@pytest.mark.parametrize("what", [Permission.CREATE_PUBLIC_THREADS, Permission.SEND_MESSAGES_IN_THREADS])
async def test_without_permission_for_threads_a_match_is_played_in_its_channel(
    harness: AppHarness, what: Permission
) -> None:
    harness.channel.deny(harness.world.bot, what)
    ana = harness.people[0]
    await harness.open_table(ana, seats=3)
    panel = await harness.table_options("How we play")
    (thread,) = [menu for menu in panel.selects if menu.custom_id.endswith("thread")]
    await ana.select(panel, "on", custom_id=thread.custom_id)
    assert "can't create public threads" in panel.text
    await harness.seat([], ai_players=2)
    await harness.start_match()
    await play_until(harness, [Player(harness, ana)], lambda: len(record_of(harness)) > 12)
    assert all(message.message.channel is harness.channel for message in harness.messages(ana))


@pytest.mark.parametrize("status", [400, 403])
async def test_if_discord_refuses_the_thread_a_match_is_played_in_its_channel(harness: AppHarness, status: int) -> None:
    """For example because the server has a thousand active threads, or the channel is the chat of a voice channel."""
    ana = harness.people[0]
    await harness.open_table(ana, seats=3)
    panel = await harness.table_options("How we play")
    (menu,) = [menu for menu in panel.selects if menu.custom_id.endswith("thread")]
    await ana.select(panel, "on", custom_id=menu.custom_id)
    await harness.seat([], ai_players=2)
    harness.world.faults.next("POST", "/channels/*/messages/*/threads", status=status)
    await harness.start_match()
    assert [m.text for m in harness.messages(ana) if m.text.startswith("I can")] == [
        "I can't open a thread here, so the match of table 1 is played in this channel."
    ]
    await play_until(harness, [Player(harness, ana)], lambda: len(record_of(harness)) > 12)


def _invitations(harness: AppHarness) -> list[SeenMessage]:
    return [
        message
        for message in harness.messages(harness.people[0])
        if re.search(" invites | would like a rematch", message.text)
    ]


async def test_a_removed_player_is_not_invited_again_with_the_next_one(harness: AppHarness) -> None:
    ana, ben, _, dan = harness.people
    await harness.open_table(ana)
    panel = await harness.table_options("People")
    await ana.select(panel, ben, custom_id=menu_of(panel, "invite"))
    await harness.press(ben, "Join")
    await ana.click(panel, "Basics")
    await ana.click(panel, "People")
    await ana.select(panel, "Ben", custom_id=menu_of(panel, "remove"))
    await ana.select(panel, dan, custom_id=menu_of(panel, "invite"))
    (call,) = await dan.until(lambda: [message for message in _invitations(harness) if dan.mention in message.text])
    assert ben.mention not in call.text
    assert "removed" in private_text(await ben.click(harness.table(), "Join"))


async def test_people_who_were_invited_twice_are_not_invited_again_with_the_next_one(harness: AppHarness) -> None:
    ana, ben, _, dan = harness.people
    await harness.open_table(ana)
    panel = await harness.table_options("People")
    for guest in (ben, ben, dan):
        await ana.select(panel, guest, custom_id=menu_of(panel, "invite"))
        assert f"Invited: {guest.mention}." in panel.text


async def test_invited_users_are_mentioned_once_and_can_join_from_that_message(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    await harness.open_table(ana)
    panel = await harness.table_options("People")
    await ana.select(panel, ben, cleo, ana, custom_id=panel.selects[0].custom_id)
    (call,) = await ana.until(lambda: _invitations(harness))
    assert f"{ben.mention} and {cleo.mention}" in call.text
    for person, rings in ((ana, []), (ben, [call.id]), (cleo, [call.id]), (dan, [])):
        assert [ping.id for ping in person.pings] == rings
    assert "you are invited" in private_text(await ben.slash(harness.channel, "gang turns"))
    await harness.kill_app()
    await harness.start_app()
    await ben.click(call, "Join")
    await ana.until(lambda: "**Ben**" in harness.table().text)
    assert [message.id for message in _invitations(harness)] == [call.id]
    await ana.select(panel, dan, custom_id=panel.selects[0].custom_id)
    (again,) = await dan.until(lambda: [message for message in _invitations(harness) if dan.mention in message.text])
    assert [ping.id for ping in ben.pings] == [call.id]
    for person in (cleo, dan):
        await person.click(again, "Join")
    await ana.until(lambda: _invitations(harness) == [])
    await harness.start_match()


async def test_an_app_is_not_invited(harness: AppHarness) -> None:
    ana, *_ = harness.people
    await harness.open_table(ana)
    panel = await harness.table_options("People")
    await ana.select(panel, harness.world.bot, custom_id=panel.selects[0].custom_id)
    assert "Apps can't be invited." in panel.text


async def test_a_rematch_notifies_the_others_and_starts_when_all_have_joined(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people
    await play_to_the_end(harness, await harness.begin_match(3, target=1))
    await cleo.click(harness.table(), "Rematch")
    (call,) = await ana.until(lambda: _invitations(harness))
    assert "Cleo would like a rematch. Table 2 starts when everyone has joined." in call.text
    rung = [person for person in harness.people if call.id in [ping.id for ping in person.pings]]
    assert rung == [ana, ben]
    await ana.click(call, "Join")
    await ben.click(harness.table(), "Join")
    await ana.until(lambda: "Hand 1" in harness.table().text)
    await ana.until(lambda: _invitations(harness) == [])


async def test_numbers_are_completed_with_tables_that_the_user_can_see(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana)
    hidden = harness.guild.channel("hidden")
    hidden.deny(ben, Permission.VIEW_CHANNEL)
    with harness.in_channel(hidden, [ana]):
        await harness.open_table(ana)

    async def offered(
        person: Person, typed: str = "", command: str = "gang hand", option: str = "table"
    ) -> list[tuple[str, int]]:
        found = await person.autocomplete(harness.channel, command, option, typed)
        return [(choice["name"], choice["value"]) for choice in found]

    assert await offered(ana) == [("Table 2: Ana", 2), ("Table 1: Ana", 1)]
    assert await offered(ana, "1") == [("Table 1: Ana", 1)]
    assert await offered(ana, "x") == []
    assert await offered(ben, command="gang new", option="same_deals") == [("Table 1: Ana", 1)]
    assert await ben.autocomplete(harness.channel, "gang history", "number", "") == []


async def test_more_says_that_very_hard_players_moved_at_the_hard_level(harness: AppHarness) -> None:
    """In these tests the app has no process for them."""
    (ana,) = await harness.begin_match(1, ai_players=2, level="master")
    await play_until(harness, [ana], lambda: ana.moves == 2 and ana.must_act())
    assert ana.panel is not None
    more = shown(await ana.person.click(ana.panel, "More"))
    assert re.search(r"very hard AI players made \d+ moves at the hard level\.", more.text)
