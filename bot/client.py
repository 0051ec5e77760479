"""The Discord client: intents, the command family, presses of buttons, and the one error edge."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.asset import Asset
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.presentation.answers import answer_error
from bot.presentation.buttons import ForeignId, Press
from bot.presentation.words import words_in
from bot.services.refusals import UnknownButton
from cogs.pressing import GangCog, Handler

log = logging.getLogger(__name__)

LATEST = 100
"""Messages that Discord gives at once at most."""
_ROUTED = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""What comes with an id of ours."""


class GangBot(commands.AutoShardedBot):
    """Gang of Four's client. It needs no privileged intent: everything arrives as interactions."""

    def __init__(self, api_url: str | None = None, **options: Any) -> None:  # noqa: ANN401  # discord.py's own
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # no voice here
        if api_url is not None:
            Route.BASE = api_url
            Asset.BASE = str(yarl.URL(api_url).origin())
        super().__init__(
            command_prefix=(),
            help_command=None,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=GangTree,
            **options,
        )
        self._api_url = api_url
        self._cogs_to_add: list[GangCog] = []
        self._presses: dict[str, Handler] = {}

    def use(self, prepare: Callable[[discord.Interaction], Awaitable[None]], cogs: Iterable[GangCog]) -> None:
        """Hand in what finds out what somebody reads, and the cogs, which are added when the client has logged in."""
        self.prepare = prepare
        self._cogs_to_add.extend(cogs)

    async def setup_hook(self) -> None:
        """Add the commands and tell Discord of them. Interactions may arrive before `on_ready`, so it is done here."""
        if self._api_url is not None:
            gateway = await self.http.request(Route("GET", "/gateway"))
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway["url"])
        await self.add_commands()
        await self.tree.sync()

    async def open_thread(self, channel_id: int, message_id: int, name: str) -> bool:
        """Open a thread under a message; it gets the id of the message. False where we could not write in it.

        Unlike `PartialMessage.create_thread`, this asks for no guild, which may not have come over the gateway yet.
        """
        channel = self.get_channel(channel_id)
        if isinstance(channel, discord.TextChannel):
            allowed = channel.permissions_for(channel.guild.me)
            if not allowed.send_messages_in_threads:
                return False
        await self.http.start_thread_with_message(channel_id, message_id, name=name, auto_archive_duration=10080)
        return True

    async def find(self, channel_id: int, mark: int) -> int | None:
        """Our own message, among the latest of a channel, that has a component of this id; None where there is none.

        Without the permission to read the history, Discord gives no message.
        """
        async for message in self.get_partial_messageable(channel_id).history(limit=LATEST):
            if message.author == self.user and mark in (getattr(part, "id", None) for part in message.components):
                return message.id
        return None

    def may_attach(self, channel_id: int) -> bool:
        """Whether files may be sent to a channel, as far as is known."""
        channel = self.get_channel(channel_id)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return channel.permissions_for(channel.guild.me).attach_files
        return False

    async def add_commands(self) -> None:
        """Add the cogs: their commands as one family, and what they do when a button is pressed."""
        family = app_commands.Group(
            name="gang",
            description=app_commands.locale_str("Gang of Four, the card game"),
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
        )
        for cog in self._cogs_to_add:
            await self.add_cog(cog)
            self._presses.update(cog.presses())
            for command in cog.get_app_commands():
                self.tree.remove_command(command.name)
                family.add_command(command)
        self.tree.add_command(family)
        await self.tree.set_translator(CatalogTranslator())

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Route presses, and forms that were sent, by their ids: that works at any age, after any restart."""
        if interaction.type not in _ROUTED:
            return
        await self.prepare(interaction)
        try:
            press = Press.parse(interaction.custom_id or "")
            await self._handler(press)(interaction, press)
        except ForeignId:
            log.warning("a press of an unknown button")
            await answer_error(interaction, UnknownButton())
        except Exception as error:
            await answer_error(interaction, error)

    def _handler(self, press: Press) -> Handler:
        try:
            return self._presses[press.verb]
        except KeyError:
            raise ForeignId(str(press)) from None


class GangTree(app_commands.CommandTree[GangBot]):
    """The commands; their errors end where those of presses do."""

    async def interaction_check(self, interaction: discord.Interaction[GangBot], /) -> bool:
        """Find out what whoever asks reads; everybody may ask."""
        await interaction.client.prepare(interaction)
        return True

    async def on_error(self, interaction: discord.Interaction, error: app_commands.AppCommandError, /) -> None:
        """Answer with a sentence."""
        await answer_error(interaction, error.__cause__ or error)


class CatalogTranslator(app_commands.Translator):
    """Names and descriptions of commands from the catalogs."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, _context: app_commands.TranslationContextTypes
    ) -> str | None:
        """The text in this locale; None where it is the same."""
        text = words_in(locale.value).say(string.message)
        return None if text == string.message else text
