"""Private answers, and the one edge where every refusal and every fault of a click or command ends."""

import logging
from typing import Final

import discord

from bot.presentation.buttons import layout
from bot.presentation.refusals import is_refusal, sentence
from bot.presentation.words import Words, words_in
from bot.services.table import Table

log = logging.getLogger(__name__)

_TOO_LATE: Final = 10062
"""Discord's "unknown interaction": the answer took longer than 3 seconds, and nobody waits for it any more."""


def words_of(interaction: discord.Interaction) -> Words:
    """The words of whoever asks."""
    return words_in(interaction.locale.value)


async def whisper(interaction: discord.Interaction, text: str) -> None:
    """Tell one person something."""
    await show(interaction, layout(discord.ui.TextDisplay(text)))


async def show(interaction: discord.Interaction, view: discord.ui.LayoutView) -> None:
    """Show one person a message of components."""
    nobody = discord.AllowedMentions.none()
    if interaction.response.is_done():
        await interaction.followup.send(view=view, ephemeral=True, allowed_mentions=nobody)
    else:
        await interaction.response.send_message(view=view, ephemeral=True, allowed_mentions=nobody)


async def answer_error(interaction: discord.Interaction, error: BaseException, table: Table | None = None) -> None:
    """Answer a refusal with its sentence; log anything else once, and say that something broke."""
    if isinstance(error, discord.NotFound) and error.code == _TOO_LATE:
        log.warning("an answer to %s came too late", _asked(interaction))
        return
    if not isinstance(error, Exception) or not is_refusal(error):
        log.error("%s failed", _asked(interaction), exc_info=error)
    try:
        await whisper(
            interaction, sentence(error if isinstance(error, Exception) else Exception(), words_of(interaction), table)
        )
    except discord.HTTPException as unheard:
        log.warning("nobody could be told of it: %s", unheard)


def _asked(interaction: discord.Interaction) -> str:
    """What was asked, without what somebody typed or selected: that may be cards of a hand."""
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    parts = (interaction.custom_id or "?").split(":")
    return ":".join(parts[:4])
