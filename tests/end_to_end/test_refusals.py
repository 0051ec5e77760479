"""Refused actions are answered privately with the rule, and change nothing."""

import asyncio
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from bot.engine import Cards, parse_card
from bot.engine.cards import ALL_CARDS
from bot.presentation.table.selection import decode, encode
from bot.presentation.ui.custom_ids import Press, Verb
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import PASS, AppHarness, Player, can_press, cards, play_until
from tests.end_to_end.inspection import private_text, shown, stored

README = Path(__file__).parents[2] / "README.md"


def _turn(harness: AppHarness) -> tuple[Person, list[Person]]:
    """The person to act, and the others."""
    line = next(line for line in harness.table().text.splitlines() if "👉" in line)
    acting = next(person for person in harness.people if person.name in line)
    return acting, [person for person in harness.people[:3] if person is not acting]


async def test_missing_permissions_are_named_when_a_table_is_made(harness: AppHarness) -> None:
    ana = harness.people[0]
    harness.channel.deny(harness.world.bot, Permission.SEND_MESSAGES)
    text = private_text(await ana.slash(harness.channel, "gang new"))
    assert "Send Messages" in text
    assert "View Channel" not in text


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


async def _rule(person: Person, panel: SeenMessage, verb: Verb, *cards: object) -> str:
    """The rule behind "Why?" after a forged press; the text doesn't name it."""
    assert "(rule" not in await _force(person, panel, verb, *cards)
    (why,) = [button for button in panel.buttons if button.label == "Why?"]
    assert not why.disabled
    return Press.parse(str(why.custom_id)).arguments[-1]


def _pair(hand: Cards) -> Cards:
    return next((low, high) for low, high in pairwise(hand) if low.rank == high.rank)


async def test_plays_that_the_rules_refuse_lead_to_the_rule(harness: AppHarness) -> None:
    await harness.begin_match(3)
    leader, (waiting, _) = _turn(harness)
    panel = await harness.open_hand(leader)
    hand = _hand(panel)
    missing = next(card for card in ALL_CARDS if card not in hand)
    assert "You don't have" in await _force(leader, panel, Verb.PLAY, missing)
    assert "don't make a combination" in await _force(leader, panel, Verb.PLAY, hand[0], hand[-1])
    assert "Select cards to play." in await _force(leader, panel, Verb.PLAY)
    assert "You lead, so you can't pass." in await _force(leader, panel, Verb.PASS)
    assert await _rule(waiting, other := await harness.open_hand(waiting), Verb.PLAY) == "R23"
    assert "'s turn, not yours." in other.text
    if "must include the multicolored 1" in panel.text:
        assert await _rule(leader, panel, Verb.PLAY, hand[-1]) == "R21"
        lead = parse_card("1M")
    else:
        lead = hand[0]
    assert await _rule(leader, panel, Verb.PLAY_LAST, lead) == "R29"
    assert await _rule(leader, panel, Verb.DECLARE) == "R29"
    assert await _rule(leader, panel, Verb.GIVE_BACK, lead) == "R27"
    await _force(leader, panel, Verb.PLAY, lead)
    assert len(cards(panel)) == 15

    await leader.until(lambda: _turn(harness)[0] is not leader)
    follower, _ = _turn(harness)
    answer = await harness.open_hand(follower)
    held = _hand(answer)
    assert await _rule(follower, answer, Verb.PLAY, *_pair(held)) == "R15"
    await _force(follower, answer, Verb.PLAY, held[-1])
    await follower.until(lambda: _turn(harness)[0] is not follower)

    third, _ = _turn(harness)
    last = await harness.open_hand(third)
    lowest = _hand(last)[0]
    if lowest < held[-1]:
        assert await _rule(third, last, Verb.PLAY, lowest) in ("R15", "R17")
        assert re.search("lower|equal", last.text)


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
    assert await _rule(forgetful.person, panel, Verb.PASS) == "R30"


async def test_without_a_table_the_hand_says_so(harness: AppHarness) -> None:
    reply = await harness.people[0].slash(harness.channel, "gang hand")
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
