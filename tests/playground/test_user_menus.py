"""A menu of users keeps its choice on a desktop after an edit, as long as its custom id stays the same."""

from collections.abc import Iterator

import discord

from playground import Channel, Person, Playground
from tests.playground.conftest import Launch, TestApp


class Guests(discord.ui.UserSelect[discord.ui.View]):
    """Stores the choices, and edits the message after each. `ids` are those of its next menus; None: no edit."""

    def __init__(self, chosen: list[list[str]], custom_id: str, ids: Iterator[str | None]) -> None:
        super().__init__(custom_id=custom_id, max_values=5)
        self.chosen = chosen
        self.ids = ids

    async def callback(self, interaction: discord.Interaction) -> None:
        self.chosen.append([user.display_name for user in self.values])
        following = next(self.ids)
        if following is None:
            await interaction.response.send_message("chosen", ephemeral=True)
        else:
            await interaction.response.edit_message(view=_view(Guests(self.chosen, following, self.ids)))


def _view(menu: Guests) -> discord.ui.View:
    return discord.ui.View(timeout=None).add_item(menu)


async def test_a_menu_of_users_keeps_its_choice_after_an_edit_with_the_same_id(
    world: Playground, launch: Launch, channel: Channel, ana: Person, ben: Person
) -> None:
    app, chosen, cleo = TestApp(), list[list[str]](), world.person("Cleo")

    @app.tree.command(description="Invites.")
    async def invite(interaction: discord.Interaction) -> None:
        ids = iter([None, "one", "one", "other", "other"])
        await interaction.response.send_message(view=_view(Guests(chosen, "one", ids)))

    await launch(app)
    message = (await ana.slash(channel, "invite")).message
    assert message is not None
    for person, choice in ((ana, ben), (ana, cleo), (ana, ana), (ben, cleo), (ana, ben)):
        await person.select(message, choice)
    assert chosen == [["Ben"], ["Cleo"], ["Cleo", "Ana"], ["Cleo"], ["Ben"]]
