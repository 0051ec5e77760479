"""The private panel of what a server sets for everybody in it; each choice takes effect at once."""

import discord

from bot.presentation.buttons import Press, layout, menu
from bot.presentation.habits import language_menu
from bot.presentation.words import Words
from bot.storage.guilds import Server


def server_message(server: Server, words: Words) -> discord.ui.LayoutView:
    """What a server has set, and what else there is to choose."""
    title = "### " + words.say("Settings of this server, for its public messages")
    return layout(
        discord.ui.TextDisplay(title),
        language_menu(server.language, words, "publiclanguage"),
        _celebrations(server, words),
    )


def _celebrations(server: Server, words: Words) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    names = {
        "on": words.say("Gangs and titles are celebrated in the channel"),
        "off": words.say("Gangs and titles are not celebrated"),
    }
    now = "on" if server.celebrates else "off"
    options = [discord.SelectOption(label=name, value=value, default=value == now) for value, name in names.items()]
    return menu(Press("celebrate", 0), words.say("Choose"), options)
