"""Finds the words for each reader: the language, and cards as emoji or as text."""

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
    """Knows the language and card style of every reader."""

    def __init__(self, users: Users, guilds: Guilds, emojis: CardEmojis, *, has_page: bool = False) -> None:
        """`has_page`: the host has set up the page, so messages have buttons that open it."""
        self._users = users
        self._guilds = guilds
        self._emojis = emojis
        self._has_page = has_page

    async def prepare(self, interaction: discord.Interaction) -> None:
        """Find the user's words for `words_of` and store them in `interaction.extras`.

        If the database can't be read, `words_of` falls back to the locale of the user's Discord client.
        """
        try:
            settings = await self._users.get(interaction.user.id)
        except StorageError as error:
            log.warning("could not read the language of a user: %s", error)
            return
        interaction.extras[_KEY] = self._private(words_in(settings.language or str(interaction.locale.value)), settings)

    def public_words(self, guild: GuildSettings) -> Words:
        """The words of public messages in a guild."""
        return self._with_cards(words_in(guild.language or guild.locale), guild)

    async def private_words(self, settings: UserSettings, guild_id: int) -> Words:
        """The words for a user to whom the app writes on its own. The guild's language is the default."""
        guild = await self._guilds.get(guild_id)
        return self._private(words_in(settings.language or guild.language or guild.locale), settings)

    async def page_words(self, user_id: int, locale: str) -> Words:
        """The words for the page of a user with this locale, which is all they are if the database can't be read.

        The page draws the cards itself.
        """
        try:
            settings = await self._users.get(user_id)
        except StorageError:
            return words_in(locale)
        return words_in(settings.language or locale).in_order(by_color=settings.by_color)

    def _private(self, words: Words, settings: UserSettings) -> Words:
        return self._with_cards(words, settings).in_order(by_color=settings.by_color)

    def _with_cards(self, words: Words, settings: UserSettings | GuildSettings) -> Words:
        words = words.with_page() if self._has_page else words
        return words if settings.text_cards else words.with_emojis(self._emojis.tags)


def chosen_locale(guild: discord.Guild, locale: discord.Locale | None) -> str | None:
    """The locale that a guild has chosen on Discord: Discord's, if the guild has the Community feature."""
    return str(locale.value) if locale is not None and "COMMUNITY" in guild.features else None


def words_of(interaction: discord.Interaction) -> Words:
    """The words of the interaction's user.

    `Readers.prepare` must have stored them in `interaction.extras["words"]` before. Without it, they are in the
    language of the user's Discord client, with cards as text.
    """
    words = interaction.extras.get(_KEY)
    return words if isinstance(words, Words) else words_in(str(interaction.locale.value))
