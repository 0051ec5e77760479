"""The app where a person has added it for themselves: in direct messages, and in servers without it."""

import pytest

from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import SeenMessage
from playground.world.model import Channel
from tests.end_to_end.app_harness import AppHarness, Player, play_on
from tests.end_to_end.inspection import shown

PLACES = ("direct message with the app", "direct messages of people", "server without the app")


def _place(harness: AppHarness, name: str, person: Person) -> Channel:
    match PLACES.index(name):
        case 0:
            return person.direct_channel
        case 1:
            return harness.world.group_channel(person, harness.people[1])
    guild = harness.world.guild("Library")
    guild.remove(harness.world.app.bot)
    return guild.channel("reading")


@pytest.fixture
def ana(harness: AppHarness) -> Person:
    """A person who has added the app for themselves."""
    ana = harness.people[0]
    ana.has_installed = True
    return ana


async def _opened(person: Person, place: Channel, command: str) -> SeenMessage:
    message = shown(await person.slash(place, f"gof {command}"))
    assert message.ephemeral
    return message


def _labels(message: SeenMessage) -> list[str | None]:
    return [button.label for button in message.buttons]


async def test_only_people_who_have_added_the_app_get_its_commands(harness: AppHarness, ana: Person) -> None:
    place = harness.world.group_channel(ana, harness.people[1])
    await _opened(ana, place, "help")
    with pytest.raises(NotOffered):
        await harness.people[1].slash(place, "gof help")
    with pytest.raises(NotOffered):
        await ana.slash(place, "gang help")


@pytest.mark.parametrize("name", PLACES)
async def test_everything_for_one_person_works_anywhere(harness: AppHarness, ana: Person, name: str) -> None:
    place = _place(harness, name, ana)
    assert "add the app to a server" in (await _opened(ana, place, "help")).text
    assert "not finished a match" in (await _opened(ana, place, "profile")).text.lower()
    for command, begins in (("rules", "in brief"), ("tutorial", "lesson"), ("puzzle", "puzzle")):
        assert begins in (await _opened(ana, place, command)).text.lower()
    practice = await _opened(ana, place, "practice")
    await ana.click(practice, "New deal")
    daily = await _opened(ana, place, "daily")
    await ana.click(daily, "Deal")
    match = await _opened(ana, place, "help")
    await ana.click(match, "Play against AI")
    await ana.until(lambda: all("Pass" in _labels(hand) for hand in (practice, daily, match)))
    assert "Show in the channel" not in _labels(shown(await ana.click(match, "More")))
    again = await _opened(ana, place, "help")
    await ana.click(again, "Continue my match")
    assert "your hand" in again.text


@pytest.mark.parametrize("name", PLACES)
async def test_a_match_against_ai_players_is_played_anywhere(harness: AppHarness, ana: Person, name: str) -> None:
    place = _place(harness, name, ana)
    hand = await _opened(ana, place, "play")
    player = Player(harness, ana)
    player.panel = hand
    await play_on(harness, [player], lambda: "Totals:" in hand.text)
    assert harness.messages(harness.people[1]) == []
