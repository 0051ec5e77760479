"""discord.py against the playground, with messages that change on their way (`bot.discord_client.requests`)."""

from io import BytesIO

import discord
import pytest

from bot.discord_client import requests
from bot.discord_client.requests import MAX_TEXTS, Outgoing
from bot.engine.cards import ALL_CARDS
from bot.pictures.descriptions import Emoji, draw
from bot.presentation.ui.components import Layout, button, rows
from bot.presentation.ui.custom_ids import Press, Verb
from playground import Channel, Person, Playground
from tests.playground.conftest import Launch, TestApp

COMMAND = "`/gang hand`"
MISSING = "<:green_7_c:123456789012345678>"
"""An emoji that doesn't exist."""


def panel(text: str) -> Layout:
    return Layout(text, *rows([button(Press(Verb.RULES), "7G", emoji=MISSING)]))


class ChangingApp(TestApp):
    """A client that is prepared as the app is."""

    def __init__(self) -> None:
        super().__init__()
        self.outgoing = Outgoing()

    async def setup_hook(self) -> None:
        for sender in (self.http, requests.answer_without_copies()):
            sender.request = self.outgoing.through(sender.request)  # type: ignore[method-assign]
        await super().setup_hook()
        (shown,) = await self.tree.fetch_commands()
        self.outgoing.mentions = {"hand": shown.mention}


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> ChangingApp:
    """A client whose changes to discord.py are undone after the test."""
    monkeypatch.setattr(discord.Message, "_handle_components", discord.Message._handle_components)
    return ChangingApp()


def a_file() -> discord.File:
    return discord.File(BytesIO(b"a long text"), "a.txt")


@pytest.mark.parametrize("has_file", [False, True])
@pytest.mark.parametrize("is_answer", [False, True])
async def test_a_message_with_a_refused_emoji_arrives_with_text_cards(
    world: Playground,
    launch: Launch,
    channel: Channel,
    ana: Person,
    app: ChangingApp,
    has_file: bool,
    is_answer: bool,
) -> None:
    files = [a_file()] if has_file else []
    view = panel(f"{COMMAND}: {MISSING}")
    if has_file:
        view.append({"type": 13, "file": {"url": "attachment://a.txt"}})

    @app.tree.command(description="Shows a panel.")
    async def shows(interaction: discord.Interaction) -> None:
        if is_answer:
            await interaction.response.send_message(view=view, files=files)
        else:
            await interaction.response.send_message("below")
            await app.get_partial_messageable(channel.id).send(view=view, files=files)

    await launch(app)
    await ana.slash(channel, "shows")
    await ana.until(lambda: any(each.buttons for each in ana.sees(channel)))
    message = ana.sees(channel)[-1]
    assert message.text == "`/shows`: 🟢\N{WORD JOINER}7G"
    (pressed,) = message.buttons
    assert (pressed.label, pressed.emoji) == ("7G", {"name": "🟢"})
    assert [each.content for each in message.message.attachments] == [b"a long text"] * has_file
    assert app.outgoing.emoji_refused.is_set()
    assert world.violations == []


async def test_commands_stay_code_in_forms_and_where_there_is_no_room(
    launch: Launch, channel: Channel, ana: Person, app: ChangingApp
) -> None:
    long = COMMAND.ljust(MAX_TEXTS, ".")

    @app.tree.command(description="Shows a form or a long text.")
    async def shows(interaction: discord.Interaction, form: bool) -> None:
        modal = discord.ui.Modal(title="A form", custom_id="form")
        modal.add_item(discord.ui.TextDisplay(COMMAND))
        modal.add_item(discord.ui.Label(text="Name", component=discord.ui.TextInput(required=False)))
        await (interaction.response.send_modal(modal) if form else interaction.response.send_message(view=Layout(long)))

    await launch(app)
    opened = (await ana.slash(channel, "shows", form=True)).modal
    assert opened is not None
    assert opened.text == COMMAND
    await ana.slash(channel, "shows", form=False)
    assert ana.sees(channel)[-1].raw["components"][0]["content"] == long


async def test_a_refused_drawing_of_a_card_is_not_a_refused_message(launch: Launch, app: ChangingApp) -> None:
    @app.tree.command(description="Shows nothing.")
    async def shows(interaction: discord.Interaction) -> None:
        raise NotImplementedError

    await launch(app)
    drawing = draw(Emoji(ALL_CARDS[0]))
    await app.create_application_emoji(name="green_7", image=drawing)
    with pytest.raises(discord.HTTPException, match="emoji"):
        await app.create_application_emoji(name="green_7", image=drawing)
    (emoji,) = await app.fetch_application_emojis()
    await emoji.delete()
    with pytest.raises(discord.NotFound, match="Emoji"):
        await emoji.delete()
    assert not app.outgoing.emoji_refused.is_set()
