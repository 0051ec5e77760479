"""The language of public messages: the server's on Discord, else that of its first host, until a manager sets one."""

from playground.client.person import Person
from playground.world.model import Channel
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import menu_of, shown

ENGLISH, GERMAN, FRENCH = "Join", "Mitspielen", "Rejoindre"


def _labels(person: Person, place: Channel) -> list[str | None]:
    """The label of the first button of each table."""
    return [each.buttons[0].label for each in person.sees(place) if each.text.startswith("### Gang of Four")]


async def _open_in(join: str, host: Person, place: Channel) -> None:
    """Open a table, and wait until its first button has this label."""
    before = _labels(host, place)
    await host.slash(place, "gang new")
    await host.until(lambda: _labels(host, place) == [*before, join])


async def test_a_server_that_cannot_choose_a_language_has_that_of_its_first_host(harness: AppHarness) -> None:
    world, ana = harness.world, harness.people[0]
    guild = world.guild("Library")
    place = guild.channel("reading")
    eva = world.person("Eva", locale="de")
    manager = world.person("Max", permissions=Permission.MANAGE_GUILD)
    await _open_in(GERMAN, eva, place)
    await _open_in(GERMAN, ana, place)
    panel = shown(await manager.slash(place, "gang settings"))
    await manager.click(panel, "This server…")
    await manager.select(panel, "fr", custom_id=menu_of(panel, "publiclanguage"))
    await eva.until(lambda: _labels(eva, place) == [FRENCH, FRENCH])
    await _open_in(FRENCH, eva, place)
    await _open_in(ENGLISH, eva, harness.channel)  # a server that has chosen English


async def test_a_server_with_the_community_feature_has_its_own_language(harness: AppHarness) -> None:
    place = harness.world.guild("Library", locale="fr").channel("reading")
    for host in (harness.world.person("Eva", locale="de"), harness.people[0]):
        await _open_in(FRENCH, host, place)
