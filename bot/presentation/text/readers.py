"""In which words somebody reads: their language, and cards as pictures or in text."""

import logging

import discord

from bot.presentation.text.emojis import CardEmojis
from bot.presentation.text.i18n import Words, words_in
from bot.services.guild_settings import Guilds
from bot.services.user_settings import Users
from bot.table.errors import StorageError
from bot.table.guild import GuildSettings
from bot.table.user import UserSettings

log = logging.getLogger(__name__)

_KEY = "words"


class Readers:
    """Knows what everybody reads."""

    def __init__(self, users: Users, guilds: Guilds, emojis: CardEmojis) -> None:
        self._users = users
        self._guilds = guilds
        self._emojis = emojis

    async def prepare(self, interaction: discord.Interaction) -> None:
        """Find the words for whoever asks, for `words_of`; where nothing can be read of them, Discord's language."""
        try:
            settings = await self._users.get(interaction.user.id)
        except StorageError as error:
            log.warning("what somebody reads is not known: %s", error)
            return
        interaction.extras[_KEY] = self._with_cards(
            words_in(settings.language or str(interaction.locale.value)), settings
        )

    def public_words(self, guild: GuildSettings) -> Words:
        """The words of public messages in a guild."""
        return words_in(guild.language or guild.locale).with_emojis(self._emojis.tags)

    async def private_words(self, settings: UserSettings, guild_id: int) -> Words:
        """The words for somebody whom we write to by ourselves: without a language of their own, the server's."""
        guild = await self._guilds.get(guild_id)
        return self._with_cards(words_in(settings.language or guild.language or guild.locale), settings)

    def _with_cards(self, words: Words, settings: UserSettings) -> Words:
        return words if settings.text_cards else words.with_emojis(self._emojis.tags)


def words_of(interaction: discord.Interaction) -> Words:
    """The words of whoever asks."""
    words = interaction.extras.get(_KEY)
    return words if isinstance(words, Words) else words_in(str(interaction.locale.value))
