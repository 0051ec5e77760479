"""The language and the features of a guild, as an app gets them."""

from discord import Locale

from playground import Playground
from tests.playground.conftest import Launch
from tests.playground.showcase import showcase


async def test_only_a_guild_with_the_community_feature_has_a_language_of_its_own(
    world: Playground, launch: Launch
) -> None:
    app, ana = await launch(showcase()), world.person("Ana", locale="de")
    for chosen, told, features in ((None, Locale.american_english, []), ("fr", Locale.french, ["COMMUNITY"])):
        await ana.slash(world.guild("Library", locale=chosen).channel("reading"), "panel")
        (*_, command) = app.interactions
        assert command.guild is not None
        assert (command.guild.preferred_locale, command.guild_locale) == (told, told)
        assert command.guild.features == features
