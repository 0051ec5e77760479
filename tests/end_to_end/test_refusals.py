"""Refused actions are answered privately with the rule, and change nothing."""

import asyncio
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from bot.engine import Cards, parse_card
from bot.engine.cards import ALL_CARDS
from bot.presentation.table.hand_state import decode, encode
from bot.presentation.ui.custom_ids import Press, Verb
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import MY_HAND, PASS, PLAY, AppHarness, Player, can_press, cards, play_until
from tests.end_to_end.inspection import private_text, shown, stored

README = Path(__file__).parents[2] / "README.md"


def _turn(harness: AppHarness) -> tuple[Person, list[Person]]:
    """The person to act, and the others."""
    line = next(line for line in harness.table().text.splitlines() if "👉" in line)
    acting = next(person for person in harness.people if person.name in line)
    return acting, [person for person in harness.people[:3] if person is not acting]


async def test_joining_twice_and_joining_a_full_table(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    await harness.open_table(ana, seats=3)
    assert "already" in private_text(await ana.click(harness.table(), "Join"))
    full = harness.table()
    join = next(button.custom_id for button in full.buttons if button.label == "Join")
    assert join
    await harness.seat([ben, cleo])
    assert "All 3 seats are taken." in private_text(await dan.press_old(join, harness.table()))


async def test_only_the_host_sets_options_adds_ai_players_and_starts(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    for label in ("Add AI", "Options", "Fill with AI and start"):
        assert "Only the host" in private_text(await ben.click(harness.table(), label))
    await harness.press(ben, "Join")
    await harness.press(ana, "Add AI")
    assert "Only the host" in private_text(await ben.click(harness.table(), "Start"))


async def test_only_players_can_open_a_hand(harness: AppHarness) -> None:
    await harness.begin_match(3)
    dan = harness.people[3]
    assert "'re not at this table" in private_text(await dan.click(harness.table(), MY_HAND))
    assert "'re not at this table" in private_text(await dan.slash(harness.channel, "gang hand"))


async def test_only_the_player_to_act_can_press_play_or_pass(harness: AppHarness) -> None:
    await harness.begin_match(3)
    _, (waiting, _) = _turn(harness)
    panel = await harness.open_hand(waiting)
    await waiting.click(panel, custom_id=cards(panel)[0])
    assert not can_press(panel, PLAY)
    assert not can_press(panel, PASS)
    forged = next(b.custom_id for b in panel.buttons if b.label == PLAY)
    assert forged
    await waiting.press_old(forged, panel)
    assert "'s turn, not yours" in panel.text
    assert "R23" in panel.text


async def test_the_leader_cannot_pass_nor_lead_without_the_multicolored_one(harness: AppHarness) -> None:
    await harness.begin_match(3)
    leader, _ = _turn(harness)
    panel = await harness.open_hand(leader)
    assert "multicolored 1" in panel.text or "any combination" in panel.text
    forged = next(b.custom_id for b in panel.buttons if b.label == PASS)
    assert forged
    await leader.press_old(forged, panel)
    assert "You lead, so you can't pass." in panel.text


async def test_cards_that_are_no_combination_do_not_light_up_play(harness: AppHarness) -> None:
    await harness.begin_match(3)
    leader, _ = _turn(harness)
    panel = await harness.open_hand(leader)
    for custom_id in (0, -1):  # the lowest and the highest of sixteen cards never have the same number
        await leader.click(panel, custom_id=cards(panel)[custom_id])
    assert not can_press(panel, PLAY)
    assert "don't make a combination" in panel.text
    forged = next(b.custom_id for b in panel.buttons if b.label == PLAY)
    assert forged
    await leader.press_old(forged, panel)
    assert re.search(r"\(rule R\d+\)", panel.text)


async def test_an_old_play_button_is_answered_with_the_current_state(harness: AppHarness) -> None:
    await harness.begin_match(3)
    leader, _ = _turn(harness)
    panel = await harness.open_hand(leader)
    first = panel.selects[0].options[0]
    await leader.select(panel, first.value)
    if first.value.startswith("k"):
        await leader.select(panel, next(o.value for o in panel.selects[0].options if o.value.startswith("p")))
    old = next(b.custom_id for b in panel.buttons if b.label == PLAY)
    assert old
    await leader.click(panel, PLAY)
    held = len(cards(panel))

    await leader.press_old(old, panel)

    assert "The table has moved on" in panel.text
    assert len(cards(panel)) == held


async def test_a_foreign_button_and_a_table_of_another_server(harness: AppHarness) -> None:
    await harness.begin_match(3)
    ana = harness.people[0]
    assert "doesn't work any more" in private_text(await ana.press_old("g4:dance:1:0", harness.table()))
    assert "doesn't work any more" in private_text(await ana.press_old("something-else", harness.table()))
    other = harness.world.guild("Other House").channel("games")
    assert "no such table" in private_text(await ana.slash(other, "gang hand", table=1))


async def test_missing_permissions_are_named_when_a_table_is_made(harness: AppHarness) -> None:
    ana = harness.people[0]
    harness.channel.deny(harness.world.bot, Permission.SEND_MESSAGES)
    text = private_text(await ana.slash(harness.channel, "gang new"))
    assert "Send Messages" in text
    assert "View Channel" not in text


async def test_only_host_or_manager_closes_a_table(harness: AppHarness) -> None:
    await harness.begin_match(3)
    ben = harness.people[1]
    assert "Only the host" in private_text(await ben.slash(harness.channel, "gang close", table=1))
    mod = harness.world.person("Mod", permissions=Permission.MANAGE_GUILD)
    asked = shown(await mod.slash(harness.channel, "gang close", table=1))
    await mod.click(asked, "Yes, close it")
    assert "is closed" in asked.text
    await ben.until(lambda: "This table is closed." in harness.table().text)


async def test_no_player_sees_another_players_hand(harness: AppHarness) -> None:
    await harness.begin_match(3)
    panels: dict[str, SeenMessage] = {}
    for person in harness.people[:3]:
        panels[person.name] = await harness.open_hand(person)
    for person in harness.people:
        private = [message for message in person.sees(harness.channel) if message.ephemeral and cards(message)]
        assert [message.id for message in private] == ([panels[person.name].id] if person.name in panels else [])


def _hand(panel: SeenMessage) -> Cards:
    """The cards of a panel, from the ids of its buttons."""
    return tuple(decode(Press.parse(custom_id).arguments[3])[0] for custom_id in cards(panel))


async def _force(person: Person, panel: SeenMessage, verb: Verb, *cards: object) -> str:
    """Send a forged press for the current turn. Returns the panel's text."""
    real = next(Press.parse(b.custom_id) for b in panel.buttons if b.custom_id and b.custom_id.startswith("g4:p"))
    chosen = encode(tuple(parse_card(str(card)) for card in cards))
    reply = await person.press_old(str(Press(verb, real.table, real.moment, ("n", chosen, ""))), panel)
    assert reply.updated, reply
    return panel.text


def _pair(hand: Cards) -> Cards:
    return next((low, high) for low, high in pairwise(hand) if low.rank == high.rank)


async def test_plays_that_the_rules_refuse_name_the_rule(harness: AppHarness) -> None:
    await harness.begin_match(3)
    leader, _ = _turn(harness)
    panel = await harness.open_hand(leader)
    hand = _hand(panel)
    missing = next(card for card in ALL_CARDS if card not in hand)
    assert "You don't have" in await _force(leader, panel, Verb.PLAY, missing)
    assert "don't make a combination" in await _force(leader, panel, Verb.PLAY, hand[0], hand[-1])
    assert "Select cards to play." in await _force(leader, panel, Verb.PLAY)
    if "must include the multicolored 1" in panel.text:
        assert "(rule R21)" in await _force(leader, panel, Verb.PLAY, hand[-1])
        lead = parse_card("1M")
    else:
        lead = hand[0]
    assert "(rule R29)" in await _force(leader, panel, Verb.PLAY_LAST, lead)
    assert "(rule R29)" in await _force(leader, panel, Verb.DECLARE)
    assert "(rule R27)" in await _force(leader, panel, Verb.GIVE_BACK, lead)
    await _force(leader, panel, Verb.PLAY, lead)
    assert len(cards(panel)) == 15

    await leader.until(lambda: _turn(harness)[0] is not leader)
    follower, _ = _turn(harness)
    answer = await harness.open_hand(follower)
    held = _hand(answer)
    assert "(rule R15)" in await _force(follower, answer, Verb.PLAY, *_pair(held))
    await _force(follower, answer, Verb.PLAY, held[-1])
    await follower.until(lambda: _turn(harness)[0] is not follower)

    third, _ = _turn(harness)
    last = await harness.open_hand(third)
    lowest = _hand(last)[0]
    if lowest < held[-1]:
        assert re.search(r"(lower|equal).*\(rule R1[57]\)", await _force(third, last, Verb.PLAY, lowest))


async def test_a_player_who_forgot_is_out_until_the_next_hand(harness: AppHarness) -> None:
    await harness.begin_match(3, target=1000)
    players = [Player(harness, person, forgets=True) for person in harness.people[:3]]

    def may_still_say(player: Player) -> bool:
        return player.panel is not None and can_press(player.panel, 'Say "Last card!"')

    await play_until(harness, players, lambda: any(map(may_still_say, players)))
    forgetful = next(player for player in players if may_still_say(player))
    following = await forgetful.person.until(lambda: next((each for each in players if each.must_act()), None))
    assert following is not None
    assert following.panel is not None
    await following.person.click(following.panel, PASS)  # when the next player acts, it's too late (R36)

    panel = await harness.open_hand(forgetful.person)
    assert "you are out until the next hand" in panel.text
    await harness.people[0].until(lambda: "out: forgot" in harness.table().text)
    assert "(rule R30)" in await _force(forgetful.person, panel, Verb.PASS)


async def test_no_player_can_play_before_the_exchange_is_complete(harness: AppHarness) -> None:
    await harness.begin_match(3, target=1000)
    players = [Player(harness, person) for person in harness.people[:3]]

    def is_asked(player: Player) -> bool:
        return player.panel is not None and "Select the card that you give back" in player.panel.text

    await play_until(harness, players, lambda: any(map(is_asked, players)))

    winner = next(player for player in players if is_asked(player))
    other = next(player for player in players if not is_asked(player))
    assert winner.panel is not None
    assert len(cards(winner.panel)) == 17
    assert "(rule R27)" in await _force(other.person, await harness.open_hand(other.person), Verb.PASS)
    assert "(rule R27)" in await _force(other.person, await harness.open_hand(other.person), Verb.GIVE_BACK, "7R")


async def test_a_declared_last_card_binds_the_player_before(harness: AppHarness) -> None:
    await harness.begin_match(3, target=1000)
    players = [Player(harness, person) for person in harness.people[:3]]
    refusals: list[str] = []

    async def try_to_evade(player: Player) -> None:
        """Make plays that R31 may forbid. Refused ones change nothing."""
        assert player.panel is not None
        lowest, highest = _hand(player.panel)[0], _hand(player.panel)[-1]
        if "You lead" in player.panel.text and lowest != highest:
            refusals.append(await _force(player.person, player.panel, Verb.PLAY, lowest))
        elif not can_press(player.panel, PASS):
            refusals.append(await _force(player.person, player.panel, Verb.PASS))

    for player in players:
        await player.open()
    while not any("(rule R31)" in refusal for refusal in refusals):
        acting = await harness.people[0].until(lambda: next((p for p in players if p.must_act()), None))
        assert acting is not None
        assert acting.panel is not None
        if "block if you can" in acting.panel.text:
            await try_to_evade(acting)
        if acting.must_act():
            await acting.act()

    assert any("is next and has said" in refusal for refusal in refusals)
    await harness.people[0].until(lambda: "❗ Last card!" in harness.table().text)
    lines = harness.table().text.splitlines()
    declared = next(name for name, state in pairwise(lines) if "❗ Last card!" in state)
    speaker = next(player for player in players if player.person.name in declared)
    panel = await harness.open_hand(speaker.person)
    assert "already" in await _force(speaker.person, panel, Verb.DECLARE)


async def test_after_the_end_nothing_can_be_played(harness: AppHarness) -> None:
    await harness.begin_match(3, target=1)
    players = [Player(harness, person) for person in harness.people[:3]]
    await players[0].open()
    panel = players[0].panel
    assert panel is not None
    old = next(button.custom_id for button in panel.buttons if button.label == PLAY)
    assert old

    await play_until(harness, players, harness.is_over)

    assert "closed" in private_text(await harness.people[0].press_old(old, panel))


@pytest.mark.parametrize("command", ["hand", "leave", "close", "show"])
async def test_without_a_table_commands_say_so(harness: AppHarness, command: str) -> None:
    reply = await harness.people[0].slash(harness.channel, f"gang {command}")
    assert "You have no open table" in private_text(reply)


async def test_a_press_on_a_message_that_is_deleted_at_that_moment_is_answered(harness: AppHarness) -> None:
    ana = harness.people[0]
    page = shown(await ana.slash(harness.channel, "gang rules"))
    reply = asyncio.create_task(ana.click(page, "Next ▶"))
    await asyncio.sleep(0)
    harness.world.posting.delete(page.message)
    assert "was deleted or replaced" in private_text(await reply)


async def test_a_server_with_the_commands_but_without_the_bot_gets_a_link_instead_of_a_table(
    harness: AppHarness,
) -> None:
    ana = harness.people[0]
    harness.guild.remove_only_the_bot()
    answer = shown(await ana.slash(harness.channel, "gang new"))
    assert "Only my commands" in answer.text
    (link,) = answer.buttons
    assert link.url is not None
    documented = re.search(r"https://discord\.com/oauth2/authorize\?[^`]+", README.read_text(encoding="utf-8"))
    assert documented is not None
    ids = {"client_id": [str(harness.world.app.id)], "guild_id": [str(harness.guild.id)]}
    assert parse_qs(urlsplit(link.url).query) == parse_qs(urlsplit(documented[0]).query) | ids

    help_panel = shown(await ana.slash(harness.channel, "gang help"))
    assert "Only my commands" in private_text(await ana.click(help_panel, "Play against AI"))
    assert stored(harness) == []

    harness.guild.add(harness.world.bot)
    await harness.open_table(ana)
