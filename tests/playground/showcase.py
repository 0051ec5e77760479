"""An app with all features that the playground supports: options, components, modals, deferrals, direct messages."""

from typing import Any

import discord
from discord import app_commands

from tests.playground.conftest import TestApp


class Panel(discord.ui.LayoutView):
    """All kinds of message components."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        container = discord.ui.Container(
            discord.ui.TextDisplay("# Table"),
            discord.ui.Section("Ana's hand", accessory=Echo(label="Look", custom_id="look")),
            discord.ui.Separator(),
            discord.ui.ActionRow(
                Echo(label="Twice", custom_id="twice:1"),
                Echo(label="Twice", custom_id="twice:2"),
                Echo(label="Off", custom_id="off", disabled=True),
                discord.ui.Button(label="Rules", url="https://example.org/rules"),
            ),
        )
        self.add_item(container)
        self.add_item(discord.ui.ActionRow(Cards()))
        self.add_item(discord.ui.ActionRow(Guests()))


class Echo(discord.ui.Button[Panel]):
    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"pressed {self.custom_id}", ephemeral=True)


class Cards(discord.ui.Select[Panel]):
    def __init__(self) -> None:
        options = [discord.SelectOption(label=f"Card {n}", value=f"c{n}") for n in range(5)]
        super().__init__(custom_id="cards", min_values=1, max_values=3, options=options)

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"chose {self.values}", ephemeral=True)


class Guests(discord.ui.UserSelect[Panel]):
    def __init__(self) -> None:
        super().__init__(custom_id="guests", max_values=2)

    async def callback(self, interaction: discord.Interaction) -> None:
        names = [user.display_name for user in self.values]
        await interaction.response.send_message(f"invited {names}", ephemeral=True)


class Form(discord.ui.Modal):
    """All kinds of modal fields."""

    def __init__(self) -> None:
        super().__init__(title="A form", custom_id="form")
        self.name = discord.ui.TextInput[Form](min_length=2, max_length=8)
        self.note = discord.ui.TextInput[Form](label="Note", required=False)
        self.kind = discord.ui.Select[Form](
            options=[discord.SelectOption(label="Live"), discord.SelectOption(label="Slow")]
        )
        self.seats = discord.ui.RadioGroup[Form](
            options=[
                discord.RadioGroupOption(label="Three", value="3"),
                discord.RadioGroupOption(label="Four", value="4"),
            ]
        )
        self.rules = discord.ui.Checkbox[Form]()
        labelled = (("Name", self.name), ("Kind", self.kind), ("Seats", self.seats), ("Rules", self.rules))
        for label, item in labelled:
            self.add_item(discord.ui.Label(text=label, component=item))
        self.add_item(self.note)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        given = (self.name.value, self.note.value, self.kind.values, self.seats.value, self.rules.value)
        await interaction.response.send_message(repr(given))


class Survey(discord.ui.Modal):
    """Fields with default values, and a user select."""

    def __init__(self) -> None:
        super().__init__(title="A survey", custom_id="survey")
        ticks = [discord.CheckboxGroupOption(label=each, default=each == "Tea") for each in ("Tea", "Rice", "Soup")]
        pace = [discord.RadioGroupOption(label="Live", default=True), discord.RadioGroupOption(label="Slow")]
        self.food = discord.ui.CheckboxGroup[Survey](options=ticks, custom_id="food", max_values=2)
        self.pace = discord.ui.RadioGroup[Survey](options=pace, custom_id="pace")
        self.guest = discord.ui.UserSelect[Survey](custom_id="guest", required=False, min_values=0)
        self.note = discord.ui.TextInput[Survey](custom_id="note", default="as always")
        for item in (self.food, self.pace, self.guest, self.note):
            self.add_item(discord.ui.Label(text=item.custom_id.title(), component=item))
        self.add_item(discord.ui.TextDisplay("Take your time."))

    async def on_submit(self, interaction: discord.Interaction) -> None:
        guests = [user.display_name for user in self.guest.values]
        given = (self.food.values, self.pace.value, guests, self.note.value)
        await interaction.response.send_message(repr(given))


@app_commands.command(description="Opens a table.")
@app_commands.choices(pace=[app_commands.Choice(name="Quick", value="q"), app_commands.Choice(name="Slow", value="s")])
async def new(
    interaction: discord.Interaction,
    seats: app_commands.Range[int, 2, 4],
    pace: app_commands.Choice[str] | None = None,
    guest: discord.Member | None = None,
    is_open: bool = True,
) -> None:
    options = (seats, pace and pace.name, guest and guest.display_name, is_open)
    await interaction.response.send_message(repr(options))


@app_commands.command(description="Shows everything.")
async def panel(interaction: discord.Interaction) -> None:
    await interaction.response.send_message(view=Panel())


@app_commands.command(description="Opens a form.")
async def form(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Form())


@app_commands.command(description="Completes.")
async def find(interaction: discord.Interaction, card: str, color: str = "any") -> None:
    await interaction.response.send_message(f"{card} {color}")


@find.autocomplete("card")
async def cards(interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    color = interaction.namespace.color or "red"
    return [app_commands.Choice(name=f"{typed} {color}", value=f"{typed}!")]


@app_commands.command(description="Thinks first.")
async def slow(interaction: discord.Interaction) -> None:
    await interaction.response.defer(ephemeral=True, thinking=True)
    await interaction.followup.send("there")
    await interaction.followup.send("and more")


@app_commands.command(description="Doesn't respond.")
async def mute(interaction: discord.Interaction) -> None:
    pass


@app_commands.command(description="Only for managers.")
@app_commands.default_permissions(manage_guild=True)
@app_commands.guild_only()
async def admin(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("yes")


@app_commands.command(description="Reads a file.")
async def read(interaction: discord.Interaction, file: discord.Attachment) -> None:
    content = await file.read()
    await interaction.response.send_message(f"{file.filename} {file.size} {content.decode()}")


@app_commands.command(description="Names things.")
async def name(
    interaction: discord.Interaction,
    place: discord.TextChannel,
    team: discord.Role,
    whom: discord.Member | discord.Role,
) -> None:
    await interaction.response.send_message(f"{place.name} {team.name} {whom.name}")


@app_commands.command(description="Mentions a member.")
async def mention(interaction: discord.Interaction, who: discord.Member) -> None:
    await interaction.response.send_message("ok", ephemeral=True)
    assert isinstance(interaction.channel, discord.TextChannel)
    allowed = discord.AllowedMentions(users=[who])
    message = await interaction.channel.send(f"{who.mention} and {interaction.user.mention}", allowed_mentions=allowed)
    await message.edit(content=f"now {interaction.user.mention}", allowed_mentions=discord.AllowedMentions.all())


@app_commands.command(description="Sends a direct message.")
async def dm(interaction: discord.Interaction) -> None:
    await interaction.response.send_message("sent", ephemeral=True)
    reply = discord.ui.View(timeout=None).add_item(Echo(label="Reply", custom_id="r"))
    await interaction.user.send("Dear you", view=reply)


@app_commands.command(description="Opens a survey.")
async def survey(interaction: discord.Interaction) -> None:
    await interaction.response.send_modal(Survey())


@app_commands.context_menu(name="Who is it")
async def who_is_it(interaction: discord.Interaction, user: discord.Member) -> None:
    await interaction.response.send_message(f"{user.display_name} since {user.joined_at:%Y}", ephemeral=True)


@app_commands.context_menu(name="Read it")
async def read_it(interaction: discord.Interaction, message: discord.Message) -> None:
    await interaction.response.send_message(f"{message.author.display_name}: {message.content}")


def showcase() -> TestApp:
    """The app with all its commands."""
    app = TestApp()
    table = app_commands.Group(name="table", description="Tables.")
    table.add_command(new)
    app.tree.add_command(table)
    commands: list[app_commands.Command[Any, ..., None]] = [
        *(panel, form, survey, find),
        *(slow, mute, admin, name, read, mention, dm),
    ]
    for command in commands:
        app.tree.add_command(command)
    app.tree.add_command(who_is_it)
    app.tree.add_command(read_it)
    return app
