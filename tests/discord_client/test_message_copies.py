"""The app's requests without Discord's copies of its messages (`bot.discord_client.requests`)."""

import asyncio
from io import BytesIO
from typing import Any

import discord
import pytest

from bot.discord_client import requests
from bot.presentation.ui.components import Layout, button, rows
from bot.presentation.ui.custom_ids import Press, Verb
from playground import Channel, Person, Playground
from tests.playground.conftest import Launch, TestApp


class LeanApp(TestApp):
    """A client that is prepared as the app is. A press edits the message."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[Any] = []

    async def setup_hook(self) -> None:
        requests.answer_without_copies()
        await super().setup_hook()

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        await super().on_interaction(interaction)
        if interaction.type is discord.InteractionType.component:
            self.answers.append(await interaction.response.edit_message(view=panel("after")))


def panel(text: str) -> discord.ui.LayoutView:
    return Layout(text, *rows([button(Press(Verb.RULES), "Rules")]))


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> LeanApp:
    """A client whose changes to discord.py are undone after the test."""
    monkeypatch.setattr(discord.Message, "_handle_components", discord.Message._handle_components)
    app = LeanApp()

    @app.tree.command(description="Shows a panel.")
    async def show(interaction: discord.Interaction) -> None:
        app.answers.append(await interaction.response.send_message(view=panel("before"), ephemeral=True))

    @app.tree.command(description="Sends a file.")
    async def send(interaction: discord.Interaction) -> None:
        file = discord.File(BytesIO(b"text"), "a.txt")
        app.answers.append(await interaction.response.send_message("a file", file=file, ephemeral=True))

    return app


async def test_answers_and_edits_work_without_copies(
    world: Playground, launch: Launch, channel: Channel, ana: Person, app: LeanApp
) -> None:
    await launch(app)
    shown = (await ana.slash(channel, "show")).message
    assert shown is not None
    assert shown.text == "before"
    assert (await ana.click(shown, "Rules")).updated
    assert ana.sees(channel)[-1].text == "after"
    with_file = (await ana.slash(channel, "send")).message
    assert with_file is not None
    assert with_file.attachments == ["a.txt"]
    async with asyncio.timeout(10):
        while len(app.answers) < 3:  # noqa: ASYNC110  # nothing tells when
            await asyncio.sleep(0.01)
    assert [(answer.resource, answer.message_id) for answer in app.answers] == [(None, None)] * 3
    assert [answer.id for answer in app.answers] == [interaction.id for interaction in app.interactions]
    assert world.violations == []
    assert not app.errors


async def test_messages_of_presses_have_everything_but_components(
    launch: Launch, channel: Channel, ana: Person, app: LeanApp
) -> None:
    await launch(app)
    shown = (await ana.slash(channel, "show")).message
    assert shown is not None
    await ana.click(shown, "Rules")
    message = app.interactions[-1].message
    assert message is not None
    assert message.components == []
    assert (message.id, message.flags.ephemeral) == (shown.id, True)
    assert message.interaction_metadata is not None
    assert message.interaction_metadata.user.id == ana.id


async def test_an_answer_that_discord_refuses_raises_its_error(
    launch: Launch, channel: Channel, ana: Person, app: LeanApp
) -> None:
    @app.tree.command(description="Sends too long a text.")
    async def shout(interaction: discord.Interaction) -> None:
        with pytest.raises(discord.HTTPException, match="2000"):
            await interaction.response.send_message("a" * 2001)
        await interaction.response.send_message("sorry")

    await launch(app)
    reply = (await ana.slash(channel, "shout")).message
    assert reply is not None
    assert reply.text == "sorry"
