"""A short test of the whole playground: connect, command, ephemeral response, click and edit."""

from typing import Any

import discord

from playground import Channel, Person, Playground
from tests.playground.conftest import Launch, TestApp


class Counter(discord.ui.View):
    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.count = 0

    @discord.ui.button(label="More", custom_id="more")
    async def more(self, interaction: discord.Interaction, button: discord.ui.Button[Any]) -> None:
        self.count += 1
        await interaction.response.edit_message(content=f"count {self.count}")


async def test_command_ephemeral_response_click_and_edit(
    world: Playground, launch: Launch, channel: Channel, ana: Person, ben: Person
) -> None:
    app = TestApp()

    @app.tree.command(description="Counts.")
    async def count(interaction: discord.Interaction, start: int) -> None:
        await interaction.response.send_message(f"count {start}", view=Counter(), ephemeral=True)

    await launch(app)
    reply = await ana.slash(channel, "count", start=3)
    assert reply.message is not None
    assert reply.message.text == "count 3"
    assert reply.message.ephemeral
    assert [str(each.text) for each in ana.sees(channel)] == ["count 3"]
    assert ben.sees(channel) == []
    reply = await ana.click(reply.message, "More")
    assert reply.updated
    assert ana.sees(channel)[-1].text == "count 1"
    assert world.violations == []
    assert not app.errors
